package transcript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const question = "AskUserQuestion"

func callIDs(t *testing.T, f *File) []string {
	t.Helper()
	var ids []string
	for call, err := range f.CallsNamed(question, 0) {
		require.NoError(t, err)
		ids = append(ids, call.ID)
	}
	return ids
}

func TestCallsAreFoundByNameNewestFirst_A6(t *testing.T) {
	two := `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"c","name":"AskUserQuestion"},{"type":"tool_use","id":"d","name": "mcp__x__AskUserQuestion"}]}}`
	data := lines(
		called("a", question), called("b", "Bash"),
		person(`the words "AskUserQuestion" and "tool_use"`),
		`{"type":"tools-used","tools":["AskUserQuestion"]}`,
		`{"type":"attachment","request":{"tools":[{"name":"AskUserQuestion","type":"tool_use"}]}}`,
		two,
		`{"type":"assistant","isSidechain":true,"message":{"content":[{"type":"tool_use","id":"e","name":"AskUserQuestion"}]}}`,
		called("", question), called("f", "AskUserQuestions"), called("g", question)[:80])
	for _, block := range []int{40, 100, 1 << 20} {
		require.Equal(t, []string{"d", "c", "a"}, callIDs(t, inMemory(data, smallLimits(block))))
	}
}

func TestCallsSinceAnOffsetAndCallsOfOneLine(t *testing.T) {
	first := called("a", question) + "\n"
	data := []byte(first + called("b", question) + "\n" + called("c", "Bash") + "\n" + called("d", question) + "\n")
	for _, block := range []int{20, 1 << 20} {
		f := inMemory(data, smallLimits(block))
		for since, want := range map[int64][]string{0: {"d", "b", "a"}, int64(len(first)): {"d", "b"}, 1: {"d", "b"}, f.Size(): nil} {
			var got []string
			for call, err := range f.CallsNamed(question, since) {
				require.NoError(t, err)
				got = append(got, call.ID)
				again, err := f.CallsIn(call.Line, question)
				require.NoError(t, err)
				require.Equal(t, call.ID, again[0].ID)
			}
			require.Equal(t, want, got, "since %d", since)
		}
		for _, offset := range []int64{-1, 1, f.Size(), 1 << 40} {
			calls, err := f.CallsIn(offset, question)
			require.NoError(t, err)
			require.Empty(t, calls, "no line begins at %d", offset)
		}
	}
}

func TestWhatOfATranscriptIsSettled(t *testing.T) {
	f := inMemory([]byte("{\"a\":1}\n{\"b\":2}\n{\"c\""), smallLimits(3))
	length, before, err := f.Settled(5)
	require.NoError(t, err)
	require.EqualValues(t, 16, length)
	require.Equal(t, "\":2}\n", string(before))
	before, err = f.Before(3, 5)
	require.NoError(t, err)
	require.Equal(t, "{\"a", string(before))
	_, err = f.Before(100, 5)
	require.Error(t, err)
}

// The lines of a transcript around a question are not even looked at: where
// they hold no name, they may hold anything.
func TestOnlyLinesWithTheNameAreParsed_A6(t *testing.T) {
	looked := 0
	data := lines(called("a", question), called("b", "Bash"), person("x"), called("c", question))
	for _, err := range inMemory(data, defaultLimits()).linesWith([]byte(question), 0, func([]byte) bool { looked++; return true }) {
		require.NoError(t, err)
	}
	require.Equal(t, 2, looked)
}

func TestResultIsFoundBehindItsCall_A9(t *testing.T) {
	result := func(id, rest string) string {
		return `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"` + id + `",` + rest + `}]},"toolUseResult":{"answers":{}}}`
	}
	data := lines(
		result("a", `"content":"before its call"`),
		called("a", question),
		person(`a note that names "a"`),
		called("b", question),
		result("b", `"content":[{"type":"text","text":"one"},{"type":"image"},{"type":"text","text":"two"}],"is_error":true`),
		result("a", `"content":"the answer"`))
	f := inMemory(data, smallLimits(64))
	var got []Result
	for call, err := range f.CallsNamed(question, 0) {
		require.NoError(t, err)
		r, ok, err := f.ResultOf(call)
		require.NoError(t, err)
		require.True(t, ok, call.ID)
		got = append(got, r)
	}
	require.Len(t, got, 2)
	require.Equal(t, "one\ntwo", got[0].Text)
	require.True(t, got[0].IsError)
	require.Equal(t, "the answer", got[1].Text)
	require.False(t, got[1].IsError)
	require.True(t, got[1].Structured.Get("answers").Exists())

	f = inMemory(lines(called("a", question), said("a")), defaultLimits())
	for call := range f.CallsNamed(question, 0) {
		_, ok, err := f.ResultOf(call)
		require.NoError(t, err)
		require.False(t, ok, "no result at all")
	}
}

func TestOneRecordForSeveralResultsBelongsToNone(t *testing.T) {
	line, ok := parse(1, []byte(`{"type":"user","toolUseResult":"x","message":{"content":[{"type":"tool_result","tool_use_id":"a"},{"type":"tool_result","tool_use_id":"b"}]}}`))
	require.True(t, ok)
	require.False(t, line.Results()["a"].Structured.Exists())
}

// What the client really recorded (facts E.2).
func TestRecordedQuestionsAndResults_A9(t *testing.T) {
	cases := map[string][]string{
		"transcript-askuserquestion-option-freetext-esc.jsonl": {
			"The user doesn't want to proceed", "The user answered:", "Your questions have been answered:",
		},
		"transcript-askuserquestion-chat-and-multi.jsonl": {
			"Your questions have been answered:", "The user doesn't want to proceed",
		},
	}
	for name, want := range cases {
		f, err := Open(filepath.Join("../../testdata/payloads", name))
		require.NoError(t, err)
		var got []string
		for call, err := range f.CallsNamed(question, 0) {
			require.NoError(t, err)
			require.True(t, call.Input.Get("questions").IsArray())
			r, ok, err := f.ResultOf(call)
			require.NoError(t, err)
			require.True(t, ok)
			got = append(got, r.Text)
		}
		require.NoError(t, f.Close())
		require.Len(t, got, len(want))
		for i := range want {
			require.True(t, strings.HasPrefix(got[i], want[i]), got[i])
		}
	}
}

func TestFileThatIsCutOffWhileItIsReadIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.jsonl")
	require.NoError(t, os.WriteFile(path, lines(called("a", question), said("b")), 0o600))
	f, err := Open(path)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, os.Truncate(path, 10))
	_, err = f.Turn(1, nil)
	require.Error(t, err)
	for _, err := range f.CallsNamed(question, 0) {
		require.Error(t, err)
	}
	_, err = f.Since(0)
	require.Error(t, err)
}
