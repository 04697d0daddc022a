//go:build linux

package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// callFault is something that goes wrong at one system call of a command: at the
// first of its kind, at the second, and so on to the last.
type callFault struct {
	name   string
	inject string // as strace spells it
	calls  []string

	statusline, hook, blocks, zone, setup, undo promise
}

// callFaults is the table of TestFaultsAtEveryCall. Undo stands in fewer rows,
// since it writes with the same code as setup; so does the hook that blocks, which
// differs from the one that speaks in what it reads.
func callFaults() []callFault {
	return []callFault{
		{
			"any one file call fails (EIO)", "error=EIO", slices.Concat(reads(), changes(), []string{"openat"}),
			unharmed, wholeOrNot, wholeOrNot, knowsOrNot, oldOrNew, oldOrNew,
		},
		{
			"the disk is full at any one call (ENOSPC)", "error=ENOSPC", []string{"write", "mkdirat"},
			unharmed, wholeOrNot, notAsked, notAsked, oldOrNew, notAsked,
		},
		{
			"any one call finds no free file descriptor (EMFILE)", "error=EMFILE", []string{"openat", "pipe2"},
			unharmed, wholeOrNot, notAsked, knowsOrNot, oldOrNew, notAsked,
		},
		{
			"any one call is interrupted (EINTR)", "error=EINTR", []string{"read", "write", "renameat", "unlinkat", "mkdirat", "flock", "fsync"},
			captured, speaks, notAsked, notAsked, works, notAsked,
		},
		{
			"killed at any file call", "signal=SIGKILL", changes(),
			killed, killed, notAsked, notAsked, oldOrNew, oldOrNew,
		},
	}
}

// changes are the calls that change what is on the disk, so that a kill at each of
// them finds every state that there is. Opening makes a file, but one that was just
// made is still empty at the first write to it.
func changes() []string {
	return []string{"write", "renameat", "unlinkat", "mkdirat", "flock", "fsync", "fchmod", "utimensat"}
}

// reads are left out where a person waits at a terminal: setup makes very many.
func reads() []string { return []string{"read", "newfstatat", "getdents64"} }

// mostCalls is more than any command makes of one kind.
const mostCalls = 120

// atEveryCall runs a command once for each of its calls of one kind, with that
// call failing, and gives how many there were.
func atEveryCall(s *stage, call, inject string, run func(spoil func(*exec.Cmd) *exec.Cmd)) (failed int) {
	log := filepath.Join(s.dir, "tmp", "trace")
	for n := 1; n <= mostCalls; n++ {
		s.clear()
		when := fmt.Sprintf("inject=%s:%s:when=%d", call, inject, n)
		s.mute = call == "write"
		s.doing = fmt.Sprintf("call %d of %s", n, call)
		run(func(cmd *exec.Cmd) *exec.Cmd { return strace(cmd, log, "-e", "trace="+call, "-e", when) })
		raw, err := os.ReadFile(log)
		require.NoError(s.t, err)
		if !strings.Contains(string(raw), "(INJECTED)") && !strings.Contains(string(raw), "killed by SIGKILL") {
			return failed
		}
		failed++
	}
	s.t.Fatalf("more than %d calls of %s", mostCalls, call)
	return failed
}

// TestFaultsAtEveryCall makes every call of a kind fail, one at a time.
func TestFaultsAtEveryCall(t *testing.T) {
	requireStrace(t)
	for _, f := range callFaults() {
		for _, c := range []struct {
			name  string
			calls []string
			p     promise
			holds func(*stage, callFault, string) int
		}{
			{"statusline", f.calls, f.statusline, statuslineAtEveryCall},
			{"hook", f.calls, f.hook, hookAtEveryCall},
			{"hook that blocks", f.calls, f.blocks, questionAtEveryCall},
			{"zone", f.calls, f.zone, zoneAtEveryCall},
			{"setup", withoutReads(f.calls), f.setup, setupAtEveryCall},
			{"undo", withoutReads(f.calls), f.undo, undoAtEveryCall},
		} {
			if c.p == notAsked {
				continue
			}
			t.Run(f.name+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				failed, start := 0, time.Now()
				for _, call := range c.calls {
					failed += c.holds(newStage(t), f, call)
				}
				require.NotZero(t, failed, "nothing was made to fail")
				t.Logf("%d calls in %s", failed, time.Since(start))
			})
		}
	}
}

func withoutReads(calls []string) []string {
	return slices.DeleteFunc(slices.Clone(calls), func(call string) bool { return slices.Contains(reads(), call) })
}

func statuslineAtEveryCall(s *stage, f callFault, call string) int {
	return s.swept(atEveryCall(s, call, f.inject, func(spoil func(*exec.Cmd) *exec.Cmd) {
		cmd, payload := s.line()
		e := s.ended(spoil(cmd))
		switch {
		case e.signal == syscall.SIGKILL || isImpossible(e):
			return
		case call == "read" && f.statusline == unharmed:
			// What of the payload was not to be had cannot be passed on.
			require.True(s.t, strings.HasPrefix(string(payload), e.stdout), e)
			require.Equal(s.t, 5, e.code, e)
			require.Empty(s.t, e.stderr, e)
		default:
			s.unharmed(e, payload)
		}
		// A time that cannot be set is no reason to have no snapshot.
		if f.statusline == captured || call == "utimensat" {
			s.isCaptured(payload)
		}
		s.leftAt(call, e)
	}))
}

func hookAtEveryCall(s *stage, f callFault, call string) int {
	return s.hookSwept(f, call, s.prompt, s.wholeOrNothing, f.hook)
}

func questionAtEveryCall(s *stage, f callFault, call string) int {
	return s.hookSwept(f, call, s.question, s.blockedOrNothing, f.blocks)
}

// hookSwept runs a hook once for each of its calls of that kind. spoke tells whether
// a sound ending said something.
func (s *stage) hookSwept(f callFault, call string, run func() *exec.Cmd, spoke func(ending) bool, p promise) int {
	return s.swept(atEveryCall(s, call, f.inject, func(spoil func(*exec.Cmd) *exec.Cmd) {
		e := s.ended(spoil(run()))
		if e.signal != syscall.SIGKILL && !isImpossible(e) {
			s.spokeAsPromised(spoke(e), p, e)
		}
		s.leftAt(call, e)
	}))
}

func zoneAtEveryCall(s *stage, f callFault, call string) int {
	return s.swept(atEveryCall(s, call, f.inject, func(spoil func(*exec.Cmd) *exec.Cmd) {
		e := s.ended(spoil(s.zone()))
		if e.signal == syscall.SIGKILL || call == "write" && f.zone != knows {
			return // the word itself could not be printed
		}
		word := s.zoneWord(e)
		require.True(s.t, word == "dumb" || f.zone != knows, e)
	}))
}

func setupAtEveryCall(s *stage, f callFault, call string) int {
	return s.swept(atEveryCall(s, call, f.inject, func(spoil func(*exec.Cmd) *exec.Cmd) {
		e := s.ended(spoil(s.setup("--bin", program())))
		s.oldOrNew(e, f.setup, settingsBefore, s.settingsAfter("--bin", program()), s.settingsUnknowing("--bin", program()))
		s.finishes("--bin", program())
	}))
}

func undoAtEveryCall(s *stage, f callFault, call string) int {
	return s.swept(atEveryCall(s, call, f.inject, func(spoil func(*exec.Cmd) *exec.Cmd) {
		requireDone(s.t, s.ended(s.setup("--bin", program())))
		e := s.ended(spoil(s.setup("--undo")))
		s.oldOrNew(e, f.undo, s.settingsAfter("--bin", program()), settingsBefore)
		s.finishes("--bin", program())
	}))
}

// isImpossible tells the one call that no kernel fails: Go wakes itself up by
// writing to an event counter, and gives up when that is an error.
func isImpossible(e ending) bool { return strings.Contains(e.stderr, "netpollBreak write failed") }

func program() string { return filepath.Join(binaries, "ctxguard") }

// leftAt holds what one failed call leaves behind: nothing torn, and a temporary
// file only of a process that was killed or could not remove it.
func (s *stage) leftAt(call string, e ending) {
	s.t.Helper()
	s.nothingTorn()
	if e.signal == syscall.SIGKILL || call == "unlinkat" {
		s.noTemporaries()
	}
	require.Empty(s.t, s.temporaries(), e)
}

// swept is the end of a sweep: the session goes on.
func (s *stage) swept(failed int) int {
	s.t.Helper()
	s.clear()
	s.wholeAfter()
	return failed
}
