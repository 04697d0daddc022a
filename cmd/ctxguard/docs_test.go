package main_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

// TestCommandsOfTheDocumentation runs every command that stands in a fenced sh
// block of the README and of docs, in the order of the page, in a home that
// knows nothing. Those that ask are answered with yes, at a terminal.
func TestCommandsOfTheDocumentation(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	for _, page := range append(pages, "../../README.md") {
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			for _, command := range shellCommands(t, page) {
				if runByCI(command) {
					continue
				}
				out, code := atTerminal(t, home, command)
				require.Zero(t, code, "%s\n%s", command, out)
			}
		})
	}
}

func shellCommands(t *testing.T, page string) []string {
	t.Helper()
	raw, err := os.ReadFile(page)
	require.NoError(t, err)
	var commands []string
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(raw), -1) {
		for line := range strings.Lines(block[1]) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				commands = append(commands, line)
			}
		}
	}
	return commands
}

// runByCI tells the commands that run this very test.
func runByCI(command string) bool {
	return strings.HasPrefix(command, "go test") || strings.HasPrefix(command, "bash .ci/run") ||
		strings.HasPrefix(command, "go run ./cmd/bench") || strings.Contains(command, "./cmd/realclient")
}

// atTerminal runs a command in the project's folder at a terminal, with yes for
// every question.
func atTerminal(t *testing.T, home, command string) (output string, code int) {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = "../.."
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "CLAUDE") && !strings.HasPrefix(entry, "CTXGUARD") {
			cmd.Env = append(cmd.Env, entry)
		}
	}
	cmd.Env = append(cmd.Env, "HOME="+home, "GOCACHE="+goEnv(t, "GOCACHE"), "GOMODCACHE="+goEnv(t, "GOMODCACHE"),
		"PATH="+binaries+string(os.PathListSeparator)+os.Getenv("PATH"))
	terminal, err := pty.Start(cmd)
	require.NoError(t, err)
	defer terminal.Close()
	limit := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer limit.Stop()
	_, err = io.WriteString(terminal, "y\ny\n")
	require.NoError(t, err)
	// The terminal ends with an error of its own when the last program is gone.
	raw, _ := io.ReadAll(terminal)
	return string(raw), exitCode(cmd.Wait())
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}
