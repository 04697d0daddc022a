package question

import (
	"crypto/sha1"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/zones"
)

// answers runs the guard and gives the error that goes to the log.
func (s *session) answersErr(payload string) (hooks.Answer, error) {
	s.t.Helper()
	return s.run(hooks.GuardAnswers, config.Default(), []byte(payload))
}

func (s *session) answers(payload string) hooks.Answer {
	s.t.Helper()
	answer, err := s.answersErr(payload)
	require.NoError(s.t, err)
	return answer
}

func backEvent(id string, response any, questions ...map[string]any) string {
	return encode(map[string]any{
		"session_id": sessionID, "hook_event_name": "PostToolUse", "tool_name": nativeTool, "tool_use_id": id,
		"tool_input": map[string]any{"questions": questions}, "tool_response": response,
	})
}

func hookID(question string, sortedLabels ...string) string {
	sum := sha1.Sum([]byte("unknown::" + question + "::" + strings.Join(sortedLabels, "|")))
	return "hook-" + hex.EncodeToString(sum[:])[:10]
}

// The recorded payloads of the real client.
func TestRecordedAnswers_L1_L2_L3(t *testing.T) {
	colourID, fruitID := hookID("Which colour do you want?", "Blue", "Red"), hookID("Which fruits?", "Apple", "Fig", "Pear")
	base := Record{
		Time: "2026-11-30T05:00:00Z", SessionID: sessionID, ToolUseID: "toolu_fake000100", Project: "/home/dev/src/widget",
		QuestionID: colourID, Summary: "Which colour do you want?", Options: 2, Source: SourceHook, Zone: "dumb",
	}
	with := func(change func(*Record)) Record {
		r := base
		change(&r)
		return r
	}
	for name, want := range map[string][]Record{
		"offered-option":   {with(func(r *Record) { r.Choice = "Red" })},
		"answered-by-hook": {with(func(r *Record) { r.Choice = "Blue" })},
		"free-text": {with(func(r *Record) {
			r.ToolUseID, r.Choice, r.FreeText, r.Source = "toolu_fake000300", `purple "please"`, `purple "please"`, SourceOther
		})},
		"multi-question": {
			with(func(r *Record) {
				r.ToolUseID, r.QuestionID, r.Summary, r.Options, r.Choice = "toolu_fake000300", fruitID, "Which fruits?", 3, "Apple, Fig"
			}),
			with(func(r *Record) { r.ToolUseID, r.Choice = "toolu_fake000300", "Blue" }),
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t)
			s.project, s.reading = "/home/dev/src/widget", zones.Reading{Zone: zones.Dumb}
			answer := s.answers(string(payload(t, "hook-PostToolUse.AskUserQuestion."+name+".json")))
			require.False(t, answer.Speaks())
			require.Equal(t, want, records(t, s.home))
		})
	}
}

func TestWhatIsNotKnownIsLeftOut_L2(t *testing.T) {
	s := newSession(t)
	s.answers(backEvent("", answersRecord("Which?", "A"), q("Which?", "A", "B")))
	raw, err := os.ReadFile(s.home.Path(AnswersFile))
	require.NoError(t, err)
	for _, key := range []string{"tool_use_id", "project", "recommended", "followed_recommendation", "free_text"} {
		require.NotContains(t, string(raw), `"`+key+`"`)
	}
}

func TestTheMarkerNamesTheQuestionAndLeavesTheSummary_L3(t *testing.T) {
	s := newSession(t)
	text := "Merge <gstack-qid:Merge-Now> it?"
	s.answers(backEvent("x", answersRecord(text, "Yes"), q(text, "Yes", "No")))
	got := records(t, s.home)[0]
	require.Equal(t, "merge-now", got.QuestionID)
	require.Equal(t, "Merge it?", got.Summary)
	require.Equal(t, "Yes", got.Choice)
}

func TestForms_L4_L5(t *testing.T) {
	one := q("Which colour?", "Red", "Blue (recommended)")
	type want struct{ choice, words, source string }
	for name, c := range map[string]struct {
		response any
		want     want
	}{
		"an object keyed by the text":       {answersRecord("Which colour?", "Red"), want{"Red", "", SourceHook}},
		"tolerant of space and case":        {answersRecord(" which  COLOUR? ", "Red"), want{"Red", "", SourceHook}},
		"one question and one answer":       {answersRecord("Colour", "Red"), want{"Red", "", SourceHook}},
		"own words":                         {answersRecord("Which colour?", "purple"), want{"purple", "purple", SourceOther}},
		"notes":                             {map[string]any{"answers": map[string]any{"Which colour?": "Red"}, "annotations": map[string]any{"Which colour?": map[string]any{"notes": " but dark "}}}, want{"Red", "but dark", SourceOther}},
		"a list of labels":                  {map[string]any{"answers": map[string]any{"Which colour?": []any{"Red", "Green"}}}, want{"Red, Green", "", SourceHook}},
		"a response instead of a choice":    {map[string]any{"answers": map[string]any{}, "response": "let us talk"}, want{"let us talk", "let us talk", SourceOther}},
		"a list with option_label":          {map[string]any{"answers": []any{map[string]any{"option_label": "Red"}}}, want{"Red", "", SourceHook}},
		"a list with label":                 {map[string]any{"answers": []any{map[string]any{"label": "Red"}}}, want{"Red", "", SourceHook}},
		"a list with choice":                {map[string]any{"answers": []any{map[string]any{"choice": "Red"}}}, want{"Red", "", SourceHook}},
		"a list with answer":                {map[string]any{"answers": []any{map[string]any{"answer": "Red"}}}, want{"Red", "", SourceHook}},
		"a list with free_text":             {map[string]any{"answers": []any{map[string]any{"label": "Red", "free_text": "dark"}}}, want{"Red", "dark", SourceOther}},
		"a list with other_text alone":      {map[string]any{"answers": []any{map[string]any{"other_text": "dark"}}}, want{"dark", "dark", SourceOther}},
		"a list of texts":                   {map[string]any{"answers": []any{"Red"}}, want{"Red", "", SourceHook}},
		"user_answer in the question":       {map[string]any{"questions": []any{map[string]any{"user_answer": "Red"}}}, want{"Red", "", SourceHook}},
		"answer in the question":            {map[string]any{"questions": []any{map[string]any{"answer": "Red"}}}, want{"Red", "", SourceHook}},
		"choice in the question":            {map[string]any{"questions": []any{map[string]any{"choice": "Red"}}}, want{"Red", "", SourceHook}},
		"any other form":                    {map[string]any{"result": "Red"}, want{"__unknown__", "", SourceHook}},
		"text":                              {"Red", want{"__unknown__", "", SourceHook}},
		"nothing":                           {nil, want{"__unknown__", "", SourceHook}},
		"an answer that is a number":        {map[string]any{"answers": map[string]any{"Which colour?": 7}}, want{"__unknown__", "", SourceHook}},
		"an object keyed by something else": {answersRecord("a", "Red", "b", "Blue"), want{"__unknown__", "", SourceHook}},
		"questions without an answer":       {map[string]any{"questions": []any{map[string]any{"question": "Which colour?"}}}, want{"__unknown__", "", SourceHook}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t)
			answer, err := s.answersErr(backEvent("x", c.response, one))
			require.Empty(t, answer.Context)
			require.Equal(t, c.want.choice == "__unknown__", err != nil, "an unknown form is a line in the log")
			got := records(t, s.home)
			require.Len(t, got, 1)
			require.Equal(t, c.want, want{got[0].Choice, got[0].FreeText, got[0].Source})
			if c.want.choice == "__unknown__" {
				require.Nil(t, got[0].Followed)
				require.NotContains(t, err.Error(), "Red", "the log holds shapes, never people's text")
			}
		})
	}
}

func TestTheShapeOfAnUnknownFormHoldsNoText_L4(t *testing.T) {
	s := newSession(t)
	_, err := s.answersErr(backEvent("x", map[string]any{"secret words here": "s3cret", "list": []any{map[string]any{"k": true}}}, q("Which?", "A")))
	require.EqualError(t, err, "an answer in an unknown form: {list: [{k: true}], a key: string}")
}

func TestFollowing_L6(t *testing.T) {
	marked := q("Which?", "Red", "Blue (Recommended)")
	multi := q("Which?", "Red (recommended)", "Blue, dark")
	for name, c := range map[string]struct {
		question map[string]any
		answer   string
		want     any
		choice   string
	}{
		"the recommended one as offered":   {marked, "Blue (Recommended)", true, "Blue"},
		"the recommended one without mark": {marked, "Blue", true, "Blue"},
		"another one":                      {marked, "Red", false, "Red"},
		"own words":                        {marked, "purple", false, "purple"},
		"the recommended one and another":  {multi, "Red (recommended), Blue, dark", false, "Red, Blue, dark"},
		"nothing recommended":              {q("Which?", "Red", "Blue"), "Red", nil, "Red"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t)
			s.answers(backEvent("x", answersRecord("Which?", c.answer), c.question))
			got := records(t, s.home)[0]
			require.Equal(t, c.choice, got.Choice)
			if c.want == nil {
				require.Nil(t, got.Followed)
				return
			}
			require.Equal(t, c.want, *got.Followed)
		})
	}
}

func TestTextsAreOneLineAndBounded_L6(t *testing.T) {
	s := newSession(t)
	long := strings.Repeat("ä\n", 400)
	s.answers(backEvent("x", answersRecord(long, long), q(long, "A (recommended)")))
	got := records(t, s.home)[0]
	for text, most := range map[string]int{got.Summary: 200, got.Choice: 64, got.FreeText: 300} {
		require.LessOrEqual(t, len([]rune(text)), most)
		require.Greater(t, len([]rune(text)), most-2)
	}
	require.NotContains(t, got.Summary+got.Choice+got.FreeText, "\n")
}

func TestARecordIsWrittenOnce_L7(t *testing.T) {
	s := newSession(t)
	two := backEvent("x", answersRecord("A?", "1", "B?", "2"), q("A?", "1"), q("B?", "2"), q(" "))
	s.answers(two)
	s.answers(two)
	require.Len(t, records(t, s.home), 2, "one for each question that has text (L1)")
	s.answers(strings.Replace(two, `"tool_use_id":"x"`, `"tool_use_id":"y"`, 1))
	require.Len(t, records(t, s.home), 4)
}

func TestTheMemoryStaysSmall_L7(t *testing.T) {
	s := newSession(t)
	for i := range 200 {
		s.answers(backEvent(text200(10)+string(rune('a'+i%26))+strings.Repeat("z", i), answersRecord("A?", "1"), q("A?", "1")))
	}
	require.Less(t, len(s.mem), 20_000)
	require.Len(t, records(t, s.home), 200)
}

func TestAnswersThatCameBackEmpty_L8(t *testing.T) {
	one, two := q("A?", "1"), q("B?", "2")
	for name, c := range map[string]struct {
		response  any
		questions []map[string]any
		choices   []string
	}{
		"no answers at all":     {map[string]any{"answers": map[string]any{}}, []map[string]any{one}, []string{"__unanswered__"}},
		"answers that are null": {map[string]any{"answers": nil}, []map[string]any{one}, []string{"__unanswered__"}},
		"an empty list":         {map[string]any{"answers": []any{}}, []map[string]any{one}, []string{"__unanswered__"}},
		"a blank answer":        {answersRecord("A?", " "), []map[string]any{one}, []string{"__unanswered__"}},
		"one of two":            {answersRecord("B?", "2"), []map[string]any{one, two}, []string{"__unanswered__", "2"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t)
			answer := s.answers(backEvent("x", c.response, c.questions...))
			require.Equal(t, hooks.Silent, answer.Decision)
			golden(t, map[int]string{1: "answers-unanswered", 2: "answers-unanswered-one-of-two"}[len(c.questions)], answer.Context)
			var got []string
			for _, r := range records(t, s.home) {
				got = append(got, r.Choice)
			}
			require.Equal(t, c.choices, got)
		})
	}
}

func TestOnlyResultsOfQuestionToolsAreRecorded_L1(t *testing.T) {
	s := newSession(t)
	event := backEvent("x", answersRecord("A?", "1"), q("A?", "1"))
	s.answers(strings.Replace(event, nativeTool, "Bash", 1))
	s.answers(strings.Replace(event, "PostToolUse", "PostToolUseFailure", 1))
	require.Empty(t, records(t, s.home))
	s.answers(strings.Replace(event, nativeTool, "mcp__x__AskUserQuestion", 1))
	require.Len(t, records(t, s.home), 1)
	_, err := s.answersErr(strings.Replace(event, `"questions"`, `"other"`, 1))
	require.Error(t, err)
	require.Len(t, records(t, s.home), 1)
}
