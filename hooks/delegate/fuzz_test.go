package delegate

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
)

// FuzzBrief: whatever a delegation's input and the project's file hold, it is
// refused for fields that are missing and for nothing else that needs no path; an
// input that is given back is the whole one, with a longer prompt; and a project's
// text never gets into a prompt without the parent's judgement.
func FuzzBrief(f *testing.F) {
	root, home := f.TempDir(), f.TempDir()
	f.Fuzz(func(t *testing.T, input, project string) {
		if !gjson.Valid(input) || len(project) > 4<<10 {
			return
		}
		cfg, _ := config.ApplyProject(config.Default(), []byte(project))
		b := brief20(cfg)
		ev := &hooks.Event{
			Envelope: hooks.Envelope{Name: hooks.PreToolUse, ToolName: "Agent", CWD: root},
			Payload:  []byte(`{"tool_input":` + input + `}`), Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Project: root,
			Getenv: func(name string) string { return map[string]string{"CTXGUARD_HOME": home}[name] },
			Frozen: true,
		}
		mem := hooks.NewMemory(nil)
		answer := decided(b, ev, mem)
		prompt := gjson.Get(input, "prompt")
		if prompt.Type != gjson.String || strings.TrimSpace(prompt.Str) == "" || redelegated(prompt.Str) {
			require.False(t, answer.Speaks(), answer.Rule)
			return
		}
		required := fields(cfg.Brief)
		gone := missing(prompt.Str, required)
		require.Equal(t, len(gone) > 0, answer.Rule == "B2" && answer.Decision == hooks.Deny)
		for _, name := range gone {
			require.Contains(t, answer.Reason, name.name)
		}
		switch answer.Decision {
		case hooks.Deny:
			require.NotEmpty(t, answer.Reason)
		case hooks.Allow:
			requireExtended(t, input, answer.UpdatedInput)
			for _, d := range matching(prompt.Str, domains(cfg.Brief)) {
				require.False(t, d.project, "a project's domain is for the parent to judge")
			}
			again := decided(b, ev, mem)
			require.NotEqual(t, hooks.Allow, again.Decision, "not twice in a session")
		case hooks.Silent:
			require.Empty(t, answer.UpdatedInput)
		default:
			t.Fatalf("decision %q", answer.Decision)
		}
	})
}

func requireExtended(t *testing.T, input string, updated []byte) {
	t.Helper()
	if !utf8.ValidString(input) {
		return // encoding/json would mend it
	}
	var before, after map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(input), &before))
	require.NoError(t, json.Unmarshal(updated, &after))
	var old, long string
	require.NoError(t, json.Unmarshal(before["prompt"], &old))
	require.NoError(t, json.Unmarshal(after["prompt"], &long))
	require.True(t, strings.HasPrefix(long, old+"\n\n"+opening))
	require.True(t, strings.HasSuffix(long, closing))
	require.True(t, redelegated(long))
	delete(before, "prompt")
	delete(after, "prompt")
	require.Equal(t, before, after)
}
