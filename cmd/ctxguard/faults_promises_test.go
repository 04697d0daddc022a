//go:build linux

package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"ctxguard/hooks/dispatch"
)

// statuslineHolds: the next command's bytes and exit code, nothing of ours on the
// line, whatever becomes of the snapshot.
func statuslineHolds(s *stage, f fault) {
	spoil, lift := f.with(s)
	for range 2 {
		cmd, payload := s.line()
		cmd = spoil(cmd)
		s.unharmed(s.ended(cmd), payload)
		if f.statusline == captured {
			s.isCaptured(payload)
		}
	}
	own := s.ended(spoil(s.command(recorded(s.t, "statusline-03-mid-session.json"), "statusline")))
	require.Zero(s.t, own.code, own)
	require.Regexp(s.t, "smart.*\n$", own.stdout, "the line of its own")
	require.Empty(s.t, own.stderr, own)
	lift()
	s.saidOnce()
	s.wholeAfter()
}

// hookHolds: exit 0 with one whole answer or none; exit 2 with the guard's own
// reason or not at all.
func hookHolds(s *stage, f fault) {
	spoil, lift := f.with(s)
	for run, holds := range map[*exec.Cmd]func(ending) bool{s.prompt(): s.wholeOrNothing, s.question(): s.blockedOrNothing} {
		e := s.ended(spoil(run))
		s.spokeAsPromised(holds(e), f.hook, e)
	}
	lift()
	s.saidOnce()
	s.wholeAfter()
}

// spokeAsPromised holds a hook that did or did not speak to the promise. On a
// machine that is so busy that its second was over, silence is right.
func (s *stage) spokeAsPromised(spoke bool, p promise, e ending) {
	s.t.Helper()
	switch p {
	case speaks:
		require.True(s.t, spoke || e.took >= dispatch.Deadline, e)
	case silent:
		require.False(s.t, spoke, e)
	}
}

// zoneHolds: one word and exit 0.
func zoneHolds(s *stage, f fault) {
	spoil, lift := f.with(s)
	word := s.zoneWord(s.ended(spoil(s.zone())))
	switch f.zone {
	case knows:
		require.Equal(s.t, "dumb", word)
	case unknown:
		require.Equal(s.t, "unknown", word)
	}
	lift()
	s.wholeAfter()
}

// setupHolds: the settings are the old bytes or the new ones, the next run
// finishes the work, and undo gives the old bytes back.
func setupHolds(s *stage, f fault) {
	spoil, lift := f.with(s)
	e := s.ended(spoil(s.setup()))
	s.oldOrNew(e, f.setup, settingsBefore, s.settingsAfter())
	lift()
	s.finishes()
	s.wholeAfter()
}

// undoHolds is setupHolds for the way back.
func undoHolds(s *stage, f fault) {
	requireDone(s.t, s.ended(s.setup()))
	spoil, lift := f.with(s)
	e := s.ended(spoil(s.setup("--undo")))
	s.oldOrNew(e, f.undo, s.settingsAfter(), settingsBefore)
	lift()
	s.finishes()
	s.wholeAfter()
}

func requireDone(t *testing.T, e ending) {
	t.Helper()
	require.Zero(t, e.code, e)
	require.Empty(t, e.stderr, e)
}

// settingsAfter is what a setup without faults makes of the same settings.
func (s *stage) settingsAfter(words ...string) string {
	s.t.Helper()
	if s.after == "" {
		s.after = s.settingsOf(newStage(s.t), words...)
	}
	return s.after
}

// settingsUnknowing is what it makes of them when the snapshot, which tells the
// client's version, could not be read. The next run makes up for it.
func (s *stage) settingsUnknowing(words ...string) string {
	s.t.Helper()
	if s.unknowing == "" {
		other := newStage(s.t)
		require.NoError(s.t, os.Remove(snapshotOf(other.home)))
		s.unknowing = s.settingsOf(other, words...)
	}
	return s.unknowing
}

func (s *stage) settingsOf(other *stage, words ...string) string {
	s.t.Helper()
	requireDone(s.t, other.ended(other.setup(words...)))
	return strings.ReplaceAll(other.settings(), other.dir, s.dir)
}

// oldOrNew holds the settings to the bytes before, or to those after: the first of
// them where the promise is that all goes well.
func (s *stage) oldOrNew(e ending, p promise, before string, after ...string) {
	s.t.Helper()
	now := s.settings()
	switch p {
	case works:
		requireDone(s.t, e)
		require.Equal(s.t, after[0], now, e)
		return
	case refuses:
		require.Equal(s.t, 1, e.code, e)
		require.Equal(s.t, before, now, e)
	default:
		require.Contains(s.t, append(after, before), now, e)
	}
	if e.code == 1 && !(s.mute && e.stderr == "") {
		require.Regexp(s.t, `^ctxguard: [^\n]+\n$`, e.stderr, e)
	}
}

// finishes is the next run after a fault has gone: it does all of the work, and
// its undo gives back every byte.
func (s *stage) finishes(words ...string) {
	s.t.Helper()
	same := require.Equal
	if s.settings() == s.unknowing {
		// What is mended in a file that was set up before is laid out otherwise.
		same = func(t require.TestingT, expected, actual any, _ ...any) {
			require.JSONEq(t, expected.(string), actual.(string))
		}
	}
	requireDone(s.t, s.ended(s.setup(words...)))
	same(s.t, s.settingsAfter(words...), s.settings())
	requireDone(s.t, s.ended(s.setup("--undo")))
	require.Equal(s.t, settingsBefore, s.settings())
	s.noTemporaries()
}

// unharmed holds the shim to the next command's bytes and exit code.
func (s *stage) unharmed(e ending, payload []byte) {
	s.t.Helper()
	require.Equal(s.t, 5, e.code, e)
	require.Equal(s.t, string(payload), e.stdout, e)
	require.Empty(s.t, e.stderr, e)
}

func (s *stage) isCaptured(payload []byte) {
	s.t.Helper()
	raw, err := os.ReadFile(snapshotOf(s.home))
	require.NoError(s.t, err)
	require.Equal(s.t, gjson.GetBytes(payload, "context_window").Raw, gjson.GetBytes(raw, "context_window").Raw, s.doing)
}

// wholeOrNothing holds a hook that may only speak: exit 0, and one whole answer
// or none.
func (s *stage) wholeOrNothing(e ending) (spoke bool) {
	s.t.Helper()
	require.Zero(s.t, e.code, e)
	require.Empty(s.t, e.stderr, e)
	if e.stdout != "" {
		require.True(s.t, gjson.Valid(e.stdout), e)
		require.Contains(s.t, gjson.Get(e.stdout, "systemMessage").String(), "dumb", e)
	}
	return e.stdout != ""
}

// blockedOrNothing holds a hook that may block: exit 2 only with the guard's own
// reason, else silence.
func (s *stage) blockedOrNothing(e ending) (blocked bool) {
	s.t.Helper()
	require.Empty(s.t, e.stdout, e)
	if e.code == 0 {
		require.Empty(s.t, e.stderr, e)
		return false
	}
	require.Equal(s.t, 2, e.code, e)
	require.Contains(s.t, e.stderr, "was dismissed by the person", e)
	return true
}

// zoneWord holds zone to one of its words.
func (s *stage) zoneWord(e ending) string {
	s.t.Helper()
	require.Zero(s.t, e.code, e)
	word := strings.TrimSuffix(e.stdout, "\n")
	require.Contains(s.t, []string{"dumb", "unknown"}, word, e)
	return word
}

// saidOnce holds the log, when there is one, to one line for one thing.
func (s *stage) saidOnce() {
	s.t.Helper()
	raw, err := os.ReadFile(filepath.Join(s.home, "ctxguard.log"))
	if err != nil {
		return
	}
	said := make(map[string]bool)
	for line := range bytes.Lines(raw) {
		_, message, _ := strings.Cut(string(line), " ")
		require.False(s.t, said[message], "%s", raw)
		said[message] = true
	}
}
