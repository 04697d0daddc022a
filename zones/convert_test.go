package zones

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// S16, Z: zones.json of context-guard becomes zones.toml.
func TestConvertJSON(t *testing.T) {
	out, err := ConvertJSON([]byte(`{
  "smart_max_used_percentage": 45.5,
  "acceptable_max_used_percentage": 7e1,
  "token_bands": {
    "1000000": { "smart_max_tokens": 250000, "acceptable_max_tokens": 450000 },
    "200000":  { "smart_max_tokens": 9e4, "acceptable_max_tokens": 150000.0, "note": "mine" }
  },
  "approach_margin": 5,
  "actions": { "dumb": { "action": "save-state" } },
  "evil\n[window]\n\"*\" = 1 #": true
}`))
	require.NoError(t, err)
	bands, notices := ParseBands(out)
	require.Empty(t, notices)
	require.Equal(t, Bands{
		SmartMaxPercent: 45.5, AcceptableMaxPercent: 70,
		Tokens: []TokenBand{{200_000, 90_000, 150_000}, {1_000_000, 250_000, 450_000}},
	}, bands)
	require.Contains(t, string(out), "smart_max_used_percentage      = 45.5\n")
	require.Contains(t, string(out), "[token_bands.200000]\nsmart_max_tokens      = 90_000\n")
	require.Contains(t, string(out), "# Left behind, since ctxguard has no such keys here: approach_margin, actions, \"evil")
}

func TestConvertJSONKeepsTheDefaultsCommentedOut(t *testing.T) {
	cases := map[string]struct {
		json  string
		wrong int // how many shapes were there and not right
	}{
		"nothing inside":              {`{}`, 0},
		"empty token bands":           {`{"token_bands":{}}`, 0},
		"one percentage":              {`{"smart_max_used_percentage":40}`, 1},
		"percentages as text":         {`{"smart_max_used_percentage":"40","acceptable_max_used_percentage":"60"}`, 1},
		"percentages beyond all":      {`{"smart_max_used_percentage":40,"acceptable_max_used_percentage":1e999}`, 1},
		"bands as a list":             {`{"token_bands":[1]}`, 1},
		"a row that is null":          {`{"token_bands":{"200000":null}}`, 1},
		"a row that is a list":        {`{"token_bands":{"200000":[1,2]}}`, 1},
		"a row that is a number":      {`{"token_bands":{"200000":5}}`, 1},
		"a class that is a word":      {`{"token_bands":{"big":{"smart_max_tokens":1,"acceptable_max_tokens":2}}}`, 1},
		"half a token":                {`{"token_bands":{"200000":{"smart_max_tokens":1.5,"acceptable_max_tokens":2}}}`, 1},
		"tokens beyond all":           {`{"token_bands":{"200000":{"smart_max_tokens":1,"acceptable_max_tokens":1e999}}}`, 1},
		"both wrong, as null":         {`{"token_bands":null,"smart_max_used_percentage":null}`, 2},
		"a byte order mark before it": {"\ufeff{}", 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out, err := ConvertJSON([]byte(c.json))
			require.NoError(t, err)
			bands, notices := ParseBands(out)
			require.Empty(t, notices)
			require.Equal(t, DefaultBands(), bands)
			require.Equal(t, c.wrong, strings.Count(string(out), "was not right"))
			require.NotContains(t, string(out), "Left behind")
		})
	}
}

func TestConvertJSONRefusesWhatIsNoObject(t *testing.T) {
	for data, want := range map[string]string{
		"":                                 "not JSON",
		"{":                                "not JSON",
		"[]":                               "holds no JSON object",
		"null":                             "holds no JSON object",
		"{\"a\":\"\xff\"}":                 "not UTF-8",
		strings.Repeat(" ", 70_000) + "{}": "larger than 64 KiB",
	} {
		_, err := ConvertJSON([]byte(data))
		require.ErrorContains(t, err, want)
	}
}
