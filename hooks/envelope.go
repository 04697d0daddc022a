package hooks

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// ErrMalformed says that a payload is not one JSON object.
var ErrMalformed = errors.New("the payload is not a JSON object")

// maxEnvelopeText bounds a value of the envelope. Longer text is left out as if
// it were missing: nothing that long is an id, a path or a name.
const maxEnvelopeText = 16 << 10

// Scanner reads the envelope of a payload that arrives in pieces, in constant
// memory: it follows the JSON just far enough to know which text is a key of
// the outermost object, and keeps only the values it wants. So a key that is
// named inside somebody's text is never taken for one.
//
// It is not a validator: a payload that is wrong inside a value that nobody
// wants may pass.
type Scanner struct {
	envelope Envelope
	state    scanState
	depth    int
	inString bool
	escaped  bool
	// token collects the raw bytes of a wanted string, quotes left out.
	token   []byte
	keeping bool
	dropped bool
	key     string
	bom     int
}

type scanState uint8

const (
	beforeObject scanState = iota
	beforeKey
	inKey
	afterKey
	beforeValue
	inValue // of the outermost object
	scanDone
	scanFailed
)

// Feed takes the next piece. It reports true when the outermost object is
// closed; what follows does not matter then.
func (s *Scanner) Feed(p []byte) (done bool, err error) {
	for i := 0; i < len(p); i++ {
		if s.inString {
			i += s.stringBytes(p[i:])
			if i >= len(p) {
				break
			}
			s.endString()
			continue
		}
		s.structure(p[i])
		if s.state == scanDone {
			return true, nil
		}
		if s.state == scanFailed {
			return false, ErrMalformed
		}
	}
	return false, nil
}

// stringBytes takes the bytes of the string that p continues and gives the
// place of the quote that ends it, or len(p).
func (s *Scanner) stringBytes(p []byte) int {
	for from := 0; ; {
		n := bytes.IndexByte(p[from:], '"')
		if n < 0 {
			s.escaped = endsEscaped(p[from:], s.escaped)
			s.keep(p)
			return len(p)
		}
		quote := from + n
		if !endsEscaped(p[from:quote], s.escaped) {
			s.escaped = false
			s.keep(p[:quote])
			return quote
		}
		s.escaped = false
		from = quote + 1
	}
}

// endsEscaped reports whether the byte after p is escaped by a backslash;
// carried says so of the first byte of p.
func endsEscaped(p []byte, carried bool) bool {
	run := 0
	for run < len(p) && p[len(p)-1-run] == '\\' {
		run++
	}
	if run == len(p) && carried {
		run++
	}
	return run%2 == 1
}

func (s *Scanner) keep(p []byte) {
	if !s.keeping || s.dropped {
		return
	}
	if len(s.token)+len(p) > maxEnvelopeText {
		s.dropped = true
		return
	}
	s.token = append(s.token, p...)
}

func (s *Scanner) beginString(keep bool) {
	s.inString, s.keeping, s.dropped = true, keep, false
	s.token = s.token[:0]
}

func (s *Scanner) endString() {
	s.inString = false
	if s.depth != 1 {
		return
	}
	switch s.state {
	case inKey:
		s.key, s.state = s.text(), afterKey
	case inValue:
		if s.keeping {
			s.envelope.set(s.key, s.text())
		}
	}
}

// text is the token as JSON text; empty when it was too long or is not UTF-8.
func (s *Scanner) text() string {
	if s.dropped {
		return ""
	}
	quoted := make([]byte, 0, len(s.token)+2)
	quoted = append(append(append(quoted, '"'), s.token...), '"')
	v := gjson.ParseBytes(quoted)
	if !gjson.ValidBytes(quoted) || !utf8.ValidString(v.Str) {
		return ""
	}
	return v.Str
}

// structure takes one byte outside of any string.
func (s *Scanner) structure(c byte) {
	const bom = "\xef\xbb\xbf"
	switch c {
	case ' ', '\t', '\r', '\n':
		return
	}
	switch s.state {
	case beforeObject:
		if s.bom < len(bom) && c == bom[s.bom] {
			s.bom++
			return
		}
		s.expect(c == '{', beforeKey)
		s.depth = 1
	case beforeKey:
		switch c {
		case '"':
			s.state = inKey
			s.beginString(true)
		case '}':
			s.state = scanDone
		case ',':
		default:
			s.state = scanFailed
		}
	case afterKey:
		s.expect(c == ':', beforeValue)
	case beforeValue:
		s.state = inValue
		if c == '"' {
			s.beginString(wanted(s.key))
			return
		}
		s.envelope.set(s.key, "") // of two equal keys the last counts, whatever it holds
		s.valueByte(c)
	case inValue:
		s.valueByte(c)
	}
}

func (s *Scanner) expect(ok bool, next scanState) {
	if !ok {
		next = scanFailed
	}
	s.state = next
}

// valueByte takes one byte of a value of the outermost object, which may be
// deep inside it.
func (s *Scanner) valueByte(c byte) {
	switch c {
	case '"':
		s.beginString(false)
	case '{', '[':
		s.depth++
	case '}', ']':
		s.depth--
		if s.depth == 0 {
			s.expect(c == '}', scanDone)
		}
	case ',':
		if s.depth == 1 {
			s.state = beforeKey
		}
	}
}

// Envelope is what was found so far.
func (s *Scanner) Envelope() Envelope { return s.envelope }

// Complete reports whether the keys that every event carries were found. Those
// that only some events carry come before the event's own, long ones (facts B.2).
func (e Envelope) Complete() bool {
	return e.Name != "" && e.SessionID != "" && e.TranscriptPath != "" && e.CWD != ""
}

func wanted(key string) bool {
	var e Envelope
	return e.field(key) != nil
}

func (e *Envelope) set(key, value string) {
	if field := e.field(key); field != nil {
		*field = value
	}
}

// field is where the value of a top-level key goes; nil for keys that nobody
// wants.
func (e *Envelope) field(key string) *string {
	switch key {
	case "hook_event_name":
		return (*string)(&e.Name)
	case "session_id":
		return &e.SessionID
	case "transcript_path":
		return &e.TranscriptPath
	case "cwd":
		return &e.CWD
	case "prompt_id":
		return &e.PromptID
	case "permission_mode":
		return &e.PermissionMode
	case "agent_id":
		return &e.AgentID
	case "agent_type":
		return &e.AgentType
	case "tool_name":
		return &e.ToolName
	case "tool_use_id":
		return &e.ToolUseID
	case "source":
		return &e.Source
	case "trigger":
		return &e.Trigger
	}
	return nil
}
