package question

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSummaryTellsAskedFromDecided(t *testing.T) {
	s := newSession(t)
	yes, no := true, false
	list := []Record{
		{QuestionID: "b", Source: SourceHook, Choice: "x"},
		{QuestionID: "a", Summary: "old", Source: SourceHook, Followed: &yes},
		{QuestionID: "a", Source: SourceOther, Followed: &no},
		{QuestionID: "a", Source: SourceAutoDecided, Followed: &yes},
		{QuestionID: "a", Summary: "new", Time: "2026-11-30T05:00:00Z", Source: SourceHook, Choice: noChoice},
	}
	require.NoError(t, os.MkdirAll(s.home.Dir(), 0o700))
	require.NoError(t, appendRecords(s.event([]byte(askEvent(nativeTool, "x"))), list))
	require.NoError(t, os.WriteFile(s.home.Path(AnswersFile+".1"), []byte("{\"question_id\":\"c\",\"source\":\"hook\"}\nnot a line\n{}\n"), 0o600))
	read, err := Records(s.home)
	require.NoError(t, err)
	require.Len(t, read, 6)
	require.Equal(t, []Tally{
		{QuestionID: "a", Summary: "new", Asked: 3, Decided: 1, Compared: 2, Followed: 1, OwnWords: 1, Unanswered: 1, Last: "2026-11-30T05:00:00Z"},
		{QuestionID: "c", Asked: 1},
		{QuestionID: "b", Asked: 1},
	}, Summarise(read))
}
