package boundedtoml

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/require"
)

// Each of these takes the decoder alone seconds or minutes.
func TestWhatWouldTakeLongIsRefused(t *testing.T) {
	const n = 1 << 20
	for name, text := range map[string]string{
		"lists":              "a = " + strings.Repeat("[", n),
		"inline tables":      "a = " + strings.Repeat("{b=", n/3),
		"a dotted key":       strings.Repeat("a.", n/2) + "a = 1",
		"a table's name":     "[" + strings.Repeat("a.", n/2) + "a]",
		"behind a string":    "a = ['''x''''', \"\\\"\", \"\"\"\\\"\"\"\"\", '', \"\", " + strings.Repeat("[", n),
		"behind a comment":   "# '''\n#\"\"\"\na = " + strings.Repeat("[", n),
		"with quoted parts":  strings.Repeat("'a'.", n/4) + "a = 1",
		"with a line end CR": "# \ra = " + strings.Repeat("[", n),
	} {
		t.Run(name, func(t *testing.T) {
			var into map[string]any
			_, err := Decode(text, &into)
			require.ErrorIs(t, err, ErrTooDeep)
		})
	}
}

func TestWhatOnlyLooksDeepIsDecoded(t *testing.T) {
	brackets := strings.Repeat("[{", 50)
	for _, text := range []string{
		"a = '" + brackets + "'", `a = "` + brackets + `\"` + brackets + `"`, "a = '''\n" + brackets + "''" + brackets + "'''",
		"a = \"\"\"" + brackets + "\\\"\"\"\\\"" + brackets + "\"\"\"\"\"", "a = 1 # " + brackets + strings.Repeat(".", 50),
		"a = [" + strings.Repeat("[1.5, 2.5], ", 50) + "]", strings.Repeat("[[a.b.c]]\n", 50), "\ufeffa = 1",
	} {
		var got, want map[string]any
		_, err := Decode(text, &got)
		require.NoError(t, err, text)
		_, err = toml.Decode(strings.TrimPrefix(text, "\ufeff"), &want)
		require.NoError(t, err, text)
		require.Equal(t, want, got)
	}
}

// depthOf is how deep a decoded value is nested.
func depthOf(value any) int {
	most := 0
	switch v := value.(type) {
	case map[string]any:
		for _, inner := range v {
			most = max(most, 1+depthOf(inner))
		}
	case []map[string]any:
		for _, inner := range v {
			most = max(most, 1+depthOf(inner))
		}
	case []any:
		for _, inner := range v {
			most = max(most, 1+depthOf(inner))
		}
	}
	return most
}

// FuzzDecode: what is decoded is what the decoder alone makes of it, and is never
// nested deeper than keys and brackets may go; what has few of both is not refused.
func FuzzDecode(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		var got map[string]any
		_, err := Decode(text, &got)
		few := func(mark string) bool { return strings.Count(text, mark) <= deepest/2 }
		if few("[") && few("{") && few(".") {
			require.NotErrorIs(t, err, ErrTooDeep)
		}
		if err != nil || len(text) > 4<<10 {
			return
		}
		// A header of two brackets and a key in each nested inline table.
		require.LessOrEqual(t, depthOf(got), 2*(deepest+1)*(deepest+2))
		var want map[string]any
		_, err = toml.Decode(strings.TrimPrefix(text, "\ufeff"), &want)
		require.NoError(t, err)
		require.Equal(t, len(want), len(got))
	})
}
