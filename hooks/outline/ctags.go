package outline

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// isUniversal tells universal-ctags from the older programs of that name, which
// know no JSON.
func isUniversal(ctx context.Context, box sandbox, ctags string) bool {
	out, _, err := box.run(ctx, nil, ctags, "--options=NONE", "--version")
	return err == nil && bytes.Contains(out, []byte("Universal Ctags"))
}

// ctagsShape reads one file through universal-ctags. --options=NONE stands
// first, so that no .ctags.d of the project, the home or the person is read. The
// path is absolute, so it cannot be taken for an option; a "--" before it is an
// unknown option to every version of ctags so far.
func ctagsShape(ctx context.Context, box sandbox, ctags string, lang language, path string, src []byte) (Shape, error) {
	out, whole, err := box.run(ctx, nil, ctags,
		"--options=NONE", "--output-format=json", "--language-force="+lang.ctags, "--fields=+n", "--sort=no", "-f", "-", path)
	if err != nil {
		return Shape{}, err
	}
	tags, err := parseCtags(out, whole)
	if err != nil {
		return Shape{}, err
	}
	if lang.name == "TypeScript" || lang.name == "JavaScript" {
		tags = withGuesses(tags, approximateTags(lang.name, src))
	}
	return Shape{Language: lang.name, Cut: !whole, Symbols: tidied(nest(lang.name, tags, src), src)}, nil
}

// tag is one line of ctags' JSON.
type tag struct {
	Type  string `json:"_type"`
	Name  string `json:"name"`
	Line  int    `json:"line"`
	Kind  string `json:"kind"`
	Scope string `json:"scope"`
	// guessed marks a tag that is not from ctags.
	guessed bool
}

// withGuesses adds what ctags did not see. Its TypeScript is lost after some
// quite usual declarations and is then silent on the rest of the class.
func withGuesses(tags, guesses []tag) []tag {
	seen := make(map[int]bool)
	for _, t := range tags {
		seen[t.Line] = true
	}
	for _, g := range guesses {
		if !seen[g.Line] {
			tags = append(tags, g)
		}
	}
	sortByLine(tags)
	return tags
}

func sortByLine(tags []tag) {
	sort.SliceStable(tags, func(i, j int) bool { return tags[i].Line < tags[j].Line })
}

// parseCtags understands one JSON object on each line. A last line that was cut
// is left out when the output is not whole.
func parseCtags(out []byte, whole bool) ([]tag, error) {
	if !whole {
		out = out[:bytes.LastIndexByte(out, '\n')+1]
	}
	var tags []tag
	for line := range bytes.Lines(out) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		var t tag
		if err := json.Unmarshal(line, &t); err != nil {
			return nil, fmt.Errorf("ctags: %w", errHelperOutput)
		}
		if t.Type == "tag" && t.Name != "" && t.Line > 0 {
			tags = append(tags, t)
		}
	}
	sortByLine(tags)
	return tags, nil
}

// tagKind translates the kinds of ctags' many languages; empty for what an
// outline does not show.
func tagKind(kind string) string {
	switch kind {
	case "class", "interface", "struct", "enum", "trait", "union", "implementation", "namespace", "module",
		"object", "protocol", "record", "annotation", "alias", "typedef", "type", "typealias", "package object":
		return kindType
	case "function", "func", "method", "singletonMethod", "subroutine", "procedure", "constructor", "generator",
		"getter", "setter", "accessor", "macro":
		return kindFunction
	case "constant", "variable", "property":
		return "value"
	}
	return ""
}

// nest makes symbols of tags and puts members below their types. ctags has no
// signatures for most languages, so those are read from the source.
func nest(lang string, tags []tag, src []byte) []Symbol {
	n := nester{lang: lang, lines: strings.Split(string(src), "\n")}
	for _, t := range tags {
		n.add(t)
	}
	return n.tree()
}

type nester struct {
	lang   string
	lines  []string
	flat   []Symbol
	parent []int
	indent []int
}

func (n *nester) add(t tag) {
	kind := tagKind(t.Kind)
	if kind == "" || t.Line > len(n.lines) || len(n.flat) == maxSymbols {
		return
	}
	parent := n.owner(t)
	line := n.lines[t.Line-1]
	from := 0
	if parent >= 0 && n.flat[parent].Line == t.Line {
		from = max(0, strings.Index(line, t.Name))
	}
	text := declaration(n.lines, t.Line-1, from)
	if strings.HasPrefix(text, "import ") || text == "import" {
		return
	}
	if t.Kind == "macro" && !strings.Contains(line, t.Name+"(") {
		// A constant.
		return
	}
	if kind == "value" {
		if !holdsFunction(line) || parent >= 0 && n.flat[parent].Kind != kindType {
			return
		}
		kind = kindFunction
	}
	if kind == kindFunction && parent >= 0 {
		kind = kindMethod
	}
	s := Symbol{Kind: kind, Name: t.Name, Line: t.Line, Signature: text, Guessed: t.guessed}
	s.Public = looksPublic(n.lang, t.Name, text, parent < 0)
	if kind == kindType {
		s.Bases = basesIn(text)
	}
	n.flat = append(n.flat, s)
	n.parent = append(n.parent, parent)
	n.indent = append(n.indent, indentOf(line))
}

// owner is the type that the tag belongs to, -1 for none. Some versions of ctags
// lose count of braces, so a member must also stand deeper than its type, or on
// the same line.
func (n *nester) owner(t tag) int {
	if t.Scope == "" {
		return -1
	}
	name := t.Scope[strings.LastIndexAny(t.Scope, ".:\\")+1:]
	for i := len(n.flat) - 1; i >= 0; i-- {
		s := n.flat[i]
		if s.Kind != kindType || s.Name != name && s.Name != t.Scope {
			continue
		}
		if s.Line == t.Line || indentOf(n.lines[t.Line-1]) > n.indent[i] {
			return i
		}
		return -1
	}
	return -1
}

// tree puts the flat symbols below their parents.
func (n *nester) tree() []Symbol {
	children := make(map[int][]int)
	for i, p := range n.parent {
		children[p] = append(children[p], i)
	}
	return n.below(-1, 0, children)
}

func (n *nester) below(parent, depth int, children map[int][]int) []Symbol {
	if depth > maxDepth {
		return nil
	}
	var symbols []Symbol
	for _, i := range children[parent] {
		s := n.flat[i]
		s.Members = n.below(i, depth+1, children)
		symbols = append(symbols, s)
	}
	return symbols
}

// holdsFunction reports whether a line that defines a value gives it a function.
func holdsFunction(line string) bool {
	_, value, ok := strings.Cut(line, "=")
	return ok && (strings.Contains(value, "=>") || strings.Contains(value, "function"))
}
