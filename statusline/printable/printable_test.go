package printable_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"ctxguard/statusline/printable"
)

func TestLineLeavesNothingThatSteersATerminal(t *testing.T) {
	for in, want := range map[string]string{
		"":                                     "",
		"plain text, 100 %":                    "plain text, 100 %",
		"\x1b[31mred\x1b[0m":                   "[31mred[0m",
		"\x1b]0;title\x07":                     "]0;title",
		"\x1b]52;c;aGk=\x1b\\":                 `]52;c;aGk=\`,
		"\u009b2J\u009d0;x\u009c":              "2J0;x",
		"a\rb\nc\td\be\x7f\x00":                "abcde",
		"right\u202eto\u2066left\u2069\u200f":  "righttoleft",
		"no\u2028line\u2029end":                "nolineend",
		"tag\U000e0041s \ufeffand \u200bspace": "tags and space",
		"bad \xff\xfe bytes":                   "bad  bytes",
		"Grüße, 世界, עברית, e\u0301":            "Grüße, 世界, עברית, e\u0301",
	} {
		require.Equal(t, want, printable.Line(in), "%q", in)
	}
}

func TestTextKeepsLinesAndJoiners(t *testing.T) {
	require.Equal(t, "a\n\tb 👩\u200d💻 می\u200cخواهم", printable.Text("a\r\n\tb 👩\u200d💻 می\u200cخواهم\x1b\u009b\u202e\ufeff"))
}

func TestJSONMeansTheSame(t *testing.T) {
	text := "a\x1b\u009b31m\x7f\u202e\u2028\U000e0041 עברית 👩\u200d💻 <&>\n\""
	raw, err := json.MarshalIndent(map[string]string{"k": text}, "", "\t")
	require.NoError(t, err)
	escaped := printable.JSON(raw)
	var back map[string]string
	require.NoError(t, json.Unmarshal(escaped, &back))
	require.Equal(t, text, back["k"])
	for _, r := range string(escaped) {
		require.True(t, r == '\n' || r == '\t' || unicode.IsPrint(r), "%U", r)
	}
}

// Whatever character it is: no control and no turn of direction is left. What lies
// above the planes of scripts is not assigned.
func TestEveryCharacter(t *testing.T) {
	steers := func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
	for r := rune(0); r <= 0x20000; r++ {
		s := "x" + string(r) + "y"
		if line := printable.Line(s); strings.ContainsFunc(line, steers) {
			t.Errorf("%U is left in a line", r)
		}
		text := strings.NewReplacer("\n", "", "\t", "").Replace(printable.Text(s))
		if strings.ContainsFunc(text, steers) {
			t.Errorf("%U is left in a text", r)
		}
	}
}
