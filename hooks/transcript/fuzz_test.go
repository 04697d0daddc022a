package transcript

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever stands in the file, in blocks of whatever size: every line that a
// plain split finds is found from both ends, and nothing else is.
func FuzzTranscript(f *testing.F) {
	f.Add(lines(person("go"), said("ok"), called("a", question)), uint8(16), uint16(64))
	f.Add([]byte("\xef\xbb\xbf{\"type\":\"user\"}\r\n\n[1]\n{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"tool_use\""), uint8(3), uint16(9))
	f.Add(bytes.Repeat([]byte(`{"a":"\"\\u00e9é`), 50), uint8(1), uint16(40))
	f.Add(bytes.Repeat([]byte(`[{"AskUserQuestion"`), 50), uint8(200), uint16(300))
	f.Fuzz(func(t *testing.T, data []byte, block uint8, line uint16) {
		l := limits{block: int(block) + 1, line: int(line), text: int(line) / 8, slice: int64(len(data)) + 1}
		file := inMemory(data, l)
		fits := func(raw []byte) bool { return len(raw) <= l.line }

		var want []int64
		offset := int64(0)
		for raw := range bytes.SplitSeq(data, []byte("\n")) {
			if _, ok := parse(offset, raw); ok && fits(raw) {
				want = append(want, offset)
			}
			offset += int64(len(raw)) + 1
		}
		var backward []int64
		for line, err := range file.backward(nil) {
			require.NoError(t, err)
			if !line.Condensed {
				backward = append([]int64{line.Offset}, backward...)
			}
		}
		s, err := file.Since(0)
		require.NoError(t, err)
		var forward []int64
		for line, err := range s.Lines() {
			require.NoError(t, err)
			require.Less(t, line.Offset, s.End)
			if !line.Condensed {
				forward = append(forward, line.Offset)
			}
		}
		var whole []int64
		whole = append(whole, want...)
		if len(want) > 0 && want[len(want)-1] >= s.End {
			whole = append([]int64(nil), want[:len(want)-1]...)
		}
		require.Equal(t, want, backward)
		require.Equal(t, whole, forward)

		_, err = file.Turn(manyCharacters, nil)
		require.NoError(t, err)
		for call, err := range file.CallsNamed(question, 0) {
			require.NoError(t, err)
			_, _, err = file.ResultOf(call)
			require.NoError(t, err)
		}
	})
}

func FuzzInjectedSpans(f *testing.F) {
	for _, s := range []string{"a<system-reminder>b</system-reminder>c", "[Image: source: x]", "<LOCAL-command-stdout a=b>x</local-command-STDOUT>", "<system-reminder <", "İ<system-reminder>İ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) < 1<<10 { // longer attributes are not looked through
			require.Equal(t, refInjected.ReplaceAllString(s, ""), withoutInjected(s, false))
		}
		withoutInjected(s, true)
	})
}
