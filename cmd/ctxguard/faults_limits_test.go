//go:build linux

package main_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Below what a Go program needs to start, its runtime ends it before a line of
// ctxguard has run, and it does so with exit 2, which the client reads as a block.
// This holds the page to what happens then, and to what helps.
func TestBelowWhatAGoProgramNeeds(t *testing.T) {
	t.Run("memory", func(t *testing.T) {
		for _, more := range []string{"A=B", "GOTRACEBACK=crash"} {
			s := newStage(t)
			s.env = append(s.env, more)
			e := s.ended(before(s.prompt(), "prlimit", "--as=100000000"))
			require.Equal(t, 2, e.code, e)
			require.Contains(t, e.stderr, "fatal error", e)
			s.wholeAfter()
		}
	})
	t.Run("threads", func(t *testing.T) {
		requireRoot(t, "become somebody who may have one thread")
		openTo(t, binaries)
		for more, code := range map[string]int{"A=B": 2, "GOTRACEBACK=crash": -1} {
			s := newStage(t)
			openTo(t, s.dir)
			s.env = append(s.env, more)
			e := s.ended(before(s.prompt(), "setpriv", "--reuid=65534", "--clear-groups", "prlimit", "--nproc=1", "--core=0"))
			require.Equal(t, code, e.code, e)
			require.Contains(t, e.stderr, "failed to create new OS thread", e)
			s.wholeAfter()
		}
	})
	// With too few open files Go ends later, when a hook has already asked it not
	// to end with 2.
	t.Run("open files", func(t *testing.T) {
		s := newStage(t)
		e := s.ended(before(s.prompt(), "prlimit", "--nofile=5", "--core=0"))
		require.Equal(t, syscall.SIGABRT, e.signal, e)
		require.Empty(t, e.stdout, e)
		cmd, _ := s.line()
		require.Equal(t, 2, s.ended(before(cmd, "prlimit", "--nofile=5", "--core=0")).code)
		s.wholeAfter()
	})
}

// Whatever the umask, what ctxguard keeps is its owner's alone (DESIGN section 3).
func TestModesUnderAnyUmask(t *testing.T) {
	for _, umask := range []string{"000", "022", "077"} {
		s := newStage(t)
		require.NoError(t, os.RemoveAll(s.home))
		requireDone(t, s.ended(inShell(s.setup(), "umask "+umask)))
		cmd, payload := s.line()
		s.unharmed(s.ended(inShell(cmd, "umask "+umask)), payload)
		s.wholeOrNothing(s.ended(inShell(s.prompt(), "umask "+umask)))
		require.True(t, s.blockedOrNothing(s.ended(inShell(s.question(), "umask "+umask))))
		program := filepath.Join(s.home, "bin", "ctxguard")
		info, err := os.Stat(program)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
		require.NoError(t, os.Remove(program))
		requirePrivate(t, s.home)
		info, err = os.Stat(filepath.Join(s.dir, ".claude", "settings.json"))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "as it was")
	}
}

// With a standard handle closed the next command still is what it was.
func TestTheLineWithClosedHandles(t *testing.T) {
	s := newStage(t)
	cmd, _ := s.line()
	e := s.ended(inShell(cmd, "exec <&-"))
	require.Equal(t, 5, e.code, e)
	require.Empty(t, e.stdout+e.stderr, e)

	for _, closed := range []string{"exec >&-", "exec 2>&-", "exec >&- 2>&-"} {
		cmd := s.command(recorded(t, "statusline-03-mid-session.json"), "statusline", "--", "sh", "-c", "cat >/dev/null; exit 5")
		require.Equal(t, 5, s.ended(inShell(cmd, closed)).code, closed)
	}
	s.wholeAfter()
}

// A snapshot that cannot be put in its place is logged with the reason, once, and
// the line does not show it.
func TestALostSnapshotIsSaidOnce(t *testing.T) {
	requireStrace(t)
	s := newStage(t)
	for range 3 {
		cmd, payload := s.line()
		cmd = strace(cmd, filepath.Join(s.dir, "tmp", "trace"), "-e", "trace=renameat", "-e", "inject=renameat:error=EIO")
		s.unharmed(s.ended(cmd), payload)
	}
	raw, err := os.ReadFile(filepath.Join(s.home, "ctxguard.log"))
	require.NoError(t, err)
	require.Regexp(t, `(?m)^\S+ statusline: the snapshot was not written: replace \S+: input/output error$`, string(raw))
	s.saidOnce()
	s.wholeAfter()
}
