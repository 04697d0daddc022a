//go:build linux

package main_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// faults is the table of what TestFaults lets loose.
func faults() []fault {
	return []fault{
		{
			"the disk is full", found(fullDisk),
			unharmed, wholeOrNot, knows, refuses, oldOrNew,
		},
		{
			"no file may grow (RLIMIT_FSIZE)", spoiled(func(cmd *exec.Cmd) *exec.Cmd { return before(cmd, "prlimit", "--fsize=0") }),
			unharmed, wholeOrNot, knows, refuses, oldOrNew,
		},
		{
			"the home is read-only", found(readOnlyHome),
			unharmed, wholeOrNot, knows, refuses, refuses,
		},
		{
			"standard input is closed", spoiled(func(cmd *exec.Cmd) *exec.Cmd { return inShell(cmd, "exec <&-") }),
			notAsked, silent, knows, works, works,
		},
		{
			"standard input without an end, in the middle of a value", spoiled(endless),
			notAsked, silent, notAsked, notAsked, notAsked,
		},
		{
			"standard error is closed", spoiled(func(cmd *exec.Cmd) *exec.Cmd { return inShell(cmd, "exec 2>&-") }),
			captured, notAsked, knows, works, works,
		},
		{
			"standard output takes nothing (/dev/full)", spoiled(func(cmd *exec.Cmd) *exec.Cmd { return inShell(cmd, "exec >/dev/full") }),
			notAsked, wholeOrNot, notAsked, oldOrNew, oldOrNew,
		},
		{
			"the home does not answer", found(func(s *stage) func() { return silentDisk(s.t, s.home) }),
			unharmed, silent, notAsked, notAsked, notAsked,
		},
		{
			"the place of what is written after the answer does not answer", found(func(s *stage) func() { return silentDisk(s.t, filepath.Join(s.home, "seen")) }),
			captured, speaks, notAsked, notAsked, notAsked,
		},
		{
			"no HOME", spoiled(without("HOME")),
			unharmed, silent, unknown, refuses, refuses,
		},
		{
			"a HOME that does not exist and cannot be made", spoiled(with("HOME=/proc/nowhere")),
			unharmed, wholeOrNot, unknown, refuses, oldOrNew,
		},
		{
			"no PATH", spoiled(without("PATH")),
			captured, speaks, knows, works, works,
		},
		{
			"TMPDIR is gone", spoiled(with("TMPDIR=/no/such/folder")),
			captured, speaks, knows, oldOrNew, works,
		},
		{
			"the current folder was deleted", spoiled(inDeletedFolder),
			captured, speaks, knows, refuses, refuses,
		},
		{
			"10,000 other sessions", found(crowd),
			captured, speaks, knows, works, works,
		},
		{
			"LC_ALL=C", spoiled(with("LC_ALL=C")),
			captured, speaks, knows, works, works,
		},
		{
			"LC_ALL=tr_TR.UTF-8", spoiled(with("LC_ALL=tr_TR.UTF-8")),
			captured, speaks, knows, works, works,
		},
		{
			"the clock was a year ahead", found(func(s *stage) func() { return clockWas(s, time.Now().AddDate(1, 0, 0)) }),
			captured, wholeOrNot, unknown, works, works,
		},
		{
			"the clock was at 1970", found(func(s *stage) func() { return clockWas(s, time.Unix(0, 0)) }),
			captured, wholeOrNot, unknown, works, works,
		},
		{
			"12 open files at most", spoiled(func(cmd *exec.Cmd) *exec.Cmd { return before(cmd, "prlimit", "--nofile=12") }),
			captured, speaks, knows, refuses, works,
		},
	}
}

func fullDisk(s *stage) (lift func()) {
	ownMounts(s.t)
	moveTo(s, func(dir string) { tinyDisk(s.t, dir, 64<<20) })
	filler := fill(s.t, filepath.Join(s.dir, ".claude"))
	return func() { require.NoError(s.t, os.Remove(filler)) }
}

func readOnlyHome(s *stage) (lift func()) {
	ownMounts(s.t)
	dir := filepath.Join(s.dir, ".claude")
	readOnly(s.t, dir)
	return func() { require.NoError(s.t, unix.Unmount(dir, 0)) }
}

// moveTo takes what is in .claude along to what mount puts in its place.
func moveTo(s *stage, mount func(dir string)) {
	dir, aside := filepath.Join(s.dir, ".claude"), filepath.Join(s.dir, "aside")
	require.NoError(s.t, os.Rename(dir, aside))
	mount(dir)
	out, err := exec.Command("cp", "-a", aside+"/.", dir).CombinedOutput()
	require.NoError(s.t, err, "%s", out)
	require.NoError(s.t, os.RemoveAll(aside))
}

// endless opens a value and never closes it.
func endless(cmd *exec.Cmd) *exec.Cmd {
	cmd.Stdin = io.MultiReader(strings.NewReader(`{"session_id":"`+sessionID+`","hook_event_name":"PreToolUse","tool_name":"AskUserQuestion","x":"`), spaces{})
	return cmd
}

type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func without(name string) func(*exec.Cmd) *exec.Cmd {
	return func(cmd *exec.Cmd) *exec.Cmd {
		var kept []string
		for _, entry := range cmd.Env {
			if len(entry) <= len(name) || entry[:len(name)+1] != name+"=" {
				kept = append(kept, entry)
			}
		}
		cmd.Env = kept
		return cmd
	}
}

func with(entry string) func(*exec.Cmd) *exec.Cmd {
	return func(cmd *exec.Cmd) *exec.Cmd {
		cmd.Env = append(cmd.Env, entry)
		return cmd
	}
}

// inDeletedFolder starts the command in a folder that is gone by then.
func inDeletedFolder(cmd *exec.Cmd) *exec.Cmd {
	return inShell(cmd, `d=$(mktemp -d) && cd "$d" && rmdir "$d"`)
}

func crowd(s *stage) (lift func()) {
	// Links of one older file do, and are quickly made.
	raw, err := os.ReadFile(snapshotOf(s.home))
	require.NoError(s.t, err)
	s.write("tmp/one", string(raw))
	one, old := filepath.Join(s.dir, "tmp", "one"), time.Now().Add(-time.Hour)
	require.NoError(s.t, os.Chtimes(one, old, old))
	for i := range 10_000 {
		require.NoError(s.t, os.Link(one, filepath.Join(s.home, "context", fmt.Sprintf("crowd-%d.json", i))))
	}
	return func() {}
}

// clockWas leaves on the stage what a machine wrote whose clock stood at that
// moment. The clock of the processes cannot be moved: a Go program asks the kernel
// through the vDSO, which no preloaded library sees, and a time namespace moves
// only the clocks that count from the start of the machine.
func clockWas(s *stage, at time.Time) (lift func()) {
	s.snapshot(at)
	stamp := at.UTC().Format("2006-01-02T15:04:05Z")
	s.write(".claude/ctxguard/history/"+sessionID+".jsonl", `{"time":"`+stamp+`","tokens":450010}`+"\n")
	s.write(".claude/ctxguard/ctxguard.log", stamp+" something\n")
	for _, name := range []string{"cache/pruned", "seen/UserPromptSubmit"} {
		s.write(".claude/ctxguard/"+name, "")
		require.NoError(s.t, os.Chtimes(filepath.Join(s.home, name), at, at))
	}
	return func() {}
}
