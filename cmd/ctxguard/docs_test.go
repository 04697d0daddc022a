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
// block of the README and of docs, in the order of the page, in a clone of its own
// and a home that knows nothing. Those that ask are answered with yes, at a
// terminal.
func TestCommandsOfTheDocumentation(t *testing.T) {
	ran := 0
	for _, page := range pages(t) {
		commands := shellCommands(page)
		ran += len(commands)
		t.Run(page.name, func(t *testing.T) {
			t.Parallel()
			reader := newReader(t)
			if page.name != "README.md" {
				// Who reads the README first has nothing but the clone.
				reader.path = binaries + string(os.PathListSeparator) + reader.path
			}
			for _, command := range commands {
				if runByCI(command) {
					continue
				}
				out, code := reader.types(command)
				require.Zero(t, code, "%s\n%s", command, out)
			}
		})
	}
	require.Greater(t, ran, 20, "the blocks were not found")
}

// page is one page of the documentation.
type page struct {
	name   string
	blocks []block
}

// block is what stands between two fences.
type block struct{ language, text string }

func pages(t *testing.T) []page {
	t.Helper()
	files, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	var all []page
	for _, file := range append(files, "../../README.md") {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		p := page{name: filepath.Base(file)}
		for _, m := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$").FindAllStringSubmatch(string(raw), -1) {
			p.blocks = append(p.blocks, block{m[1], m[2]})
		}
		require.Equal(t, strings.Count("\n"+string(raw), "\n```"), 2*len(p.blocks), "%s: a fence is not closed, or indented", p.name)
		all = append(all, p)
	}
	return all
}

func shellCommands(p page) []string {
	var commands []string
	for _, b := range p.blocks {
		if b.language != "sh" {
			continue
		}
		for line := range strings.Lines(b.text) {
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

// reader is somebody who follows a page: a clone, a home, a terminal.
type reader struct {
	t                 *testing.T
	clone, home, path string
}

func newReader(t *testing.T) *reader {
	t.Helper()
	r := &reader{t: t, clone: filepath.Join(t.TempDir(), "clone"), home: t.TempDir(), path: os.Getenv("PATH")}
	require.NoError(t, os.Mkdir(r.clone, 0o755))
	entries, err := os.ReadDir("../..")
	require.NoError(t, err)
	for _, entry := range entries {
		from, to := filepath.Join("../..", entry.Name()), filepath.Join(r.clone, entry.Name())
		switch {
		case entry.Name() == ".git":
			// A project for ctxguard, without its past.
			require.NoError(t, os.Mkdir(to, 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(to, "HEAD"), []byte("ref: refs/heads/main\n"), 0o644))
		case entry.IsDir():
			require.NoError(t, os.CopyFS(to, os.DirFS(from)))
		case entry.Type().IsRegular():
			raw, err := os.ReadFile(from)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(to, raw, 0o644))
		}
	}
	return r
}

// types runs a command in the clone at a terminal, with yes for every question. A
// line that sets PATH holds for those after it.
func (r *reader) types(command string) (output string, code int) {
	r.t.Helper()
	if value, ok := strings.CutPrefix(command, "PATH="); ok {
		r.path = os.Expand(strings.Trim(value, `"`), func(name string) string {
			return map[string]string{"HOME": r.home, "PATH": r.path}[name]
		})
		return "", 0
	}
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = r.clone
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "CLAUDE") && !strings.HasPrefix(entry, "CTXGUARD") {
			cmd.Env = append(cmd.Env, entry)
		}
	}
	cmd.Env = append(cmd.Env, "HOME="+r.home, "GOCACHE="+goEnv(r.t, "GOCACHE"), "GOMODCACHE="+goEnv(r.t, "GOMODCACHE"),
		"GOFLAGS=-buildvcs=false", "PATH="+r.path)
	terminal, err := pty.Start(cmd)
	require.NoError(r.t, err)
	defer terminal.Close()
	limit := time.AfterFunc(5*time.Minute, func() { _ = cmd.Process.Kill() })
	defer limit.Stop()
	_, err = io.WriteString(terminal, "y\ny\n")
	require.NoError(r.t, err)
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
