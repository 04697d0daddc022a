package setup

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"ctxguard/statusline/printable"
)

// show tells the person what would be written, byte for byte, and where.
func (p *plan) show(sys System) {
	out := sys.Stdout
	if p.nothing() {
		if p.undo {
			fmt.Fprintf(out, "Nothing to do: there is nothing of ctxguard in %s.\n", p.place.Target)
		} else {
			fmt.Fprintf(out, "Nothing to do: ctxguard is set up in %s.\n", p.place.Target)
		}
		p.showNotes(sys)
		return
	}
	if p.settingsChange() {
		fmt.Fprint(out, p.diff(sys.Colour))
	}
	p.showFiles(sys)
	if p.open {
		fmt.Fprintf(out, "\n%s will be closed to other people on this machine.\n", p.place.Home.Dir())
	}
	if p.settingsChange() && p.fresh == nil {
		fmt.Fprintf(out, "\n%s will be removed: setup had made it, and nothing else is in it.\n", p.place.Target)
	}
	if p.place.Settings != p.place.Target {
		fmt.Fprintf(out, "\n%s is a link; what it leads to is edited, and the link stays.\n", p.place.Settings)
	}
	if p.undo && p.opts.Purge {
		fmt.Fprintf(out, "\n%s will be removed with everything in it that is ctxguard's.\n", p.place.Home.Dir())
	}
	p.showNotes(sys)
}

// showFiles lists what is written besides the settings.
func (p *plan) showFiles(sys System) {
	list := slices.Clone(p.files)
	if p.settingsChange() && p.existed {
		list = append(list, file{path: p.place.Home.Path(backupDir), why: "a copy of the settings as they are now"})
	}
	if p.settingsChange() && !p.undo {
		list = append(list, file{path: journalPath(p.place.Home), why: "what was done, for --undo"})
	}
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(sys.Stdout, "\nFiles that will be written besides:")
	for _, f := range list {
		fmt.Fprintf(sys.Stdout, "  %s  %s\n", printable.Line(f.path), f.why)
	}
}

func (p *plan) showNotes(sys System) {
	if len(p.notes) == 0 {
		return
	}
	fmt.Fprintln(sys.Stdout, "\nNote:")
	for _, note := range p.notes {
		fmt.Fprintf(sys.Stdout, "  - %s\n", printable.Line(note))
	}
}

// diff is the unified diff of exactly the bytes that will be written.
func (p *plan) diff(colour bool) string {
	from, to := p.place.Target, p.place.Target
	if !p.existed {
		from = os.DevNull
	}
	if p.fresh == nil {
		to = os.DevNull
	}
	// The first line repeats the command that would give the same.
	_, text, _ := strings.Cut(string(diff.Diff(from, p.old, to, p.fresh)), "\n")
	text = printable.Text(text)
	if !colour {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		code := ""
		switch line[0] {
		case '+':
			code = "32"
		case '-':
			code = "31"
		case '@':
			code = "36"
		}
		body := strings.TrimSuffix(line, "\n")
		if code != "" {
			body = "\x1b[" + code + "m" + body + "\x1b[0m"
		}
		b.WriteString(body + "\n")
	}
	return b.String()
}

// ask puts a question to the person; anything but yes is no.
func ask(sys System, question string) bool {
	fmt.Fprintf(sys.Stdout, "%s [y/N] ", question)
	switch strings.ToLower(strings.TrimSpace(readLine(sys.Stdin))) {
	case "y", "yes":
		return true
	}
	return false
}

// readLine reads one line and nothing beyond it, which may answer the next question.
func readLine(r io.Reader) string {
	const longest = 256
	var line []byte
	next := make([]byte, 1)
	for len(line) < longest {
		n, err := r.Read(next)
		if n == 1 && next[0] != '\n' {
			line = append(line, next[0])
		} else if n == 1 || err != nil {
			break
		}
	}
	return string(line)
}
