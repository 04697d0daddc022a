package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/term"

	"ctxguard/hooks/config"
	"ctxguard/statusline/overview"
	"ctxguard/statusline/seam"
)

const (
	// shownSessions is how many of the newest sessions are listed.
	shownSessions = 20
	everySession  = 1 << 20
	watchEvery    = 2 * time.Second
	maxSettings   = 4 << 20

	// clearScreen puts the cursor home and takes away what is below it.
	clearScreen = "\x1b[H\x1b[J"
)

func runStatus(p process) int {
	var asJSON, watch, all bool
	rest, code, ok := words(p, "status", func(f *flag.FlagSet) {
		f.BoolVar(&asJSON, "json", false, "")
		f.BoolVar(&watch, "watch", false, "")
		f.BoolVar(&all, "all", false, "")
	})
	if !ok {
		return code
	}
	if len(rest) > 1 || watch && asJSON {
		return wrongWords(p, "status takes one session at most, and --watch or --json; `ctxguard help status` shows its words")
	}
	home, located := seam.Locate(p.getenv)
	if !located {
		return fail(p, errNoHome)
	}
	most := shownSessions
	if all {
		most = everySession
	}
	for {
		if watch {
			fmt.Fprint(p.stdout, clearScreen)
		}
		if code := showStatus(p, home, rest, most, asJSON); code != exitDone || !watch {
			return code
		}
		time.Sleep(watchEvery)
		p.started = time.Now()
	}
}

func showStatus(p process, home seam.Home, named []string, most int, asJSON bool) int {
	understood := config.Loader{Home: home, Now: p.started}.Load()
	source := overview.Source{
		Home: home, Bands: understood.Bands, Now: p.started, Getenv: p.getenv,
		Settings: userSettings(p.getenv), Modified: modified,
	}
	var sessions []overview.Session
	total := 1
	if len(named) == 1 {
		session, ok := home.Session(named[0])
		if !ok {
			return wrongWords(p, fmt.Sprintf("status: %.64q is not the id of a session", named[0]))
		}
		sessions = []overview.Session{source.Session(session)}
	} else {
		sessions, total = source.Newest(most), home.Count()
	}
	view := overview.View{Columns: columnsOf(p), Colour: coloured(p), Now: p.started}
	switch {
	case asJSON:
		raw, err := overview.JSON(sessions, total)
		if err != nil {
			return fail(p, err)
		}
		fmt.Fprintf(p.stdout, "%s\n", raw)
	case len(named) == 1:
		fmt.Fprint(p.stdout, overview.Curve(view, sessions[0], understood.Bands))
	default:
		fmt.Fprint(p.stdout, overview.Table(view, sessions, total))
	}
	return exitDone
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

// columnsOf is the width of the terminal, else what COLUMNS says, else 0.
func columnsOf(p process) int {
	if fd, ok := terminalOf(p.stdout); ok {
		if width, _, err := term.GetSize(fd); err == nil && width > 0 {
			return width
		}
	}
	width, err := strconv.Atoi(p.getenv("COLUMNS"))
	if err != nil || width < 0 {
		return 0
	}
	return width
}

// coloured reports whether the output goes to a terminal that wants colours.
func coloured(p process) bool {
	_, terminal := terminalOf(p.stdout)
	return terminal && p.getenv("NO_COLOR") == ""
}

func terminalOf(out io.Writer) (fd int, ok bool) {
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	return int(f.Fd()), true
}
