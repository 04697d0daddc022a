package question

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const recommendedMark = "(recommended)"

// withoutMark cuts the "(recommended)" off the end of a label.
func withoutMark(label string) string {
	trimmed := strings.TrimRightFunc(label, unicode.IsSpace)
	if !marked(trimmed) {
		return strings.TrimSpace(label)
	}
	return strings.TrimSpace(trimmed[:len(trimmed)-len(recommendedMark)])
}

func marked(label string) bool {
	label = strings.TrimRightFunc(label, unicode.IsSpace)
	at := len(label) - len(recommendedMark)
	return at >= 0 && strings.EqualFold(label[at:], recommendedMark)
}

// recommended is the one option that the question recommends (P5), as it is
// offered: the only label that ends in "(recommended)", else the only one that
// a line "Recommendation: X" names.
func (a asked) recommended() (option, bool) {
	var found []option
	for _, o := range a.options {
		if marked(o.label) {
			found = append(found, o)
		}
	}
	if len(found) > 0 {
		return found[0], len(found) == 1
	}
	named, ok := recommendationLine(a.text)
	if !ok {
		return option{}, false
	}
	for _, o := range a.options {
		if beginAlike(named, comparable(o.label)) {
			found = append(found, o)
		}
	}
	if len(found) != 1 {
		return option{}, false
	}
	return found[0], true
}

// recommendationLine is the X of the question's only line "Recommendation: X".
func recommendationLine(question string) (string, bool) {
	const opening = "recommendation:"
	named, lines := "", 0
	for line := range strings.Lines(question) {
		line = strings.TrimLeft(line, " \t*_->")
		if len(line) >= len(opening) && strings.EqualFold(line[:len(opening)], opening) {
			named = comparable(strings.TrimLeft(line[len(opening):], " \t*_"))
			lines++
		}
	}
	return named, lines == 1 && named != ""
}

func beginAlike(a, b string) bool {
	return a != "" && b != "" && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// comparable is a label without letter case, an option letter such as "A)", and
// punctuation at its end.
func comparable(label string) string {
	label = normal(withoutMark(label))
	if r, n := utf8.DecodeRuneInString(label); unicode.IsLetter(r) && len(label) > n && strings.IndexByte(").:", label[n]) >= 0 {
		label = strings.TrimSpace(label[n+1:])
	}
	return strings.TrimRightFunc(label, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) })
}
