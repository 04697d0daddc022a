package transcript

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func lines(list ...string) []byte { return []byte(strings.Join(list, "\n") + "\n") }

func person(text string) string {
	return fmt.Sprintf(`{"type":"user","message":{"role":"user","content":%q}}`, text)
}

func said(text string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"text","text":%q}]}}`, text)
}

func called(id, name string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":%q,"name":%q,"input":{}}]}}`, id, name)
}

func turnOf(t *testing.T, list ...string) Turn {
	t.Helper()
	turn, err := inMemory(lines(list...), defaultLimits()).Turn(manyCharacters, nil)
	require.NoError(t, err)
	return turn
}

// Each case is a user's line between two tool calls: it is the person's when
// only the second call is in the turn.
func TestTurnBeginsAfterThePersonsLastMessage_A13(t *testing.T) {
	content := func(c string) string { return `{"type":"user","message":{"content":` + c + `}}` }
	cases := map[string]struct {
		line   string
		person bool
	}{
		"plain text":                                  {person("go on"), true},
		"a text block":                                {content(`[{"type":"text","text":"go on"}]`), true},
		"an image":                                    {content(`[{"type":"image","source":{}}]`), true},
		"a slash command":                             {person("<command-name>/compact</command-name>\n<command-args></command-args>"), true},
		"text beside a tool result":                   {content(`[{"type":"tool_result","tool_use_id":"x","content":"y"},{"type":"text","text":"stop"}]`), true},
		"text after a reminder":                       {person("<system-reminder>x</system-reminder>\nnow do it"), true},
		"text before a command's output":              {person("see <local-command-stdout>x</local-command-stdout>"), true},
		"a reminder that is not closed":               {person("<system-reminder>x"), true},
		"another element of a similar name":           {person("<system-reminders>x</system-reminders>"), true},
		"an image's source with words":                {person("[Image: source: /a.png] what is this?"), true},
		"a source that is not closed":                 {person("[Image: source: /a.png"), true},
		"isMeta that is not true":                     {`{"type":"user","isMeta":"true","message":{"content":"go"}}`, true},
		"a row of the terminal":                       {`{"type":"user","rowSource":"local","message":{"content":"go"}}`, true},
		"a tool result alone":                         {content(`[{"type":"tool_result","tool_use_id":"x","content":"y"}]`), false},
		"an image inside a tool result":               {content(`[{"type":"tool_result","content":[{"type":"image"}]}]`), false},
		"isMeta":                                      {`{"type":"user","isMeta":true,"message":{"content":"go"}}`, false},
		"an image that is meta":                       {`{"type":"user","isMeta":true,"message":{"content":[{"type":"image"}]}}`, false},
		"a row of a hook":                             {`{"type":"user","rowSource":"hook","message":{"content":"go"}}`, false},
		"a row of the harness":                        {`{"type":"user","rowSource":"harness","message":{"content":"go"}}`, false},
		"a compaction's summary":                      {`{"type":"user","isCompactSummary":true,"message":{"content":"go"}}`, false},
		"a subagent's brief":                          {`{"type":"user","isSidechain":true,"message":{"content":"go"}}`, false},
		"a reminder alone":                            {person(" <system-reminder>\nx\n</system-reminder>\n"), false},
		"a reminder in capitals with attributes":      {person(`<System-Reminder kind="a">x</SYSTEM-REMINDER>`), false},
		"a command's caveat, output and error output": {person("<local-command-caveat>a</local-command-caveat><local-command-stdout>b</local-command-stdout> <local-command-stderr>c</local-command-stderr>"), false},
		"where an image came from":                    {person("[Image: source: /a b.png]"), false},
		"a task's notification":                       {person("\n<task-notification>\n<task-id>1</task-id>"), false},
		"the note of an interruption":                 {content(`[{"type":"text","text":"[Request interrupted by user for tool use]"}]`), false},
		"white space":                                 {person(" \n\t"), false},
		"no content":                                  {`{"type":"user","message":{}}`, false},
		"an assistant's words":                        {said("go on"), false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			want := 2
			if c.person {
				want = 1
			}
			require.Equal(t, want, turnOf(t, called("a", "Bash"), c.line, called("b", "Bash")).ToolCalls)
		})
	}
}

func TestWithoutAnyMessageTheWholeTranscriptIsTheTurn_A13(t *testing.T) {
	require.Equal(t, Turn{ToolCalls: 2, Visible: 3}, turnOf(t, called("a", "Bash"), said("abc"), called("b", "Read")))
	require.Equal(t, Turn{}, turnOf(t))
}

func TestVisibleTextIsTrimmedAndCountedInCodePoints_A12(t *testing.T) {
	require.Equal(t, 5, turnOf(t, said("  größe \n")).Visible)
	require.Equal(t, 2, turnOf(t, said("👍"), said("é")).Visible)
	require.Zero(t, turnOf(t,
		`{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"long","text":"long"}]}}`,
		`{"type":"assistant","isSidechain":true,"message":{"content":[{"type":"text","text":"a subagent's"}]}}`).Visible)
}

func TestCallsOfTheTurnButTheOneInFlight_A14(t *testing.T) {
	siblings := `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a"},{"type":"tool_use","id":"b"},{"type":"tool_use","id":"c"}]}}`
	f := inMemory(lines(person("x"), called("a", "Bash"), siblings), defaultLimits())
	turn, err := f.Turn(manyCharacters, func(c Call) bool { return c.ID == "a" })
	require.NoError(t, err)
	require.Equal(t, 3, turn.ToolCalls, "only the newest of the calls that look like it is left out")
}

func TestOnlyTextAfterTheLastCompactionIsVisible_A15(t *testing.T) {
	boundary := `{"type":"system","subtype":"compact_boundary"}`
	got := turnOf(t, person("x"), said("before"), called("a", "Bash"), boundary, said("after"), called("b", "Bash"))
	require.Equal(t, Turn{ToolCalls: 2, Visible: 5}, got)
}

func TestReadingStopsWhereEnoughWasSeen(t *testing.T) {
	f := inMemory(lines(person("x"), called("a", "Bash"), said("enough")), defaultLimits())
	turn, err := f.Turn(6, nil)
	require.NoError(t, err)
	require.Equal(t, Turn{Visible: 6}, turn)
}

func TestBadLinesArePassedOverOneByOne_A17(t *testing.T) {
	bad := []string{
		`{"type":"user","message":{"content":"cut of`, `["user"]`, `"user"`, `null`, `12`, "", "   ", "\r",
		`{"type":"user"}}`, "{\"type\":\"user\",\"message\":{\"content\":\"\x01\"}}", "user\u2028{}", strings.Repeat(`{"user":`, 400_000),
	}
	for _, b := range bad {
		got := turnOf(t, called("a", "Bash"), b, said("ok"))
		require.Equal(t, Turn{ToolCalls: 1, Visible: 2}, got, "%.40q", b)
	}
}

// A validator that recurses is not handed thousands of brackets.
func TestLinesNestedTooDeepArePassedOver_A17(t *testing.T) {
	nested := func(n int) []byte {
		return []byte(`{"a":"[[[{\"{","b":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}`)
	}
	_, ok := parse(0, nested(maxNesting-1))
	require.True(t, ok)
	_, ok = parse(0, nested(maxNesting))
	require.False(t, ok)
	_, ok = parse(0, []byte(`{"a":"`+strings.Repeat("[{", 2*maxNesting)+`"}`))
	require.True(t, ok, "brackets in a text are no nesting")
}

func TestOddBytesAreSurvived_A17(t *testing.T) {
	t.Run("a byte order mark and CRLF", func(t *testing.T) {
		data := "\xef\xbb\xbf" + called("a", "Bash") + "\r\n" + person("x") + "\r\n" + called("b", "Bash") + "\r\n"
		turn, err := inMemory([]byte(data), defaultLimits()).Turn(manyCharacters, nil)
		require.NoError(t, err)
		require.Equal(t, 1, turn.ToolCalls)
		data = "\xef\xbb\xbf" + person("x") + "\n" + said("seen")
		turn, err = inMemory([]byte(data), defaultLimits()).Turn(manyCharacters, nil)
		require.NoError(t, err)
		require.Equal(t, Turn{Visible: 4}, turn)
	})
	t.Run("bytes that are no UTF-8", func(t *testing.T) {
		require.Equal(t, 3, turnOf(t, strings.Replace(said("aZb"), "Z", "\xff", 1)).Visible)
	})
	t.Run("only a newline ends a line", func(t *testing.T) {
		require.Equal(t, 5, turnOf(t, strings.Replace(said("aZb Zc"), "Z", "\u2028", 1)).Visible-1)
	})
	t.Run("a cut last line", func(t *testing.T) {
		data := said("whole") + "\n" + said("cut off here")[:60]
		turn, err := inMemory([]byte(data), defaultLimits()).Turn(manyCharacters, nil)
		require.NoError(t, err)
		require.Equal(t, 5, turn.Visible)
	})
	t.Run("a last line without its line end", func(t *testing.T) {
		turn, err := inMemory([]byte(said("whole")), defaultLimits()).Turn(manyCharacters, nil)
		require.NoError(t, err)
		require.Equal(t, 5, turn.Visible)
	})
}

// Thousands of openings that nobody closes must not take the time of their square.
func TestUnclosedSpansTakeLinearTime(t *testing.T) {
	for _, opening := range []string{"<system-reminder>", "<system-reminder ", "[Image: source:", "<", "<local-command-stdout>>"} {
		text := strings.Repeat(opening, 900_000/len(opening))
		require.Equal(t, text, withoutInjected(text, false))
		require.True(t, isOwnText(text+"</system-reminder>", false) || opening == "<system-reminder>")
	}
}
