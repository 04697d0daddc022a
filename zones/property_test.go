package zones

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ctxguard/statusline/seam"
)

const rounds = 10_000

// dice makes snapshots of all kinds, always the same ones.
type dice struct{ *rand.Rand }

func newDice() dice { return dice{rand.New(rand.NewPCG(2, 1132))} }

func (d dice) pick(from ...string) string { return from[d.IntN(len(from))] }

func (d dice) tokens() string {
	switch d.IntN(4) {
	case 0:
		return fmt.Sprint(d.IntN(2_000_000))
	case 1:
		return d.pick("0", "99999", "100000", "100001", "160000", "200000", "200001", "400000", "400001", "1000000")
	}
	return fmt.Sprint(d.IntN(250_000))
}

// believed is a fixture that nothing makes unknown as a whole.
func (d dice) believed() fixture {
	f := mid()
	f.capturedAt = testNow.Add(time.Duration(d.IntN(661)-600) * time.Second).Format(CapturedAtLayout)
	f.input, f.output = d.tokens(), d.pick("0", "1", "1000", "32000")
	f.size = d.pick("200000", "200000", "1000000", "500000", "100000", "3e6", "")
	f.used = d.pick("0", "10", "50", "50.5", "51", "75", "76", "99", "100", "null", "-1", "101", fmt.Sprint(d.Float64()*100))
	f.version = d.pick(`"2.1.332"`, `"2.1.132"`, `"2.1.332"`, `"2.1.131"`, `"x"`, "")
	f.model = d.pick(`"claude-opus-5-5"`, `"claude-sonnet-4-5[1m]"`, `"named"`, `"tiny"`, "5", "")
	return f
}

func (d dice) bands() Bands {
	b := DefaultBands()
	if d.IntN(2) == 0 {
		b.Windows = []WindowRule{{"named", 1_000_000}, {"t*y", 200_000}}
	}
	if d.IntN(3) == 0 {
		b.SmartMaxPercent, b.AcceptableMaxPercent = 20, 90.5
		b.Tokens = []TokenBand{{100_000, 20_000, 100_000}, {500_000, 1, 2}}
	}
	return b
}

// Z: each of the reasons on its own makes any snapshot unknown, so that none of
// them can ever be smart.
func TestNeverSmartOnUntrustedData(t *testing.T) {
	d := newDice()
	bend := map[Code]func(*fixture){
		OtherSession: func(f *fixture) { f.session = d.pick("", "x", testSession+"0", testSession[1:]) },
		BadTime: func(f *fixture) {
			f.capturedAt = d.pick("", "now", f.capturedAt+" ", " "+f.capturedAt[1:], strings.ToLower(f.capturedAt),
				strings.Replace(f.capturedAt, "2026", "+026", 1), strings.Replace(f.capturedAt, "-", "/", 2))
		},
		Stale: func(f *fixture) {
			f.capturedAt = testNow.Add(-time.Duration(601+d.IntN(1e8)) * time.Second).Format(CapturedAtLayout)
		},
		Future: func(f *fixture) {
			f.capturedAt = testNow.Add(time.Duration(61+d.IntN(1e8)) * time.Second).Format(CapturedAtLayout)
		},
		NoWindowObject: func(f *fixture) { f.window = d.pick("null", "[]", "5", `"x"`, "true", `[{"used_percentage":1}]`) },
		NoUsage:        func(f *fixture) { f.usage = d.pick("", "null", "{}", "0", "7", `"x"`, "false", `{"a":{"b":1}}`) },
		ZeroUsage:      func(f *fixture) { f.usage = d.pick(`{"input_tokens":0}`, `{"a":0,"b":0.0,"c":"1"}`, `{"a":-0e5}`) },
	}
	smart := 0
	for range rounds / 10 {
		f, b := d.believed(), d.bands()
		if f.resolve(t, b).Zone == Smart {
			smart++
		}
		for reason, how := range bend {
			g := f
			how(&g)
			r := g.resolve(t, b)
			require.Equal(t, Unknown, r.Zone, g.json())
			require.Equal(t, reason, r.Reason, g.json())
		}
	}
	require.Greater(t, smart, rounds/100, "the loop must meet snapshots that would be smart")
}

// Z: more of a number never gives a better zone, all else equal, while the same
// shapes stay computable.
func TestMonotone(t *testing.T) {
	d := newDice()
	grow := map[string]func(*fixture){
		"input":  func(f *fixture) { f.input = more(d, f.input) },
		"output": func(f *fixture) { f.output = more(d, f.output) },
		"percent": func(f *fixture) {
			if v, err := json.Number(f.used).Float64(); err == nil && v >= 0 && v < 100 {
				f.used = fmt.Sprint(v + (100-v)*d.Float64())
			}
		},
	}
	compared, worse := 0, 0
	for range rounds {
		f, b := d.believed(), d.bands()
		before := f.resolve(t, b)
		for name, how := range grow {
			g := f
			how(&g)
			after := g.resolve(t, b)
			if before.Percent.Computable != after.Percent.Computable || before.Tokens.Computable != after.Tokens.Computable {
				continue
			}
			compared++
			if after.Zone.WorseThan(before.Zone) {
				worse++
			}
			require.False(t, before.Zone.WorseThan(after.Zone), "more %s: %s, then %s", name, f.json(), g.json())
		}
	}
	require.Greater(t, compared, rounds)
	require.Greater(t, worse, rounds/20)
}

func more(d dice, tokens string) string {
	v, err := json.Number(tokens).Int64()
	if err != nil {
		return tokens
	}
	return fmt.Sprint(v + int64(d.IntN(100_000)))
}

// Z: a second shape can only make the zone worse than the one that stood alone.
func TestASecondShapeNeverImproves(t *testing.T) {
	d := newDice()
	for range rounds {
		f, b := d.believed(), d.bands()
		whole := f.resolve(t, b)
		if !whole.Percent.Computable || !whole.Tokens.Computable {
			continue
		}
		for _, alone := range []Shape{whole.Percent, whole.Tokens} {
			require.False(t, alone.Zone.WorseThan(whole.Zone), f.json())
		}
		require.Contains(t, []Zone{whole.Percent.Zone, whole.Tokens.Zone}, whole.Zone)
	}
}

// requireSound holds of every reading, whatever went in.
func requireSound(t testing.TB, r Reading) {
	t.Helper()
	require.Contains(t, []Zone{Smart, Acceptable, Dumb, Unknown}, r.Zone)
	require.Equal(t, r.Zone == Unknown, r.Reason != "", "unknown has a reason, and nothing else has")
	require.Equal(t, r.Zone == Unknown, !r.Percent.Computable && !r.Tokens.Computable)
	for _, s := range []Shape{r.Percent, r.Tokens} {
		require.Equal(t, s.Computable, s.Zone != Unknown)
		if !s.Computable {
			require.Equal(t, Shape{Zone: Unknown, Why: s.Why}, s, "no number of what is not computable")
		}
	}
	require.Equal(t, r.Tokens.Computable, r.Class > 0)
	require.Equal(t, r.TrueWindow > 0, r.WindowSource != "")
	for _, n := range []int64{r.InputTokens, r.OutputTokens, r.Occupancy, r.ReportedWindow, r.TrueWindow} {
		require.True(t, 0 <= n && n <= MaxCount)
	}
	raw, err := json.Marshal(r)
	require.NoError(t, err)
	require.True(t, json.Valid(raw))
	for _, line := range r.Explain() {
		requireOneLine(t, line)
	}
}

func FuzzResolve(f *testing.F) {
	f.Add([]byte(mid().json()), int64(0), int64(0))
	f.Add([]byte(mid().json()), int64(7200), int64(-10))
	files, err := filepath.Glob("../testdata/payloads/statusline-*.json")
	require.NoError(f, err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(f, err)
		p, err := seam.DecodePayload(raw)
		require.NoError(f, err)
		p.SessionID = testSession
		s := p.Snapshot(testNow)
		raw, err = json.Marshal(map[string]any{
			"captured_at": s.CapturedAt, "session_id": s.SessionID, "cli_version": s.CLIVersion,
			"context_window": json.RawMessage(s.ContextWindow), "client": json.RawMessage(s.Client),
		})
		require.NoError(f, err)
		f.Add(raw, int64(3), int64(0))
	}
	f.Fuzz(func(t *testing.T, raw []byte, later, quiet int64) {
		s, err := seam.DecodeSnapshot(raw)
		if err != nil {
			return
		}
		now := testNow.Add(time.Duration(later) * time.Second)
		e := Evidence{Session: testSession, Snapshot: &s}
		if quiet != 0 {
			e.QuietSince = testNow.Add(time.Duration(quiet) * time.Second)
		}
		named := DefaultBands()
		named.Windows = []WindowRule{{"*claude*", 1_000_000}}
		for _, b := range []Bands{DefaultBands(), named, {}} {
			before := slices.Clone(s.ContextWindow)
			r := Resolve(e, b, now)
			requireSound(t, r)
			requireEarned(t, r, s, b)
			require.Equal(t, r, Resolve(e, b, now), "the same again")
			require.Equal(t, before, s.ContextWindow)
		}
	})
}

// FuzzResolveRaw feeds bytes that no decoder has looked at.
func FuzzResolveRaw(f *testing.F) {
	f.Add([]byte(`{"current_usage":{"a":1},"used_percentage":3}`), []byte(`{"model":{"id":"x"}}`), "2.1.332")
	f.Add([]byte(`{"current_usage":{"a":nan},"used_percentage":NaN`), []byte(`{"model":{"id`), "2.1")
	f.Fuzz(func(t *testing.T, window, client []byte, version string) {
		s := seam.Snapshot{
			CapturedAt: testNow.Format(CapturedAtLayout), SessionID: testSession,
			CLIVersion: version, ContextWindow: window, Client: client,
		}
		requireSound(t, Resolve(Evidence{Session: testSession, Snapshot: &s}, DefaultBands(), testNow))
	})
}

func FuzzParseBands(f *testing.F) {
	f.Add([]byte(Seed))
	f.Add([]byte("[token_bands]\n200000 = {smart_max_tokens = 1, acceptable_max_tokens = 2e0}\n[window]\na.b = nan\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		bands, notices := ParseBands(data)
		require.True(t, bands.Valid())
		for _, n := range notices {
			requireOneLine(t, n.Key)
			requireOneLine(t, n.Text)
		}
		again, sameNotices := ParseBands(data)
		require.Equal(t, bands, again)
		require.Equal(t, notices, sameNotices, "told the same way each time")
		raw, err := json.Marshal(bands)
		require.NoError(t, err)
		var back Bands
		require.NoError(t, json.Unmarshal(raw, &back))
		require.Equal(t, bands, back)
		requireAsWritten(t, data, bands)
	})
}

func FuzzConvertJSON(f *testing.F) {
	f.Add([]byte(`{"smart_max_used_percentage":50,"acceptable_max_used_percentage":75,"token_bands":{"200000":{"smart_max_tokens":1,"acceptable_max_tokens":2}}}`))
	f.Add([]byte("{\"a\\u0000\\n\":1,\"\\ud800\":{}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		out, err := ConvertJSON(data)
		if err != nil {
			require.Nil(t, out)
			return
		}
		_, notices := ParseBands(out)
		require.Empty(t, notices, string(out))
	})
}
