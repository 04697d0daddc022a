package hooks_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks"
)

// surrogates are escapes that the slow reader mends and the scanner does not.
var surrogates = regexp.MustCompile(`(?i)\\u(d[89a-f]|0000)`)

// FuzzScanner holds the scanner to the slow reader: whatever is valid JSON gives
// the same envelope, in pieces of any size, and nothing makes it fail otherwise.
func FuzzScanner(f *testing.F) {
	files, err := filepath.Glob("../testdata/payloads/hook-P*.json")
	require.NoError(f, err)
	for i, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(f, err)
		if len(raw) < 2<<10 {
			f.Add(raw, uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, payload []byte, size uint8) {
		got, done, err := scan(t, payload, int(size)+1)
		whole, wholeDone, wholeErr := scan(t, payload, len(payload)+1)
		require.Equal(t, whole, got)
		require.Equal(t, wholeDone, done)
		require.Equal(t, wholeErr, err)
		want, ok := reference(payload)
		if !ok || !utf8.Valid(payload) || len(payload) > 8<<10 || surrogates.Match(payload) {
			return
		}
		if strings.TrimSpace(string(payload)) == "null" {
			return
		}
		require.NoError(t, err)
		require.True(t, done)
		require.Equal(t, want, got)
	})
}

// FuzzMemory: memory says what encoding/json reads in its file, or is empty; what
// a guard remembers can be recalled, and costs no other guard its section.
func FuzzMemory(f *testing.F) {
	f.Fuzz(func(t *testing.T, raw []byte, section, other string, value int64) {
		mem := hooks.NewMemory(func() []byte { return raw })
		var file map[string]json.RawMessage
		if json.Unmarshal(raw, &file) != nil {
			file = nil
		}
		var got, want any
		understood := json.Unmarshal(file[section], &want) == nil
		require.Equal(t, understood, mem.Recall(section, &got))
		require.Equal(t, want, got)
		require.False(t, mem.Changed())

		require.NoError(t, mem.Remember(section, value))
		encoded, err := mem.Encode()
		require.NoError(t, err)
		again := hooks.NewMemory(func() []byte { return encoded })
		var back int64
		if utf8.ValidString(section) {
			require.True(t, again.Recall(section, &back))
			require.Equal(t, value, back)
		}
		if _, kept := file[other]; kept && other != section && utf8.ValidString(section) && utf8.ValidString(other) {
			var before, after any
			understood := json.Unmarshal(file[other], &before) == nil
			require.Equal(t, understood, again.Recall(other, &after))
			require.Equal(t, before, after)
		}
		require.NoError(t, again.Remember(section, back))
		if utf8.ValidString(section) {
			require.False(t, again.Changed(), "the same again changes nothing")
		}
	})
}

// FuzzMerge: whatever guards say to whatever event, one JSON object of bounded
// texts or nothing is printed, 2 means a block, and no field is used that the
// event does not allow.
func FuzzMerge(f *testing.F) {
	decisions := []hooks.Decision{hooks.Silent, hooks.Deny, hooks.Block, hooks.Allow}
	f.Fuzz(func(t *testing.T, event, decision uint8, reason, context, operator, more string, input []byte) {
		rows := hooks.Table()
		row := rows[int(event)%len(rows)]
		answer := hooks.Answer{
			Decision: decisions[int(decision)%len(decisions)], Reason: reason, Context: context, Operator: operator, UpdatedInput: input,
		}
		out := hooks.Merge(row, []hooks.Part{{Guard: "first", Answer: hooks.Answer{Context: more, Operator: more}}, {Guard: "second", Answer: answer}})
		require.Equal(t, answer.Decision == hooks.Block && row.Block, out.ExitCode == 2)
		if out.ExitCode != 0 {
			require.Equal(t, 2, out.ExitCode)
			require.Empty(t, out.Stdout)
			requireBounded(t, string(out.Stderr))
			return
		}
		require.Empty(t, out.Stderr)
		if len(out.Stdout) == 0 {
			return
		}
		var printed map[string]any
		require.NoError(t, json.Unmarshal(out.Stdout, &printed))
		require.Equal(t, 1, strings.Count(string(out.Stdout), "\n"), "one line")
		message, said := printed["systemMessage"].(string)
		require.True(t, !said || row.Operator)
		requireBounded(t, message)
		specific, ok := printed["hookSpecificOutput"].(map[string]any)
		for key := range printed {
			require.Contains(t, []string{"systemMessage", "hookSpecificOutput"}, key)
		}
		if !ok {
			return
		}
		require.Equal(t, string(row.Event), specific["hookEventName"])
		told, said := specific["additionalContext"].(string)
		require.True(t, !said || row.Context)
		requireBounded(t, told)
		why, _ := specific["permissionDecisionReason"].(string)
		requireBounded(t, why)
		switch specific["permissionDecision"] {
		case "deny":
			require.True(t, row.Deny && answer.Decision == hooks.Deny)
		case "allow":
			require.True(t, row.Deny && answer.Decision == hooks.Allow)
			require.Contains(t, specific, "updatedInput")
		default:
			require.NotContains(t, specific, "permissionDecision")
			require.NotContains(t, specific, "updatedInput")
		}
	})
}

// requireBounded: longer texts do not reach whom they are for (facts C.4).
func requireBounded(t testing.TB, text string) {
	t.Helper()
	require.True(t, utf8.ValidString(text))
	require.Less(t, len(utf16.Encode([]rune(text))), 10_000)
}
