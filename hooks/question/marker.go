package question

import "strings"

// MarkerForm is how a question is marked so that a preference can be kept for it.
const MarkerForm = "<qid:some-id>"

const longestID = 64

// markerOf finds the first marker in a question's text, <qid:some-id> or
// <gstack-qid:some-id>, and gives its id in lower case and the text without it
// (P1). The id is empty when there is none.
func markerOf(question string) (id, rest string) {
	for from := 0; ; {
		i := strings.IndexByte(question[from:], '<')
		if i < 0 {
			return "", question
		}
		start := from + i
		from = start + 1
		inner, ok := strings.CutPrefix(question[start:], "<qid:")
		if !ok {
			inner, ok = strings.CutPrefix(question[start:], "<gstack-qid:")
		}
		if !ok {
			continue
		}
		id, after, ok := strings.Cut(inner, ">")
		if ok && ValidID(id) {
			return strings.ToLower(id), question[:start] + after
		}
	}
}

// ValidID reports whether id may name a question: letters, digits and dashes, 1
// to 64 of them.
func ValidID(id string) bool {
	if id == "" || len(id) > longestID {
		return false
	}
	for i := 0; i < len(id); i++ {
		c := id[i]
		if c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}
