package client

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/creack/pty"

	"ctxguard/cmd/realclient/screen"
)

// The size of the terminal: wide enough that no line of a scene is wrapped.
const (
	columns = 160
	rows    = 50
)

// Times of a person at a terminal.
const (
	poll = 20 * time.Millisecond
	// settle is how long after a sign of something the rest of it is there.
	settle = 100 * time.Millisecond
	// WaitTime is how long something may take to appear.
	WaitTime = 20 * time.Second
	// startTime is how long a start may take: the program is 400 MB, which a
	// machine may have to read from its disk first.
	startTime = 60 * time.Second
	// exitTime is how long the client may take to go once it was told.
	exitTime = 3 * time.Second
)

// The keys that are not characters.
const (
	Enter    = "\r"
	Esc      = "\x1b"
	ShiftTab = "\x1b[Z"
)

// Terminal is an interactive client in a pseudo-terminal.
type Terminal struct {
	cmd  *exec.Cmd
	pty  *os.File
	gone chan struct{} // closed when the client has ended

	mu     sync.Mutex
	screen *screen.Screen
}

// Start starts an interactive client. End must be called.
func (s *Sandbox) Start(args ...string) (*Terminal, error) {
	cmd := exec.Command(s.program, args...)
	cmd.Dir, cmd.Env = s.Project, s.Environ()
	file, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: rows, Cols: columns})
	if err != nil {
		return nil, fmt.Errorf("start the client in a terminal: %w", err)
	}
	t := &Terminal{cmd: cmd, pty: file, gone: make(chan struct{}), screen: screen.New(columns, rows)}
	go t.follow()
	go func() {
		defer close(t.gone)
		cmd.Wait() // how it ended is in ProcessState
	}()
	return t, nil
}

// follow feeds the screen until the terminal is closed: by End, or because
// nothing holds its other side any more.
func (t *Terminal) follow() {
	buf := make([]byte, 64<<10)
	for {
		n, err := t.pty.Read(buf)
		if n > 0 {
			t.mu.Lock()
			t.screen.Write(buf[:n])
			replies := t.screen.Replies()
			t.mu.Unlock()
			t.pty.Write(replies) // a client that is gone needs none
		}
		if err != nil {
			return
		}
	}
}

// Screen gives what is visible now.
func (t *Terminal) Screen() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.screen.String()
}

// Foreground gives the colour of a visible text; see screen.Screen.
func (t *Terminal) Foreground(text string) (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.screen.Foreground(text)
}

// Press sends keys.
func (t *Terminal) Press(keys string) error {
	if _, err := t.pty.WriteString(keys); err != nil {
		return fmt.Errorf("press %q: %w", keys, err)
	}
	if keys == Esc {
		// Only a pause tells it from the first byte of another key.
		time.Sleep(3 * settle)
	}
	return nil
}

// WaitFor waits until a text is visible.
func (t *Terminal) WaitFor(ctx context.Context, text string) error {
	return t.WaitUntil(ctx, fmt.Sprintf("%q is visible", text), func(s string) bool {
		return strings.Contains(s, text)
	})
}

// WaitUntil waits for a state of the screen; what names it in the error, which
// shows the screen.
func (t *Terminal) WaitUntil(ctx context.Context, what string, is func(screen string) bool) error {
	return t.waitUntil(ctx, WaitTime, what, is)
}

func (t *Terminal) waitUntil(ctx context.Context, limit time.Duration, what string, is func(screen string) bool) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		if is(t.Screen()) {
			return nil
		}
		select {
		case <-tick.C:
		case <-t.gone:
			time.Sleep(settle) // its last words are still on their way
			if is(t.Screen()) {
				return nil
			}
			return fmt.Errorf("the client ended (%v) before %s; the screen was:\n%s", t.cmd.ProcessState, what, t.Screen())
		case <-ctx.Done():
			return fmt.Errorf("waited in vain until %s; the screen is:\n%s", what, t.Screen())
		}
	}
}

// WaitReady waits until the input box is there and empty.
func (t *Terminal) WaitReady(ctx context.Context) error {
	return t.waitUntil(ctx, startTime, "the input box is ready", func(s string) bool {
		typed, ok := Input(s)
		return ok && typed == ""
	})
}

// Submit types a line into the input box and sends it, once it has appeared
// there: Enter that arrives together with the text would be part of it.
func (t *Terminal) Submit(ctx context.Context, line string) error {
	if err := t.Press(line); err != nil {
		return err
	}
	err := t.WaitUntil(ctx, fmt.Sprintf("%q stands in the input box", line), func(s string) bool {
		typed, _ := Input(s)
		return typed == line
	})
	if err != nil {
		return err
	}
	time.Sleep(settle)
	return t.Press(Enter)
}

// Resize changes the size of the terminal.
func (t *Terminal) Resize(cols, rows int) error {
	t.mu.Lock()
	t.screen.Resize(cols, rows)
	t.mu.Unlock()
	return pty.Setsize(t.pty, &pty.Winsize{Rows: uint16(rows), Cols: uint16(cols)})
}

// WaitEnd waits until the client has ended by itself, as after /exit.
func (t *Terminal) WaitEnd(ctx context.Context) error {
	select {
	case <-t.gone:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(WaitTime):
		return fmt.Errorf("the client has not ended; the screen is:\n%s", t.Screen())
	}
}

// End ends the client, politely first. It may be called twice.
func (t *Terminal) End() {
	defer t.pty.Close()
	for _, end := range []func(*os.Process) error{interrupt, kill} {
		select {
		case <-t.gone:
			return
		default:
		}
		end(t.cmd.Process) // one that is gone cannot be told
		select {
		case <-t.gone:
			return
		case <-time.After(exitTime):
		}
	}
}
