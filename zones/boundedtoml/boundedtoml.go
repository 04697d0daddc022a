// Package boundedtoml decodes TOML that anybody may have written, in a time that
// its length bounds.
//
// The decoder takes time that grows with the square of how deep values are nested
// and of how many parts a key has: sixteen kilobytes of either were seen to take
// ten seconds. A file of a project would so keep every guard silent on the
// person's machine, whose hooks have one second. What people write is three levels
// deep.
package boundedtoml

import (
	"errors"
	"strings"

	"github.com/BurntSushi/toml"
)

// deepest is how deep arrays and inline tables may be nested, and how many dots a
// key may have.
const deepest = 8

// ErrTooDeep says that a text nests deeper than anything that is read here.
var ErrTooDeep = errors.New("it is nested too deep")

// Decode is toml.Decode for what is not nested absurdly deep. A byte order mark is
// survived.
func Decode(text string, into any) (toml.MetaData, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	if tooDeep(text) {
		return toml.MetaData{}, ErrTooDeep
	}
	return toml.Decode(text, into)
}

// tooDeep counts brackets, and the dots of each key, outside of strings and
// comments.
func tooDeep(text string) bool {
	depth, dots := 0, 0
	for i := 0; i < len(text); {
		c := text[i]
		i++
		switch c {
		case '#':
			i += lengthOfComment(text[i:])
		case '"', '\'':
			i += stringLength(text[i:], c)
		case '[', '{':
			depth, dots = depth+1, 0
		case ']', '}':
			depth, dots = max(0, depth-1), 0
		case '=', ',', '\n':
			dots = 0
		case '.':
			dots++
		}
		if depth > deepest || dots > deepest {
			return true
		}
	}
	return false
}

// stringLength is how much of the text belongs to the string that the quote before
// it opened. A string that does not end is one that the decoder refuses; what
// stands behind it does not matter.
func stringLength(text string, quote byte) int {
	two := strings.Repeat(string(quote), 2)
	if strings.HasPrefix(text, two) {
		return longStringLength(text, quote, two+two[:1])
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote == '"' && c == '\\':
			i++
		case c == quote || c == '\n' || c == '\r':
			return i + 1
		}
	}
	return len(text)
}

// longStringLength is stringLength for a string of several lines, whose last two
// characters may be quotes themselves.
func longStringLength(text string, quote byte, three string) int {
	for i := 2; i < len(text); i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			i++
		case strings.HasPrefix(text[i:], three):
			end := i + len(three)
			for end < len(text) && end < i+5 && text[end] == quote {
				end++
			}
			return end
		}
	}
	return len(text)
}

func lengthOfComment(text string) int {
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		return i
	}
	return len(text)
}
