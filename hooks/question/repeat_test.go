package question

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"ctxguard/hooks/transcript"
)

const told = "Your questions have been answered: "

// Each case is the transcript of an earlier question of the same text; the
// question carries enough context for every other rule.
func TestRepeat_A6_A7_A9(t *testing.T) {
	fruits := map[string]any{
		"question": "Which fruits? " + text200(200), "multiSelect": true,
		"options": []any{
			map[string]any{"label": "Apple"}, map[string]any{"label": "Fig, dried"}, map[string]any{"label": "Fig"}, "Pear",
		},
	}
	text := fruits["question"].(string)
	open := map[string]any{"question": text}
	denied := "PreToolUse:AskUserQuestion hook error: [/bin/ctxguard hook]: The question was held back"
	esc := "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed."
	cases := map[string]struct {
		before []string
		want   outcome
	}{
		"never asked":                            {nil, answered},
		"no result at all":                       {[]string{asking("a", fruits)}, interrupted},
		"an option":                              {[]string{asking("a", fruits), result("a", told, answersRecord(text, "Apple"))}, answered},
		"an option given as plain text":          {[]string{asking("a", fruits), result("a", told, answersRecord(text, "Pear"))}, answered},
		"several options":                        {[]string{asking("a", fruits), result("a", told, answersRecord(text, "Apple, Fig"))}, answered},
		"a label that holds a comma":             {[]string{asking("a", fruits), result("a", told, answersRecord(text, "Fig, dried, Fig, Apple"))}, answered},
		"options as a list":                      {[]string{asking("a", fruits), result("a", told, map[string]any{"answers": map[string]any{text: []any{"Apple", "Fig"}}})}, answered},
		"a list with own words in it":            {[]string{asking("a", fruits), result("a", told, map[string]any{"answers": map[string]any{text: []any{"Apple", "Kiwi"}}})}, ownWords},
		"own words":                              {[]string{asking("a", fruits), result("a", told, answersRecord(text, "none of these"))}, ownWords},
		"an option and own words":                {[]string{asking("a", fruits), result("a", told, answersRecord(text, "Apple, and a Kiwi"))}, ownWords},
		"an option in another letter case":       {[]string{asking("a", fruits), result("a", told, answersRecord(text, "apple"))}, ownWords},
		"an option with notes":                   {[]string{asking("a", fruits), result("a", told, map[string]any{"answers": map[string]any{text: "Apple"}, "annotations": map[string]any{text: map[string]any{"notes": "but ripe"}}})}, ownWords},
		"an option with blank notes":             {[]string{asking("a", fruits), result("a", told, map[string]any{"answers": map[string]any{text: "Apple"}, "annotations": map[string]any{text: map[string]any{"notes": " "}}})}, answered},
		"a free response":                        {[]string{asking("a", fruits), result("a", told, map[string]any{"answers": map[string]any{"x": "y"}, "response": "let us talk"})}, ownWords},
		"dismissed":                              {[]string{asking("a", fruits), result("a", esc, "User rejected tool use")}, dismissed},
		"dismissed, with a curly apostrophe":     {[]string{asking("a", fruits), result("a", "The user doesn’t want to proceed", nil)}, dismissed},
		"the client says nobody answered":        {[]string{asking("a", fruits), result("a", "The user did not answer the questions.", answersRecord())}, interrupted},
		"the request was interrupted":            {[]string{asking("a", fruits), result("a", "[Request interrupted by user for tool use]", nil)}, interrupted},
		"another question of the set unanswered": {[]string{asking("a", fruits), result("a", told, answersRecord("Another?", "Apple"))}, interrupted},
		"an empty record":                        {[]string{asking("a", fruits), result("a", "", answersRecord())}, answered},
		"an unknown form":                        {[]string{asking("a", fruits), result("a", "something else", map[string]any{"x": 1})}, answered},
		"an error of the tool":                   {[]string{asking("a", fruits), result("a", "InputValidationError: questions is missing", "Error: x")}, answered},
		"no options were offered":                {[]string{asking("a", open), result("a", told, answersRecord(text, "anything"))}, answered},
		"text alone, an option":                  {[]string{asking("a", fruits), result("a", told+`"`+text+`"="Apple, Fig". You can now continue.`, nil)}, answered},
		"text alone, own words":                  {[]string{asking("a", fruits), result("a", `The user answered: "`+text+`"="purple "please"". Read the answers carefully`, nil)}, ownWords},
		"text alone, own words in old wording":   {[]string{asking("a", fruits), result("a", `User has answered your questions: "`+text+`"="purple". You can`, nil)}, ownWords},
		"text alone, an option with notes":       {[]string{asking("a", fruits), result("a", `The user answered: "`+text+`"="Apple" notes: but ripe`, nil)}, ownWords},
		"a hook denied it":                       {[]string{asking("a", fruits), result("a", denied, "Error: "+denied)}, answered},
		"denied after it was dismissed":          {[]string{asking("a", fruits), result("a", esc, nil), asking("b", fruits), result("b", denied, nil)}, dismissed},
		"the newest decides: an option":          {[]string{asking("a", fruits), result("a", esc, nil), asking("b", fruits), result("b", told, answersRecord(text, "Fig"))}, answered},
		"the newest decides: own words":          {[]string{asking("a", fruits), result("a", told, answersRecord(text, "Fig")), asking("b", fruits), result("b", told, answersRecord(text, "no"))}, ownWords},
		"another question in between":            {[]string{asking("a", fruits), result("a", esc, nil), asking("b", full("Other?")), result("b", told, answersRecord("x", "y"))}, dismissed},
		"another order, case and spacing":        {[]string{asking("a", q("  WHICH fruits?\n"+text200(200)+" ", "x")), result("a", esc, nil)}, dismissed},
		"one more question":                      {[]string{asking("a", fruits, full("Other?")), result("a", esc, nil)}, answered},
		"a subagent's question":                  {[]string{`{"isSidechain":true,` + asking("a", fruits)[1:]}, answered},
		"a tool of another name":                 {[]string{call("a", "Ask", map[string]any{"questions": []any{fruits}}), result("a", esc, nil)}, answered},
		"an MCP server's tool":                   {[]string{call("a", "mcp__x__AskUserQuestion", map[string]any{"questions": []any{fruits}}), result("a", esc, nil)}, dismissed},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := newSession(t).wrote(append([]string{person("go"), said(text200(300))}, c.before...)...)
			answer := s.asks(askEvent(nativeTool, "now", fruits))
			if c.want == answered {
				require.False(t, answer.Speaks(), answer.Reason)
				return
			}
			require.Equal(t, "A6", answer.Rule)
			require.Equal(t, "the same question before: "+string(c.want), answer.Why)
		})
	}
}

func TestTheSetOfQuestionsIsOne_A6(t *testing.T) {
	one, two := full("One?"), full("Two?")
	s := newSession(t).wrote(person("go"), asking("a", one, two), result("a", "The user doesn't want to proceed", nil))
	require.Equal(t, "A6", s.blockedBy(askEvent(nativeTool, "x", two, one, two)))
	require.False(t, s.asks(askEvent(nativeTool, "x", two)).Speaks())
}

func TestTheCallInFlightIsNotItsOwnPredecessor_A8(t *testing.T) {
	question := full("Which?")
	s := newSession(t)
	s.wrote(person("go"), asking("now", question))
	require.False(t, s.asks(askEvent(nativeTool, "now", question)).Speaks())

	s.wrote(person("go"), asking("now", question), asking("old", question))
	require.Equal(t, "A6", s.blockedBy(askEvent(nativeTool, "now", question)), "with an id only the ask with that id is left out")

	// Without an id: the newest ask with the same input, as a value.
	spaced := `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"b","name":"AskUserQuestion","input":{ "questions" : [` + encode(question) + `] }}]}}`
	s.wrote(person("go"), spaced)
	require.False(t, s.asks(askEvent(nativeTool, "", question)).Speaks())
	s.wrote(person("go"), asking("old", question), spaced)
	require.Equal(t, "A6", s.blockedBy(askEvent(nativeTool, "", question)), "only one ask is left out")
	other := full("Which?")
	other["header"] = "Other"
	s.wrote(person("go"), asking("old", other))
	require.Equal(t, "A6", s.blockedBy(askEvent(nativeTool, "", question)), "another input is another call")
}

// What the client really recorded, read by the same rules (facts E.2).
func TestRecordedOutcomes_A9(t *testing.T) {
	for name, want := range map[string][]outcome{
		"transcript-askuserquestion-option-freetext-esc.jsonl": {dismissed, ownWords, answered},
		"transcript-askuserquestion-chat-and-multi.jsonl":      {answered, dismissed},
	} {
		for _, structured := range []bool{true, false} {
			tr, err := transcript.Open(filepath.Join("../../testdata/payloads", name))
			require.NoError(t, err)
			var got []outcome
			for c, err := range tr.CallsNamed(nativeTool, 0) {
				require.NoError(t, err)
				r, ok, err := tr.ResultOf(c)
				require.NoError(t, err)
				require.True(t, ok)
				if !structured {
					r.Structured = gjson.Result{}
				}
				got = append(got, outcomeOf(c.Name, questionsOf(c.Input), r))
			}
			require.NoError(t, tr.Close())
			require.Equal(t, want, got, "%s, structured %t", name, structured)
		}
	}
}

// The session of the recording: the person had pressed Esc on the very question
// that is asked again.
func TestTheRecordedSessionAskedAgain_A6(t *testing.T) {
	s := newSession(t)
	raw, err := os.ReadFile("../../testdata/payloads/transcript-askuserquestion-option-freetext-esc.jsonl")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(s.transcript, raw, 0o600))
	event := string(payload(t, "hook-PreToolUse.AskUserQuestion.json"))
	answer := s.asks(strings.Replace(event, "toolu_fake000100", "toolu_fake000999", 1))
	require.Equal(t, "the same question before: dismissed", answer.Why)
}
