//go:build unix

package main_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/term"

	"ctxguard/cmd/realclient/screen"
)

// patience is how long something may take that has to come.
const patience = 60 * time.Second

// watcher is `ctxguard status --watch` at a terminal, with what came from it.
type watcher struct {
	t        *testing.T
	cmd      *exec.Cmd
	terminal *os.File
	before   *term.State
	ended    chan struct{}

	mu      sync.Mutex
	raw     []byte
	display *screen.Screen
}

func (m *machine) watch(columns, rows int, words ...string) *watcher {
	m.t.Helper()
	cmd := exec.Command(filepath.Join(binaries, "ctxguard"), append([]string{"status", "--watch"}, words...)...)
	cmd.Env = m.environ()
	terminal, slave, err := pty.Open()
	require.NoError(m.t, err)
	require.NoError(m.t, pty.Setsize(terminal, &pty.Winsize{Rows: uint16(rows), Cols: uint16(columns)}))
	before, err := term.GetState(int(slave.Fd()))
	require.NoError(m.t, err)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(m.t, cmd.Start())
	w := &watcher{t: m.t, cmd: cmd, terminal: terminal, before: before, ended: make(chan struct{}), display: screen.New(columns, rows)}
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := terminal.Read(buf)
			w.mu.Lock()
			w.raw = append(w.raw, buf[:n]...)
			w.display.Write(buf[:n])
			w.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	go func() {
		cmd.Wait() // how it ended is in ProcessState
		close(w.ended)
	}()
	m.t.Cleanup(func() {
		cmd.Process.Kill()
		<-w.ended
		// Held open until here, so that the terminal's state can be read afterwards.
		slave.Close()
		terminal.Close()
	})
	return w
}

func (w *watcher) look() (text string, raw []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.display.String(), bytes.Clone(w.raw)
}

func (w *watcher) until(what string, is func(text string, raw []byte) bool) {
	w.t.Helper()
	for limit := time.Now().Add(patience); time.Now().Before(limit); time.Sleep(5 * time.Millisecond) {
		if text, raw := w.look(); is(text, raw) {
			return
		}
	}
	text, raw := w.look()
	require.Fail(w.t, "waited in vain: "+what, "%s\n%q", text, raw)
}

func (w *watcher) untilDrawn() {
	w.t.Helper()
	w.until("the footer", func(text string, _ []byte) bool { return strings.Contains(text, "q ends") })
}

// end waits until it has ended, and holds it to a terminal as it was before.
func (w *watcher) end() *os.ProcessState {
	w.t.Helper()
	select {
	case <-w.ended:
	case <-time.After(patience):
		require.Fail(w.t, "it goes on")
	}
	w.until("the other screen is left, with a cursor and lines that wrap", func(_ string, raw []byte) bool {
		return bytes.HasSuffix(raw, []byte("\x1b[?7h\x1b[?25h\x1b[?1049l"))
	})
	_, raw := w.look()
	require.True(w.t, bytes.HasPrefix(raw, []byte("\x1b[?1049h\x1b[?25l\x1b[?7l")), "%q", raw)
	after, err := term.GetState(int(w.terminal.Fd()))
	require.NoError(w.t, err)
	require.Equal(w.t, w.before, after, "the modes of the terminal")
	return w.cmd.ProcessState
}

func TestWatchEndsAndRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	m := everyKind(t)
	signal := func(s os.Signal) func(*watcher) error {
		return func(w *watcher) error { return w.cmd.Process.Signal(s) }
	}
	key := func(k string) func(*watcher) error {
		return func(w *watcher) error { _, err := w.terminal.WriteString(k); return err }
	}
	for name, c := range map[string]struct {
		do   func(*watcher) error
		code int
		by   syscall.Signal
	}{
		"q":                           {do: key("q")},
		"Ctrl-C":                      {do: key("\x03")},
		"other keys, then q":          {do: key("x\r\x1b[Aq")},
		"an interrupt from elsewhere": {do: signal(syscall.SIGINT)},
		"SIGTERM":                     {do: signal(syscall.SIGTERM), code: -1, by: syscall.SIGTERM},
		"SIGHUP":                      {do: signal(syscall.SIGHUP), code: -1, by: syscall.SIGHUP},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &machine{t: t, home: m.home}
			w := m.watch(80, 24)
			w.untilDrawn()
			require.NoError(t, c.do(w))
			state := w.end()
			require.Equal(t, c.code, state.ExitCode())
			if status := state.Sys().(syscall.WaitStatus); c.by != 0 {
				require.True(t, status.Signaled())
				require.Equal(t, c.by, status.Signal())
			}
			text, _ := w.look()
			require.Empty(t, text, "nothing is left behind, no key either")
		})
	}
}

// A picture is written over the one before it: at no byte of it is a line gone that
// both of them have.
func TestWatchDoesNotFlicker(t *testing.T) {
	t.Parallel()
	m := everyKind(t)
	w := m.watch(80, 24)
	pictures := func(raw []byte) int { return bytes.Count(raw, []byte("\x1b[H")) }
	for n := range 4 {
		w.until("a picture", func(_ string, raw []byte) bool {
			return pictures(raw) > n && bytes.HasSuffix(raw, []byte("\x1b[J"))
		})
		require.NoError(t, w.cmd.Process.Signal(syscall.SIGWINCH))
	}
	_, raw := w.look()
	display := screen.New(80, 24)
	drawn, lines := 0, []string(nil)
	shown := func() []string { // an accent arrives after its letter
		return strings.Split(strings.ReplaceAll(strings.Join(display.Lines()[:23], "\n"), "\u0301", ""), "\n")
	}
	for i := range raw {
		display.Write(raw[i : i+1])
		if bytes.HasSuffix(raw[:i+1], []byte("\x1b[J")) {
			drawn++
			if lines == nil {
				lines = shown() // without the footer, which has the time
			}
		}
		if lines != nil {
			require.Equal(t, lines, shown(), "after %d of %d bytes", i, len(raw))
		}
	}
	require.GreaterOrEqual(t, drawn, 4)
	require.Contains(t, lines[0], "SESSION")
	require.NotContains(t, string(raw), "\x1b[2J")
}

func TestWatchFollowsTheSizeOfTheTerminal(t *testing.T) {
	t.Parallel()
	m := everyKind(t)
	w := m.watch(120, 24)
	w.until("the wide list", func(text string, _ []byte) bool {
		return strings.Contains(text, "CURVE") && strings.Contains(text, "q ends")
	})
	for _, size := range []struct{ columns, rows int }{{40, 8}, {20, 5}, {90, 30}} {
		w.mu.Lock()
		w.display.Resize(size.columns, size.rows)
		w.mu.Unlock()
		require.NoError(t, pty.Setsize(w.terminal, &pty.Winsize{Rows: uint16(size.rows), Cols: uint16(size.columns)}))
		w.until("the footer in the last row, the rest counted", func(string, []byte) bool {
			w.mu.Lock()
			defer w.mu.Unlock()
			lines := w.display.Lines()
			counted := size.rows > 13 || strings.Contains(strings.Join(lines, "\n"), " more")
			return strings.Contains(lines[size.rows-1], "q ends") && strings.Contains(lines[0], "ZONE") && counted &&
				strings.Contains(lines[0], "SESSION") == (size.columns >= 60)
		})
	}
	require.NoError(t, w.cmd.Process.Signal(syscall.SIGINT))
	require.Zero(t, w.end().ExitCode())
}

// What happens meanwhile is shown, in the list and in a session's curve.
func TestWatchShowsWhatIsNew(t *testing.T) {
	t.Parallel()
	m := everyKind(t)
	list, one := m.watch(100, 24), m.watch(100, 24, fresh[:8])
	list.untilDrawn()
	one.until("the blank session", func(text string, _ []byte) bool { return strings.Contains(text, "before the first response") })
	m.measure(fresh, session{payload: "03-mid-session", project: "landed", tokens: 480_000, ago: time.Minute})
	for _, w := range []*watcher{list, one} {
		w.until("the new numbers", func(text string, _ []byte) bool {
			return strings.Contains(text, "landed") && strings.Contains(text, "480k/1M")
		})
	}
}

// A terminal that is closed ends it, and so does a reader that has gone.
func TestWatchEndsWhenNobodyLooks(t *testing.T) {
	t.Parallel()
	m := everyKind(t)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(binaries, "ctxguard"), "status", "--watch")
	cmd.Env = m.environ()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "SESSION")
	require.NoError(t, out.Close())
	cmd.Wait() // by which signal is not what matters
	require.NoError(t, ctx.Err())

	cmd = exec.CommandContext(ctx, filepath.Join(binaries, "ctxguard"), "status", "--watch")
	cmd.Env = m.environ()
	terminal, err := pty.Start(cmd)
	require.NoError(t, err)
	_, err = io.ReadFull(terminal, make([]byte, 64))
	require.NoError(t, err)
	require.NoError(t, terminal.Close())
	cmd.Wait()
	require.NoError(t, ctx.Err())
}

// A real terminal's program agrees on the widths, and finds itself as it was.
func TestStatusInTmux(t *testing.T) {
	t.Parallel()
	m := everyKind(t)
	window := startTmux(t, m.environ("SHELL=/bin/sh", "PS1=ready> ", "ENV="), 80, 24, "sh")
	window.until("a prompt", func(screen string) bool { return strings.HasSuffix(screen, "ready>") })
	for n, style := range []string{"bg=black,fg=white", "bg=white,fg=black"} {
		window.do("set", "-g", "window-style", style)
		prompt := []string{"dark>", "light>"}[n] // one that is not on the screen yet
		window.types("PS1='" + prompt + " '; clear; ctxguard status")
		window.key("Enter")
		window.until("the list and the prompt", func(screen string) bool {
			return strings.HasSuffix(screen, "\n"+prompt) && strings.HasPrefix(screen, "SESSION")
		})
		want, err := os.ReadFile("testdata/status/list-80x24.golden")
		require.NoError(t, err)
		require.Equal(t, string(want)+prompt, window.screen(), style)
		require.Contains(t, window.do("capture-pane", "-p", "-e"), "\x1b[38;5;160m", style)

		window.types("ctxguard status --watch")
		window.key("Enter")
		window.until("the footer", func(screen string) bool { return strings.Contains(screen, "q ends") })
		const modes = "#{alternate_on} #{cursor_flag} #{wrap_flag}"
		require.Equal(t, "1 0 0", window.do("display-message", "-p", modes))
		window.key([]string{"C-c", "q"}[n])
		window.until("the list is back, and a prompt", func(screen string) bool {
			return strings.HasPrefix(screen, "SESSION") && strings.HasSuffix(screen, "--watch\n"+prompt)
		})
		require.Equal(t, "0 1 1", window.do("display-message", "-p", modes))
	}
}
