//go:build unix

package outline

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// script makes an executable shell script in a folder of its own and gives the
// folder.
func script(t *testing.T, name, body string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+body), 0o755))
	return dir
}

// with is the environment of the test with one variable changed.
func with(name, value string) func(string) string {
	return func(key string) string {
		if key == name {
			return value
		}
		return os.Getenv(key)
	}
}

// TestAttackByPythonModule is T9's first attack: a project with an ast.py, which
// an interpreter that looks for modules in its working folder would run.
func TestAttackByPythonModule(t *testing.T) {
	needs(t, "python3")
	trap := filepath.Join(t.TempDir(), "sprung")
	module := "open(" + strconv.Quote(trap) + ", 'w').close()\nraise SystemExit(0)\n"
	root := projectOf(t, map[string]string{"ast.py": module, "json.py": module, "binascii.py": module,
		"warnings.py": module, "sitecustomize.py": module, "target.py": "class Target:\n    pass\n"})

	// The trap works: this is how it is done carelessly.
	careless := exec.Command("python3", "-")
	careless.Dir = root
	careless.Stdin = strings.NewReader("import ast\n")
	require.NoError(t, careless.Run())
	require.FileExists(t, trap)
	require.NoError(t, os.Remove(trap))

	req := request(t, root, "target.py")
	// Even a home that holds the same modules runs none of them, nor does the
	// person's PYTHONPATH.
	require.NoError(t, os.MkdirAll(req.Home, 0o700))
	for _, name := range []string{"ast.py", "json.py"} {
		require.NoError(t, os.WriteFile(filepath.Join(req.Home, name), []byte(module), 0o600))
	}
	t.Setenv("PYTHONPATH", root)
	r := renderSoon(t, req)
	require.NoFileExists(t, trap)
	require.Contains(t, r.Text, "class Target")
	require.NotContains(t, r.Text, "approximate", "the interpreter itself must have read it")
}

// TestAttackByGitConfiguration is T9's second attack: core.fsmonitor of the
// project's own .git/config is a command that git runs at almost every call.
func TestAttackByGitConfiguration(t *testing.T) {
	trap := filepath.Join(t.TempDir(), "sprung")
	root := projectOf(t, map[string]string{"target.py": "class Target:\n    pass\n", "target.go": "package a\n\nfunc A() {}\n"})
	hook := filepath.Join(script(t, "monitor", "touch '"+trap+"'\n"), "monitor")
	if _, err := exec.LookPath("git"); err == nil {
		run := func(args ...string) {
			out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput()
			require.NoError(t, err, string(out))
		}
		run("init", "-q")
		run("config", "core.fsmonitor", hook)
		// The trap works.
		run("add", "target.go")
		run("status", "--short")
		require.FileExists(t, trap)
		require.NoError(t, os.Remove(trap))
	}
	// No git is started at all, wherever it would come from.
	git := script(t, "git", "touch '"+trap+"'\n")
	t.Setenv("PATH", git+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, name := range []string{"target.py", "target.go", "new.go"} {
		req := request(t, root, name)
		require.Equal(t, Rendered, renderSoon(t, req).State, name)
		require.NoFileExists(t, trap, name)
	}
}

// TestAttackByCtagsOptions is T9's third attack: ctags reads options from
// .ctags.d in its working folder and the person's home; they can make it write
// to any file and say anything.
func TestAttackByCtagsOptions(t *testing.T) {
	needs(t, "ctags")
	trap := filepath.Join(t.TempDir(), "sprung")
	options := "-o\n" + trap + "\n--regex-TypeScript=/Target/INJECTED/f,function/\n"
	root := projectOf(t, map[string]string{
		".ctags.d/evil.ctags": options, "target.ts": "export class Target {\n}\n",
	})
	careless := exec.Command("ctags", "target.ts")
	careless.Dir = root
	require.NoError(t, careless.Run())
	require.FileExists(t, trap)
	raw, err := os.ReadFile(trap)
	require.NoError(t, err)
	require.Contains(t, string(raw), "INJECTED", "the trap works")
	require.NoError(t, os.Remove(trap))

	// The same options in the helper's working folder and in the person's home.
	req := request(t, root, "target.ts")
	person := t.TempDir()
	for _, dir := range []string{req.Home, person} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, ".ctags.d"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".ctags.d", "evil.ctags"), []byte(options), 0o600))
	}
	req.Getenv = with("HOME", person)
	r := renderSoon(t, req)
	require.NoFileExists(t, trap)
	require.Contains(t, r.Text, "class Target")
	require.NotContains(t, r.Text, "approximate", "ctags itself must have read it")
	require.Len(t, r.Outline.Symbols, 1)
	require.Equal(t, "Target", r.Outline.Symbols[0].Name, "nothing injected")
}

// T9: a project may not bring the program that is run on it, by whatever way its
// folders came onto PATH.
func TestNoProgramFromTheProject(t *testing.T) {
	trap := filepath.Join(t.TempDir(), "sprung")
	root := projectOf(t, map[string]string{"target.py": "class Target:\n    pass\n"})
	require.NoError(t, os.Mkdir(filepath.Join(root, "bin"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "bin", "python3"), []byte("#!/bin/sh\ntouch '"+trap+"'\n"), 0o755))
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(filepath.Join(root, "bin"), link))
	t.Chdir(root)
	for what, dir := range map[string]string{"absolute": filepath.Join(root, "bin"), "a link": link, "relative": "bin", "empty": ""} {
		req := request(t, root, "target.py")
		req.Getenv = with("PATH", dir+string(filepath.ListSeparator)+"/usr/bin"+string(filepath.ListSeparator)+"/bin")
		require.Equal(t, Rendered, renderSoon(t, req).State, what)
		require.NoFileExists(t, trap, what)
		for _, dir := range req.sandbox(root).searchPath() {
			require.Contains(t, []string{"/usr/bin", "/bin"}, dir, what)
		}
	}
}

// T9: the working folder is the home, and of the environment there is PATH, HOME,
// LANG and the temporary folder.
func TestHelperSeesNothingElse(t *testing.T) {
	spy := filepath.Join(t.TempDir(), "spy")
	dir := script(t, "python3", "{ pwd -P; env; echo \"args: $*\"; } > '"+spy+"'\ncat >/dev/null\necho '[{}]'\n")
	root := projectOf(t, map[string]string{"target.py": "class Target:\n    pass\n"})
	req := request(t, root, "target.py")
	t.Setenv("SECRET_TOKEN", "hunter2")
	t.Setenv("CLAUDE_PROJECT_DIR", root)
	t.Setenv("LANG", "C.UTF-8")
	t.Setenv("TMPDIR", t.TempDir())
	req.Getenv = with("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	renderSoon(t, req)

	raw, err := os.ReadFile(spy)
	require.NoError(t, err)
	seen := string(raw)
	home, err := filepath.EvalSymlinks(req.Home)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(seen, home+"\n"), seen)
	require.Contains(t, seen, "args: -I -S -\n")
	require.NotContains(t, seen, "hunter2")
	require.NotContains(t, seen, root)
	for line := range strings.Lines(seen) {
		name, _, ok := strings.Cut(strings.TrimSpace(line), "=")
		if ok {
			// PWD, SHLVL, OLDPWD and _ are the shell's own.
			require.Contains(t, []string{"PATH", "HOME", "LANG", "TMPDIR", "PWD", "SHLVL", "OLDPWD", "_"}, name)
		}
	}
}

// T9: at the deadline the whole process group is killed, not the helper alone.
func TestHangingHelperIsKilledWithItsChildren(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	dir := script(t, "python3", "sleep 300 & echo $! > '"+pids+"'\necho $$ >> '"+pids+"'\nwait\n")
	root := projectOf(t, map[string]string{"target.py": "class Target:\n    pass\n"})
	req := request(t, root, "target.py")
	req.Getenv = with("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))

	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	began := time.Now()
	r := Render(ctx, req)
	require.Less(t, time.Since(began), 10*time.Second)
	require.Equal(t, Unavailable, r.State)
	require.True(t, r.Retry)
	require.Contains(t, r.Text, "not ready within 1 s")

	raw, err := os.ReadFile(pids)
	require.NoError(t, err)
	for _, field := range strings.Fields(string(raw)) {
		pid, err := strconv.Atoi(field)
		require.NoError(t, err)
		require.Eventually(t, func() bool { return gone(pid) }, 5*time.Second, 20*time.Millisecond, "process %d lives", pid)
	}
}

// gone reports whether the process has ended; one that nobody has waited for yet
// has ended too.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// Bad input: a helper that dies, prints nonsense, or prints without end is
// passed over for the approximate outline, and is not remembered.
func TestBrokenHelper(t *testing.T) {
	for what, body := range map[string]string{
		"dies":          "kill -9 $$\n",
		"fails":         "exit 3\n",
		"no JSON":       "cat >/dev/null; echo nonsense\n",
		"wrong number":  "cat >/dev/null; echo '[]'\n",
		"without end":   "exec cat /dev/zero\n",
		"closes itself": "exec <&- >&-; exit 0\n",
	} {
		t.Run(what, func(t *testing.T) {
			dir := script(t, "python3", body)
			root := projectOf(t, map[string]string{"target.py": "class Target:\n    pass\n"})
			req := request(t, root, "target.py")
			req.Getenv = with("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
			r := renderSoon(t, req)
			require.Equal(t, Rendered, r.State, r.Reason)
			require.Contains(t, r.Text, "approximate, found line by line because python3 could not read it")
			require.Contains(t, r.Text, "class Target")

			require.NoError(t, os.Remove(filepath.Join(dir, "python3")))
			r = renderSoon(t, req)
			require.NotContains(t, r.Text, "could not read it")
		})
	}
}

// T9: output is cut at 1 MiB, and the program is ended then.
func TestOutputIsCut(t *testing.T) {
	dir := script(t, "endless", "while :; do echo 0123456789012345678901234567890123456789; done\n")
	box := sandbox{project: t.TempDir(), home: t.TempDir(), getenv: os.Getenv}
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, whole, err := box.run(ctx, nil, filepath.Join(dir, "endless"))
	require.NoError(t, err)
	require.False(t, whole)
	require.Len(t, out, maxOutput)
	require.Less(t, time.Since(began), 30*time.Second)
}
