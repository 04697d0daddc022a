package outline

import (
	"slices"
	"strings"
)

// approximate looks through a source line by line, for any language that marks
// its declarations with a word. It takes what looks like one, knows nothing of
// comments that span lines, and says that it is approximate.
func approximate(lang string, src []byte, why string) Shape {
	a := lookThrough(lang, src)
	n := nester{flat: a.flat, parent: a.parent}
	return Shape{Language: lang, Approximate: true, Why: why, Symbols: tidied(n.tree(), src)}
}

// approximateTags gives the same findings in the form of ctags'.
func approximateTags(lang string, src []byte) []tag {
	a := lookThrough(lang, src)
	tags := make([]tag, len(a.flat))
	for i, s := range a.flat {
		tags[i] = tag{Name: s.Name, Line: s.Line, Kind: "function", guessed: true}
		if s.Kind == kindType {
			tags[i].Kind = "class"
		}
		if p := a.parent[i]; p >= 0 {
			tags[i].Scope = a.flat[p].Name
		}
	}
	return tags
}

func lookThrough(lang string, src []byte) *approximator {
	a := &approximator{lang: lang, methods: make(map[int]int), lines: strings.Split(string(src), "\n")}
	for i := range a.lines {
		a.line(i)
	}
	return a
}

type approximator struct {
	lang   string
	lines  []string
	flat   []Symbol
	parent []int
	indent []int
	// open is the chain of types around the current line, outermost first.
	open []int
	// methods has how deep the last method of each type stands.
	methods map[int]int
}

func (a *approximator) line(i int) {
	if len(a.flat) >= maxSymbols || len(a.lines[i]) > 2000 {
		return
	}
	text := strings.TrimSpace(a.lines[i])
	if text == "" || slices.ContainsFunc([]string{"//", "#", "*", "/*", "--", "'", "\""}, func(mark string) bool {
		return strings.HasPrefix(text, mark)
	}) {
		return
	}
	indent := indentOf(a.lines[i])
	for len(a.open) > 0 && a.indent[a.open[len(a.open)-1]] >= indent {
		a.open = a.open[:len(a.open)-1]
	}
	kind, name := declared(text)
	if kind == "" && a.hasBareFunctions() {
		kind, name = a.bareFunction(text, indent)
	}
	if kind == "" || name == "" {
		return
	}
	a.add(i, indent, kind, name)
}

func (a *approximator) add(i, indent int, kind, name string) {
	parent := -1
	if len(a.open) > 0 {
		parent = a.open[len(a.open)-1]
	}
	if kind == kindFunction && (parent < 0 && indent > 0 || a.insideMethod(indent)) {
		// Most likely inside another function.
		return
	}
	if kind == kindFunction && parent >= 0 {
		kind = kindMethod
		a.methods[parent] = indent
	}
	text := declaration(a.lines, i, 0)
	if a.lang == "Python" {
		text = untilColon(text)
	}
	s := Symbol{Kind: kind, Name: name, Line: i + 1, Signature: text}
	s.Public = looksPublic(a.lang, name, text, parent < 0)
	if kind == kindType {
		s.Bases = approximateBases(a.lang, text)
		a.open = append(a.open, len(a.flat))
	}
	a.flat = append(a.flat, s)
	a.parent = append(a.parent, parent)
	a.indent = append(a.indent, indent)
}

// untilColon cuts a declaration of Python's at the colon that ends it.
func untilColon(text string) string {
	depth := 0
	for i, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ':':
			if depth == 0 {
				return text[:i]
			}
		}
	}
	return text
}

// approximateBases knows that Python writes them in round brackets.
func approximateBases(lang, text string) []string {
	if lang != "Python" {
		return basesIn(text)
	}
	_, list, ok := strings.Cut(text, "(")
	if !ok {
		return nil
	}
	list, _, _ = strings.Cut(list, ")")
	return names(list)
}

// declared recognises a declaration by its word, after any modifiers.
func declared(text string) (kind, name string) {
	words := strings.Fields(text)
	for i, word := range words {
		if i > 6 || i+1 >= len(words) {
			return "", ""
		}
		if word == "enum" && (words[i+1] == "class" || words[i+1] == "struct") {
			continue
		}
		switch word {
		case "class", "interface", "struct", "enum", "trait", "protocol", "record", "object", "namespace", "module", "defmodule", "type", "union":
			return kindType, leadingName(words[i+1])
		case "impl":
			return kindType, implemented(words)
		case "func", "fn", "def", "defp", "function", "function*", "fun", "sub":
			return kindFunction, methodName(words[i+1:])
		}
		if (word == "const" || word == "let" || word == "var") && holdsFunction(text) {
			return kindFunction, leadingName(words[i+1])
		}
		if !isModifier(word) {
			return "", ""
		}
	}
	return "", ""
}

// implemented is the type that a Rust impl is for.
func implemented(words []string) string {
	last := words[len(words)-1]
	if last == "{" {
		last = words[len(words)-2]
	}
	return leadingName(last)
}

// methodName passes over a Go receiver.
func methodName(words []string) string {
	if strings.HasPrefix(words[0], "(") {
		for i, w := range words {
			if strings.HasSuffix(w, ")") && i+1 < len(words) {
				return leadingName(words[i+1])
			}
		}
	}
	return leadingName(strings.TrimPrefix(words[0], "self."))
}

func leadingName(word string) string {
	end := strings.IndexFunc(word, func(r rune) bool { return !isWordRune(r) })
	if end >= 0 {
		word = word[:end]
	}
	return word
}

func isModifier(word string) bool {
	if strings.HasPrefix(word, "pub(") || strings.HasPrefix(word, "@") {
		return true
	}
	switch word {
	case "export", "default", "public", "private", "protected", "internal", "static", "abstract", "final", "sealed",
		"async", "pub", "unsafe", "const", "extern", "override", "virtual", "inline", "declare", "open", "data",
		"partial", "readonly", "local", "suspend", "typedef", "case", "template", "constexpr", "friend":
		return true
	}
	return false
}

// hasBareFunctions reports whether the language has functions that no word
// introduces.
func (a *approximator) hasBareFunctions() bool {
	switch a.lang {
	case "TypeScript", "JavaScript", "Java", "C", "C++", "C#", "Dart", "Shell":
		return true
	}
	return false
}

// bareFunction recognises such a function: a method inside a type, or C's and
// the shell's at the left margin.
func (a *approximator) bareFunction(text string, indent int) (kind, name string) {
	before, after, ok := strings.Cut(text, "(")
	if !ok || strings.ContainsAny(before, "=.\"'`?{}") || !strings.Contains(after, ")") {
		return "", ""
	}
	if indent > 0 && len(a.open) == 0 || indent == 0 && !a.bareAtMargin(before, after) {
		return "", ""
	}
	tail := strings.TrimSpace(after[strings.LastIndex(after, ")")+1:])
	if !strings.HasSuffix(text, "{") && !(indent == 0 && tail == "") {
		return "", ""
	}
	words := strings.FieldsFunc(before, func(r rune) bool { return !isWordRune(r) })
	if len(words) == 0 || slices.ContainsFunc(words, isControlWord) {
		return "", ""
	}
	return kindFunction, words[len(words)-1]
}

func (a *approximator) bareAtMargin(before, after string) bool {
	switch a.lang {
	case "C", "C++":
		return len(strings.Fields(before)) > 1
	case "Shell":
		return len(strings.Fields(before)) == 1 && strings.HasPrefix(after, ")")
	}
	return false
}

// insideMethod reports whether a line this deep would be inside a method of the
// innermost open type rather than beside it.
func (a *approximator) insideMethod(indent int) bool {
	if len(a.open) == 0 {
		return false
	}
	method, ok := a.methods[a.open[len(a.open)-1]]
	return ok && indent > method
}

func isControlWord(word string) bool {
	switch word {
	case "if", "for", "while", "switch", "catch", "return", "else", "do", "with", "match", "when", "unless", "until",
		"elif", "case", "throw", "new", "await", "yield", "typeof", "synchronized", "using", "lock", "foreach", "not":
		return true
	}
	return false
}
