package transcript

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"
)

func condensed(t *testing.T, line string, l limits) (string, bool) {
	t.Helper()
	buf := make([]byte, l.block)
	out, ok, err := condense(strings.NewReader(line), buf, l)
	require.NoError(t, err)
	return string(out), ok
}

func TestLongLinesAreCondensedNotLost_A17(t *testing.T) {
	l := limits{block: 61, line: 4 << 10, text: 100}
	big := strings.Repeat("0123456789", 2_000)
	list := "[" + strings.Repeat(`{"a":[1,2]},`, 2_000) + "1]"
	cases := map[string]struct{ line, want string }{
		"a short line stays as it is": {`{"a": [1, "b\\\"", {}], "c": null}`, `{"a": [1, "b\\\"", {}], "c": null}`},
		"a long text loses its end":   {`{"type":"assistant","t":"` + big + `","z":1}`, `{"type":"assistant","t":"` + big[:100] + `","z":1}`},
		"a large input becomes null": {
			`{"message":{"content":[{"type":"tool_use","input":{"edits":` + list + `},"id":"x"}]},"type":"assistant"}`,
			`{"message":{"content":[{"type":"tool_use","input":null,"id":"x"}]},"type":"assistant"}`,
		},
		"a large record becomes null": {
			`{"toolUseResult":{"files":` + list + `},"type":"user"}`, `{"toolUseResult":{"files":null},"type":"user"}`,
		},
		"many blocks, none of them large": {
			`{"message":{"content":[` + strings.Repeat(`{"type":"text","text":"a"},`, 999) + `{}]},"type":"user"}`,
			`{"message":{"content":null},"type":"user"}`,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, ok := condensed(t, c.line, l)
			require.True(t, ok)
			require.Equal(t, c.want, got)
		})
	}
	for name, line := range map[string]string{
		"members without end":      `{` + strings.Repeat(`"a":1,`, 2_000) + `"b":2}`,
		"a number without end":     `{"a":` + strings.Repeat("1", 9_000) + `}`,
		"brackets that never open": strings.Repeat("}", 9_000),
		"white space without end":  strings.Repeat(" ", 9_000),
	} {
		t.Run(name, func(t *testing.T) {
			_, ok := condensed(t, line, l)
			require.False(t, ok)
		})
	}
}

// Wherever the bound falls, a text is cut between two whole characters.
func TestTextsAreCutBetweenCharacters(t *testing.T) {
	for _, part := range []string{`\n`, `\\`, `\"`, `\u00e9`, `\ud83d\udc4d`, "é", "€", "👍", "a"} {
		for text := 1; text < 40; text++ {
			for _, block := range []int{1, 3, 1 << 10} {
				line := `{"t":"` + strings.Repeat(part, 60) + `"}`
				got, ok := condensed(t, line, limits{block: block, line: 4 << 10, text: text})
				require.True(t, ok)
				name := fmt.Sprintf("%s, bound %d, block %d: %s", part, text, block, got)
				require.True(t, gjson.Valid(got), name)
				require.True(t, utf8.ValidString(got), name)
				kept := gjson.Get(got, "t").Raw
				require.True(t, strings.HasPrefix(line, `{"t":`+strings.TrimSuffix(kept, `"`)), name)
				require.LessOrEqual(t, len(kept), text+2, name)
				require.Greater(t, len(kept), text-len(`\u00e9`), name)
			}
		}
	}
}

// What a guard asks of a line does not depend on whether the line was short
// enough to be held.
func TestLongLinesOfEachKindAreUnderstood_A17(t *testing.T) {
	l := limits{block: 512, line: 4 << 10, text: 300, slice: 1 << 30}
	big := strings.Repeat(`<system-reminder> \"x\" \n{`, 3_000)
	turn := func(list ...string) Turn {
		got, err := inMemory(lines(list...), l).Turn(manyCharacters, nil)
		require.NoError(t, err)
		return got
	}
	block := func(kind, b string) string {
		return `{"type":"` + kind + `","message":{"content":[` + b + `]},"toolUseResult":{"stdout":"` + big + `"}}`
	}
	call := called("a", "Bash")
	require.Equal(t, 1, turn(call, person(strings.Repeat("pasted ", 9_000)), call).ToolCalls, "a person's long message")
	require.Equal(t, 1, turn(call, block("user", `{"type":"image","source":{"data":"`+big+`"}}`), call).ToolCalls, "an image")
	require.Equal(t, 2, turn(call, block("user", `{"type":"tool_result","content":"`+big+`"}`), call).ToolCalls, "a long result")
	require.Equal(t, 2, turn(call, block("user", `{"type":"text","text":"<system-reminder>`+strings.Repeat("x", 9_000)+`</system-reminder>"}`), call).ToolCalls, "a long reminder")
	require.Equal(t, 2, turn(call, block("assistant", `{"type":"tool_use","id":"b","name":"Write","input":{"content":"`+big+`"}}`)).ToolCalls, "a long input")
	require.GreaterOrEqual(t, turn(call, said(strings.Repeat("z", 9_000))).Visible, 200, "a long text")
	require.Equal(t, Turn{ToolCalls: 1, Visible: 1}, turn(said("before"), `{"type":"system","subtype":"compact_boundary","x":"`+big+`"}`, call, said("a")), "a long boundary")
}
