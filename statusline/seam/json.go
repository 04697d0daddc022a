package seam

import "github.com/tidwall/gjson"

const (
	// Below shallow bytes nothing can be nested deep enough to matter.
	shallow = 64 << 10
	// maxNesting is how deep arrays and objects may be nested in what is larger.
	maxNesting = 10_000
)

// ValidJSON reports whether raw is one whole JSON value. The check goes down one
// call for each level of nesting, and Go ends a process whose stack has grown too
// far, which nothing can catch: a few million brackets would take the status line
// down, and a hook with the exit code that blocks. So what is nested absurdly deep
// is not JSON here.
func ValidJSON(raw []byte) bool {
	if len(raw) > shallow && nestedDeeper(raw, maxNesting) {
		return false
	}
	return gjson.ValidBytes(raw)
}

// nestedDeeper counts brackets outside of strings.
func nestedDeeper(raw []byte, most int) bool {
	depth, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case quoted:
		case c == '[' || c == '{':
			if depth++; depth > most {
				return true
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return false
}
