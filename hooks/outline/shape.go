package outline

import (
	"slices"
	"strings"
)

// Shape is what the text of one file says by itself.
type Shape struct {
	Language string `json:"language"`
	// Approximate is set when the file was only looked through line by line;
	// Why says for what reason.
	Approximate bool   `json:"approximate,omitempty"`
	Why         string `json:"why,omitempty"`
	// SyntaxError is the line of the first syntax error, 0 for none.
	SyntaxError int `json:"syntax_error,omitempty"`
	// Cut is set when a helper printed more than was read.
	Cut     bool     `json:"cut,omitempty"`
	Package string   `json:"package,omitempty"`
	Symbols []Symbol `json:"symbols"`
}

// Symbol is one declaration.
type Symbol struct {
	// Kind is "type" for everything that has members or names a type, else
	// "function"; members of types are "method".
	Kind      string   `json:"kind"`
	Name      string   `json:"name"`
	Signature string   `json:"signature"` // one line, as written
	Line      int      `json:"line"`      // from 1
	Public    bool     `json:"public"`
	Bases     []string `json:"bases,omitempty"` // what a type is made from
	// Guessed is set when ctags did not see it but the look line by line did.
	Guessed bool     `json:"guessed,omitempty"`
	Members []Symbol `json:"members,omitempty"`
}

const (
	kindType     = "type"
	kindFunction = "function"
	kindMethod   = "method"
)

// Outline is a file's shape with its place in the project.
type Outline struct {
	Path string `json:"path"`
	// New says that the file does not exist; Beside is then what it would join.
	New        bool     `json:"new,omitempty"`
	Beside     []Beside `json:"beside,omitempty"`
	BesideLeft int      `json:"beside_left,omitempty"` // neighbours not looked into
	Shape
	// Imports are the files or folders of this project that the file imports.
	Imports []Import `json:"imports,omitempty"`
	// Importers and Tests are nil for a language whose imports are not understood.
	Importers *Files `json:"importers,omitempty"`
	Tests     *Files `json:"tests,omitempty"`
}

// Import is one import of something in this project.
type Import struct {
	Name string `json:"name"` // as written
	Path string `json:"path"` // below the project's root
}

// Files is a list of files of the project, by path below its root.
type Files struct {
	Paths []string `json:"paths"`
	// Complete is false when the project was too large to look through: there
	// may be more.
	Complete bool `json:"complete"`
}

// Beside is the public face of one neighbour of a file.
type Beside struct {
	File  string   `json:"file"` // its name
	Names []string `json:"names"`
	// Approximate is set when the names were found line by line.
	Approximate bool `json:"approximate,omitempty"`
}

func newOutline(path string, s Shape) Outline { return Outline{Path: oneLine(path), Shape: s} }

func (o Outline) empty() bool {
	return len(o.Symbols) == 0 && len(o.Beside) == 0 && len(o.Imports) == 0 &&
		(o.Importers == nil || len(o.Importers.Paths) == 0) &&
		(o.Tests == nil || len(o.Tests.Paths) == 0)
}

// maxSignature bounds one signature.
const maxSignature = 180

// oneLine makes text from a project's file one clean line: what goes to the
// model must not break out of its place.
func oneLine(text string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case r < ' ' || r == 0x7f || 0x80 <= r && r < 0xa0,
			r == '\u2028', r == '\u2029', r == '\ufeff', r == '\ufffd',
			0x200b <= r && r <= 0x200f, 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069:
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(clean), " ")
}

// signature is oneLine, bounded.
func signature(text string) string {
	text = strings.NewReplacer("( ", "(", ", )", ")", " )", ")").Replace(oneLine(text))
	runes := []rune(text)
	if len(runes) <= maxSignature {
		return text
	}
	return string(runes[:maxSignature-1]) + "…"
}

// tidy makes symbols from a helper safe to show: clean text, lines that exist,
// bounded depth and number.
func tidy(symbols []Symbol, lines, depth int, left *int) []Symbol {
	var kept []Symbol
	for _, s := range symbols {
		s.Name, s.Signature = signature(s.Name), signature(s.Signature)
		if s.Signature == "" {
			s.Signature = s.Name
		}
		if s.Name == "" || s.Line < 1 || s.Line > lines || *left == 0 {
			continue
		}
		*left--
		for i := range s.Bases {
			s.Bases[i] = signature(s.Bases[i])
		}
		if depth == 0 {
			s.Members = nil
		}
		s.Members = tidy(s.Members, lines, depth-1, left)
		kept = append(kept, s)
	}
	return kept
}

const (
	maxSymbols = 5000
	maxDepth   = 8
)

func tidied(symbols []Symbol, src []byte) []Symbol {
	left := maxSymbols
	kept := tidy(symbols, lineCount(src), maxDepth, &left)
	slices.SortStableFunc(kept, func(a, b Symbol) int { return a.Line - b.Line })
	return kept
}

func lineCount(src []byte) int {
	return strings.Count(string(src), "\n") + 1
}
