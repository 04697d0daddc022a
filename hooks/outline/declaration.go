package outline

import (
	"slices"
	"strings"
)

// maxDeclarationLines is how far a declaration is followed for the brackets that
// it opened.
const maxDeclarationLines = 8

// declaration is the text of the declaration that begins in lines[at], from the
// given place of that line to its body or end.
func declaration(lines []string, at, from int) string {
	var text strings.Builder
	depth := 0
	for i := at; i < len(lines) && i < at+maxDeclarationLines; i++ {
		line := strings.TrimSuffix(lines[i], "\r")
		if i == at {
			line = line[min(from, len(line)):]
		}
		kept, ends := untilBody(line, &depth)
		text.WriteString(kept)
		if ends || depth <= 0 {
			break
		}
		text.WriteByte(' ')
	}
	return signature(strings.TrimSpace(strings.TrimRight(text.String(), ":;= \t")))
}

// untilBody cuts a line where a body begins outside of round brackets, and
// reports whether it did. Depth counts the round and square brackets that are
// open.
func untilBody(line string, depth *int) (string, bool) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '(', '[':
			*depth++
		case ')', ']':
			*depth--
		case '{', ';':
			if *depth <= 0 {
				return line[:i], true
			}
		case '=':
			if *depth <= 0 && strings.HasPrefix(line[i:], "=>") {
				return line[:i], true
			}
		case '/':
			if strings.HasPrefix(line[i:], "//") && *depth <= 0 {
				return line[:i], true
			}
		}
	}
	return line, false
}

func indentOf(line string) int {
	width := 0
	for _, c := range line {
		switch c {
		case ' ':
			width++
		case '\t':
			width += 4
		default:
			return width
		}
	}
	return width
}

// looksPublic judges a declaration by the words and habits of its language. Top
// is true outside of all types.
func looksPublic(lang, name, text string, top bool) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !isWordRune(r) })
	switch {
	case lang == "Python":
		return !strings.HasPrefix(name, "_") || strings.HasSuffix(name, "__")
	case strings.HasPrefix(name, "_"), strings.HasPrefix(name, "#"),
		slices.Contains(words, "private"), slices.Contains(words, "protected"):
		return false
	case lang == "TypeScript" && top:
		return slices.Contains(words, "export") || slices.Contains(words, "declare")
	case lang == "Rust" && top:
		return slices.Contains(words, "pub") || strings.HasPrefix(text, "impl")
	case lang == "C" && top:
		return !slices.Contains(words, "static")
	}
	return true
}

func isWordRune(r rune) bool {
	return r == '_' || r == '$' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r > 0x7f
}

// basesIn finds what a type is made from in its declaration: after extends and
// implements, after one colon, after Ruby's "<", and Rust's "for".
func basesIn(text string) []string {
	text = withoutBrackets(text)
	var bases []string
	for _, word := range []string{" extends ", " implements ", " with "} {
		_, after, ok := strings.Cut(text, word)
		if !ok {
			continue
		}
		for _, stop := range []string{" extends ", " implements ", " with ", " where ", " permits "} {
			after, _, _ = strings.Cut(after, stop)
		}
		bases = append(bases, names(after)...)
	}
	if len(bases) > 0 {
		return bases
	}
	if strings.HasPrefix(text, "impl ") {
		trait, _, ok := strings.Cut(strings.TrimPrefix(text, "impl "), " for ")
		if ok {
			return names(trait)
		}
		return nil
	}
	first, after, ok := strings.Cut(text, " < ")
	if !ok {
		first, after, ok = strings.Cut(text, ":")
	}
	if !ok || strings.HasPrefix(after, ":") || strings.Contains(first, "=") {
		return nil
	}
	return names(after)
}

// names splits a list of types at its commas and keeps the last word of each,
// which leaves out public, virtual and the like.
func names(list string) []string {
	var found []string
	for part := range strings.SplitSeq(list, ",") {
		words := strings.Fields(part)
		if len(words) > 0 {
			found = append(found, words[len(words)-1])
		}
	}
	return found
}

// withoutBrackets drops what is between round or angle brackets, except that
// Ruby's " < " is no bracket.
func withoutBrackets(text string) string {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		opens := c == '(' || c == '<' && i+1 < len(text) && text[i+1] != ' '
		closes := (c == ')' || c == '>') && depth > 0
		switch {
		case opens:
			depth++
		case closes:
			depth--
		case depth == 0:
			b.WriteByte(c)
		}
	}
	return b.String()
}
