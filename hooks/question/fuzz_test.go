package question

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
)

// Whatever a payload and a transcript hold, no guard fails, blocks without a
// reason, or gives the client an input that is not the whole one.
func FuzzGuards(f *testing.F) {
	files, err := filepath.Glob("../../testdata/payloads/hook-*AskUserQuestion*.json")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	talk := person("go") + "\n" + call("a", "Bash", nil) + "\n" + asking("b", colour) + "\n"
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(string(raw), talk, neverRelease)
	}
	f.Add(askEvent(nativeTool, "x", release()), talk, neverRelease)
	f.Add(askEvent("mcp__x__AskUserQuestion", "", release(), release()), talk, `{"projects":{"":{}}}`)
	f.Add(backEvent("x", answersRecord("a", "b"), release()), talk, `[]`)
	f.Add(backEvent("x", []any{1, nil}, colour), "{", `{"global":null}`)
	f.Fuzz(func(t *testing.T, event, transcript, preferences string) {
		if !gjson.Valid(event) || !gjson.Parse(event).IsObject() {
			return
		}
		s := newSession(t).prefers(preferences)
		require.NoError(t, os.WriteFile(s.transcript, []byte(transcript), 0o600))
		cfg := config.Default()
		for _, guard := range []string{hooks.GuardPreference, hooks.GuardAsk, hooks.GuardAnswers, hooks.GuardFallback} {
			answer, _ := s.run(guard, cfg, []byte(event))
			switch answer.Decision {
			case hooks.Silent:
			case hooks.Allow:
				before, after := gjson.Get(event, "tool_input"), gjson.ParseBytes(answer.UpdatedInput)
				require.True(t, json.Valid(answer.UpdatedInput), string(answer.UpdatedInput))
				require.Equal(t, before.Get("questions").Raw, after.Get("questions").Raw)
				require.Len(t, after.Get("answers").Map(), len(setOfTexts(questionsOf(before))))
			default:
				require.NotEmpty(t, answer.Reason)
			}
		}
		for _, r := range records(t, s.home) {
			require.LessOrEqual(t, utf8.RuneCountInString(r.Summary), longestSummary)
			require.LessOrEqual(t, utf8.RuneCountInString(r.FreeText), longestFreeText)
			require.False(t, strings.ContainsAny(r.Summary+r.Choice+r.FreeText, "\n\r"))
		}
	})
}

func setOfTexts(questions []asked) map[string]bool {
	set := make(map[string]bool)
	for _, q := range questions {
		set[q.text] = true
	}
	return set
}

func FuzzTexts(f *testing.F) {
	for _, s := range []string{"Given the above <qid:a-b>", "with all\u00a0that context", "Recommendation: A) x.", "<qid:<gstack-qid:x>", "delete. the, branch"} {
		f.Add(s, "A, B", "A")
	}
	f.Fuzz(func(t *testing.T, s, label, other string) {
		if phrase, ok := find(s, compile(pointing), false); ok {
			require.Contains(t, s, phrase)
		}
		speaksOfDestruction(s)
		id, rest := markerOf(s)
		require.True(t, id == "" && rest == s || ValidID(id) && len(rest) < len(s))
		q := asked{text: s, options: []option{{label: label}, {label: other}}}
		if o, ok := q.recommended(); ok {
			require.Contains(t, []string{label, other}, o.label)
		}
		// What is put together of labels is recognised as made of labels.
		if label != "" && other != "" {
			chosen, ok := q.chosen(label + ", " + other + ", " + label)
			require.True(t, ok)
			require.Equal(t, label+", "+other+", "+label, strings.Join(chosen, ", "))
		}
		require.LessOrEqual(t, utf8.RuneCountInString(clip(s, 5)), 5)
	})
}
