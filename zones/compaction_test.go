package zones

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// X6, facts G.2: where the client compacts by itself.
func TestCompactionPoint(t *testing.T) {
	const opus, sonnet = "claude-opus-5-5", "claude-sonnet-4-5-20250929"
	cases := map[string]struct {
		window   int64
		model    string
		settings string
		env      map[string]string
		want     int64 // 0: not known
	}{
		"a million":                             {1_000_000, opus, "", nil, 967_000},
		"200k":                                  {200_000, opus, "{}", nil, 167_000},
		"no window":                             {0, opus, "", nil, 0},
		"a window of the reserve alone":         {33_000, opus, "", nil, 0},
		"a model that does not by itself":       {200_000, sonnet, "", nil, 0},
		"unless its window is lowered":          {200_000, sonnet, `{"autoCompactWindow":150000}`, nil, 117_000},
		"lowered for all":                       {1_000_000, opus, `{"autoCompactWindow":400000}`, nil, 367_000},
		"lowered for the model":                 {1_000_000, opus, `{"autoCompactWindow":400000,"modelSettings":{"claude-opus-5-5":{"autoCompactWindow":300000}}}`, nil, 267_000},
		"the model's own auto beats for all":    {1_000_000, opus, `{"autoCompactWindow":400000,"modelSettings":{"claude-opus-5-5":{"autoCompactWindow":"auto"}}}`, nil, 967_000},
		"another model's setting":               {1_000_000, opus, `{"modelSettings":{"x":{"autoCompactWindow":300000}}}`, nil, 967_000},
		"text is no setting":                    {1_000_000, opus, `{"autoCompactWindow":"400000"}`, nil, 967_000},
		"the environment beats settings":        {1_000_000, opus, `{"autoCompactWindow":400000}`, map[string]string{"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "500000"}, 467_000},
		"a small one is raised":                 {1_000_000, opus, "", map[string]string{"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "500"}, 67_000},
		"a large one extends nothing":           {200_000, opus, "", map[string]string{"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "900000"}, 167_000},
		"a percentage lowers":                   {200_000, opus, "", map[string]string{"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "50"}, 100_000},
		"a percentage never raises":             {200_000, opus, "", map[string]string{"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "99"}, 167_000},
		"a percentage that is none":             {200_000, opus, "", map[string]string{"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "0"}, 167_000},
		"switched off in settings":              {200_000, opus, `{"autoCompactEnabled":false}`, nil, 0},
		"switched off in the environment":       {200_000, opus, "", map[string]string{"DISABLE_AUTO_COMPACT": "1"}, 0},
		"compaction switched off altogether":    {200_000, opus, "", map[string]string{"DISABLE_COMPACT": "1"}, 0},
		"settings that are no JSON are none":    {200_000, opus, "\x00not json", nil, 167_000},
		"the largest window that is told apart": {MaxCount, opus, "", map[string]string{"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "100"}, MaxCount - 33_000},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, ok := CompactionPoint(c.window, c.model, []byte(c.settings), func(key string) string { return c.env[key] })
			require.Equal(t, c.want, got)
			require.Equal(t, c.want > 0, ok)
		})
	}
}
