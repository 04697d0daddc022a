package zones

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func jsonOf(t testing.TB, r Reading) string {
	t.Helper()
	raw, err := json.Marshal(r)
	require.NoError(t, err)
	return string(raw)
}

// The form of `ctxguard zone --json`: a change here is a change of a stable
// interface.
func TestReadingAsJSON(t *testing.T) {
	t.Run("both shapes", func(t *testing.T) {
		require.JSONEq(t, `{
			"version": 1, "zone": "smart", "session_id": "`+testSession+`",
			"percentage": {"computable": true, "zone": "smart", "value": 30, "recomputed": false, "smart_max": 50, "acceptable_max": 75},
			"tokens": {"computable": true, "zone": "smart", "value": 61000, "recomputed": false, "smart_max": 100000, "acceptable_max": 160000},
			"occupancy": 61000, "true_window": 200000, "window_source": "payload", "window_class": 200000,
			"reported": {"total_input_tokens": 60000, "total_output_tokens": 1000, "context_window_size": 200000, "used_percentage": 30},
			"model_id": "claude-sonnet-4-5-20250929", "cli_version": "2.1.332",
			"captured_at": "2026-12-01T09:59:55Z", "age_seconds": 5, "still_current": false
		}`, jsonOf(t, mid().resolve(t, DefaultBands())))
	})
	t.Run("sums of an old client are reported and are no occupancy", func(t *testing.T) {
		f := mid()
		f.version = `"2.1.131"`
		require.JSONEq(t, `{
			"version": 1, "zone": "smart", "session_id": "`+testSession+`",
			"percentage": {"computable": true, "zone": "smart", "value": 30, "recomputed": false, "smart_max": 50, "acceptable_max": 75},
			"tokens": {"computable": false, "zone": "unknown", "why": "old-version"},
			"true_window": 200000, "window_source": "payload",
			"reported": {"total_input_tokens": 60000, "total_output_tokens": 1000, "context_window_size": 200000, "used_percentage": 30},
			"model_id": "claude-sonnet-4-5-20250929", "cli_version": "2.1.131",
			"captured_at": "2026-12-01T09:59:55Z", "age_seconds": 5, "still_current": false
		}`, jsonOf(t, f.resolve(t, DefaultBands())))
	})
	t.Run("the zeros after a compaction are not reported", func(t *testing.T) {
		r := Resolve(recorded(t, "../testdata/payloads/statusline-04-after-compact-zeros.json"), DefaultBands(), testNow)
		require.JSONEq(t, `{
			"version": 1, "zone": "unknown", "reason": "zero-usage", "session_id": "7905fe8d-3044-470a-afaa-2463be7e22cf",
			"percentage": {"computable": false, "zone": "unknown"}, "tokens": {"computable": false, "zone": "unknown"},
			"true_window": 1000000, "window_source": "payload", "reported": {"context_window_size": 1000000},
			"model_id": "claude-opus-5-5", "cli_version": "2.1.332",
			"captured_at": "2026-12-01T10:00:00Z", "age_seconds": 0, "still_current": false
		}`, jsonOf(t, r))
	})
	t.Run("nothing of another session's snapshot is told", func(t *testing.T) {
		f := mid()
		f.session = "other"
		require.JSONEq(t, `{
			"version": 1, "zone": "unknown", "reason": "other-session", "session_id": "`+testSession+`",
			"percentage": {"computable": false, "zone": "unknown"}, "tokens": {"computable": false, "zone": "unknown"},
			"reported": {}, "still_current": false
		}`, jsonOf(t, f.resolve(t, DefaultBands())))
	})
	t.Run("a reading that nobody resolved", func(t *testing.T) {
		require.JSONEq(t, `{
			"version": 1, "zone": "unknown",
			"percentage": {"computable": false, "zone": "unknown"}, "tokens": {"computable": false, "zone": "unknown"},
			"reported": {}, "still_current": false
		}`, jsonOf(t, Reading{Zone: Unknown}))
	})
	t.Run("numbers that are no numbers are absent, and zero is a number", func(t *testing.T) {
		f := mid()
		f.input, f.output, f.used = "0", "1e999", "1e999"
		text := jsonOf(t, f.resolve(t, DefaultBands()))
		require.Contains(t, text, `"total_input_tokens":0`)
		require.NotContains(t, text, "used_percentage")
	})
}

// --explain: what was read, what each shape gave, which rule combined them.
func TestExplain(t *testing.T) {
	cases := map[string]struct {
		bend  func(*fixture)
		bands func(*Bands)
		want  string
	}{
		"both agree": {want: `
session:    7905fe8d-3044-470a-afaa-2463be7e22cf
snapshot:   captured at 2026-12-01T09:59:55Z, 5s old
client:     version 2.1.332
model:      claude-sonnet-4-5-20250929
window:     200000 tokens, as the client reported
totals:     60000 in + 1000 out = 61000 occupancy
percentage: 30%: smart (smart to 50, acceptable to 75)
tokens:     61000 in class 200000: smart (smart to 100000, acceptable to 160000)
zone:       smart: both shapes agree`},
		"a named window, and the worse wins": {
			bend:  func(f *fixture) { f.input = "345678" },
			bands: func(b *Bands) { b.Windows = []WindowRule{{"claude-*", 1_200_000}} },
			want: `
session:    7905fe8d-3044-470a-afaa-2463be7e22cf
snapshot:   captured at 2026-12-01T09:59:55Z, 5s old
client:     version 2.1.332
model:      claude-sonnet-4-5-20250929
window:     1200000 tokens, named by [window] in zones.toml; the client reported 200000
totals:     345678 in + 1000 out = 346678 occupancy
percentage: 28.81%, computed again from the input total: smart (smart to 50, acceptable to 75)
tokens:     346678 in class 1000000: acceptable (smart to 200000, acceptable to 400000)
zone:       acceptable: both shapes can be computed, and the worse zone wins`},
		"one alone, untrusted text quoted": {
			bend: func(f *fixture) { f.version, f.model = `"2.1\u001b[31m"`, `"é[1m]"`; f.size = "" },
			want: `
session:    7905fe8d-3044-470a-afaa-2463be7e22cf
snapshot:   captured at 2026-12-01T09:59:55Z, 5s old
client:     version "2.1\x1b[31m"
model:      "\u00e9[1m]"
window:     1000000 tokens, since the model's id ends in [1m]; the client reported none
totals:     60000 in + 1000 out, not believed: the client's version is not dotted numbers
percentage: not computable: the client's version is not dotted numbers
tokens:     not computable: the client's version is not dotted numbers
zone:       unknown: neither shape can be computed`},
		"stale": {
			bend: func(f *fixture) { f.capturedAt = "2026-12-01T09:00:00Z" },
			want: `
session:    7905fe8d-3044-470a-afaa-2463be7e22cf
snapshot:   captured at 2026-12-01T09:00:00Z, 1h0m0s old
client:     version 2.1.332
model:      claude-sonnet-4-5-20250929
window:     200000 tokens, as the client reported
totals:     60000 in + 1000 out, not believed
zone:       unknown: the snapshot is older than 10 minutes`},
		"from the future": {
			bend: func(f *fixture) {
				f.capturedAt = "2026-12-01T10:30:00Z"
				f.usage = "null"
				f.version = ""
				f.model = ""
			},
			want: `
session:    7905fe8d-3044-470a-afaa-2463be7e22cf
snapshot:   captured at 2026-12-01T10:30:00Z, 30m0s ahead of this clock
window:     200000 tokens, as the client reported
zone:       unknown: captured_at lies more than 60 s ahead of this clock`},
		"beyond all numbers": {
			bend: func(f *fixture) { f.input, f.used = "1e300", "3.14159" },
			want: `
session:    7905fe8d-3044-470a-afaa-2463be7e22cf
snapshot:   captured at 2026-12-01T09:59:55Z, 5s old
client:     version 2.1.332
model:      claude-sonnet-4-5-20250929
window:     200000 tokens, as the client reported
totals:     at least 9007199254740992 in + 1000 out = at least 9007199254740992 occupancy
percentage: 3.14%: smart (smart to 50, acceptable to 75)
tokens:     not computable: the occupancy is larger than the window, so the window must be wrong; [window] in zones.toml can name the right one
zone:       smart: only the percentage can be computed, and it stands alone`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f, b := mid(), DefaultBands()
			if c.bend != nil {
				c.bend(&f)
			}
			if c.bands != nil {
				c.bands(&b)
			}
			require.Equal(t, strings.TrimSpace(c.want), strings.Join(f.resolve(t, b).Explain(), "\n"))
		})
	}
	t.Run("still current", func(t *testing.T) {
		f := mid()
		f.capturedAt = "2026-12-01T09:00:00Z"
		e := f.evidence(t)
		e.QuietSince = testNow.Add(-2 * 3600e9)
		require.Contains(t, Resolve(e, DefaultBands(), testNow).Explain(),
			"snapshot:   captured at 2026-12-01T09:00:00Z, 1h0m0s old, still current: the transcript has not changed since")
	})
	t.Run("no snapshot", func(t *testing.T) {
		require.Equal(t, []string{"session:    x", "zone:       unknown: there is no snapshot of this session"},
			Resolve(Evidence{Session: "x"}, DefaultBands(), testNow).Explain())
	})
	t.Run("every code has words", func(t *testing.T) {
		words := map[string]Code{}
		for _, c := range []Code{NoSnapshot, NotJSON, OtherSession, BadTime, Stale, Future, NoWindowObject, NoUsage, ZeroUsage,
			NothingComputable, NotANumber, OutOfRange, Pegged, NoInput, NoTotals, NoWindow, BelowClasses, NoVersion, BadVersion,
			OldVersion, OverWindow, NoBands, ""} {
			require.Empty(t, words[c.text()], "%s has its own words", c)
			words[c.text()] = c
		}
	})
}
