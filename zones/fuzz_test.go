package zones

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/require"

	"ctxguard/statusline/seam"
)

// requireEarned: nothing is smart but what the numbers in the file themselves say,
// read the slow and obvious way.
func requireEarned(t testing.TB, r Reading, s seam.Snapshot, b Bands) {
	t.Helper()
	if r.Zone != Smart {
		return
	}
	require.Equal(t, testSession, s.SessionID)
	require.GreaterOrEqual(t, r.Age, -FutureTolerance)
	require.True(t, r.Age <= StaleAfter || r.StillCurrent)
	if !utf8.Valid(s.ContextWindow) {
		return // encoding/json would mend it
	}
	var window map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(s.ContextWindow)))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&window))
	used := false
	usage, _ := window["current_usage"].(map[string]any)
	for _, v := range usage {
		n, ok := v.(json.Number)
		used = used || ok && strings.Trim(strings.ToLower(string(n)), "-0.e+") != ""
	}
	require.True(t, used, "what was used is not known")
	number := func(key string) (float64, bool) {
		n, ok := window[key].(json.Number)
		f, err := n.Float64()
		return f, ok && err == nil
	}
	percent, hasPercent := number("used_percentage")
	input, hasInput := number("total_input_tokens")
	output, hasOutput := number("total_output_tokens")
	if r.Percent.Computable && !r.Percent.Recomputed {
		require.True(t, hasPercent && percent >= 0 && percent <= b.SmartMaxPercent)
	}
	if r.Percent.Recomputed {
		require.True(t, hasInput && input <= b.SmartMaxPercent*float64(r.TrueWindow)/100)
	}
	if r.Tokens.Computable {
		require.True(t, hasInput && hasOutput)
		row, ok := b.row(r.TrueWindow)
		require.True(t, ok && input+output <= float64(row.SmartMax))
	}
}

// requireAsWritten holds the bands to what the decoder alone reads in the file.
func requireAsWritten(t testing.TB, data []byte, bands Bands) {
	t.Helper()
	var file struct {
		Smart      any            `toml:"smart_max_used_percentage"`
		Acceptable any            `toml:"acceptable_max_used_percentage"`
		Bands      map[string]any `toml:"token_bands"`
	}
	if len(data) > 4<<10 || !utf8.Valid(data) || strings.Count(string(data), "[")+strings.Count(string(data), "{")+strings.Count(string(data), ".") > 8 {
		return
	}
	if _, err := toml.Decode(strings.TrimPrefix(string(data), "\ufeff"), &file); err != nil {
		return
	}
	want := DefaultBands()
	smart, ok1 := asFloat(file.Smart)
	acceptable, ok2 := asFloat(file.Acceptable)
	if ok1 && ok2 && smart > 0 && smart < acceptable && acceptable <= 100 {
		want.SmartMaxPercent, want.AcceptableMaxPercent = smart, acceptable
	}
	require.Equal(t, want.SmartMaxPercent, bands.SmartMaxPercent)
	require.Equal(t, want.AcceptableMaxPercent, bands.AcceptableMaxPercent)
	if len(file.Bands) == 0 {
		require.Equal(t, want.Tokens, bands.Tokens)
	}
}

func asFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// FuzzWindowGlob: a glob matches what the regular expression matches in which each
// star is any run of characters, letter case aside.
func FuzzWindowGlob(f *testing.F) {
	f.Fuzz(func(t *testing.T, glob, text string) {
		if !utf8.ValidString(glob) || !utf8.ValidString(text) || len(glob) > 200 || len(text) > 1000 {
			return
		}
		pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.ToLower(glob)), `\*`, ".*")
		want := regexp.MustCompile(`(?s)\A(?:` + pattern + `)\z`).MatchString(strings.ToLower(text))
		require.Equal(t, want, matches(glob, text))
		require.True(t, matches("*", text))
		window, source := trueWindow([]WindowRule{{glob, 5}}, text, 7)
		switch {
		case text == "":
			require.Equal(t, FromPayload, source)
		case want:
			require.Equal(t, int64(5), window)
		default:
			require.Contains(t, []int64{7, MillionWindow}, window)
		}
	})
}

// FuzzCompactionPoint: whatever settings and environment hold, the point lies below
// the window, and there is none where encoding/json reads that it is switched off.
func FuzzCompactionPoint(f *testing.F) {
	f.Fuzz(func(t *testing.T, window int64, model string, settings []byte, percent, lowered string) {
		if window > MaxCount {
			return
		}
		getenv := func(key string) string {
			return map[string]string{"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": percent, "CLAUDE_CODE_AUTO_COMPACT_WINDOW": lowered}[key]
		}
		point, ok := CompactionPoint(window, model, settings, getenv)
		require.Equal(t, ok, point > 0, "window %d point %d", window, point)
		if !ok {
			return
		}
		require.LessOrEqual(t, point, window-compactionReserve)
		var file struct {
			Enabled *bool `json:"autoCompactEnabled"`
		}
		if strings.Count(string(settings), `"autoCompactEnabled"`) == 1 && json.Unmarshal(settings, &file) == nil && file.Enabled != nil &&
			!strings.Contains(strings.Replace(strings.ToLower(string(settings)), "autocompactenabled", "", 1), "autocompactenabled") {
			require.True(t, *file.Enabled)
		}
		again, ok := CompactionPoint(window, model, settings, getenv)
		require.True(t, ok && again == point)
	})
}

// FuzzVersion: the floor of versions is the order of their numbers, whatever their
// length; what is no version is never believed.
func FuzzVersion(f *testing.F) {
	dotted := regexp.MustCompile(`\A[0-9]+(\.[0-9]+)*\z`)
	f.Fuzz(func(t *testing.T, version string, at int64) {
		problem := versionProblem(version)
		require.Equal(t, version == "", problem == NoVersion)
		require.Equal(t, version != "" && !dotted.MatchString(version), problem == BadVersion)
		if problem == "" {
			require.Empty(t, versionProblem(version+".0"), "more of it is not older")
			require.Empty(t, versionProblem("0"+version), "leading zeros say nothing")
		}
		moment := time.Unix(at%(1<<37), 0).UTC().Format(CapturedAtLayout)
		got, ok := parseCapturedAt(moment)
		if ok {
			require.Equal(t, moment, got.Format(CapturedAtLayout))
		}
		if got, ok := parseCapturedAt(version); ok {
			require.Equal(t, version, got.Format(CapturedAtLayout))
		}
	})
}
