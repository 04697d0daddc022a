//go:build linux

package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// ending is how a command ended under a fault.
type ending struct {
	code           int // -1 when a signal ended it
	signal         syscall.Signal
	stdout, stderr string
	took           time.Duration
	doing          string
}

func (e ending) String() string {
	return fmt.Sprintf("%s: exit %d (signal %d) after %s\nstdout %.400q\nstderr %.400q", e.doing, e.code, e.signal, e.took, e.stdout, e.stderr)
}

// mostTime ends a command that hangs. It is no measure of speed: what has a
// deadline of its own is held to that where the fault is one of time.
const mostTime = 60 * time.Second

// ended runs the command to its end.
func ended(t testing.TB, cmd *exec.Cmd) ending {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &stdout
	}
	if cmd.Stderr == nil {
		cmd.Stderr = &stderr
	}
	start := time.Now()
	require.NoError(t, cmd.Start())
	limit := time.AfterFunc(mostTime, func() { _ = cmd.Process.Kill() })
	err := cmd.Wait()
	took := time.Since(start)
	require.True(t, limit.Stop(), "%s was still running after %s", cmd, mostTime)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, syscall.EPIPE) {
		require.NoError(t, err, cmd.String())
	}
	e := ending{code: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String(), took: took}
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
		e.signal = status.Signal()
	}
	return e
}

// before puts words in front of a command: `prlimit … ctxguard hook`.
func before(cmd *exec.Cmd, words ...string) *exec.Cmd {
	path, err := exec.LookPath(words[0])
	if err != nil {
		cmd.Err = err
		return cmd
	}
	cmd.Args = append(append(words[:len(words):len(words)], cmd.Path), cmd.Args[1:]...)
	cmd.Path = path
	return cmd
}

// inShell runs shell text before the command takes the shell's place.
func inShell(cmd *exec.Cmd, text string) *exec.Cmd {
	return before(cmd, "/bin/sh", "-c", text+`; exec "$@"`, "sh")
}

// strace makes system calls of the command fail. Only ctxguard itself is traced:
// what it becomes or starts is let go of (-b execve), and it stays this test's own
// child (-D), so that its end is seen as it is. Log is what was traced. Whoever
// uses it calls requireStrace first.
func strace(cmd *exec.Cmd, log string, words ...string) *exec.Cmd {
	return before(cmd, append([]string{"strace", "-D", "-f", "-b", "execve", "-qq", "-o", log}, words...)...)
}

func requireStrace(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		cannot(t, "there is no strace here to make system calls fail")
	}
	if out, err := exec.Command("strace", "-D", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		cannot(t, fmt.Sprintf("strace may not trace here: %v: %s", err, out))
	}
}

// requireRoot says that only root can bring a fault about.
func requireRoot(t testing.TB, what string) {
	t.Helper()
	if os.Geteuid() != 0 {
		cannot(t, "only root can "+what)
	}
}

// ownMounts gives this test's goroutine, and every process that it starts, a view
// of the file system of its own. The thread is never given back, so the view and
// everything mounted in it are gone when the test ends, however it ends.
func ownMounts(t testing.TB) {
	t.Helper()
	requireRoot(t, "mount a file system")
	runtime.LockOSThread()
	if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
		cannot(t, "no mount namespace may be made here: "+err.Error())
	}
	require.NoError(t, unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""))
}

// tinyDisk mounts a file system of that many bytes, which has to be below a
// folder of the test, after ownMounts.
func tinyDisk(t testing.TB, dir string, size int) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o700))
	require.NoError(t, unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=0700", size)))
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
}

// fill leaves no byte of space on the file system of a folder.
func fill(t testing.TB, dir string) (filler string) {
	t.Helper()
	filler = filepath.Join(dir, "filler")
	f, err := os.Create(filler)
	require.NoError(t, err)
	defer f.Close()
	for size := 64 << 10; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			require.ErrorIs(t, err, syscall.ENOSPC)
			size /= 2
		}
	}
	return filler
}

// readOnly makes a folder read-only also to root, after ownMounts.
func readOnly(t testing.TB, dir string) {
	t.Helper()
	require.NoError(t, unix.Mount(dir, dir, "", unix.MS_BIND, ""))
	require.NoError(t, unix.Mount("", dir, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
}

// silentDisk mounts on a folder a file system that never answers, as a server that
// has gone away: one in user space that nobody serves. Everything in it waits until
// lift.
func silentDisk(t testing.TB, dir string) (lift func()) {
	t.Helper()
	ownMounts(t)
	fd, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		cannot(t, "/dev/fuse cannot be opened for a file system that does not answer: "+err.Error())
	}
	require.NoError(t, os.MkdirAll(dir, 0o700))
	options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", fd)
	if err := unix.Mount("silent", dir, "fuse", 0, options); err != nil {
		_ = unix.Close(fd)
		cannot(t, "no file system in user space can be mounted here: "+err.Error())
	}
	served := true
	lift = func() {
		if served {
			served = false
			require.NoError(t, unix.Close(fd)) // whatever still waits gets an error now
			require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH))
		}
	}
	t.Cleanup(lift)
	return lift
}

// leftRunning are the processes that have the mark in their environment.
func leftRunning(mark string) []string {
	var left []string
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environs {
		raw, err := os.ReadFile(path) // it may have ended meanwhile
		if err == nil && bytes.Contains(raw, []byte(mark)) {
			name, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
			left = append(left, strings.ReplaceAll(string(name), "\x00", " "))
		}
	}
	return left
}
