package transcript

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func sliceTypes(t *testing.T, s Slice) []string {
	t.Helper()
	var types []string
	for line, err := range s.Lines() {
		require.NoError(t, err)
		types = append(types, text(line.JSON.Get("type")))
	}
	return types
}

func TestSliceBeginsAtTheOffset_C3(t *testing.T) {
	a, b, c := `{"type":"a"}`+"\n", `{"type":"b"}`+"\n", `{"type":"c"}`+"\n"
	for _, block := range []int{1, 5, 1 << 10} {
		f := inMemory([]byte(a+b+c), smallLimits(block))
		s, err := f.Since(int64(len(a)))
		require.NoError(t, err)
		require.Equal(t, []string{"b", "c"}, sliceTypes(t, s))
		require.Equal(t, f.Size(), s.End)
		require.Equal(t, int64(len(a)), s.Start)

		s, err = f.Since(s.End)
		require.NoError(t, err)
		require.Empty(t, sliceTypes(t, s), "nothing new")
		require.Equal(t, f.Size(), s.End)
	}
}

func TestOffsetPastTheEndMeansAnotherFile_C2(t *testing.T) {
	f := inMemory(lines(`{"type":"a"}`), defaultLimits())
	for _, offset := range []int64{f.Size() + 1, 1 << 40, -1} {
		s, err := f.Since(offset)
		require.NoError(t, err)
		require.Zero(t, s.Start)
		require.Equal(t, []string{"a"}, sliceTypes(t, s))
	}
}

func TestIncompleteLastLineBelongsToTheNextRound_C7(t *testing.T) {
	whole := `{"type":"a"}` + "\n"
	for _, rest := range []string{`{"type":"b"}`, `{"type":"b`, strings.Repeat("x", 9_000)} {
		s, err := inMemory([]byte(whole+rest), smallLimits(64)).Since(0)
		require.NoError(t, err)
		require.Equal(t, []string{"a"}, sliceTypes(t, s))
		require.Equal(t, int64(len(whole)), s.End)

		after := inMemory([]byte(whole+rest+"\n"+`{"type":"c"}`+"\n"), smallLimits(64))
		s, err = after.Since(s.End)
		require.NoError(t, err)
		require.Contains(t, sliceTypes(t, s), "c")
	}
	s, err := inMemory([]byte(`{"type":"b"`), defaultLimits()).Since(0)
	require.NoError(t, err)
	require.Zero(t, s.End, "not one whole line yet")
}

func TestOfALongSliceTheEndIsRead_C3(t *testing.T) {
	l := smallLimits(16)
	l.slice = 30
	data := lines(`{"type":"a"}`, `{"type":"b"}`, `{"type":"c"}`, `{"type":"d"}`)
	s, err := inMemory(data, l).Since(0)
	require.NoError(t, err)
	require.Equal(t, int64(len(data)), s.End)
	require.Equal(t, s.End-30, s.Start)
	require.Equal(t, []string{"c", "d"}, sliceTypes(t, s), "the line that was cut into is passed over")
	require.EqualValues(t, 64<<20, defaultLimits().slice)
}

func TestLongLinesInASliceKeepWhatMatters_C4(t *testing.T) {
	big := strings.Repeat("x", 20_000)
	data := lines(
		`{"type":"assistant","timestamp":"2026-11-30T02:38:00Z","message":{"content":[{"type":"tool_use","id":"t1","name":"Write","input":{"content":"`+big+`","file_path":"/p/a.go"}}]}}`,
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"`+big+`"}]}}`,
		`{"type":"last"}`)
	for _, block := range []int{50, 1 << 10, 1 << 20} {
		s, err := inMemory(data, smallLimits(block)).Since(0)
		require.NoError(t, err)
		var seen []Line
		for line, err := range s.Lines() {
			require.NoError(t, err)
			seen = append(seen, line)
		}
		require.Len(t, seen, 3)
		call := seen[0].Calls()[0]
		require.Equal(t, "Write", call.Name)
		require.Equal(t, "/p/a.go", call.Input.Get("file_path").Str)
		require.Equal(t, "2026-11-30T02:38:00Z", seen[0].JSON.Get("timestamp").Str)
		require.True(t, seen[1].Results()["t1"].IsError)
		require.True(t, seen[1].Condensed)
		require.False(t, seen[2].Condensed)
	}
}

func TestSliceCanBeLeftEarly(t *testing.T) {
	s, err := inMemory(lines(`{"a":1}`, `{"a":2}`), defaultLimits()).Since(0)
	require.NoError(t, err)
	for line := range s.Lines() {
		require.EqualValues(t, 1, line.JSON.Get("a").Int())
		break
	}
}
