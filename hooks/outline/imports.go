package outline

import (
	"slices"
	"strings"
)

// maxSpecs bounds the imports that are kept of one file.
const maxSpecs = 400

// importSpecs lists what a source says that it imports, as written except that
// grouped imports are taken apart. It reads line by line: imports are simple
// lines in every language, and a whole project is read this way.
func importSpecs(f family, src string) []string {
	s := specScanner{seen: make(map[string]bool)}
	take := s.taker(f)
	if take == nil {
		return nil
	}
	for line := range strings.Lines(src) {
		if len(s.specs) >= maxSpecs || len(line) > 4000 {
			continue
		}
		if line = strings.TrimSpace(line); line != "" {
			take(line)
		}
	}
	return s.specs
}

type specScanner struct {
	specs []string
	seen  map[string]bool
	// inside is what a group that spans lines belongs to; open says that there
	// is one.
	inside string
	open   bool
	// quote is Python's or a comment's mark that ends what is passed over.
	quote string
}

func (s *specScanner) taker(f family) func(line string) {
	switch f {
	case goFamily:
		return s.goLine
	case pythonFamily:
		return s.pythonLine
	case scriptFamily:
		return s.scriptLine
	case rustFamily:
		return s.rustLine
	case javaFamily:
		return s.javaLine
	case cFamily:
		return s.cLine
	case rubyFamily:
		return s.rubyLine
	}
	return nil
}

func (s *specScanner) add(spec string) {
	if spec == "" || len(spec) > 300 || s.seen[spec] || strings.ContainsAny(spec, "\t\n\r\x00") {
		return
	}
	s.seen[spec] = true
	s.specs = append(s.specs, spec)
}

func (s *specScanner) goLine(line string) {
	if rest, ok := strings.CutPrefix(line, "module "); ok && len(s.specs) == 0 {
		// go.mod, which is read along with the sources.
		s.add("module " + strings.Trim(strings.TrimSpace(rest), `"`))
		return
	}
	switch {
	case s.open && strings.HasPrefix(line, ")"):
		s.open = false
	case s.open:
		s.add(between(line, "\"`"))
	case strings.HasPrefix(line, "import ("), strings.HasPrefix(line, "import("):
		s.open = true
	case strings.HasPrefix(line, "import "):
		s.add(between(line, "\"`"))
	}
}

// between is the text between the first quote mark of those in marks and its
// next appearance.
func between(line, marks string) string {
	start := strings.IndexAny(line, marks)
	if start < 0 {
		return ""
	}
	text, _, ok := strings.Cut(line[start+1:], line[start:start+1])
	if !ok {
		return ""
	}
	return text
}

func (s *specScanner) pythonLine(line string) {
	if s.passOver(line) {
		return
	}
	line, _, _ = strings.Cut(line, "#")
	if s.open {
		s.pythonNames(line)
		return
	}
	if rest, ok := strings.CutPrefix(line, "import "); ok {
		for part := range strings.SplitSeq(rest, ",") {
			s.add(firstWord(part))
		}
		return
	}
	rest, ok := strings.CutPrefix(line, "from ")
	if !ok {
		return
	}
	module, list, ok := strings.Cut(rest, " import ")
	if module = strings.TrimSpace(module); !ok || strings.ContainsAny(module, " \"'(") {
		return
	}
	s.inside = module
	if strings.Trim(module, ".") != "" {
		s.add(module)
	}
	s.open = strings.Contains(list, "(")
	s.pythonNames(list)
}

// pythonNames adds each name of "from module import names" as module.name: the
// name may be a module itself.
func (s *specScanner) pythonNames(list string) {
	if strings.Contains(list, ")") {
		s.open = false
	}
	for part := range strings.SplitSeq(strings.Trim(list, "() \\"), ",") {
		name := firstWord(strings.Trim(part, "() \\"))
		if name == "" || name == "*" {
			continue
		}
		if strings.HasSuffix(s.inside, ".") {
			s.add(s.inside + name)
		} else {
			s.add(s.inside + "." + name)
		}
	}
}

// passOver reports whether the line lies in a string of three quotes.
func (s *specScanner) passOver(line string) bool {
	if s.quote != "" {
		if strings.Contains(line, s.quote) {
			s.quote = ""
		}
		return true
	}
	for _, quote := range []string{`"""`, "'''"} {
		if strings.Count(line, quote)%2 == 1 {
			s.quote = quote
			return true
		}
	}
	return false
}

func firstWord(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// scriptLine knows import … from 'x', export … from 'x', import 'x', import('x')
// and require('x'). The last line of an import that spans lines begins with "}".
func (s *specScanner) scriptLine(line string) {
	if strings.HasPrefix(line, "//") || strings.HasPrefix(line, "*") {
		return
	}
	for _, word := range []string{"require(", "import("} {
		for rest := line; ; {
			_, after, ok := strings.Cut(rest, word)
			if !ok {
				break
			}
			if after = strings.TrimSpace(after); after != "" && strings.ContainsRune("\"'`", rune(after[0])) {
				s.add(between(after, "\"'`"))
			}
			rest = after
		}
	}
	starts := strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "export ") || strings.HasPrefix(line, "}")
	if !starts {
		return
	}
	if rest, ok := strings.CutPrefix(line, "import "); ok && rest != "" && strings.ContainsRune("\"'", rune(rest[0])) {
		s.add(between(rest, "\"'"))
		return
	}
	_, after, ok := cutLast(line, "from ")
	if after = strings.TrimSpace(after); ok && after != "" && strings.ContainsRune("\"'", rune(after[0])) {
		s.add(between(after, "\"'"))
	}
}

func cutLast(text, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}

func (s *specScanner) rustLine(line string) {
	if s.open {
		s.inside += line
		if !strings.Contains(line, ";") {
			s.open = len(s.inside) < 4000
			return
		}
		line, s.open = s.inside, false
	}
	if rest, ok := strings.CutPrefix(line, "pub"); ok {
		rest = strings.TrimSpace(rest)
		if strings.HasPrefix(rest, "(") {
			_, rest, _ = strings.Cut(rest, ")")
		}
		line = strings.TrimSpace(rest)
	}
	if rest, ok := strings.CutPrefix(line, "mod "); ok && strings.HasSuffix(rest, ";") {
		s.add("mod " + strings.TrimSpace(strings.TrimSuffix(rest, ";")))
		return
	}
	rest, ok := strings.CutPrefix(line, "use ")
	if !ok {
		return
	}
	tree, _, ended := strings.Cut(rest, ";")
	if !ended {
		s.inside, s.open = line, true
		return
	}
	s.rustTree("", tree, 0)
}

// rustTree takes a::{b, c::d} apart.
func (s *specScanner) rustTree(prefix, tree string, depth int) {
	for _, part := range splitOutside(tree, ',', "{", "}") {
		part, _, _ = strings.Cut(strings.TrimSpace(part), " as ")
		head, group, ok := strings.Cut(part, "{")
		if !ok || depth > 4 {
			s.add(strings.TrimSuffix(strings.TrimSuffix(prefix+part, "::*"), "::self"))
			continue
		}
		s.rustTree(prefix+strings.TrimSpace(head), strings.TrimSuffix(strings.TrimSpace(group), "}"), depth+1)
	}
}

// splitOutside splits at sep where it is not inside brackets.
func splitOutside(text string, sep byte, open, close string) []string {
	var parts []string
	depth, start := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case strings.IndexByte(open, c) >= 0:
			depth++
		case strings.IndexByte(close, c) >= 0:
			depth--
		case c == sep && depth == 0:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

func (s *specScanner) javaLine(line string) {
	rest, ok := strings.CutPrefix(line, "import ")
	if !ok {
		return
	}
	rest = strings.TrimPrefix(rest, "static ")
	rest, _, _ = strings.Cut(rest, ";")
	s.add(firstWord(rest))
}

// cLine keeps the mark of the bracket: "x.h" is looked for beside the file first.
func (s *specScanner) cLine(line string) {
	rest, ok := strings.CutPrefix(line, "#")
	if !ok {
		return
	}
	rest, ok = strings.CutPrefix(strings.TrimSpace(rest), "include")
	if !ok {
		return
	}
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(rest, "\"") {
		s.add(between(rest, "\""))
		return
	}
	if rest, ok = strings.CutPrefix(rest, "<"); ok {
		if name, _, ok := strings.Cut(rest, ">"); ok {
			s.add("<" + name)
		}
	}
}

func (s *specScanner) rubyLine(line string) {
	for _, word := range []string{"require_relative", "require"} {
		rest, ok := strings.CutPrefix(line, word)
		if !ok || rest == "" || !slices.Contains([]byte(" ('\""), rest[0]) {
			continue
		}
		name := between(rest, "\"'")
		if word == "require_relative" && name != "" {
			name = "./" + name
		}
		s.add(name)
		return
	}
}
