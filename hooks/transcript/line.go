package transcript

import (
	"bytes"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// maxNesting is how deep a line's JSON may be nested. The client's own lines
// stay below twenty; a validator that recurses needs a bound.
const maxNesting = 500

// Line is one line of a transcript that is one JSON object.
type Line struct {
	// Offset is where the line begins in the file, in bytes.
	Offset int64
	// Condensed is true for a line too long to be held: long strings in it are
	// cut off at their end, and large values are null.
	Condensed bool
	// JSON is the line's object.
	JSON gjson.Result
}

// parse reads the bytes of one line. It reports false for what is not one JSON
// object: a broken or cut line, an array, a text, nothing at all.
func parse(offset int64, raw []byte) (Line, bool) {
	if offset == 0 {
		raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '{' || tooDeep(raw) {
		return Line{}, false
	}
	text := string(raw)
	if !gjson.Valid(text) {
		return Line{}, false
	}
	return Line{Offset: offset, JSON: gjson.Parse(text)}, true
}

// tooDeep reports whether JSON is nested deeper than maxNesting. It only looks
// closer where there are enough brackets for it.
func tooDeep(raw []byte) bool {
	if bytes.Count(raw, []byte("{"))+bytes.Count(raw, []byte("[")) <= maxNesting {
		return false
	}
	depth, inString, escaped := 0, false, false
	for _, c := range raw {
		switch {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > maxNesting {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// Is reports whether the line's type is kind: user, assistant, system …
func (l Line) Is(kind string) bool { return text(l.JSON.Get("type")) == kind }

// MainLine reports whether the line belongs to the main conversation. A
// subagent's lines are marked; clients now keep them in files of their own
// (facts F.5).
func (l Line) MainLine() bool { return !isTrue(l.JSON.Get("isSidechain")) }

// IsCompaction reports whether the line is the boundary that a compaction of
// the conversation leaves (facts G.5).
func (l Line) IsCompaction() bool {
	return l.Is("system") && text(l.JSON.Get("subtype")) == "compact_boundary"
}

// Blocks are the content blocks of the line's message. Content that is plain
// text is one block of type text.
func (l Line) Blocks() []Block {
	content := l.JSON.Get("message.content")
	if content.Type == gjson.String {
		return []Block{{Type: "text", Text: text(content)}}
	}
	if !content.IsArray() {
		return nil
	}
	var blocks []Block
	content.ForEach(func(_, v gjson.Result) bool {
		if v.IsObject() {
			blocks = append(blocks, Block{Type: text(v.Get("type")), Text: text(v.Get("text")), JSON: v})
		}
		return true
	})
	return blocks
}

// Block is one content block of a message.
type Block struct {
	// Type is text, tool_use, tool_result, image …
	Type string
	// Text is the text of a text block.
	Text string
	// JSON is the block itself; it does not exist for content that was plain text.
	JSON gjson.Result
}

// Call is one call of a tool.
type Call struct {
	ID   string
	Name string
	// Input is the tool's input as the model wrote it, normally an object.
	Input gjson.Result
	// Line is where the call's line begins.
	Line int64
}

// Calls are the tool calls of an assistant's line, in their order.
func (l Line) Calls() []Call {
	if !l.Is("assistant") {
		return nil
	}
	var calls []Call
	for _, b := range l.Blocks() {
		if b.Type != "tool_use" {
			continue
		}
		calls = append(calls, Call{
			ID:    text(b.JSON.Get("id")),
			Name:  text(b.JSON.Get("name")),
			Input: b.JSON.Get("input"),
			Line:  l.Offset,
		})
	}
	return calls
}

// Result is what came back from a call.
type Result struct {
	// Text is what the model was told.
	Text string
	// IsError is the mark of a call that failed, was denied or was refused.
	IsError bool
	// Structured is the client's own record of the result, toolUseResult. It
	// does not exist when the client kept none for this call alone.
	Structured gjson.Result
}

// Results are the results that a user's line holds, by the id of their call.
func (l Line) Results() map[string]Result {
	if !l.Is("user") {
		return nil
	}
	results := make(map[string]Result)
	for _, b := range l.Blocks() {
		if b.Type != "tool_result" {
			continue
		}
		id := text(b.JSON.Get("tool_use_id"))
		if _, ok := results[id]; ok {
			continue
		}
		results[id] = Result{
			Text:    contentText(b.JSON.Get("content")),
			IsError: isTrue(b.JSON.Get("is_error")),
		}
	}
	// With several results in one line it is not said whose record it is.
	if structured := l.JSON.Get("toolUseResult"); len(results) == 1 && structured.Exists() {
		for id, r := range results {
			r.Structured = structured
			results[id] = r
		}
	}
	return results
}

// contentText is the text of a result's content: text, or a list of blocks.
func contentText(content gjson.Result) string {
	if !content.IsArray() {
		return text(content)
	}
	var b []byte
	content.ForEach(func(_, v gjson.Result) bool {
		if t := text(v.Get("text")); t != "" {
			if len(b) > 0 {
				b = append(b, '\n')
			}
			b = append(b, t...)
		}
		return true
	})
	return string(b)
}

// text is the value of a JSON string, with what is not UTF-8 made visible as
// replacement characters, and empty for anything else.
func text(v gjson.Result) string {
	if v.Type != gjson.String {
		return ""
	}
	if utf8.ValidString(v.Str) {
		return v.Str
	}
	return string([]rune(v.Str))
}

func isTrue(v gjson.Result) bool { return v.Type == gjson.True }
