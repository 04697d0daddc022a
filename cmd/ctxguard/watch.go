package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"ctxguard/statusline/overview"
	"ctxguard/statusline/seam"
)

const (
	watchEvery = 2 * time.Second

	// While watching, the terminal shows its other screen, no cursor, and cuts a line
	// that is wider than was reckoned instead of wrapping it.
	enterScreen = "\x1b[?1049h\x1b[?25l\x1b[?7l"
	leaveScreen = "\x1b[?7h\x1b[?25h\x1b[?1049l"
	cursorHome  = "\x1b[H"
	clearRight  = "\x1b[K"
	clearBelow  = "\x1b[J"
)

// watchStatus shows the status again and again until it is told to end. Where the
// output is no terminal, each is printed below the one before it, as text.
func watchStatus(p process, home seam.Home, one *seam.Session, w statusWords) int {
	if !steerable(p) {
		return repeatStatus(p, home, one, w)
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, watchedSignals()...)
	defer signal.Stop(signals)
	keys, restore := keysOf(p.stdin)
	ended, err := watchScreen(p, signals, keys, func(view overview.View) (string, error) {
		return statusText(p, home, one, w, view)
	})
	restore()
	switch {
	case err != nil:
		return fail(p, err)
	case ended != nil:
		return endBy(ended)
	}
	return exitDone
}

// watchScreen draws until a key or a signal ends it. It gives back the signal that
// has to end the process; Ctrl-C is how a person ends the watching.
func watchScreen(p process, signals <-chan os.Signal, keys <-chan byte, draw func(overview.View) (string, error)) (ended os.Signal, err error) {
	if _, err := io.WriteString(p.stdout, enterScreen); err != nil {
		return nil, err
	}
	defer io.WriteString(p.stdout, leaveScreen) // a terminal that is gone needs nothing
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		p.started = time.Now()
		view := viewOf(p)
		view.Rows = max(0, view.Rows-1) // the last row is the footer's
		text, err := draw(view)
		if err != nil {
			return nil, err
		}
		// One write for each picture: nothing in between is ever shown.
		if _, err := io.WriteString(p.stdout, frame(text, footer(view), view)); err != nil {
			return nil, err
		}
		for waiting := true; waiting; {
			select {
			case <-tick.C:
				waiting = false
			case s := <-signals:
				switch {
				case s == os.Interrupt:
					return nil, nil
				case isResize(s):
					waiting = false
				default:
					return s, nil
				}
			case key := <-keys:
				if isEndKey(key) {
					return nil, nil
				}
			}
		}
	}
}

// frame is one picture: it writes over the one before it, and clears only what is
// left over.
func frame(text, footer string, view overview.View) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if view.Rows > 0 && len(lines) > view.Rows {
		lines = lines[:view.Rows]
	}
	for view.Rows > len(lines) {
		lines = append(lines, "")
	}
	var b strings.Builder
	b.WriteString(cursorHome)
	for _, line := range append(lines, footer) {
		if b.Len() > len(cursorHome) {
			b.WriteString("\r\n")
		}
		b.WriteString(line)
		// In the last column there is nothing left to clear but what stands there.
		if view.Columns <= 0 || shownWidth(line) < view.Columns {
			b.WriteString(clearRight)
		}
	}
	b.WriteString(clearBelow)
	return b.String()
}

func footer(view overview.View) string {
	for _, text := range []string{"every 2 s · q ends", "q ends"} {
		text = view.Now.Format(time.TimeOnly) + " · " + text
		if view.Columns <= 0 || uniseg.StringWidth(text) <= view.Columns {
			return text
		}
	}
	return ""
}

// shownWidth is the width of a line without its colours.
func shownWidth(line string) int {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(line, "\x1b[")
		b.WriteString(before)
		if !found {
			return uniseg.StringWidth(b.String())
		}
		_, line, _ = strings.Cut(after, "m")
	}
}

// keysOf gives what is typed, unseen and at once, and a way to put the terminal back.
// Where nobody can type it gives nothing.
func keysOf(stdin *os.File) (keys <-chan byte, restore func()) {
	fd := int(stdin.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return nil, func() {}
	}
	typed := make(chan byte)
	go func() {
		buf := make([]byte, 1)
		for {
			if n, err := stdin.Read(buf); err != nil || n == 0 {
				return
			}
			typed <- buf[0]
		}
	}()
	return typed, func() { term.Restore(fd, before) }
}

// isEndKey knows q, Ctrl-C, which is a key like others while keys are read at once,
// and Ctrl-D.
func isEndKey(key byte) bool {
	switch key {
	case 'q', 'Q', 0x03, 0x04:
		return true
	}
	return false
}

func repeatStatus(p process, home seam.Home, one *seam.Session, w statusWords) int {
	for {
		text, err := statusText(p, home, one, w, viewOf(p))
		if err != nil {
			return fail(p, err)
		}
		if _, err := fmt.Fprintf(p.stdout, "%s\n", text); err != nil {
			return fail(p, err)
		}
		time.Sleep(watchEvery)
		p.started = time.Now()
	}
}
