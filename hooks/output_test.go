package hooks_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks"
)

func row(t *testing.T, event hooks.EventName) hooks.Row {
	t.Helper()
	r, ok := hooks.RowOf(event)
	require.True(t, ok)
	return r
}

func merge(t *testing.T, event hooks.EventName, answers ...hooks.Answer) hooks.Output {
	t.Helper()
	var parts []hooks.Part
	for _, a := range answers {
		parts = append(parts, hooks.Part{Guard: "g", Answer: a})
	}
	return hooks.Merge(row(t, event), parts)
}

func TestNothingToSayPrintsNothing(t *testing.T) {
	for _, r := range hooks.Table() {
		require.Equal(t, hooks.Output{}, merge(t, r.Event))
		require.Equal(t, hooks.Output{}, merge(t, r.Event, hooks.Answer{Rule: "X2", Why: "silence with a reason"}))
	}
}

// The fields that an event does not allow would be errors on the person's screen
// or end the turn: whatever a guard answers, they are never printed.
func TestOnlyTheFieldsOfTheEventArePrinted(t *testing.T) {
	loud := hooks.Answer{
		Decision: hooks.Deny, Reason: "because", Context: "to the model", Operator: "to the person",
		UpdatedInput: []byte(`{"a":1}`),
	}
	for _, r := range hooks.Table() {
		for _, decision := range []hooks.Decision{hooks.Silent, hooks.Deny, hooks.Block, hooks.Allow} {
			loud.Decision = decision
			out := merge(t, r.Event, loud)
			if out.ExitCode != 0 {
				require.Equal(t, 2, out.ExitCode)
				require.True(t, r.Block && decision == hooks.Block, r.Event)
				require.Empty(t, out.Stdout)
				require.Equal(t, "because\n", string(out.Stderr))
				continue
			}
			require.Empty(t, out.Stderr)
			if len(out.Stdout) == 0 {
				continue
			}
			var printed map[string]any
			require.NoError(t, json.Unmarshal(out.Stdout, &printed))
			require.Equal(t, r.Operator, printed["systemMessage"] != nil, r.Event)
			specific, _ := printed["hookSpecificOutput"].(map[string]any)
			if specific != nil {
				require.Equal(t, string(r.Event), specific["hookEventName"])
			}
			require.Equal(t, r.Context, specific["additionalContext"] != nil, r.Event)
			decided := r.Deny && (decision == hooks.Deny || decision == hooks.Allow)
			require.Equal(t, decided, specific["permissionDecision"] != nil, "%s %s", r.Event, decision)
			for _, never := range []string{"continue", "decision", "stopReason", "suppressOutput"} {
				require.NotContains(t, printed, never)
			}
		}
	}
}

func TestAllowWithoutAnInputIsNeverPrinted(t *testing.T) {
	require.Equal(t, hooks.Output{}, merge(t, hooks.PreToolUse, hooks.Answer{Decision: hooks.Allow}))
	out := merge(t, hooks.PreToolUse, hooks.Answer{Decision: hooks.Allow, UpdatedInput: []byte(`{"prompt":`)})
	require.Equal(t, hooks.Output{}, out, "a broken input is worse than silence")
}

func TestTextsOfSeveralGuardsAreJoinedByABlankLine(t *testing.T) {
	out := merge(t, hooks.UserPromptSubmit,
		hooks.Answer{Context: "one <b>&\n", Operator: "first"}, hooks.Answer{}, hooks.Answer{Context: "two", Operator: "second"})
	require.JSONEq(t, `{"systemMessage":"first\n\nsecond","hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"one <b>&\n\ntwo"}}`, string(out.Stdout))
	require.Contains(t, string(out.Stdout), "<b>&", "no escaping for web pages")
	require.True(t, strings.HasSuffix(string(out.Stdout), "}\n"))
}

func TestLongTextIsCutBelowTheClientsLimitAndNamed(t *testing.T) {
	for name, long := range map[string]string{
		"lines":          strings.Repeat("a line of some length\n", 1000),
		"one line":       strings.Repeat("x", 30_000),
		"two units each": strings.Repeat("😀", 9_000),
		"broken bytes":   strings.Repeat("x\xff", 30_000),
	} {
		t.Run(name, func(t *testing.T) {
			out := hooks.Merge(row(t, hooks.SessionStart), []hooks.Part{
				{Guard: "first", Answer: hooks.Answer{Context: "kept", Operator: "kept"}},
				{Guard: "reminders", Answer: hooks.Answer{Context: long, Operator: long}},
				{Guard: "last", Answer: hooks.Answer{Context: "lost"}},
			})
			var printed struct {
				SystemMessage      string
				HookSpecificOutput struct{ AdditionalContext string }
			}
			require.NoError(t, json.Unmarshal(out.Stdout, &printed))
			for _, text := range []string{printed.SystemMessage, printed.HookSpecificOutput.AdditionalContext} {
				require.Less(t, len(utf16.Encode([]rune(text))), 10_000)
				require.True(t, strings.HasPrefix(text, "kept\n\n"))
				require.Contains(t, text, "the rest of reminders")
			}
			require.Contains(t, printed.HookSpecificOutput.AdditionalContext, "reminders, last]")
		})
	}
}
