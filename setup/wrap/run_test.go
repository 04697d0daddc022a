//go:build unix

package wrap_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/setup/internal/museum"
	"ctxguard/setup/wrap"
)

// program is ctxguard itself, built once for all tests.
var program string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "ctxguard-wrap-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "it's ours", "ctxguard")
	if out, err := exec.Command("go", "build", "-o", program, "ctxguard/cmd/ctxguard").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// stage is the folder that the museum's commands run in.
func stage(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	const tool = "#!/bin/sh\nfor a in \"$@\"; do printf '<%s>\\n' \"$a\"; done\ncat\n"
	files := map[string]string{
		"tool": tool, "my dir/tool": tool, "bin/tool": tool,
		"fail": "#!/bin/sh\ncat >/dev/null\necho failed\nexit 7\n",
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o755))
	}
	for _, name := range []string{"a.txt", "b.txt", "plain"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(name+"\nz\n"), 0o644))
	}
	return dir
}

type outcome struct {
	stdout string
	code   int
}

// run does what the client does (facts A.2).
func run(t *testing.T, dir, command, payload string) outcome {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = []string{
		"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "IFS_TEST=a  b c", "LC_ALL=C",
		"CTXGUARD_HOME=" + filepath.Join(dir, "cg"),
	}
	cmd.Stdin = bytes.NewReader([]byte(payload))
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	code := cmd.ProcessState.ExitCode()
	if code < 0 {
		// The shell that the client starts says so of a child that died by a
		// signal; a command that ends that shell itself is now its child.
		code = 128 + int(cmd.ProcessState.Sys().(syscall.WaitStatus).Signal())
	}
	return outcome{stdout.String(), code}
}

const payload = `{"session_id":"s1","version":"2.1.332","model":{"id":"m","display_name":"Opus"},` +
	`"workspace":{"current_dir":"/tmp"},"context_window":{"total_input_tokens":1}}` + "\n"

// S7: the wrapped command shows byte for byte what the original showed, with the
// same exit code, and the snapshot is there.
func TestWrappedCommandsBehaveAsBefore(t *testing.T) {
	require.GreaterOrEqual(t, len(museum.Commands()), 40)
	for _, c := range museum.Commands() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			dir := stage(t)
			before := run(t, dir, c.Text, payload)
			after := run(t, dir, wrap.Wrap(wrap.Quote(program), c.Text, true), payload)
			require.Equal(t, before, after)
			require.FileExists(t, filepath.Join(dir, "cg", "context", "s1.json"))
		})
	}
}

// S9: around other tools' wrappers, and with ours inside them, in both orders.
func TestOtherToolsWrappersGoOn(t *testing.T) {
	dir := stage(t)
	const tee = "#!/bin/bash\n[ \"$1\" = -- ] && shift\ninput=$(cat)\nprintf '%s\\n' \"$input\" > \"$HOME/tee.$(basename \"$0\")\"\nprintf '%s\\n' \"$input\" | \"$@\"\n"
	for _, name := range []string{"context-guard-tee", "rate-limit-guard-tee"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(tee), 0o755))
	}
	bin := wrap.Quote(program)
	want := run(t, dir, "./tool 'a b' c", payload)
	for _, command := range []string{
		"bash ./context-guard-tee ./tool 'a b' c",
		"bash ~/context-guard-tee -- bash ~/rate-limit-guard-tee ./tool 'a b' c",
		"bash ./context-guard-tee " + bin + " statusline -- bash ./rate-limit-guard-tee ./tool 'a b' c",
		bin + " statusline -- bash ./context-guard-tee " + bin + " statusline ./tool 'a b' c",
		`bash ./context-guard-tee sh -c "/old/ctxguard statusline -- ./tool 'a b' c"`,
	} {
		wrapped := wrap.Wrap(bin, command, true)
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "cg")))
		require.Equal(t, want, run(t, dir, wrapped, payload), wrapped)
		require.FileExists(t, filepath.Join(dir, "tee.context-guard-tee"))
		require.FileExists(t, filepath.Join(dir, "cg", "context", "s1.json"))
		require.Equal(t, 1, wrap.Read(wrapped).Layers)
		require.True(t, wrap.Read(wrapped).Outermost)
	}
}
