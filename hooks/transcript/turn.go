package transcript

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Turn is what the person could have seen of the current turn of the main
// conversation, and what happened in it.
type Turn struct {
	// ToolCalls is how many tools were called (A14).
	ToolCalls int
	// Visible is how many characters of text the assistant wrote that are on
	// the person's screen: code points, each text trimmed, since the last
	// compaction only (A12, A15).
	Visible int
}

// Turn reads the current turn from the end. It stops as soon as enough visible
// characters were found; the counts are then too small. The newest call that
// own reports true for is left out: the call in flight is not part of its own
// past. A nil own leaves none out.
func (f *File) Turn(enough int, own func(Call) bool) (Turn, error) {
	var turn Turn
	compacted := false
	for line, err := range f.backward(speaks) {
		if err != nil {
			return Turn{}, err
		}
		if !line.MainLine() {
			continue
		}
		switch {
		case line.IsFromPerson():
			return turn, nil
		case line.IsCompaction():
			compacted = true
		case line.Is("assistant"):
			calls := line.Calls()
			for i := len(calls) - 1; i >= 0; i-- {
				if own != nil && own(calls[i]) {
					own = nil
					continue
				}
				turn.ToolCalls++
			}
			if !compacted {
				turn.Visible += line.visible()
			}
		}
		if turn.Visible >= enough {
			return turn, nil
		}
	}
	return turn, nil
}

// speaks reports whether a line can matter to a turn: it holds text, an image
// or a call, or is a compaction. Most of a transcript is something else, and
// results above all, so no more of a line is read than that takes; the line may
// still be broken.
func speaks(raw []byte) bool {
	if bytes.Contains(raw, []byte(`"compact_boundary"`)) {
		return true
	}
	if !bytes.Contains(raw, []byte(`"user"`)) && !bytes.Contains(raw, []byte(`"assistant"`)) || tooDeep(raw) {
		return false
	}
	content := gjson.Get(string(raw), "message.content")
	if content.Type == gjson.String {
		return true
	}
	found := false
	content.ForEach(func(_, block gjson.Result) bool {
		switch block.Get("type").Str {
		case "text", "image", "tool_use":
			found = true
		}
		return !found
	})
	return found
}

// visible is the number of characters that the assistant wrote in this line.
func (l Line) visible() int {
	n := 0
	for _, b := range l.Blocks() {
		if b.Type == "text" {
			n += utf8.RuneCountInString(strings.TrimSpace(b.Text))
		}
	}
	return n
}

// IsFromPerson reports whether the line is the person's own message, which
// begins a turn (A13): their words or an image, and not what the client or a
// hook wrote in their name.
func (l Line) IsFromPerson() bool {
	if !l.Is("user") || !l.MainLine() || isTrue(l.JSON.Get("isMeta")) || isTrue(l.JSON.Get("isCompactSummary")) {
		return false
	}
	switch text(l.JSON.Get("rowSource")) {
	case "hook", "harness":
		return false
	}
	for _, b := range l.Blocks() {
		if b.Type == "image" || b.Type == "text" && isOwnText(b.Text, l.Condensed) {
			return true
		}
	}
	return false
}

// isOwnText reports whether a text of a user's line holds words of the person.
func isOwnText(s string, cut bool) bool {
	own := strings.TrimSpace(withoutInjected(s, cut))
	return own != "" &&
		!strings.HasPrefix(own, "<task-notification>") &&
		!strings.HasPrefix(own, "[Request interrupted")
}

// span is one kind of text that the client itself puts into the person's
// messages.
type span struct {
	begin, end string
	// attributes says that more may stand between begin and ">".
	attributes bool
	// last is where the last end stands in the text, -1 when there is none.
	last int
}

func spansIn(lower string) []span {
	spans := []span{
		{begin: "<system-reminder", end: "</system-reminder>", attributes: true},
		{begin: "<local-command-caveat", end: "</local-command-caveat>", attributes: true},
		{begin: "<local-command-stdout", end: "</local-command-stdout>", attributes: true},
		{begin: "<local-command-stderr", end: "</local-command-stderr>", attributes: true},
		{begin: "[image: source:", end: "]"},
	}
	for i := range spans {
		spans[i].last = strings.LastIndex(lower, spans[i].end)
	}
	return spans
}

// withoutInjected takes the client's own spans out of a text, in any letter
// case. A span that is not closed is text, unless the text was cut and may have
// lost its end.
func withoutInjected(s string, cut bool) string {
	if !strings.ContainsAny(s, "<[") {
		return s
	}
	lower := lowerASCII(s)
	spans := spansIn(lower)
	var own strings.Builder
	for at := 0; at < len(s); {
		n := 0
		if s[at] == '<' || s[at] == '[' {
			n = spanAt(lower, at, spans, cut)
		}
		if n == 0 {
			own.WriteByte(s[at])
			n = 1
		}
		at += n
	}
	return own.String()
}

// spanAt is the length of the span that begins at that place, 0 when none does.
func spanAt(lower string, at int, spans []span, cut bool) int {
	const longestAttributes = 1 << 10
	for _, sp := range spans {
		rest, ok := strings.CutPrefix(lower[at:], sp.begin)
		if !ok {
			continue
		}
		if sp.attributes {
			i := strings.IndexByte(rest[:min(len(rest), longestAttributes)], '>')
			if i < 0 || !strings.ContainsAny(rest[:1], "> \t\r\n\f") {
				return 0
			}
			rest = rest[i+1:]
		}
		inside := len(lower) - len(rest)
		if sp.last >= inside {
			return inside + strings.Index(rest, sp.end) + len(sp.end) - at
		}
		if cut {
			return len(lower) - at
		}
		return 0
	}
	return 0
}

// lowerASCII is s with A to Z in lower case, byte for byte.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + ('a' - 'A')
		}
	}
	return string(b)
}
