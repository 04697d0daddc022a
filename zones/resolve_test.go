package zones

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ctxguard/statusline/seam"
)

// Z: what makes a zone unknown as a whole.
func TestUnknownAsAWhole(t *testing.T) {
	cases := map[string]struct {
		bend   func(*fixture)
		reason Code
	}{
		"another session's id inside":               {func(f *fixture) { f.session = "other" }, OtherSession},
		"the session's id in other letters":         {func(f *fixture) { f.session = strings.ToUpper(testSession) }, OtherSession},
		"captured_at is empty":                      {func(f *fixture) { f.capturedAt = "" }, BadTime},
		"captured_at has a fraction of a second":    {func(f *fixture) { f.capturedAt = "2026-12-01T09:59:55.5Z" }, BadTime},
		"captured_at has a zone offset":             {func(f *fixture) { f.capturedAt = "2026-12-01T09:59:55+00:00" }, BadTime},
		"captured_at has a small z":                 {func(f *fixture) { f.capturedAt = "2026-12-01T09:59:55z" }, BadTime},
		"captured_at has a blank for the T":         {func(f *fixture) { f.capturedAt = "2026-12-01 09:59:55Z" }, BadTime},
		"captured_at is no date":                    {func(f *fixture) { f.capturedAt = "2026-02-30T09:59:55Z" }, BadTime},
		"captured_at is words":                      {func(f *fixture) { f.capturedAt = "1 second ago" }, BadTime},
		"captured_at has a comma fraction, 20 long": {func(f *fixture) { f.capturedAt = "2026-12-01T9:59:5,5Z" }, BadTime},
		"older than ten minutes by a second": {func(f *fixture) {
			f.capturedAt = testNow.Add(-StaleAfter - time.Second).Format(CapturedAtLayout)
		}, Stale},
		"a year old": {func(f *fixture) { f.capturedAt = "2025-12-01T10:00:00Z" }, Stale},
		"the year 0": {func(f *fixture) { f.capturedAt = "0000-01-01T00:00:00Z" }, Stale},
		"more than a minute ahead": {func(f *fixture) {
			f.capturedAt = testNow.Add(FutureTolerance + time.Second).Format(CapturedAtLayout)
		}, Future},
		"the year 9999":                  {func(f *fixture) { f.capturedAt = "9999-12-31T23:59:59Z" }, Future},
		"context_window is a list":       {func(f *fixture) { f.window = "[1]" }, NoWindowObject},
		"context_window is null":         {func(f *fixture) { f.window = "null" }, NoWindowObject},
		"context_window is text":         {func(f *fixture) { f.window = `"{}"` }, NoWindowObject},
		"context_window is empty":        {func(f *fixture) { f.window = "{}" }, NoUsage},
		"current_usage is missing":       {func(f *fixture) { f.usage = "" }, NoUsage},
		"current_usage is null":          {func(f *fixture) { f.usage = "null" }, NoUsage},
		"current_usage is text":          {func(f *fixture) { f.usage = `"5"` }, NoUsage},
		"current_usage is a bare number": {func(f *fixture) { f.usage = "5" }, NoUsage},
		"current_usage holds no number":  {func(f *fixture) { f.usage = `{"input_tokens":"5"}` }, NoUsage},
		"current_usage is all zero":      {func(f *fixture) { f.usage = `{"input_tokens":0,"output_tokens":0}` }, ZeroUsage},
		"zeros in other spellings":       {func(f *fixture) { f.usage = `{"input_tokens":0.0,"output_tokens":-0,"x":0e9}` }, ZeroUsage},
		"the last of two current_usage counts": {func(f *fixture) {
			f.window = `{"current_usage":{"input_tokens":5},"used_percentage":3,"current_usage":null}`
		}, NoUsage},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := mid()
			require.Equal(t, Smart, f.resolve(t, DefaultBands()).Zone, "unbent it is smart")
			c.bend(&f)
			r := f.resolve(t, DefaultBands())
			require.Equal(t, Unknown, r.Zone)
			require.Equal(t, c.reason, r.Reason)
			require.Equal(t, Shape{Zone: Unknown}, r.Percent)
			require.Equal(t, Shape{Zone: Unknown}, r.Tokens)
			require.False(t, r.HasOccupancy)
			require.Zero(t, r.Class)
		})
	}
}

// Z: no snapshot, not JSON.
func TestUnknownWithoutASnapshot(t *testing.T) {
	for problem, reason := range map[string]Code{ProblemNone: NoSnapshot, ProblemNotJSON: NotJSON, "": NoSnapshot} {
		r := Resolve(Evidence{Session: testSession, Problem: problem}, DefaultBands(), testNow)
		require.Equal(t, Unknown, r.Zone)
		require.Equal(t, reason, r.Reason)
	}
	nobody := mid()
	nobody.session = ""
	e := nobody.evidence(t)
	e.Session = ""
	require.Equal(t, OtherSession, Resolve(e, DefaultBands(), testNow).Reason, "an empty id is nobody's")
}

// Z: bytes that are no JSON are no numbers, although a lenient reader would find
// some in them.
func TestBytesThatAreNoJSON(t *testing.T) {
	s := seam.Snapshot{
		CapturedAt: testNow.Format(CapturedAtLayout), SessionID: testSession, CLIVersion: "2.1.332",
		ContextWindow: []byte(`{"current_usage":{"input_tokens":5},"used_percentage":3`),
		Client:        []byte(`{"model":{"id":"x[1m]"}`),
	}
	e := Evidence{Session: testSession, Snapshot: &s}
	r := Resolve(e, DefaultBands(), testNow)
	require.Equal(t, NoWindowObject, r.Reason)
	require.Empty(t, r.ModelID)

	s.ContextWindow = append(s.ContextWindow, '}')
	s.Client = append(s.Client, '}')
	r = Resolve(e, DefaultBands(), testNow)
	require.Equal(t, Unknown, r.Zone, "the suffix asks for a total that is not there")
	require.Equal(t, "x[1m]", r.ModelID)
}

// Z: the edges of the time that is believed, both inclusive.
func TestBelievedTimes(t *testing.T) {
	for name, offset := range map[string]time.Duration{
		"ten minutes old": -StaleAfter, "just now": 0, "a minute ahead": FutureTolerance,
	} {
		t.Run(name, func(t *testing.T) {
			f := mid()
			f.capturedAt = testNow.Add(offset).Format(CapturedAtLayout)
			r := f.resolve(t, DefaultBands())
			require.Equal(t, Smart, r.Zone)
			require.Equal(t, -offset, r.Age)
			require.False(t, r.StillCurrent)
		})
	}
}

// Z: still current.
func TestStillCurrent(t *testing.T) {
	captured := testNow.Add(-3 * time.Hour)
	f := mid()
	f.capturedAt = captured.Format(CapturedAtLayout)
	cases := map[string]struct {
		quiet time.Time
		want  Zone
	}{
		"the rule is not applied":                     {time.Time{}, Unknown},
		"the transcript is older":                     {captured.Add(-time.Hour), Smart},
		"the transcript was written five seconds on":  {captured.Add(QuietTolerance), Smart},
		"the transcript was written just after those": {captured.Add(QuietTolerance + time.Nanosecond), Unknown},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			e := f.evidence(t)
			e.QuietSince = c.quiet
			r := Resolve(e, DefaultBands(), testNow)
			require.Equal(t, c.want, r.Zone)
			require.Equal(t, c.want == Smart, r.StillCurrent)
			if c.want == Unknown {
				require.Equal(t, Stale, r.Reason)
			}
		})
	}
	t.Run("it excuses age alone", func(t *testing.T) {
		f := f
		f.usage = "null"
		e := f.evidence(t)
		e.QuietSince = captured
		r := Resolve(e, DefaultBands(), testNow)
		require.Equal(t, NoUsage, r.Reason)
	})
	t.Run("a snapshot from the future is not excused", func(t *testing.T) {
		f := f
		f.capturedAt = testNow.Add(time.Hour).Format(CapturedAtLayout)
		e := f.evidence(t)
		e.QuietSince = captured
		require.Equal(t, Future, Resolve(e, DefaultBands(), testNow).Reason)
	})
}

// Z: the combination rule.
func TestCombination(t *testing.T) {
	tokens := map[Zone]string{Smart: "10000", Acceptable: "120000", Dumb: "170000", Unknown: `"x"`}
	percent := map[Zone]string{Smart: "10", Acceptable: "60", Dumb: "80", Unknown: "null"}
	rank := map[Zone]int{Unknown: 0, Smart: 1, Acceptable: 2, Dumb: 3} // here the absent one loses
	for byTokens, input := range tokens {
		for byPercent, used := range percent {
			t.Run(fmt.Sprintf("tokens %s, percentage %s", byTokens, byPercent), func(t *testing.T) {
				f := mid()
				f.input, f.output, f.used = input, "0", used
				r := f.resolve(t, DefaultBands())
				want := byTokens
				if rank[byPercent] > rank[byTokens] {
					want = byPercent
				}
				require.Equal(t, byTokens, r.Tokens.Zone)
				require.Equal(t, byPercent, r.Percent.Zone)
				require.Equal(t, want, r.Zone)
				require.Equal(t, want == Unknown, r.Reason == NothingComputable)
			})
		}
	}
}

// A cached form that is not what was written must never give a better zone.
func TestBrokenBandsAreNotUsed(t *testing.T) {
	for name, b := range map[string]Bands{
		"nothing":       {},
		"inverted":      {SmartMaxPercent: 80, AcceptableMaxPercent: 50, Tokens: []TokenBand{{Class: 1, SmartMax: 2, AcceptableMax: 3}}},
		"negative rows": {SmartMaxPercent: -5, AcceptableMaxPercent: 50, Tokens: []TokenBand{{Class: -7, SmartMax: 1e9, AcceptableMax: 2e9}}},
	} {
		t.Run(name, func(t *testing.T) {
			require.False(t, b.Valid())
			r := mid().resolve(t, b)
			require.Equal(t, NoBands, r.Percent.Why)
			require.Equal(t, Unknown, r.Zone)
		})
	}
	require.True(t, DefaultBands().Valid())

	twice, unsorted := DefaultBands(), DefaultBands()
	twice.Tokens[1] = twice.Tokens[0]
	require.False(t, twice.Valid())
	slices.Reverse(unsorted.Tokens)
	require.False(t, unsorted.Valid())
	for _, rule := range []WindowRule{{"*", 0}, {"*", -5}, {"*", MaxCount + 1}, {"", 5}} {
		b := DefaultBands()
		b.Windows = []WindowRule{rule}
		require.False(t, b.Valid(), rule)
		require.Equal(t, FromPayload, mid().resolve(t, b).WindowSource, rule)
	}
}

// Z, facts A.1: the recorded payloads, each with what stands in it.
func TestRecordedPayloads(t *testing.T) {
	cases := map[string]struct {
		zone      Zone
		reason    Code
		occupancy int64
		window    int64
	}{
		"statusline-01-start-no-response":           {Unknown, NoUsage, 0, 1_000_000},
		"statusline-02-after-response":              {Smart, "", 31_777, 1_000_000},
		"statusline-03-mid-session":                 {Smart, "", 60_780, 1_000_000},
		"statusline-04-after-compact-zeros":         {Unknown, ZeroUsage, 0, 1_000_000},
		"statusline-05-after-compact-next-response": {Smart, "", 120, 1_000_000},
		"statusline-06-after-clear-new-session":     {Unknown, NoUsage, 0, 1_000_000},
		"statusline-07-over-100-percent-200k-model": {Unknown, NothingComputable, 230_010, 200_000},
		"statusline-08-resumed":                     {Smart, "", 46_530, 1_000_000},
		"statusline-09-git-named-style":             {Smart, "", 120, 1_000_000},
	}
	files, err := filepath.Glob("../testdata/payloads/statusline-*.json")
	require.NoError(t, err)
	require.Len(t, files, len(cases))
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			want, ok := cases[name]
			require.True(t, ok)
			r := Resolve(recorded(t, file), DefaultBands(), testNow)
			require.Equal(t, want.zone, r.Zone)
			require.Equal(t, want.reason, r.Reason)
			require.Equal(t, want.occupancy, r.Occupancy)
			require.Equal(t, want.occupancy != 0, r.HasOccupancy)
			require.Equal(t, want.window, r.TrueWindow)
			require.Equal(t, "2.1.332", r.CLIVersion)
		})
	}
	t.Run("the overfull one, once its window is named", func(t *testing.T) {
		b := DefaultBands()
		b.Windows = []WindowRule{{Glob: "claude-sonnet-4-5*", Size: 1_000_000}}
		r := Resolve(recorded(t, "../testdata/payloads/statusline-07-over-100-percent-200k-model.json"), b, testNow)
		require.Equal(t, 23.0, r.Percent.Value)
		require.Equal(t, Acceptable, r.Zone)
	})
}

func TestWorseThan(t *testing.T) {
	order := []Zone{Smart, Acceptable, Dumb}
	for i, a := range order {
		for j, b := range order {
			require.Equal(t, i > j, a.WorseThan(b), "%s, %s", a, b)
		}
		for _, none := range []Zone{Unknown, "", "DUMB"} {
			require.False(t, a.WorseThan(none))
			require.False(t, none.WorseThan(a))
		}
	}
	require.False(t, Unknown.WorseThan(Unknown))
}
