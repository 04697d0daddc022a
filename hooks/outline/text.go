package outline

import (
	"fmt"
	"strconv"
	"strings"
)

// detail says how much of an outline is shown. What matters least to somebody
// who is about to change the file goes first: private helpers, then the names in
// long lists (their number stays), then members, then signatures.
type detail struct {
	listed  int  // importers, tests and imports that are named
	private bool // symbols that are not public
	members bool
	short   bool // names instead of signatures
	symbols int  // -1 is all
}

func levels() []detail {
	return []detail{
		{listed: 12, private: true, members: true, symbols: -1},
		{listed: 6, private: true, members: true, symbols: -1},
		{listed: 6, members: true, symbols: -1},
		{listed: 3, members: true, symbols: -1},
		{listed: 3, members: true, short: true, symbols: -1},
		{listed: 3, symbols: -1},
		{listed: 3, short: true, symbols: -1},
		{listed: 1, short: true, symbols: -1},
	}
}

// Text is the outline as it is shown, in at most limit bytes (0: no bound): the
// first level of detail that fits.
func (o Outline) Text(limit int) string {
	all := levels()
	for _, d := range all {
		if text := o.text(d); limit <= 0 || len(text) <= limit {
			return text
		}
	}
	// As many symbols as fit, found by halving.
	d := all[len(all)-1]
	low, high := 0, o.count()
	for low < high {
		d.symbols = (low + high + 1) / 2
		if len(o.text(d)) <= limit {
			low = d.symbols
		} else {
			high = d.symbols - 1
		}
	}
	d.symbols = low
	return cutText(o.text(d), limit)
}

func (o Outline) count() int { return len(o.Symbols) + len(o.Beside) }

func header(path string) string { return "=== MODULE CONTEXT: " + oneLine(path) + " ===" }

func (o Outline) text(d detail) string {
	if o.New {
		return o.newText(d)
	}
	w := writer{detail: d, width: len(strconv.Itoa(lastLine(o.Symbols)))}
	w.line(header(o.Path))
	w.line(o.about())
	w.symbols(o.Symbols)
	w.inheritance(o.Symbols)
	w.imports(o.Imports)
	w.files("Imported by", o.Importers)
	w.files("Tests that name it", o.Tests)
	w.omitted()
	return strings.TrimRight(w.String(), "\n")
}

// about says what was read and how far it can be trusted.
func (o Outline) about() string {
	about := o.Language
	if o.Package != "" {
		about += ", package " + o.Package
	}
	if o.Approximate {
		about += "; approximate, found line by line because " + o.Why
	}
	if o.SyntaxError > 0 {
		about += fmt.Sprintf("; syntax error at line %d, what could be read is shown", o.SyntaxError)
	}
	if guessed(o.Symbols) {
		about += "; ~ marks what was found line by line, which is approximate"
	}
	if o.Cut {
		about += "; only a part, the file has more than was read"
	}
	return about
}

func guessed(symbols []Symbol) bool {
	for _, s := range symbols {
		if s.Guessed || guessed(s.Members) {
			return true
		}
	}
	return false
}

func (o Outline) newText(d detail) string {
	w := writer{detail: d}
	w.line("## NEW FILE: " + o.Path)
	about := "What the files beside it make public"
	if o.Package != "" {
		about += " (package " + o.Package + ")"
	}
	w.line(about + ":")
	shown := 0
	for _, b := range o.Beside {
		if d.symbols >= 0 && shown == d.symbols {
			break
		}
		shown++
		names := b.Names
		if d.short {
			names = names[:min(len(names), 5)]
		}
		line := b.File + ": " + strings.Join(names, ", ")
		if more := len(b.Names) - len(names); more > 0 {
			line += fmt.Sprintf(" and %d more", more)
		}
		if b.Approximate {
			line += " (approximate)"
		}
		w.line("  " + oneLine(line))
	}
	if left := len(o.Beside) - shown + o.BesideLeft; left > 0 {
		w.line(fmt.Sprintf("  and %d more files", left))
	}
	return strings.TrimRight(w.String(), "\n")
}

type writer struct {
	strings.Builder
	detail
	width int
	// What was left out, counted.
	leftPrivate, leftMembers, leftSymbols, leftSignatures int
}

func (w *writer) line(text string) {
	w.WriteString(text)
	w.WriteByte('\n')
}

func (w *writer) symbols(symbols []Symbol) {
	if len(symbols) == 0 {
		w.line("No types and no functions.")
		return
	}
	w.line("Declarations, by line:")
	shown := 0
	for _, s := range symbols {
		switch {
		case !w.private && !s.Public && !publicWithin(s):
			w.leftPrivate += size(s)
		case w.detail.symbols >= 0 && shown == w.detail.symbols:
			w.leftSymbols += size(s)
		default:
			shown++
			w.symbol(s, 1)
		}
	}
}

// publicWithin: a private type may have members that others use, as a Rust impl
// block has.
func publicWithin(s Symbol) bool {
	for _, m := range s.Members {
		if m.Public {
			return true
		}
	}
	return false
}

func size(s Symbol) int {
	n := 1
	for _, m := range s.Members {
		n += size(m)
	}
	return n
}

func (w *writer) symbol(s Symbol, depth int) {
	text := s.Signature
	if w.short {
		w.leftSignatures++
		text = s.Name
		if s.Kind != kindType {
			text += "()"
		}
	}
	if s.Guessed {
		text = "~ " + text
	}
	w.line(fmt.Sprintf("%*d%s%s", w.width+2, s.Line, strings.Repeat("  ", depth), text))
	for _, m := range s.Members {
		switch {
		case !w.members:
			w.leftMembers += size(m)
		case !w.private && !m.Public && !publicWithin(m):
			w.leftPrivate += size(m)
		default:
			w.symbol(m, depth+1)
		}
	}
}

// inheritance is one line for each type that is made from others.
func (w *writer) inheritance(symbols []Symbol) {
	var lines []string
	var collect func([]Symbol)
	collect = func(symbols []Symbol) {
		for _, s := range symbols {
			if len(s.Bases) > 0 {
				lines = append(lines, "  "+s.Name+" < "+strings.Join(s.Bases, ", "))
			}
			collect(s.Members)
		}
	}
	collect(symbols)
	w.list("Made from (type < what it extends, implements or embeds):", lines, 2*w.listed)
}

func (w *writer) imports(imports []Import) {
	var lines []string
	for _, i := range imports {
		lines = append(lines, "  "+oneLine(i.Name)+" ("+oneLine(i.Path)+")")
	}
	w.list("Imports from this project:", lines, w.listed)
}

func (w *writer) list(title string, lines []string, most int) {
	if len(lines) == 0 {
		return
	}
	w.line(title)
	for _, line := range lines[:min(most, len(lines))] {
		w.line(line)
	}
	if more := len(lines) - most; more > 0 {
		w.line(fmt.Sprintf("  and %d more", more))
	}
}

// files counts, names the first ones, and says when the search was cut short.
func (w *writer) files(title string, files *Files) {
	if files == nil {
		return
	}
	n := fmt.Sprintf("%d files", len(files.Paths))
	switch {
	case len(files.Paths) == 0:
		n = "no file"
	case len(files.Paths) == 1:
		n = "1 file"
	}
	title += ": " + n + " of this project"
	if !files.Complete {
		title += ", and perhaps more (the search stops at " + strconv.Itoa(maxFiles) + " files or " + strconv.Itoa(maxBytes>>20) + " MiB)"
	}
	if len(files.Paths) == 0 {
		w.line(title)
		return
	}
	var lines []string
	for _, p := range files.Paths {
		lines = append(lines, "  "+oneLine(p))
	}
	w.list(title+":", lines, w.listed)
}

func (w *writer) omitted() {
	var parts []string
	for _, left := range []struct {
		n    int
		what string
	}{{w.leftPrivate, "private"}, {w.leftMembers, "members"}, {w.leftSymbols, "others"}} {
		if left.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", left.n, left.what))
		}
	}
	if len(parts) > 0 {
		w.line("Declarations left out for size: " + strings.Join(parts, ", "))
	}
	if w.leftSignatures > 0 {
		w.line("Signatures left out for size: " + strconv.Itoa(w.leftSignatures))
	}
}

func lastLine(symbols []Symbol) int {
	last := 0
	for _, s := range symbols {
		last = max(last, s.Line, lastLine(s.Members))
	}
	return last
}
