//go:build unix

package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// tmux is a real terminal's program with one window.
type tmux struct {
	t       *testing.T
	socket  string
	environ []string
}

// startTmux runs a command in a window of that size.
func startTmux(t *testing.T, environ []string, columns, rows int, command string) *tmux {
	t.Helper()
	needsProgram(t, "tmux")
	m := &tmux{t: t, socket: filepath.Join(t.TempDir(), "s"), environ: environ}
	m.do("new-session", "-d", "-x", fmt.Sprint(columns), "-y", fmt.Sprint(rows), command)
	t.Cleanup(func() { m.do("kill-server") })
	m.do("set", "-g", "status", "off")
	m.do("resize-window", "-x", fmt.Sprint(columns), "-y", fmt.Sprint(rows))
	return m
}

func (m *tmux) do(words ...string) string {
	m.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-S", m.socket, "-f", os.DevNull, "-u"}, words...)...)
	cmd.Env = m.environ
	out, err := cmd.CombinedOutput()
	require.NoError(m.t, err, "%q: %s", words, out)
	return strings.TrimRight(string(out), "\n")
}

// types sends text as it stands, and key a key by its name.
func (m *tmux) types(text string) { m.do("send-keys", "-l", "--", text) }

func (m *tmux) key(name string) { m.do("send-keys", name) }

func (m *tmux) screen() string { return m.do("capture-pane", "-p") }

func (m *tmux) until(what string, is func(screen string) bool) {
	m.t.Helper()
	for limit := time.Now().Add(patience); time.Now().Before(limit); time.Sleep(20 * time.Millisecond) {
		if is(m.screen()) {
			return
		}
	}
	require.Fail(m.t, "waited in vain: "+what, m.screen())
}
