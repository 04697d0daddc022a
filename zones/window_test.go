package zones

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Z: the true window.
func TestTrueWindow(t *testing.T) {
	rules := []WindowRule{{Glob: "claude-fable-5*", Size: 1_000_000}, {Glob: "*fable*", Size: 500_000}, {Glob: "tiny", Size: 150_000}}
	cases := map[string]struct {
		model  string
		size   string
		want   int64
		source WindowSource
	}{
		"the payload":                          {`"claude-sonnet-4-5"`, "200000", 200_000, FromPayload},
		"the suffix beats the payload":         {`"claude-sonnet-4-5[1m]"`, "200000", MillionWindow, FromSuffix},
		"the suffix without a payload":         {`"claude-sonnet-4-5[1m]"`, "", MillionWindow, FromSuffix},
		"the suffix must be the end":           {`"claude[1m]-x"`, "200000", 200_000, FromPayload},
		"the table beats the suffix":           {`"tiny"`, "200000", 150_000, FromTable},
		"the first line that matches":          {`"claude-fable-5[1m]"`, "200000", 1_000_000, FromTable},
		"a later line":                         {`"old-fable[1m]"`, "200000", 500_000, FromTable},
		"letter case is ignored":               {`"Claude-FABLE-5-2"`, "200000", 1_000_000, FromTable},
		"a glob is about the whole id":         {`"xtiny"`, "200000", 200_000, FromPayload},
		"a model's id that is no text":         {`["tiny"]`, "200000", 200_000, FromPayload},
		"a number as model's id":               {`5`, "200000", 200_000, FromPayload},
		"no model":                             {"", "200000", 200_000, FromPayload},
		"an empty id is no id":                 {`""`, "200000", 200_000, FromPayload},
		"nothing at all":                       {`"m"`, "", 0, ""},
		"a payload that is no positive number": {`"m"`, "-5", 0, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := mid()
			f.model, f.size = c.model, c.size
			b := DefaultBands()
			b.Windows = rules
			r := f.resolve(t, b)
			require.Equal(t, c.want, r.TrueWindow)
			require.Equal(t, c.source, r.WindowSource)
		})
	}
}

// Z: where the true window is not the payload's, the percentage is computed
// again from total_input_tokens.
func TestRecomputedPercentage(t *testing.T) {
	million := func(f *fixture) { f.model = `"claude-opus-5[1m]"` }

	t.Run("over the larger window", func(t *testing.T) {
		f := mid()
		million(&f)
		f.input, f.output, f.used = "190000", "0", "95"
		r := f.resolve(t, DefaultBands())
		require.Equal(t, 19.0, r.Percent.Value)
		require.True(t, r.Percent.Recomputed)
		require.Equal(t, Smart, r.Zone)
		require.Equal(t, 95.0, r.UsedPercentage, "what the client said is kept")
	})
	t.Run("a pegged report is mended by it", func(t *testing.T) {
		f := mid()
		million(&f)
		f.input, f.used = "230000", "100"
		r := f.resolve(t, DefaultBands())
		require.Equal(t, 23.0, r.Percent.Value)
		require.Equal(t, Acceptable, r.Zone, "by the tokens")
	})
	t.Run("the client's percentage is not needed", func(t *testing.T) {
		f := mid()
		million(&f)
		f.used = "null"
		require.Equal(t, 6.0, f.resolve(t, DefaultBands()).Percent.Value)
	})
	t.Run("the output does not count in it", func(t *testing.T) {
		f := mid()
		million(&f)
		f.input, f.output = "500000", "90000"
		require.Equal(t, 50.0, f.resolve(t, DefaultBands()).Percent.Value)
	})
	t.Run("not when the table says what the payload says", func(t *testing.T) {
		f := mid()
		b := DefaultBands()
		b.Windows = []WindowRule{{Glob: "*", Size: 200_000}}
		r := f.resolve(t, b)
		require.False(t, r.Percent.Recomputed)
		require.Equal(t, 30.0, r.Percent.Value)
	})
	t.Run("without an input total there is nothing to compute it from", func(t *testing.T) {
		f := mid()
		million(&f)
		f.input = `"60000"`
		r := f.resolve(t, DefaultBands())
		require.Equal(t, NoInput, r.Percent.Why)
		require.Equal(t, Unknown, r.Zone)
	})
	t.Run("more input than the window holds", func(t *testing.T) {
		f := mid()
		million(&f)
		f.input = "1000001"
		r := f.resolve(t, DefaultBands())
		require.Equal(t, OutOfRange, r.Percent.Why)
		require.Equal(t, Unknown, r.Zone)
	})
	t.Run("sums over a session are no input to it", func(t *testing.T) {
		for version, why := range map[string]Code{`"2.1.131"`: OldVersion, `"x"`: BadVersion, "": NoVersion} {
			f := mid()
			million(&f)
			f.version = version
			r := f.resolve(t, DefaultBands())
			require.Equal(t, why, r.Percent.Why)
			require.Equal(t, Unknown, r.Zone)
		}
	})
	t.Run("a bound is met exactly", func(t *testing.T) {
		f := mid()
		million(&f)
		f.input, f.output = "550000", "0"
		b := DefaultBands()
		b.SmartMaxPercent = 55
		require.Equal(t, Smart, f.resolve(t, b).Percent.Zone)
	})
}

// Z: an occupancy larger than a window that [window] names is dumb.
func TestOccupancyOverANamedWindow(t *testing.T) {
	b := DefaultBands()
	b.Windows = []WindowRule{{Glob: "claude-*", Size: 200_000}}
	for name, f := range map[string]fixture{
		"with the payload's own size":   {size: "200000", used: "100", input: "230000", output: "10"},
		"against a larger payload":      {size: "1000000", used: "23", input: "230000", output: "10"},
		"with numbers beyond all sense": {size: "200000", used: "100", input: "1e300", output: "1e300"},
	} {
		t.Run(name, func(t *testing.T) {
			g := mid()
			g.size, g.used, g.input, g.output = f.size, f.used, f.input, f.output
			r := g.resolve(t, b)
			require.False(t, r.Percent.Computable)
			require.Equal(t, Dumb, r.Tokens.Zone)
			require.Equal(t, Dumb, r.Zone)
		})
	}
	old := mid()
	old.version, old.used, old.input = `"2.1.100"`, "100", "230000"
	require.Equal(t, Unknown, old.resolve(t, b).Zone, "a named window does not make sums believable")
}

// Z: [window] is about a model's id, so without one no glob matches.
func TestNoModelMatchesNoGlob(t *testing.T) {
	f, b := mid(), DefaultBands()
	b.Windows = []WindowRule{{"*", 1_000_000}}
	require.Equal(t, FromTable, f.resolve(t, b).WindowSource)
	for _, model := range []string{"", `""`, "5", "null"} {
		f.model = model
		require.Equal(t, FromPayload, f.resolve(t, b).WindowSource, model)
	}
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		glob, text string
		want       bool
	}{
		{"*", "anything", true}, {"**", "x", true}, {"*", "", true}, {"", "", true}, {"", "x", false},
		{"a*b", "ab", true}, {"a*b", "axxb", true}, {"a*b", "axxbc", false}, {"a*a", "a", false},
		{"*ab*ab*", "abab", true}, {"*ab*ab*", "aba", false}, {"*ab", "abab", true}, {"x[1m]", "x1", false},
		{"x[1m]", "x[1m]", true}, {"a?c", "abc", false}, {`a\b`, `a\b`, true}, {"É*", "éa", true},
	} {
		require.Equal(t, c.want, matches(c.glob, c.text), "%q %q", c.glob, c.text)
	}
	start := time.Now()
	require.False(t, matches(strings.Repeat("a*", 2000)+"b", strings.Repeat("a", 200_000)))
	require.Less(t, time.Since(start), 2*time.Second)
}
