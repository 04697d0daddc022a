// Package settings edits a settings.json of Claude Code so that every byte stays
// that need not change: white space, key order, number spelling, line ends, byte
// order mark, escapes.
//
// It understands a file by hujson's tree and changes it by cutting and inserting
// bytes at the places that the tree names; nothing is ever written anew from
// values. What was put in can be taken out again to the same bytes. It knows the
// shapes of statusLine and hooks, but not which commands are whose: the caller
// says so. It reads and writes no files.
package settings

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// maxDepth bounds nesting, since the parser recurses.
const maxDepth = 500

const byteOrderMark = "\ufeff"

// Fault says where and why a file is not understood. Such a file is never edited.
type Fault struct {
	Line, Column int // from 1; the column counts characters
	Problem      string
}

func (f *Fault) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", f.Line, f.Column, f.Problem)
}

// Document is one settings file, understood. The zero Document holds nothing and
// is for looking only.
type Document struct {
	bom    string
	text   []byte // without the byte order mark
	root   hujson.Value
	blank  bool // nothing but white space: an empty object
	origin Origins
}

// Origins are the texts that stood where setup put something: by JSON pointer,
// the raw text of a value that was empty or null, the whole text for the pointer
// "" of a blank file or an empty root, and "" for a member that was not there.
// With them the taking out gives back the same bytes where the file alone does
// not say what it was.
type Origins map[string]string

// Parse understands the bytes of a settings file. The error is a *Fault.
func Parse(raw []byte) (*Document, error) {
	d := &Document{origin: Origins{}}
	d.text = raw
	if bytes.HasPrefix(raw, []byte(byteOrderMark)) {
		d.bom, d.text = byteOrderMark, raw[len(byteOrderMark):]
	}
	if err := d.parse(); err != nil {
		return nil, err
	}
	if d.blank {
		return d, nil
	}
	if err := d.checkHooks(); err != nil {
		return nil, err
	}
	return d, nil
}

// Bytes is the file as it is now.
func (d *Document) Bytes() []byte { return append([]byte(d.bom), d.text...) }

// Origins are the texts that edits have replaced so far.
func (d *Document) Origins() Origins { return d.origin }

func (d *Document) parse() error {
	if len(bytes.TrimLeft(d.text, " \t\r\n")) == 0 {
		d.blank = true
		return nil
	}
	d.blank = false
	if err := d.checkBytes(); err != nil {
		return err
	}
	root, err := hujson.Parse(d.text)
	if err != nil {
		return d.parseFault(err)
	}
	if err := d.checkStrict(&root); err != nil {
		return err
	}
	if root.Value.Kind() != '{' {
		return d.fault(root.StartOffset, "the file does not hold an object")
	}
	d.root = root
	return nil
}

// checkBytes refuses what the parser would choke on, or not notice.
func (d *Document) checkBytes() error {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(d.text, []byte(mark)) {
			return d.fault(0, "the file is UTF-16, and Claude Code reads UTF-8")
		}
	}
	if !utf8.Valid(d.text) {
		return d.fault(invalidAt(d.text), "not valid UTF-8")
	}
	depth, quoted := 0, false
	for i := 0; i < len(d.text); i++ {
		switch c := d.text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return d.fault(i, fmt.Sprintf("nested more than %d deep", maxDepth))
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil
}

func invalidAt(b []byte) int {
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(b)
}

// checkStrict refuses comments and trailing commas, which hujson accepts and
// Claude Code does not: it would ignore the whole file (facts I.2).
func (d *Document) checkStrict(root *hujson.Value) error {
	if root.IsStandard() {
		return nil
	}
	for v := range root.All() {
		if at, found := commentIn(v.BeforeExtra, v.StartOffset-len(v.BeforeExtra)); found {
			return d.fault(at, "a comment, which JSON does not have")
		}
		if at, found := commentIn(v.AfterExtra, v.EndOffset); found {
			return d.fault(at, "a comment, which JSON does not have")
		}
		if err := d.checkEnd(v); err != nil {
			return err
		}
	}
	return d.fault(root.StartOffset, "not plain JSON")
}

// checkEnd looks before the closing bracket of an object or array.
func (d *Document) checkEnd(v *hujson.Value) error {
	var last *hujson.Value
	var extra hujson.Extra
	switch c := v.Value.(type) {
	case *hujson.Object:
		extra = c.AfterExtra
		if n := len(c.Members); n > 0 {
			last = &c.Members[n-1].Value
		}
	case *hujson.Array:
		extra = c.AfterExtra
		if n := len(c.Elements); n > 0 {
			last = &c.Elements[n-1]
		}
	default:
		return nil
	}
	if last != nil && last.AfterExtra != nil {
		return d.fault(last.EndOffset+len(last.AfterExtra), "a comma with nothing after it")
	}
	if at, found := commentIn(extra, v.EndOffset-1-len(extra)); found {
		return d.fault(at, "a comment, which JSON does not have")
	}
	return nil
}

// commentIn gives the place of a comment in extra, which starts at offset at.
func commentIn(extra hujson.Extra, at int) (int, bool) {
	for i, c := range extra {
		if c == '/' {
			return at + i, true
		}
	}
	return 0, false
}

// parseFault turns hujson's error, whose text begins with line and column in
// bytes, into a Fault.
func (d *Document) parseFault(err error) error {
	var line, column int
	text := err.Error()
	if _, scanErr := fmt.Sscanf(text, "hujson: line %d, column %d:", &line, &column); scanErr != nil {
		return &Fault{Line: 1, Column: 1, Problem: text}
	}
	_, problem, _ := strings.Cut(text, fmt.Sprintf("column %d: ", column))
	if len(problem) > 120 {
		problem = strings.ToValidUTF8(problem[:120], "") + " …"
	}
	start := 0
	for range line - 1 {
		start += bytes.IndexByte(d.text[start:], '\n') + 1
	}
	return d.fault(start+column-1, strings.ReplaceAll(problem, "unexpected EOF", "the file ends too early"))
}

// fault is a Fault at an offset of the text.
func (d *Document) fault(offset int, problem string) *Fault {
	offset = min(max(offset, 0), len(d.text))
	start := bytes.LastIndexByte(d.text[:offset], '\n') + 1
	return &Fault{
		Line:    1 + bytes.Count(d.text[:offset], []byte("\n")),
		Column:  1 + utf8.RuneCount(d.text[start:offset]),
		Problem: problem,
	}
}

// object is the root's object; nil for a blank file.
func (d *Document) object() *hujson.Object {
	if d.blank {
		return nil
	}
	o, _ := d.root.Value.(*hujson.Object)
	return o
}

// effective is the index of the member that holds when a key stands there more
// than once: Claude Code takes the last. -1 when there is none.
func effective(o *hujson.Object, key string) int {
	if o == nil {
		return -1
	}
	for i := len(o.Members) - 1; i >= 0; i-- {
		if nameOf(o.Members[i]) == key {
			return i
		}
	}
	return -1
}

func nameOf(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// count says how often a key stands in an object.
func count(o *hujson.Object, key string) int {
	n := 0
	for _, m := range o.Members {
		if nameOf(m) == key {
			n++
		}
	}
	return n
}

// member is the value of the member that holds, or nil.
func member(o *hujson.Object, key string) *hujson.Value {
	if i := effective(o, key); i >= 0 {
		return &o.Members[i].Value
	}
	return nil
}

// objectIn is the value's object, or nil when it is something else.
func objectIn(v *hujson.Value) *hujson.Object {
	if v == nil {
		return nil
	}
	o, _ := v.Value.(*hujson.Object)
	return o
}

// textIn is the value's text when it is a string.
func textIn(v *hujson.Value) (string, bool) {
	if v == nil || v.Value.Kind() != '"' {
		return "", false
	}
	return v.Value.(hujson.Literal).String(), true
}

// Lookup is the raw text of a top-level value that holds, nil when there is none.
func (d *Document) Lookup(key string) []byte {
	v := member(d.object(), key)
	if v == nil {
		return nil
	}
	return bytes.Clone(d.text[v.StartOffset:v.EndOffset])
}
