package question

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A pattern is a run of words, written as they follow each other:
//
//	with [all] that|this context|analysis
//
// Alternatives are separated by |, what may be missing stands in brackets, and
// "~" stands for up to sixWords other words of the same sentence. Letter case
// does not count. Patterns are matched word by word, so there are no regular
// expressions to compile before a question can be let through.
type pattern []slot

type slot struct {
	words    []string
	optional bool
	gap      bool
}

const sixWords = 6

// compile reads patterns, one on each line.
func compile(source string) []pattern {
	var patterns []pattern
	for line := range strings.Lines(source) {
		var p pattern
		for field := range strings.FieldsSeq(line) {
			if field == "~" {
				p = append(p, slot{gap: true})
				continue
			}
			inner, optional := strings.CutPrefix(field, "[")
			p = append(p, slot{words: strings.Split(strings.TrimSuffix(inner, "]"), "|"), optional: optional})
		}
		if len(p) > 0 {
			patterns = append(patterns, p)
		}
	}
	return patterns
}

// word is one word of a text: letters, digits, marks and underscores.
type word struct {
	lower      string
	start, end int
	// near is true when only white space, or with loose separation anything that
	// does not end a sentence, lies between this word and the one before.
	near bool
}

// split cuts a text into its words. Loose separation lets hyphens, slashes,
// dashes and the like stand between two words of a phrase.
func split(text string, loose bool) []word {
	var words []word
	end := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !inWord(r) {
			i += n
			continue
		}
		start := i
		for i < len(text) && inWord(r) {
			i += n
			r, n = utf8.DecodeRuneInString(text[i:])
		}
		words = append(words, word{
			lower: strings.ToLower(text[start:i]),
			start: start,
			end:   i,
			near:  joins(text[end:start], loose),
		})
		end = i
	}
	return words
}

func inWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func joins(between string, loose bool) bool {
	if loose {
		return !endsSentence(between)
	}
	return strings.TrimFunc(between, unicode.IsSpace) == ""
}

// endsSentence reports whether a sentence ends between two words. A point in the
// middle of something, as in config.yaml, ends none.
func endsSentence(between string) bool {
	if strings.ContainsAny(between, "?!;\n") {
		return true
	}
	at := strings.IndexByte(between, '.')
	return at >= 0 && at+1 < len(between)
}

// find gives the first phrase of the text that matches one of the patterns, as
// it is written there.
func find(text string, patterns []pattern, loose bool) (phrase string, ok bool) {
	words := split(text, loose)
	for i := range words {
		for _, p := range patterns {
			if n, ok := p.match(words[i:], true); ok {
				return text[words[i].start:words[i+n-1].end], true
			}
		}
	}
	return "", false
}

// match reports how many of the words the pattern takes from the first on.
func (p pattern) match(words []word, first bool) (int, bool) {
	if len(p) == 0 {
		return 0, true
	}
	head, rest := p[0], p[1:]
	if head.gap {
		for skip := 0; skip <= sixWords && skip <= len(words); skip++ {
			if n, ok := rest.match(words[skip:], false); ok {
				return skip + n, true
			}
			if skip < len(words) && !words[skip].near {
				break
			}
		}
		return 0, false
	}
	if len(words) > 0 && (first || words[0].near) && head.takes(words[0].lower) {
		if n, ok := rest.match(words[1:], false); ok {
			return n + 1, true
		}
	}
	if head.optional {
		return rest.match(words, first)
	}
	return 0, false
}

func (s slot) takes(lower string) bool {
	for _, w := range s.words {
		if w == lower {
			return true
		}
	}
	return false
}
