//go:build unix

package outline

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// T8: the person's own command renders the extensions that it is named for, and
// its output is used as it is.
func TestCommand(t *testing.T) {
	root := projectOf(t, map[string]string{"a.zig": "pub fn a() void {}\n", "b.go": "package b\n\nfunc B() {}\n"})
	dir := script(t, "shape", "echo \"  shape of $1\"\necho \"run in $(pwd -P)\"\n")
	req := request(t, root, "a.zig")
	req.Command, req.Extensions = []string{filepath.Join(dir, "shape"), "{path}"}, []string{".zig"}
	r := renderSoon(t, req)
	require.Equal(t, Rendered, r.State, r.Reason)
	home, err := filepath.EvalSymlinks(req.Home)
	require.NoError(t, err)
	require.Equal(t, header(req.Path)+"\n  shape of "+r.Path+"\nrun in "+home, r.Text)

	// T5: kept by content, so the next one does not wait for the program.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "shape"), []byte("#!/bin/sh\necho other\n"), 0o755))
	require.Equal(t, r.Text, renderSoon(t, req).Text)
	require.NoError(t, os.WriteFile(req.Path, []byte("pub fn b() void {}\n"), 0o644))
	require.Contains(t, renderSoon(t, req).Text, "other")

	req.Path = filepath.Join(root, "b.go")
	require.Contains(t, renderSoon(t, req).Text, "func B()", "other extensions are not the command's")
	req.Extensions = nil
	require.Contains(t, renderSoon(t, req).Text, "other", "no extensions means all files")
}

// T8: a command that fails, hangs or is missing is said; one that prints nothing
// has nothing to say; much output is cut and counted (T6).
func TestCommandFails(t *testing.T) {
	root := projectOf(t, map[string]string{"a.zig": "pub fn a() void {}\n"})
	cases := map[string]struct {
		body   string
		state  State
		reason string
	}{
		"fails":          {"exit 3\n", Unavailable, "the configured command shape ended with exit status 3"},
		"is killed":      {"kill -9 $$\n", Unavailable, "signal: killed"},
		"hangs":          {"sleep 300\n", Unavailable, "not ready within 1 s"},
		"prints nothing": {"exit 0\n", NothingToSay, "the configured command printed nothing"},
	}
	for what, c := range cases {
		t.Run(what, func(t *testing.T) {
			req := request(t, root, "a.zig")
			req.Command = []string{filepath.Join(script(t, "shape", c.body), "shape"), "{path}"}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			r := Render(ctx, req)
			require.Equal(t, c.state, r.State)
			require.Contains(t, r.Reason, c.reason)
			require.False(t, r.NoCommand)
			require.Equal(t, what == "hangs", r.Retry)
		})
	}

	req := request(t, root, "a.zig")
	req.Command = []string{"no-such-program-of-anybody", "{path}"}
	r := renderSoon(t, req)
	require.True(t, r.NoCommand)
	require.Contains(t, r.Reason, "no-such-program-of-anybody")
	require.Contains(t, r.Text, "UNAVAILABLE")

	req.Command = []string{filepath.Join(script(t, "shape", "yes 'line of the command' | head -c 2000000\n"), "shape")}
	req.MaxChars = 6000
	r = renderSoon(t, req)
	require.Equal(t, Rendered, r.State, r.Reason)
	require.LessOrEqual(t, len(r.Text), 6000)
	require.Contains(t, r.Text, "more characters left out")
}

// T5: a detached render leaves its result in the cache, is started once, and
// gets the home and the project, nothing else.
func TestWarm(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	program := filepath.Join(script(t, "ctxguard", "{ echo \"$*\"; env; } >> '"+out+"'\n"), "ctxguard")
	req := request(t, projectOf(t, map[string]string{"a.py": ""}), "a.py")
	t.Setenv("SECRET_TOKEN", "hunter2")
	now := time.Now()
	require.NoError(t, Warm(program, req, now))
	require.NoError(t, Warm(program, req, now.Add(time.Second)))
	require.Eventually(t, func() bool {
		raw, err := os.ReadFile(out)
		return err == nil && strings.Contains(string(raw), "CTXGUARD_HOME="+req.Home)
	}, 10*time.Second, 10*time.Millisecond)
	require.NoError(t, Warm(program, req, now.Add(warming+time.Second)))
	require.Eventually(t, func() bool {
		raw, err := os.ReadFile(out)
		return err == nil && strings.Count(string(raw), "outline --json "+req.Path+"\n") == 2
	}, 10*time.Second, 10*time.Millisecond)
	raw, err := os.ReadFile(out)
	require.NoError(t, err)
	require.NotContains(t, string(raw), "hunter2")
	require.Contains(t, string(raw), "CLAUDE_PROJECT_DIR="+req.Project)

	require.Error(t, Warm(filepath.Join(t.TempDir(), "missing"), request(t, req.Project, "a.py"), now))
}
