package question

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks"
)

// longSession is a session whose transcript is worth remembering, with the lines
// at its beginning.
func longSession(t *testing.T, lines ...string) *session {
	t.Helper()
	filler := result("none", strings.Repeat("output ", 10_000), nil)
	for range 80 {
		lines = append(lines, filler)
	}
	s := newSession(t).wrote(append(lines, person("go on"))...)
	info, err := os.Stat(s.transcript)
	require.NoError(t, err)
	require.Greater(t, info.Size(), int64(worthRemembering))
	return s
}

func (s *session) appends(lines ...string) {
	s.t.Helper()
	f, err := os.OpenFile(s.transcript, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(s.t, err)
	_, err = f.WriteString(strings.Join(lines, "\n") + "\n")
	require.NoError(s.t, err)
	require.NoError(s.t, f.Close())
}

// overwrites puts text of the same length in the place of old.
func (s *session) overwrites(old, text string) {
	s.t.Helper()
	require.Len(s.t, text, len(old))
	raw, err := os.ReadFile(s.transcript)
	require.NoError(s.t, err)
	at := bytes.Index(raw, []byte(old))
	require.GreaterOrEqual(s.t, at, 0)
	copy(raw[at:], text)
	require.NoError(s.t, os.WriteFile(s.transcript, raw, 0o600))
}

const turnedDown = "The user doesn't want to proceed with this tool use."

func TestALongTranscriptIsSearchedOnce_A6(t *testing.T) {
	question, other := full("Which?"), full("Other?")
	asked := asking("aa", question)
	hidden := strings.Replace(asked, nativeTool, "BskUserQuestion", 1)
	s := longSession(t, hidden, result("aa", turnedDown, nil), asking("bb", other), result("bb", turnedDown, nil))
	event := askEvent(nativeTool, "now", question)
	require.False(t, s.asks(event).Speaks())
	memory := string(s.mem)
	require.Contains(t, memory, `"length"`)

	// The part that was searched is not searched again, so a call that comes to
	// light in it is not seen; what it held before is known all the same.
	s.overwrites(hidden, asked)
	require.False(t, s.asks(event).Speaks())
	require.Equal(t, memory, string(s.mem), "nothing new, nothing written")
	require.Equal(t, "A6", s.blockedBy(askEvent(nativeTool, "now", other)))

	// What was appended is.
	s.appends(asking("cc", full("Third?")), result("cc", turnedDown, nil), person("go on"))
	require.Equal(t, "A6", s.blockedBy(askEvent(nativeTool, "now", full("Third?"))))
	require.False(t, s.asks(event).Speaks())
	require.NotEqual(t, memory, string(s.mem))
	require.Equal(t, "A6", s.blockedBy(askEvent(nativeTool, "now", full("Third?"))))
	require.Equal(t, "A6", s.blockedBy(askEvent(nativeTool, "now", other)))
}

func TestAnotherTranscriptIsSearchedAnew_A6(t *testing.T) {
	question := full("Which?")
	event := askEvent(nativeTool, "now", question)
	asked := asking("aa", question)
	hidden := strings.Replace(asked, nativeTool, "BskUserQuestion", 1)
	for name, change := range map[string]func(*session){
		"another end": func(s *session) {
			s.overwrites(hidden, asked)
			s.overwrites(person("go on"), person("go off"[:5]))
		},
		"shorter": func(s *session) {
			s.overwrites(hidden, asked)
			raw, err := os.ReadFile(s.transcript)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(s.transcript, raw[:len(raw)-100], 0o600))
		},
		"another path": func(s *session) {
			s.overwrites(hidden, asked)
			require.NoError(t, os.Rename(s.transcript, s.transcript+"2"))
			s.transcript += "2"
		},
		"a memory that is damaged": func(s *session) {
			s.overwrites(hidden, asked)
			s.mem = []byte(`{"ask":{"path":["x"],"length":-1}}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := longSession(t, hidden, result("aa", turnedDown, nil))
			require.False(t, s.asks(event).Speaks())
			change(s)
			require.Equal(t, "A6", s.blockedBy(event))
		})
	}
}

func TestAShortTranscriptIsNotRemembered(t *testing.T) {
	s := newSession(t).wrote(person("go"))
	require.False(t, s.asks(askEvent(nativeTool, "now", full("Which?"))).Speaks())
	require.NotContains(t, string(s.mem), hooks.GuardAsk)
}

func TestOffsetsInTheMemoryAreNotTrusted(t *testing.T) {
	question := full("Which?")
	s := longSession(t, asking("aa", question), result("aa", turnedDown, nil))
	require.Equal(t, "A6", s.blockedBy(askEvent(nativeTool, "now", question)))
	require.False(t, s.asks(askEvent(nativeTool, "now", full("Other?"))).Speaks())
	s.mem = []byte(strings.Replace(string(s.mem), `"lines":[0]`, `"lines":[-5,7,99999999999,0]`, 1))
	require.Equal(t, "A6", s.blockedBy(askEvent(nativeTool, "now", question)))
}
