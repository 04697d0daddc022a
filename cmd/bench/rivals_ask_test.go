package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// asking is the event of a question in a session with that transcript.
func asking(t *testing.T, transcript, question string, options ...string) task {
	t.Helper()
	raw, err := json.Marshal(map[string]any{
		"session_id": session, "transcript_path": transcript, "cwd": "/", "hook_event_name": "PreToolUse",
		"tool_name": "AskUserQuestion", "tool_use_id": "now", "tool_input": input(question, options...),
	})
	require.NoError(t, err)
	return task{words: []string{"hook", "ask"}, script: []string{"ask"}, stdin: raw}
}

func input(question string, options ...string) map[string]any {
	list := []any{}
	for _, o := range options {
		label, description, _ := strings.Cut(o, ": ")
		list = append(list, map[string]any{"label": label, "description": description})
	}
	return map[string]any{"questions": []any{map[string]any{"question": question, "options": list}}}
}

func entry(kind string, content any, more ...any) string {
	line := map[string]any{"type": kind, "message": map[string]any{"role": kind, "content": content}}
	for i := 0; i+1 < len(more); i += 2 {
		line[more[i].(string)] = more[i+1]
	}
	raw, err := json.Marshal(line)
	if err != nil {
		panic(err) // strings, maps and lists always have a JSON form
	}
	return string(raw)
}

func person(text string, more ...any) string { return entry("user", text, more...) }

func said(characters int) string {
	return entry("assistant", []any{map[string]any{"type": "text", "text": strings.Repeat("ü", characters)}})
}

func called(id, tool string, with map[string]any) string {
	return entry("assistant", []any{map[string]any{"type": "tool_use", "id": id, "name": tool, "input": with}})
}

func got(id, text string, record any) string {
	return entry("user", []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": text}}, "toolUseResult", record)
}

func answers(pairs ...string) map[string]any {
	given := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		given[pairs[i]] = pairs[i+1]
	}
	return map[string]any{"answers": given}
}

const (
	which   = "Which colour?"
	goAhead = "Go ahead?"
)

// A: whether the question is held back, by ctxguard and by the rivals alike.
func TestRivalsHoldTheSameQuestionsBack(t *testing.T) {
	ran := called("a", "Bash", nil)
	before := called("old", "AskUserQuestion", input(" which  COLOUR? ", "Red", "Blue"))
	enough := said(200)
	cases := map[string]struct {
		question string
		options  []string
		lines    []string
		held     bool
	}{
		"A11: a call and nothing said":             {lines: []string{person("go"), ran}, held: true},
		"A11: no call in this turn":                {lines: []string{ran, person("go")}},
		"A11: enough said":                         {lines: []string{person("go"), ran, enough}},
		"A11: enough said, before the call":        {lines: []string{person("go"), enough, ran}},
		"A11: one character short":                 {lines: []string{person("go"), ran, said(199)}, held: true},
		"A11: said in two parts":                   {lines: []string{person("go"), said(100), ran, said(100)}},
		"A11: said in the turn before":             {lines: []string{person("go"), ran, enough, person("go on"), ran}, held: true},
		"A12: the question says enough":            {question: strings.Repeat("x", 199) + "?", lines: []string{person("go"), ran}},
		"A12: the descriptions do":                 {options: []string{"A: " + strings.Repeat("x", 190)}, lines: []string{person("go"), ran}},
		"A13: a reminder begins no turn":           {lines: []string{person("go"), enough, ran, person("<system-reminder>\nx\n</system-reminder>"), ran}},
		"A13: words beside a reminder do":          {lines: []string{person("go"), enough, ran, person("<system-reminder>x</system-reminder> and?"), ran}, held: true},
		"A13: nor does a task's notification":      {lines: []string{person("go"), enough, ran, person("<task-notification>x"), ran}},
		"A13: nor what is meta":                    {lines: []string{person("go"), enough, ran, person("x", "isMeta", true), ran}},
		"A13: nor a hook's line":                   {lines: []string{person("go"), enough, ran, person("x", "rowSource", "hook"), ran}},
		"A13: nor a subagent's brief":              {lines: []string{person("go"), enough, ran, person("x", "isSidechain", true), ran}},
		"A13: an image does":                       {lines: []string{enough, ran, entry("user", []any{map[string]any{"type": "image"}}), ran}, held: true},
		"A13: without a message all is the turn":   {lines: []string{ran, enough}},
		"A14: the call in flight does not count":   {lines: []string{person("go"), called("now", "AskUserQuestion", input(which))}},
		"A15: text before a compaction is gone":    {lines: []string{person("go"), ran, enough, `{"type":"system","subtype":"compact_boundary"}`, said(3)}, held: true},
		"A17: broken lines are passed over":        {lines: []string{person("go"), enough, `{"type":`, "[1]", `"x"`, ran, `{"type":"user","mess`}},
		"A3: a phrase in the question":             {question: "Given  The Above, go?", lines: []string{person("go")}, held: true},
		"A3: a phrase in a description":            {options: []string{"A: as shown earlier, it fails"}, lines: []string{person("go")}, held: true},
		"A3: no phrase":                            {question: "Given that CI is red, see the table above?", lines: []string{person("go")}},
		"A6: dismissed":                            {lines: []string{before, got("old", "The user doesn't want to proceed with this tool use.", "x"), person("go")}, held: true},
		"A6: no result":                            {lines: []string{before, person("go")}, held: true},
		"A6: not answered":                         {lines: []string{before, got("old", "The user did not answer the questions.", nil), person("go")}, held: true},
		"A6: answered in own words":                {lines: []string{before, got("old", "The user answered", answers(" which  COLOUR? ", "purple")), person("go")}, held: true},
		"A6: answered with an option":              {lines: []string{before, got("old", "answered", answers(" which  COLOUR? ", "Red")), person("go")}},
		"A6: answered with two":                    {lines: []string{before, got("old", "answered", answers(" which  COLOUR? ", "Red, Blue")), person("go")}},
		"A6: the newest counts":                    {lines: []string{before, got("old", "doesn't matter", answers(" which  COLOUR? ", "purple")), called("new", "AskUserQuestion", input(which, "Red")), got("new", "answered", answers(which, "Red")), person("go")}},
		"A6: another question":                     {question: goAhead, lines: []string{before, got("old", "The user doesn't want to proceed", "x"), person("go")}},
		"A7: a hook's denial never reached anyone": {lines: []string{before, got("old", "PreToolUse:AskUserQuestion hook error: no", "x"), person("go")}},
		"A7: the one before it decides": {lines: []string{before, got("old", "The user doesn't want to proceed", "x"),
			called("new", "AskUserQuestion", input(which, "Red")), got("new", "PreToolUse:AskUserQuestion hook error: no", "x"), person("go")}, held: true},
		"A9: notes are own words": {lines: []string{before, got("old", "answered", map[string]any{
			"answers":     map[string]any{" which  COLOUR? ": "Red"},
			"annotations": map[string]any{" which  COLOUR? ": map[string]any{"notes": "but dark"}},
		}), person("go")}, held: true},
		"A9: in no known form": {lines: []string{before, got("old", "hm", nil), person("go")}},
	}
	eachContestant(t, func(t *testing.T, judges contestant) {
		for name, c := range cases {
			t.Run(name, func(t *testing.T) {
				transcript := filepath.Join(t.TempDir(), "transcript.jsonl")
				require.NoError(t, os.WriteFile(transcript, []byte(strings.Join(c.lines, "\n")+"\n"), 0o600))
				question := c.question
				if question == "" {
					question = which
				}
				work := asking(t, transcript, question, append(c.options, "Red", "Blue")...)
				requireHeld(t, judges, work, c.held)
			})
		}
	})
}

func requireHeld(t *testing.T, c contestant, work task, held bool) {
	t.Helper()
	out := try(t, c, t.TempDir(), work)
	require.Empty(t, out.stdout)
	require.Equal(t, held, out.code == 2, "%s: %+v", c.program, out)
	if held {
		require.Contains(t, out.stderr, "The question was held back")
		return
	}
	require.Equal(t, outcome{}, out)
}

func TestRivalsLetThroughWhatTheyCannotJudge(t *testing.T) {
	eachRival(t, func(t *testing.T, rival contestant) {
		folder := t.TempDir()
		for name, work := range map[string]task{
			"no transcript": asking(t, filepath.Join(folder, "none"), which, "Red"),
			"a folder":      asking(t, folder, which, "Red"),
			"not JSON":      {words: []string{"hook"}, script: []string{"ask"}, stdin: []byte("x")},
		} {
			require.Equal(t, outcome{}, try(t, rival, t.TempDir(), work), name)
		}
	})
}

// The question that the recorded transcripts hold, asked again after every line
// that has to do with it.
func TestRivalsAgreeOnRecordedTranscripts(t *testing.T) {
	recorded := payloads(t, "transcript-askuserquestion-*.jsonl")
	eachRival(t, func(t *testing.T, rival contestant) {
		held := map[bool]int{}
		for name, raw := range recorded {
			lines := bytes.SplitAfter(raw, []byte("\n"))
			for i, line := range lines {
				if !bytes.Contains(line, []byte("tool_use_id")) && !bytes.Contains(line, []byte(`"questions"`)) {
					continue
				}
				transcript := filepath.Join(t.TempDir(), name)
				require.NoError(t, os.WriteFile(transcript, bytes.Join(lines[:i+1], nil), 0o600))
				work := asking(t, transcript, "Which colour do you want?", "Red: "+strings.Repeat("x", 200))
				isHeld := try(t, contestants.ours, t.TempDir(), work).code == 2
				requireHeld(t, rival, work, isHeld)
				held[isHeld]++
			}
		}
		require.Positive(t, held[true])
		require.Positive(t, held[false])
	})
}
