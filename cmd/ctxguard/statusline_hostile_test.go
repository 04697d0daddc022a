//go:build unix

package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Brackets nested by the million would overrun the stack of anything that checks
// JSON by calling itself, and Go answers that with exit code 2.
func TestAbsurdNestingHarmsNothing(t *testing.T) {
	deep := bytes.Repeat([]byte("["), 16<<20)
	for name, payload := range map[string][]byte{
		"brackets alone":        deep,
		"behind a session":      append([]byte(`{"session_id":"`+sessionID+`","context_window":`), deep...),
		"behind a quoted quote": append([]byte(`{"a\"b":"[[","c":`), deep...),
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			cmd := shim(home, "--", "cat")
			cmd.Stdin = bytes.NewReader(payload)
			out, err := cmd.Output()
			require.NoError(t, err)
			require.True(t, bytes.Equal(payload, out))

			cmd = shim(home)
			cmd.Stdin = bytes.NewReader(payload)
			out, err = cmd.Output()
			require.NoError(t, err)
			require.Equal(t, "ctxguard: no data from the client\n", string(out))
		})
	}
	t.Run("a hook", func(t *testing.T) {
		hook := exec.Command(filepath.Join(binaries, "ctxguard"), "hook")
		hook.Env = []string{"CTXGUARD_HOME=" + t.TempDir()}
		hook.Stdin = bytes.NewReader(append([]byte(`{"session_id":"a","hook_event_name":"PreToolUse","tool_name":"AskUserQuestion","tool_input":`), deep...))
		out, err := hook.CombinedOutput()
		require.NoError(t, err, "2 would block: %.200s", out)
		require.Empty(t, string(out))
	})
}

func TestByteOrderMarkBeforeAnInputThatIsNeverClosed(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer w.Close()
	cmd := shim(t.TempDir(), "--", "cat")
	cmd.Stdin = r
	start := time.Now()
	_, err = w.WriteString("\ufeff{}\n")
	require.NoError(t, err)
	out, err := cmd.Output()
	require.NoError(t, err)
	require.Equal(t, "\ufeff{}\n", string(out))
	require.Less(t, time.Since(start), 1500*time.Millisecond, "it is a whole value")
}

// What arrives after the shim went on is nobody's: it may not take the place of
// the bytes that wait, nor stand behind them.
func TestBytesThatComeTooLate(t *testing.T) {
	line := recorded(t, "statusline-03-mid-session.json")
	for range 30 {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		cmd := shim(t.TempDir(), "--", "cat")
		cmd.Stdin = r
		var out bytes.Buffer
		cmd.Stdout = &out
		require.NoError(t, cmd.Start())
		require.NoError(t, r.Close())
		_, err = w.Write(line)
		require.NoError(t, err)
		time.Sleep(45 * time.Millisecond)
		stop := make(chan struct{})
		done := make(chan struct{})
		go func() { // spaces keep the value whole, so it goes on among them
			defer close(done)
			for {
				select {
				case <-stop:
					return
				default:
					_, _ = w.WriteString(" ")
					time.Sleep(20 * time.Microsecond)
				}
			}
		}()
		time.Sleep(time.Duration(5) * time.Millisecond)
		close(stop)
		<-done
		require.NoError(t, cmd.Wait())
		require.NoError(t, w.Close())
		require.Equal(t, string(line), strings.TrimRight(out.String(), " "))
	}
}

// A child's death by a signal is repeated, also by those that Go keeps for itself
// and would answer with its own stack and exit code 2.
func TestChildsDeathBySignalIsRepeated(t *testing.T) {
	payload := bytes.Repeat([]byte("x"), 2<<20)
	for _, signal := range []string{"HUP", "INT", "QUIT", "ILL", "ABRT", "FPE", "KILL", "SEGV", "PIPE", "ALRM", "TERM", "USR1"} {
		t.Run(signal, func(t *testing.T) {
			cmd := shim(t.TempDir(), "--", "sh", "-c", "ulimit -c 0; kill -"+signal+" $$; sleep 5")
			cmd.Env = append(cmd.Env, "TMPDIR=/no/such/folder")
			cmd.Stdin = bytes.NewReader(payload)
			out, err := cmd.CombinedOutput()
			require.Error(t, err)
			require.Empty(t, string(out))
			status := cmd.ProcessState.Sys().(syscall.WaitStatus)
			require.True(t, status.Signaled(), "exit %d", status.ExitStatus())
			require.Contains(t, signalNames(status.Signal()), signal)
		})
	}
}

func signalNames(s syscall.Signal) string {
	return map[syscall.Signal]string{
		syscall.SIGHUP: "HUP", syscall.SIGINT: "INT", syscall.SIGQUIT: "QUIT", syscall.SIGILL: "ILL",
		syscall.SIGABRT: "ABRT", syscall.SIGFPE: "FPE", syscall.SIGKILL: "KILL", syscall.SIGSEGV: "SEGV",
		syscall.SIGPIPE: "PIPE", syscall.SIGALRM: "ALRM", syscall.SIGTERM: "TERM", syscall.SIGUSR1: "USR1",
	}[s]
}

// A child that ends is the end, although something it left behind still holds its
// standard input open.
func TestChildThatLeavesAReaderBehind(t *testing.T) {
	cmd := shim(t.TempDir(), "--", "sh", "-c", "(exec sleep 20 <&0 >/dev/null 2>&1) & echo $!; exit 4")
	cmd.Env = append(cmd.Env, "TMPDIR=/no/such/folder")
	cmd.Stdin = bytes.NewReader(bytes.Repeat([]byte("x"), 2<<20))
	var out bytes.Buffer
	cmd.Stdout = &out
	start := time.Now()
	require.Equal(t, 4, exitCode(cmd.Run()))
	require.Less(t, time.Since(start), 10*time.Second)
	_ = exec.Command("kill", strings.TrimSpace(out.String())).Run()
}

// A file that only its owner may execute is passed over along PATH, as a shell
// does it, and not started and failed.
func TestProgramThatOnlyItsOwnerMayExecute(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o755))
	write := func(folder, text string, mode os.FileMode) string {
		path := filepath.Join(dir, folder)
		require.NoError(t, os.MkdirAll(path, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(path, "tool"), []byte("#!/bin/sh\necho "+text+"\n"), mode))
		return path
	}
	// The group's bit is set, the owner's is not: the owner may not execute it,
	// but root may execute whatever anybody may.
	first, second := write("first", "first", 0o610), write("second", "second", 0o755)
	want := "second\n"
	if os.Getuid() == 0 {
		want = "first\n"
	}
	cmd := shim(t.TempDir(), "--", "tool")
	cmd.Env = append(cmd.Env, "PATH="+first+":"+second+":"+os.Getenv("PATH"))
	cmd.Stdin = strings.NewReader("{}")
	out, err := cmd.Output()
	require.NoError(t, err)
	require.Equal(t, want, string(out))
}

func TestScriptWhosePathBeginsWithADash(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "-c"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "-c", "plain"), []byte("echo plain \"$1\"\n"), 0o755))
	cmd := shim(t.TempDir(), "--", "-c/plain", "word")
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader("{}")
	out, err := cmd.Output()
	require.NoError(t, err)
	require.Equal(t, "plain word\n", string(out))
}

// Without a PATH a shell looks where programs usually are, and so does the shim
// that stands where the shell stood.
func TestTheCommandIsFoundWithoutPATH(t *testing.T) {
	cmd := shim(t.TempDir(), "--", "cat")
	cmd.Env = []string{"CTXGUARD_HOME=" + t.TempDir()}
	cmd.Stdin = strings.NewReader("{}")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err)
	require.Equal(t, "{}", string(out))

	cmd = shim(t.TempDir(), "--", "cat")
	cmd.Env = []string{"CTXGUARD_HOME=" + t.TempDir(), "PATH=/no/such/folder"}
	cmd.Stdin = strings.NewReader("{}")
	require.Equal(t, 127, exitCode(cmd.Run()))
}
