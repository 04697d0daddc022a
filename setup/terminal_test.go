//go:build unix

package setup_test

import (
	"bytes"
	"os/exec"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"ctxguard/setup/internal/museum"
)

// S17: at a terminal setup asks, in colours, and does what it is told.
func TestAtATerminal(t *testing.T) {
	for answer, done := range map[string]bool{"y": true, "Yes": true, "n": false, "": false} {
		t.Run("answer "+answer, func(t *testing.T) {
			m := newMachine(t)
			m.write(m.settings(), museum.Rich)
			cmd := exec.Command(program, "setup", "--bin", program)
			cmd.Dir, cmd.Env = m.cwd, m.environ("TERM=xterm")
			terminal, err := pty.Start(cmd)
			require.NoError(t, err)
			defer terminal.Close()
			var screen bytes.Buffer
			chunk := make([]byte, 4096)
			for {
				n, err := terminal.Read(chunk)
				screen.Write(chunk[:n])
				if bytes.HasSuffix(screen.Bytes(), []byte("[y/N] ")) {
					_, writeErr := terminal.WriteString(answer + "\n")
					require.NoError(t, writeErr)
				}
				if err != nil {
					break // the other end is closed
				}
			}
			require.NoError(t, cmd.Wait(), screen.String())
			require.Contains(t, screen.String(), "\x1b[32m+")
			require.Equal(t, done, m.read(m.settings()) != museum.Rich)
		})
	}
}

// NO_COLOR is heard.
func TestNoColour(t *testing.T) {
	m := newMachine(t)
	cmd := exec.Command(program, "setup", "--bin", program, "--dry-run")
	cmd.Dir, cmd.Env = m.cwd, m.environ("TERM=xterm", "NO_COLOR=1")
	terminal, err := pty.Start(cmd)
	require.NoError(t, err)
	defer terminal.Close()
	var screen bytes.Buffer
	chunk := make([]byte, 4096)
	for err == nil {
		var n int
		n, err = terminal.Read(chunk)
		screen.Write(chunk[:n])
	}
	require.NoError(t, cmd.Wait())
	require.Contains(t, screen.String(), "dry run")
	require.NotContains(t, screen.String(), "\x1b[")
}
