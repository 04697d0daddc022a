//go:build unix

package main_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const sessionID = "7905fe8d-3044-470a-afaa-2463be7e22cf"

func recorded(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("../../testdata/payloads", name))
	require.NoError(t, err)
	return raw
}

// shim is `ctxguard statusline` with those words, in a home of its own.
func shim(home string, words ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(binaries, "ctxguard"), append([]string{"statusline"}, words...)...)
	cmd.Env = []string{"CTXGUARD_HOME=" + home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir()}
	return cmd
}

func snapshotOf(home string) string { return filepath.Join(home, "context", sessionID+".json") }

// Whatever the payload is, the next command reads exactly those bytes.
func TestPayloadsPassByteForByte(t *testing.T) {
	line := recorded(t, "statusline-03-mid-session.json")
	filled := func(size int) []byte {
		head := []byte(`{"session_id":"` + sessionID + `","context_window":{},"padding":"`)
		return append(append(head, bytes.Repeat([]byte("x"), size-len(head)-2)...), '"', '}')
	}
	cases := map[string]struct {
		payload  []byte
		snapshot bool
	}{
		"as recorded":                  {line, true},
		"nothing at all":               {nil, false},
		"one byte less than a pipe":    {filled(64<<10 - 1), true},
		"exactly a pipe":               {filled(64 << 10), true},
		"one byte more than a pipe":    {filled(64<<10 + 1), true},
		"exactly the largest pipe":     {filled(1 << 20), true},
		"more than the largest pipe":   {filled(1<<20 + 1), true},
		"16 MiB":                       {filled(16 << 20), true},
		"16 MiB that are no JSON":      {bytes.Repeat([]byte{0, 0xff, '\n', '{'}, 4<<20), false},
		"no JSON":                      {[]byte("not JSON at all\n"), false},
		"an array":                     {[]byte("[1]"), false},
		"invalid UTF-8 in another key": {append([]byte("{\"cwd\":\"/\xff\xfe\","), line[1:]...), true},
		"NUL bytes behind":             {append(bytes.Clone(line), 0, 0), false},
		"a byte order mark":            {append([]byte("\ufeff"), line...), true},
		"no final newline":             {bytes.TrimSpace(line), true},
		"CRLF":                         {bytes.ReplaceAll(line, []byte("\n"), []byte("\r\n")), true},
		"a cut end":                    {line[:len(line)/2], false},
		"a hostile session id":         {bytes.ReplaceAll(line, []byte(sessionID), []byte("../../../etc/passwd")), false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			cmd := shim(home, "--", "cat")
			cmd.Stdin = bytes.NewReader(c.payload)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			require.NoError(t, err)
			require.True(t, bytes.Equal(c.payload, out), "%d bytes in, %d bytes out", len(c.payload), len(out))
			require.Empty(t, stderr.String())
			_, err = os.Stat(snapshotOf(home))
			require.Equal(t, c.snapshot, err == nil)
			if c.snapshot && bytes.Contains(c.payload, line[20:400]) {
				raw, err := os.ReadFile(snapshotOf(home))
				require.NoError(t, err)
				require.Contains(t, string(raw), "60720")
			}
		})
	}
}

// An input that nobody closes is waited for 50 ms behind a whole value, and two
// seconds otherwise; then the next command gets what came.
func TestInputThatIsNeverClosed(t *testing.T) {
	line := recorded(t, "statusline-03-mid-session.json")
	cases := map[string]struct {
		pieces      [][]byte
		least, most time.Duration
	}{
		"a whole value":             {[][]byte{line}, 50 * time.Millisecond, 1500 * time.Millisecond},
		"a whole value in pieces":   {[][]byte{line[:100], line[100:700], line[700:]}, 50 * time.Millisecond, 1500 * time.Millisecond},
		"half a value":              {[][]byte{line[:len(line)/2]}, 2 * time.Second, 4 * time.Second},
		"nothing":                   {nil, 2 * time.Second, 4 * time.Second},
		"a value with more behind ": {[][]byte{append(bytes.Clone(line), "garbage"...)}, 2 * time.Second, 4 * time.Second},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, w, err := os.Pipe()
			require.NoError(t, err)
			defer w.Close()
			cmd := shim(t.TempDir(), "--", "cat")
			cmd.Stdin = r
			var out bytes.Buffer
			cmd.Stdout = &out
			start := time.Now()
			require.NoError(t, cmd.Start())
			require.NoError(t, r.Close())
			for _, piece := range c.pieces {
				_, err := w.Write(piece)
				require.NoError(t, err)
				time.Sleep(10 * time.Millisecond)
			}
			require.NoError(t, cmd.Wait())
			took := time.Since(start)
			require.Equal(t, string(bytes.Join(c.pieces, nil)), out.String())
			require.GreaterOrEqual(t, took, c.least)
			require.Less(t, took, c.most)
		})
	}
}

// The next command's end by a signal is the shim's own end by that signal.
func TestDeathBySignalIsTheCommandsOwn(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL, syscall.SIGSEGV, syscall.SIGPIPE} {
		cmd := shim(t.TempDir(), "--", "sh", "-c", fmt.Sprintf("kill -%d $$; sleep 5", int(signal)))
		cmd.Stdin = strings.NewReader("{}")
		require.Error(t, cmd.Run())
		status := cmd.ProcessState.Sys().(syscall.WaitStatus)
		require.True(t, status.Signaled(), signal)
		require.Equal(t, signal, status.Signal())
	}
}

func TestTheCommandIsTheSameProcess(t *testing.T) {
	cmd := shim(t.TempDir(), "--", "sh", "-c", "echo $$")
	cmd.Stdin = strings.NewReader("{}")
	out, err := cmd.Output()
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("%d\n", cmd.Process.Pid), string(out))
}

// Where the bytes find no place to wait in, the command is a child: here the
// payload is larger than any pipe and there is no folder for temporary files.
func TestChildRepeatsTheCommandsEnd(t *testing.T) {
	payload := bytes.Repeat([]byte("0123456789abcdef"), 2<<20/16)
	child := func(script string) (*exec.Cmd, *bytes.Buffer) {
		cmd := shim(t.TempDir(), "--", "sh", "-c", script)
		cmd.Env = append(cmd.Env, "TMPDIR=/no/such/folder")
		cmd.Stdin = bytes.NewReader(payload)
		out := new(bytes.Buffer)
		cmd.Stdout = out
		return cmd, out
	}
	cmd, out := child("echo $$; cat; exit 9")
	require.Equal(t, 9, exitCode(cmd.Run()))
	pid, rest, _ := strings.Cut(out.String(), "\n")
	require.NotEqual(t, fmt.Sprint(cmd.Process.Pid), pid, "it is a child")
	require.Equal(t, string(payload), rest)

	cmd, _ = child("exit 0")
	require.NoError(t, cmd.Run(), "a child that does not read")

	cmd, _ = child("kill -TERM $$; sleep 5")
	require.Error(t, cmd.Run())
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	require.True(t, status.Signaled())
	require.Equal(t, syscall.SIGTERM, status.Signal())

	script := filepath.Join(t.TempDir(), "plain")
	require.NoError(t, os.WriteFile(script, []byte("echo plain \"$1\"; cat >/dev/null\n"), 0o755))
	plain := shim(t.TempDir(), "--", script, "word")
	plain.Env = append(plain.Env, "TMPDIR=/no/such/folder")
	plain.Stdin = bytes.NewReader(payload)
	got, err := plain.Output()
	require.NoError(t, err)
	require.Equal(t, "plain word\n", string(got))
}

// The client kills a run that is still going when the next one starts, its whole
// group. Whenever that happens, the snapshot on disk is whole and nothing of ours
// stays behind.
func TestKilledInTheMiddle(t *testing.T) {
	home := t.TempDir()
	line := recorded(t, "statusline-03-mid-session.json")
	marker := fmt.Sprintf("ctxguard-kill-%d", os.Getpid())
	for i := range 60 {
		payload := bytes.ReplaceAll(line, []byte("60720"), fmt.Append(nil, 60720+i))
		cmd := shim(home, "--", "sh", "-c", "sleep 30 # "+marker)
		cmd.Stdin = bytes.NewReader(payload)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		require.NoError(t, cmd.Start())
		time.Sleep(time.Duration(rand.IntN(8000)) * time.Microsecond)
		signal := []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL}[i%2]
		require.NoError(t, syscall.Kill(-cmd.Process.Pid, signal))
		_ = cmd.Wait()
		raw, err := os.ReadFile(snapshotOf(home))
		if os.IsNotExist(err) {
			continue
		}
		require.NoError(t, err)
		require.True(t, bytes.HasSuffix(raw, []byte("}\n")), "%q", raw)
	}
	out, _ := exec.Command("pgrep", "-f", marker).Output()
	require.Empty(t, string(out))
	leftovers, err := filepath.Glob(filepath.Join(home, "*", ".ctxguard-tmp-*"))
	require.NoError(t, err)
	old := time.Now().Add(-2 * time.Hour)
	for _, file := range leftovers {
		require.NoError(t, os.Chtimes(file, old, old))
	}
	prune := exec.Command(filepath.Join(binaries, "ctxguard"), "hook")
	prune.Env = []string{"CTXGUARD_HOME=" + home}
	prune.Stdin = bytes.NewReader(recorded(t, "hook-SessionEnd.exit.json"))
	require.NoError(t, prune.Run())
	leftovers, err = filepath.Glob(filepath.Join(home, "*", ".ctxguard-tmp-*"))
	require.NoError(t, err)
	require.Empty(t, leftovers)
}

// An endless input neither hangs the shim nor eats the machine.
func TestEndlessInput(t *testing.T) {
	cmd := shim(t.TempDir(), "--", "sh", "-c", "head -c 10")
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	var out bytes.Buffer
	cmd.Stdout = &out
	require.NoError(t, cmd.Start())
	go func() {
		defer stdin.Close()
		block := bytes.Repeat([]byte("spam and "), 100_000)
		for {
			if _, err := stdin.Write(block); err != nil {
				return
			}
		}
	}()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		require.NoError(t, err)
	case <-time.After(20 * time.Second):
		_ = cmd.Process.Kill()
		t.Fatal("still running")
	}
	require.Equal(t, "spam and s", out.String())
}
