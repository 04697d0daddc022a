package hooks_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks"
)

// scan feeds a payload in pieces of that size.
func scan(t require.TestingT, payload []byte, size int) (hooks.Envelope, bool, error) {
	var s hooks.Scanner
	for len(payload) > 0 {
		n := min(size, len(payload))
		done, err := s.Feed(payload[:n])
		if done || err != nil {
			return s.Envelope(), done, err
		}
		payload = payload[n:]
	}
	return s.Envelope(), false, nil
}

// reference reads the envelope the slow and obvious way.
func reference(payload []byte) (hooks.Envelope, bool) {
	var all map[string]any
	if json.Unmarshal(payload, &all) != nil {
		return hooks.Envelope{}, false
	}
	text := func(key string) string {
		s, _ := all[key].(string)
		return s
	}
	return hooks.Envelope{
		Name: hooks.EventName(text("hook_event_name")), SessionID: text("session_id"),
		TranscriptPath: text("transcript_path"), CWD: text("cwd"), PromptID: text("prompt_id"),
		PermissionMode: text("permission_mode"), AgentID: text("agent_id"), AgentType: text("agent_type"),
		ToolName: text("tool_name"), ToolUseID: text("tool_use_id"), Source: text("source"), Trigger: text("trigger"),
	}, true
}

func TestScannerReadsRecordedPayloadsInPiecesOfAnySize(t *testing.T) {
	files, err := filepath.Glob("../testdata/payloads/hook-*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		want, ok := reference(raw)
		require.True(t, ok, file)
		for _, size := range []int{1, 2, 3, 7, 64, len(raw)} {
			got, done, err := scan(t, raw, size)
			require.NoError(t, err, file)
			require.True(t, done, file)
			require.Equal(t, want, got, "%s in pieces of %d", file, size)
		}
	}
}

func TestScannerTakesOnlyKeysOfTheOutermostObject(t *testing.T) {
	cases := map[string]struct {
		payload string
		want    hooks.Envelope
	}{
		"a key inside another value": {
			`{"tool_input":{"session_id":"inner","list":["agent_id",{"agent_id":"x"}]},"session_id":"outer"}`,
			hooks.Envelope{SessionID: "outer"},
		},
		"a key inside text": {
			`{"prompt":"\"session_id\":\"inner\" \\","session_id":"outer"}`,
			hooks.Envelope{SessionID: "outer"},
		},
		"escapes in a value are decoded": {
			`{"cwd":"C:\\dev\\\u0041\"b","tool_name":"x"}`,
			hooks.Envelope{CWD: `C:\dev\A"b`, ToolName: "x"},
		},
		"a key spelled with escapes is the same key": {
			`{"session\u005fid":"s"}`,
			hooks.Envelope{SessionID: "s"},
		},
		"the last of two equal keys counts": {
			`{"session_id":"a","session_id":"b"}`,
			hooks.Envelope{SessionID: "b"},
		},
		"the last of two equal keys counts when it is no text": {
			`{"agent_id":"a","agent_id":null,"cwd":"/a","cwd":["b"],"trigger":"auto","trigger":7}`,
			hooks.Envelope{},
		},
		"a value that is no text is as if missing": {
			`{"session_id":{"a":1},"cwd":["x"],"agent_id":null,"trigger":7,"source":true}`,
			hooks.Envelope{},
		},
		"a byte order mark and white space around": {
			"\ufeff \r\n\t{ \"session_id\" :\n \"s\" } ",
			hooks.Envelope{SessionID: "s"},
		},
		"text that is not UTF-8 is as if missing": {
			"{\"session_id\":\"a\xff\",\"cwd\":\"/\"}",
			hooks.Envelope{CWD: "/"},
		},
		"text that is too long is as if missing": {
			`{"agent_id":"` + strings.Repeat("x", 20<<10) + `","cwd":"/"}`,
			hooks.Envelope{CWD: "/"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, size := range []int{1, 5, 1 << 20} {
				got, done, err := scan(t, []byte(c.payload), size)
				require.NoError(t, err)
				require.True(t, done)
				require.Equal(t, c.want, got)
			}
		})
	}
}

func TestScannerRefusesWhatIsNoObject(t *testing.T) {
	for _, payload := range []string{`[]`, `"x"`, `7`, `null`, `{]`, `{"a" 1}`, `{1:2}`, `{"a":1]`, "\xef\xbbx", `x{}`} {
		_, done, err := scan(t, []byte(payload), 1<<20)
		require.ErrorIs(t, err, hooks.ErrMalformed, payload)
		require.False(t, done, payload)
	}
	for _, payload := range []string{``, ` `, `{`, `{"a"`, `{"a":`, `{"a":"`, `{"a":{"b":1}`} {
		_, done, err := scan(t, []byte(payload), 1<<20)
		require.NoError(t, err, payload)
		require.False(t, done, payload)
	}
}
