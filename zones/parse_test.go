package zones

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Z: the percentages, both or neither.
func TestParsePercentages(t *testing.T) {
	cases := map[string]struct {
		toml   string
		smart  float64 // 0: the defaults, with a notice
		wants  float64
		notice string
	}{
		"whole numbers":     {"smart_max_used_percentage = 40\nacceptable_max_used_percentage = 60", 40, 60, ""},
		"floats":            {"smart_max_used_percentage = 40.5\nacceptable_max_used_percentage = 1e2", 40.5, 100, ""},
		"only the first":    {"smart_max_used_percentage = 40", 0, 0, "acceptable_max_used_percentage is missing"},
		"only the second":   {"acceptable_max_used_percentage = 60", 0, 0, "smart_max_used_percentage is missing"},
		"inverted":          {"smart_max_used_percentage = 60\nacceptable_max_used_percentage = 40", 0, 0, "0 < smart < acceptable"},
		"equal":             {"smart_max_used_percentage = 60\nacceptable_max_used_percentage = 60", 0, 0, "0 < smart < acceptable"},
		"zero":              {"smart_max_used_percentage = 0\nacceptable_max_used_percentage = 60", 0, 0, "0 < smart < acceptable"},
		"negative":          {"smart_max_used_percentage = -1\nacceptable_max_used_percentage = 60", 0, 0, "0 < smart < acceptable"},
		"above a hundred":   {"smart_max_used_percentage = 40\nacceptable_max_used_percentage = 100.1", 0, 0, "0 < smart < acceptable"},
		"nan":               {"smart_max_used_percentage = nan\nacceptable_max_used_percentage = 60", 0, 0, "0 < smart < acceptable"},
		"nan as the second": {"smart_max_used_percentage = 40\nacceptable_max_used_percentage = nan", 0, 0, "0 < smart < acceptable"},
		"inf":               {"smart_max_used_percentage = 40\nacceptable_max_used_percentage = inf", 0, 0, "0 < smart < acceptable"},
		"text":              {"smart_max_used_percentage = \"40\"\nacceptable_max_used_percentage = 60", 0, 0, "smart_max_used_percentage is text"},
		"a list":            {"smart_max_used_percentage = 40\nacceptable_max_used_percentage = [60]", 0, 0, "acceptable_max_used_percentage is a list"},
		"a truth value":     {"smart_max_used_percentage = true\nacceptable_max_used_percentage = 60", 0, 0, "is a truth value"},
		"a date":            {"smart_max_used_percentage = 2026-01-01\nacceptable_max_used_percentage = 60", 0, 0, "is a date or time"},
		"a table":           {"acceptable_max_used_percentage = 60\n[smart_max_used_percentage]\na = 1", 0, 0, "is a table"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			bands, notices := ParseBands([]byte(c.toml))
			want := DefaultBands()
			if c.notice == "" {
				want.SmartMaxPercent, want.AcceptableMaxPercent = c.smart, c.wants
				require.Empty(t, notices)
			} else {
				require.Len(t, notices, 1)
				require.Equal(t, "percentages", notices[0].Key)
				require.Contains(t, notices[0].Text, c.notice)
				require.Contains(t, notices[0].Text, "the built-in percentages 50 and 75 are used")
			}
			require.Equal(t, want, bands)
		})
	}
}

// Z: the token table, right or wrong as a whole.
func TestParseTokenBands(t *testing.T) {
	const good = "[token_bands.200000]\nsmart_max_tokens = 90_000\nacceptable_max_tokens = 150_000\n"
	right := map[string]struct {
		toml string
		want []TokenBand
	}{
		"one row replaces the table": {good, []TokenBand{{200_000, 90_000, 150_000}}},
		"rows are sorted by class as numbers": {"[token_bands]\n" +
			"1000000 = {smart_max_tokens = 1, acceptable_max_tokens = 1_000_000}\n" +
			"200000 = {smart_max_tokens = 2, acceptable_max_tokens = 3}\n" +
			"99 = {smart_max_tokens = 4, acceptable_max_tokens = 5}",
			[]TokenBand{{99, 4, 5}, {200_000, 2, 3}, {1_000_000, 1, 1_000_000}}},
		"floats that are whole": {"[token_bands.\"200000\"]\nsmart_max_tokens = 1e5\nacceptable_max_tokens = 160000.0",
			[]TokenBand{{200_000, 100_000, 160_000}}},
		"dotted keys": {"token_bands.200000.smart_max_tokens = 5\ntoken_bands.200000.acceptable_max_tokens = 0x10",
			[]TokenBand{{200_000, 5, 16}}},
		"an empty table is none": {"[token_bands]", DefaultBands().Tokens},
		"no table":               {"", DefaultBands().Tokens},
	}
	for name, c := range right {
		t.Run(name, func(t *testing.T) {
			bands, notices := ParseBands([]byte(c.toml))
			require.Empty(t, notices)
			want := DefaultBands()
			want.Tokens = c.want
			require.Equal(t, want, bands)
		})
	}

	row := func(class, smart, acceptable string) string {
		return fmt.Sprintf("[token_bands.%s]\nsmart_max_tokens = %s\nacceptable_max_tokens = %s\n", class, smart, acceptable)
	}
	wrong := map[string]struct{ toml, notice string }{
		"a class that is a word":       {row("big", "1", "2"), "token_bands.big: the class"},
		"a class with an underscore":   {row("200_000", "1", "2"), "the class"},
		"a class with a sign":          {row(`"+200000"`, "1", "2"), "the class"},
		"a class with a leading zero":  {row("0200000", "1", "2"), "the class"},
		"a class that is zero":         {row("0", "1", "2"), "the class"},
		"a negative class":             {row("-5", "1", "2"), "the class"},
		"a class beyond int64":         {row("99999999999999999999", "1", "2"), "the class"},
		"a class beyond every window":  {row("9007199254740993", "1", "2"), "the class"},
		"an empty class":               {row(`""`, "1", "2"), "the class"},
		"inverted":                     {row("200000", "2", "1"), "0 < smart < acceptable <= 200000"},
		"equal":                        {row("200000", "2", "2"), "0 < smart < acceptable <= 200000"},
		"zero":                         {row("200000", "0", "2"), "0 < smart < acceptable"},
		"negative":                     {row("200000", "-3", "2"), "0 < smart < acceptable"},
		"above the class":              {row("200000", "1", "200001"), "0 < smart < acceptable <= 200000"},
		"text":                         {row("200000", `"1"`, "2"), "smart_max_tokens is text"},
		"a fraction":                   {row("200000", "1.5", "2"), "smart_max_tokens is 1.5"},
		"nan":                          {row("200000", "1", "nan"), "acceptable_max_tokens is NaN"},
		"inf":                          {row("200000", "1", "inf"), "acceptable_max_tokens is +Inf"},
		"a float beyond every window":  {row("200000", "1", "1e300"), "acceptable_max_tokens is 1e+300"},
		"one bound missing":            {"[token_bands.200000]\nsmart_max_tokens = 5", "acceptable_max_tokens is missing"},
		"a row that is a number":       {"[token_bands]\n200000 = 5", "token_bands.200000 is 5, not a table"},
		"a table that is a list":       {"[[token_bands]]\nx = 1", "token_bands is a list, not a table"},
		"a table that is text":         {`token_bands = "200000"`, "token_bands is text, not a table"},
		"one wrong row beside a right": {good + row("1000000", "5", "4"), "token_bands.1000000"},
	}
	for name, c := range wrong {
		t.Run(name, func(t *testing.T) {
			bands, notices := ParseBands([]byte("smart_max_used_percentage = 30\nacceptable_max_used_percentage = 40\n" + c.toml))
			require.Equal(t, DefaultBands().Tokens, bands.Tokens)
			require.Equal(t, 30.0, bands.SmartMaxPercent, "the other shape is untouched")
			require.Equal(t, "token-bands", notices[0].Key)
			require.Contains(t, notices[0].Text, c.notice)
			require.Contains(t, notices[0].Text, "the built-in token bands are used (class 200000: 100000 and 160000, class 1000000: 200000 and 400000)")
		})
	}
}

// Of several faults always the same one is told, or a notice that is shown once
// would be shown again.
func TestTheSameFaultIsToldEachTime(t *testing.T) {
	data := []byte("[token_bands]\na = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\n")
	for range 50 {
		_, notices := ParseBands(data)
		require.Len(t, notices, 1)
		require.Contains(t, notices[0].Text, "token_bands.a:")
	}
}

// Z: [window], in the order of the file.
func TestParseWindows(t *testing.T) {
	bands, notices := ParseBands([]byte(`
[window]
"z*" = 1_000_000
"claude-opus-5.5" = 5e5
a = 200000
`))
	require.Empty(t, notices)
	require.Equal(t, []WindowRule{{"z*", 1_000_000}, {"claude-opus-5.5", 500_000}, {"a", 200_000}}, bands.Windows)

	bands, notices = ParseBands([]byte(`window = { "b*" = 7, a = 8 }`))
	require.Empty(t, notices)
	require.Equal(t, []WindowRule{{"b*", 7}, {"a", 8}}, bands.Windows)

	wrong := map[string]string{
		`"" = 5`:                "an empty glob",
		`x = "5"`:               "the size is text",
		`x = 1.5`:               "the size is 1.5",
		`x = 0`:                 "not a possible number",
		`x = -200000`:           "not a possible number",
		`x = 9007199254740993`:  "not a possible number",
		`x = nan`:               "the size is NaN",
		`claude-opus-5.5 = 200`: "a glob with a dot in it needs quotes",
	}
	for line, notice := range wrong {
		t.Run(line, func(t *testing.T) {
			bands, notices := ParseBands([]byte("[window]\nfirst = 1\n" + line + "\n\"last*\" = 2\n"))
			require.Equal(t, []WindowRule{{"first", 1}, {"last*", 2}}, bands.Windows, "the right ones stay")
			require.Len(t, notices, 1)
			require.Contains(t, notices[0].Key, "window/")
			require.Contains(t, notices[0].Text, notice)
			require.Contains(t, notices[0].Text, "the entry is ignored")
		})
	}
	_, notices = ParseBands([]byte("[window]\nclaude-5.5 = 1\nclaude-5.6 = 2\n"))
	require.Len(t, notices, 1, "one notice for one entry, however deep it goes")
	bands, notices = ParseBands([]byte("window = 5"))
	require.Equal(t, DefaultBands(), bands)
	require.Contains(t, notices[0].Text, "window is 5, not a table")
}

// Z: an unknown key is noticed and otherwise ignored.
func TestUnknownKeysAreNoticed(t *testing.T) {
	bands, notices := ParseBands([]byte(`
smart_max_used_percent = 10
"Smart_Max_Used_Percentage" = 10
"with\nnewline" = 1
[token_bands.200000]
smart_max_tokens = 1
acceptable_max_tokens = 2
note.deep = "x"
[windows]
a.b.c = 1
`))
	want := DefaultBands()
	want.Tokens = []TokenBand{{200_000, 1, 2}}
	require.Equal(t, want, bands)
	require.Equal(t, []Notice{{
		Key:  "unknown-keys",
		Text: `zones.toml: unknown: smart_max_used_percent, Smart_Max_Used_Percentage, "with\nnewline", token_bands.200000.note, windows; ignored`,
	}}, notices)

	_, notices = ParseBands([]byte("a=1\nb=1\nc=1\nd=1\ne=1\nf=1\ng=1"))
	require.Equal(t, "zones.toml: unknown: a, b, c, d, e and 2 more; ignored", notices[0].Text)
}

// Z: a file that is not TOML falls back for both shapes.
func TestNotTOML(t *testing.T) {
	cases := map[string]struct{ data, notice string }{
		"a broken line":       {"smart_max_used_percentage = 40\nacceptable_max_used_percentage = \n", "line 2 is not TOML"},
		"json":                {`{"smart_max_used_percentage": 40}`, "line 1 is not TOML"},
		"a key twice":         {"smart_max_used_percentage = 40\nsmart_max_used_percentage = 41", "is not TOML"},
		"a table twice":       {"[window]\na = 1\n[window]\nb = 2", "is not TOML"},
		"a bare glob":         {"[window]\nclaude-* = 1", "line 2 is not TOML"},
		"latin-1":             {"# caf\xe9\nsmart_max_used_percentage = 40", "the file is not UTF-8"},
		"utf-16":              {"\xff\xfes\x00m\x00", "the file is not UTF-8"},
		"utf-16 without mark": {"s\x00m\x00", "is not TOML"},
		"too large":           {strings.Repeat("# filler\n", 10_000), "the file is larger than 64 KiB"},
		"deep nesting":        {"a = " + strings.Repeat("[", 60_000), "is not TOML"},
		"an integer overflow": {"smart_max_used_percentage = 99999999999999999999", "is not TOML"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			bands, notices := ParseBands([]byte(c.data))
			require.Equal(t, DefaultBands(), bands)
			require.Len(t, notices, 1)
			require.Equal(t, "syntax", notices[0].Key)
			require.Contains(t, notices[0].Text, c.notice)
			require.Contains(t, notices[0].Text, "the built-in percentages and token bands are used")
			requireOneLine(t, notices[0].Text)
		})
	}
}

// Z: a missing shape is silent, and so is how the file was saved.
func TestSilentFiles(t *testing.T) {
	const text = "# bands\nsmart_max_used_percentage = 40\nacceptable_max_used_percentage = 60\n[window]\na = 5\n"
	want, notices := ParseBands([]byte(text))
	require.Empty(t, notices)
	for name, data := range map[string]string{
		"a byte order mark":     "\ufeff" + text,
		"CRLF":                  strings.ReplaceAll(text, "\n", "\r\n"),
		"both":                  "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n"),
		"no newline at the end": strings.TrimSuffix(text, "\n"),
	} {
		bands, notices := ParseBands([]byte(data))
		require.Empty(t, notices, name)
		require.Equal(t, want, bands, name)
	}
	for _, data := range []string{"", "\n\n", "# nothing", "\ufeff", Seed, strings.ReplaceAll(Seed, "\n", "\r\n")} {
		bands, notices := ParseBands([]byte(data))
		require.Empty(t, notices)
		require.Equal(t, DefaultBands(), bands)
	}
}

// The seed shows the very defaults: uncommented, it changes nothing.
func TestSeedShowsTheDefaults(t *testing.T) {
	key := regexp.MustCompile(`(?m)^# (\[.*\]|\w+ += [0-9_]+|"claude-fable-5\*" = [0-9_]+)$`)
	require.Len(t, key.FindAllString(Seed, -1), 10)
	bands, notices := ParseBands([]byte(key.ReplaceAllString(Seed, "$1")))
	require.Empty(t, notices)
	want := DefaultBands()
	want.Windows = []WindowRule{{"claude-fable-5*", 1_000_000}}
	require.Equal(t, want, bands)
	for _, line := range strings.Split(Seed, "\n") {
		require.LessOrEqual(t, len(line), 84, line)
	}
}

// Bands are kept in a cache as JSON and must come back the same.
func TestBandsSurviveJSON(t *testing.T) {
	odd, notices := ParseBands([]byte("smart_max_used_percentage = 33.3\nacceptable_max_used_percentage = 66.7\n" +
		"[token_bands.9007199254740992]\nsmart_max_tokens = 9007199254740990\nacceptable_max_tokens = 9007199254740991\n" +
		"[window]\n\"<é>*\" = 9007199254740992"))
	require.Empty(t, notices)
	for _, bands := range []Bands{DefaultBands(), odd} {
		raw, err := json.Marshal(bands)
		require.NoError(t, err)
		var back Bands
		require.NoError(t, json.Unmarshal(raw, &back))
		require.Equal(t, bands, back)
		require.True(t, back.Valid())
	}
}

func requireOneLine(t testing.TB, text string) {
	t.Helper()
	for _, c := range text {
		require.False(t, c < ' ' || c == 0x7f, "a control character in %q", text)
	}
	require.Less(t, len(text), 700)
}
