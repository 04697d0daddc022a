package settings

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"
)

// layout is how the file is set: inserted text looks like what is there.
type layout struct {
	eol   string // line end of most lines
	unit  string // one step of indentation
	colon string // between a name and its value
	gap   string // after a comma within a line
	lines bool   // members stand on lines of their own
}

func (d *Document) layout() layout {
	l := layout{eol: lineEnd(d.text), unit: "  ", colon: ": ", gap: " ", lines: true}
	o := d.object()
	if o == nil || len(o.Members) == 0 {
		return l
	}
	first := o.Members[0]
	before := string(first.Name.BeforeExtra)
	l.lines = strings.ContainsAny(before, "\n\r")
	if l.lines {
		l.unit = strings.TrimPrefix(afterLineEnd(before), lineIndent(d.text, d.root.StartOffset))
	}
	if colon := string(first.Name.AfterExtra) + ":" + string(first.Value.BeforeExtra); !strings.ContainsAny(colon, "\n\r") {
		l.colon = colon
	}
	if !l.lines {
		l.gap = string(first.Value.BeforeExtra)
		if len(o.Members) > 1 {
			l.gap = string(o.Members[1].Name.BeforeExtra)
		}
		if strings.ContainsAny(l.gap, "\n\r") {
			l.gap = ""
		}
	}
	return l
}

// lineEnd is the line end that most lines have; "\n" when there is none.
func lineEnd(text []byte) string {
	crlf := bytes.Count(text, []byte("\r\n"))
	lf := bytes.Count(text, []byte("\n")) - crlf
	cr := bytes.Count(text, []byte("\r")) - crlf
	switch {
	case crlf > lf && crlf >= cr:
		return "\r\n"
	case cr > lf:
		return "\r"
	default:
		return "\n"
	}
}

// afterLineEnd is what follows the last line end in white space.
func afterLineEnd(space string) string {
	return space[strings.LastIndexAny(space, "\r\n")+1:]
}

// lineIndent is the white space at the start of the line that holds offset.
func lineIndent(text []byte, offset int) string {
	start := bytes.LastIndexAny(text[:offset], "\r\n") + 1
	end := start
	for end < offset && (text[end] == ' ' || text[end] == '\t') {
		end++
	}
	return string(text[start:end])
}

// node is a value to be inserted: a literal, an object or an array.
type node struct {
	literal  string
	members  []field
	elements []node
}

type field struct {
	name  string
	value node
}

// render sets the value; indent is that of the line it starts on. On one line
// when lines is false.
func (l layout) render(n node, indent string, lines bool) string {
	if n.literal != "" {
		return n.literal
	}
	inner := indent + l.unit
	parts := make([]string, 0, len(n.members)+len(n.elements))
	for _, f := range n.members {
		parts = append(parts, quoted(f.name)+l.colon+l.render(f.value, inner, lines))
	}
	for _, e := range n.elements {
		parts = append(parts, l.render(e, inner, lines))
	}
	brackets := [2]string{"{", "}"}
	if n.elements != nil {
		brackets = [2]string{"[", "]"}
	}
	if !lines {
		return brackets[0] + strings.Join(parts, ","+l.gap) + brackets[1]
	}
	return brackets[0] + l.eol + inner + strings.Join(parts, ","+l.eol+inner) + l.eol + indent + brackets[1]
}

// span is the place of one member or element: from its first byte to the end of
// its value, and the white space before it.
type span struct {
	start, end int
	before     string
}

// children are the members or elements of an object or array.
func children(v *hujson.Value) []span {
	var spans []span
	switch c := v.Value.(type) {
	case *hujson.Object:
		for _, m := range c.Members {
			spans = append(spans, span{m.Name.StartOffset, m.Value.EndOffset, string(m.Name.BeforeExtra)})
		}
	case *hujson.Array:
		for _, e := range c.Elements {
			spans = append(spans, span{e.StartOffset, e.EndOffset, string(e.BeforeExtra)})
		}
	}
	return spans
}
