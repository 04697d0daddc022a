package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"ctxguard/hooks/config"
	"ctxguard/statusline/overview"
	"ctxguard/statusline/printable"
	"ctxguard/statusline/seam"
)

const (
	// shownSessions is how many of the newest sessions are listed.
	shownSessions = 20
	everySession  = 1 << 20
	maxSettings   = 4 << 20
	// namedAtMost is how many sessions are named when one was meant.
	namedAtMost = 3
)

const statusHelp = `
Without SESSION it lists the newest 20 sessions, the latest first; --all lists every one.
SESSION is an id, or enough of its beginning to tell it from the others. Its curve has the
bounds of the zones (╌) and the last compaction (┊) in it.

  --json    the same as data, with every measurement
  --watch   again every 2 seconds, and when the terminal changes its size; q or Ctrl-C ends it
`

// statusWords are what was asked for.
type statusWords struct {
	named              []string
	asJSON, watch, all bool
}

func runStatus(p process) int {
	var w statusWords
	rest, code, ok := words(p, "status", func(f *flag.FlagSet) {
		f.BoolVar(&w.asJSON, "json", false, "")
		f.BoolVar(&w.watch, "watch", false, "")
		f.BoolVar(&w.all, "all", false, "")
	})
	if !ok {
		return code
	}
	w.named = rest
	if len(rest) > 1 || w.watch && w.asJSON {
		return wrongWords(p, "status takes one session at most, and --watch or --json; `ctxguard help status` shows its words")
	}
	home, located := seam.Locate(p.getenv)
	if !located {
		return fail(p, errNoHome)
	}
	var one *seam.Session
	if len(rest) == 1 {
		session, code := sessionNamed(p, home, rest[0])
		if code != exitDone {
			return code
		}
		one = &session
	}
	if w.watch {
		return watchStatus(p, home, one, w)
	}
	view := viewOf(p)
	// A line is left for the prompt.
	view.Rows = max(0, view.Rows-1)
	text, err := statusText(p, home, one, w, view)
	if err != nil {
		return fail(p, err)
	}
	if _, err := io.WriteString(p.stdout, text); err != nil {
		return fail(p, err)
	}
	return exitDone
}

// sessionNamed is the session that a person means by an id or the beginning of one,
// which is what the list shows.
func sessionNamed(p process, home seam.Home, name string) (seam.Session, int) {
	if !seam.ValidSessionID(name) {
		return seam.Session{}, wrongWords(p, fmt.Sprintf("status: %.64q is not the id of a session", name))
	}
	found := home.Matching(name)
	switch len(found) {
	case 0:
		return seam.Session{}, fail(p, fmt.Errorf("no session %.64s has been measured; `ctxguard status --all` lists those that have", name))
	case 1:
		return found[0], exitDone
	}
	var ids []string
	for _, session := range found[:min(len(found), namedAtMost)] {
		ids = append(ids, session.ID())
	}
	if len(found) > namedAtMost {
		ids = append(ids, "…")
	}
	return seam.Session{}, wrongWords(p, fmt.Sprintf("status: %d sessions begin with %s: %s", len(found), name, strings.Join(ids, ", ")))
}

// statusText is everything that status prints.
func statusText(p process, home seam.Home, one *seam.Session, w statusWords, view overview.View) (string, error) {
	understood := config.Loader{Home: home, Now: view.Now}.Load()
	source := overview.Source{
		Home: home, Bands: understood.Bands, Now: view.Now, Getenv: p.getenv,
		Settings: userSettings(p.getenv), Modified: modified,
	}
	var sessions []overview.Session
	total := 1
	if one != nil {
		sessions = []overview.Session{source.Session(*one)}
	} else {
		sessions, total = source.Newest(listed(w, view)), home.Count()
	}
	switch {
	case w.asJSON:
		raw, err := overview.JSON(sessions, total)
		return string(printable.JSON(raw)) + "\n", err
	case one != nil:
		return overview.Curve(view, sessions[0], understood.Bands), nil
	}
	return overview.Table(view, sessions, total), nil
}

// listed is how many sessions are shown at most: while watching no more than the
// terminal has rows for, with the titles and the count of the rest.
func listed(w statusWords, view overview.View) int {
	most := shownSessions
	if w.all {
		most = everySession
	}
	if w.watch && view.Rows > 0 {
		most = min(most, max(1, view.Rows-2))
	}
	return most
}

func userSettings(getenv func(string) string) []byte {
	dir, ok := seam.ClientDir(getenv)
	if !ok {
		return nil
	}
	raw, err := seam.ReadFile(filepath.Join(dir, "settings.json"), maxSettings)
	if err != nil {
		return nil
	}
	return raw
}

func modified(path string) (time.Time, bool) {
	if !filepath.IsAbs(path) {
		return time.Time{}, false
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return time.Time{}, false
	}
	return info.ModTime(), true
}

// viewOf is the terminal's size, else what COLUMNS says of its width, and whether it
// wants colours.
func viewOf(p process) overview.View {
	view := overview.View{Now: p.started}
	if fd, ok := terminalOf(p.stdout); ok {
		view.Colour = p.getenv("NO_COLOR") == "" && steerable(p)
		if width, height, err := term.GetSize(fd); err == nil && width > 0 && height > 0 {
			view.Columns, view.Rows = width, height
			return view
		}
	}
	if width, err := strconv.Atoi(p.getenv("COLUMNS")); err == nil && width > 0 {
		view.Columns = width
	}
	return view
}

// steerable reports whether the output goes to a terminal that understands more
// than text.
func steerable(p process) bool {
	fd, ok := terminalOf(p.stdout)
	return ok && p.getenv("TERM") != "dumb" && understandsEscapes(fd)
}

func terminalOf(out io.Writer) (fd int, ok bool) {
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	return int(f.Fd()), true
}
