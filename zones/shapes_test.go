package zones

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Z: percentage not computable, and what its bounds do.
func TestPercentageShape(t *testing.T) {
	cases := map[string]struct {
		used string
		zone Zone
		why  Code
	}{
		"missing":               {"", Unknown, NotANumber},
		"null":                  {"null", Unknown, NotANumber},
		"text":                  {`"30"`, Unknown, NotANumber},
		"a truth value":         {"true", Unknown, NotANumber},
		"an object":             {"{}", Unknown, NotANumber},
		"beyond every float":    {"1e999", Unknown, NotANumber},
		"negative":              {"-1", Unknown, OutOfRange},
		"a hair below nothing":  {"-0.001", Unknown, OutOfRange},
		"above a hundred":       {"100.5", Unknown, OutOfRange},
		"nothing":               {"0", Smart, ""},
		"the smart bound":       {"50", Smart, ""},
		"as an exponent":        {"5e1", Smart, ""},
		"just above smart":      {"50.01", Acceptable, ""},
		"the acceptable bound":  {"75.0", Acceptable, ""},
		"just above acceptable": {"75.000001", Dumb, ""},
		"a hundred that fits":   {"100", Dumb, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := mid()
			f.used = c.used
			f.version = "" // leaves the percentage alone
			r := f.resolve(t, DefaultBands())
			require.Equal(t, c.zone, r.Percent.Zone)
			require.Equal(t, c.why, r.Percent.Why)
			require.Equal(t, c.why == "", r.Percent.Computable)
			require.Equal(t, NoVersion, r.Tokens.Why)
			require.Equal(t, c.zone, r.Zone)
			require.False(t, r.Percent.Recomputed)
		})
	}
}

// Z: pegged.
func TestPeggedPercentage(t *testing.T) {
	f := mid()
	f.used, f.input, f.output = "100", "199999", "1"
	r := f.resolve(t, DefaultBands())
	require.True(t, r.Percent.Computable, "an occupancy that just fits")
	require.Equal(t, Dumb, r.Zone)

	f.output = "2"
	r = f.resolve(t, DefaultBands())
	require.Equal(t, Pegged, r.Percent.Why)
	require.Equal(t, OverWindow, r.Tokens.Why)
	require.Equal(t, Unknown, r.Zone)
	require.Equal(t, NothingComputable, r.Reason)

	f.used = "99"
	r = f.resolve(t, DefaultBands())
	require.True(t, r.Percent.Computable, "only a hundred is the client's clamp")

	f.used, f.size = "100", ""
	r = f.resolve(t, DefaultBands())
	require.True(t, r.Percent.Computable, "without a window nothing shows it to be pegged")
	require.Equal(t, NoWindow, r.Tokens.Why)
	require.Equal(t, Dumb, r.Zone)
}

// Z: tokens not computable.
func TestTokensNotComputable(t *testing.T) {
	cases := map[string]struct {
		bend func(*fixture)
		why  Code
	}{
		"input missing":                     {func(f *fixture) { f.input = "" }, NoTotals},
		"input text":                        {func(f *fixture) { f.input = `"60000"` }, NoTotals},
		"input null":                        {func(f *fixture) { f.input = "null" }, NoTotals},
		"input negative":                    {func(f *fixture) { f.input = "-1" }, NoTotals},
		"output missing":                    {func(f *fixture) { f.output = "" }, NoTotals},
		"output a list":                     {func(f *fixture) { f.output = "[1]" }, NoTotals},
		"output negative":                   {func(f *fixture) { f.output = "-1e-3" }, NoTotals},
		"window missing":                    {func(f *fixture) { f.size = "" }, NoWindow},
		"window text":                       {func(f *fixture) { f.size = `"200000"` }, NoWindow},
		"window zero":                       {func(f *fixture) { f.size = "0" }, NoWindow},
		"window negative":                   {func(f *fixture) { f.size = "-200000" }, NoWindow},
		"window less than one token":        {func(f *fixture) { f.size = "0.5" }, NoWindow},
		"window below every class":          {func(f *fixture) { f.size = "199999" }, BelowClasses},
		"no version":                        {func(f *fixture) { f.version = "" }, NoVersion},
		"a version that is a number":        {func(f *fixture) { f.version = "2.1" }, NoVersion},
		"a version with a suffix":           {func(f *fixture) { f.version = `"2.1.332-beta"` }, BadVersion},
		"a version with a v":                {func(f *fixture) { f.version = `"v2.1.332"` }, BadVersion},
		"a version with a blank":            {func(f *fixture) { f.version = `" 2.1.332"` }, BadVersion},
		"a version with a hole":             {func(f *fixture) { f.version = `"2..332"` }, BadVersion},
		"a version that ends in a dot":      {func(f *fixture) { f.version = `"2.1.332."` }, BadVersion},
		"a minus in a version":              {func(f *fixture) { f.version = `"2.-1.332"` }, BadVersion},
		"other digits":                      {func(f *fixture) { f.version = `"2.1.٣٣٢"` }, BadVersion},
		"the release before the floor":      {func(f *fixture) { f.version = `"2.1.131"` }, OldVersion},
		"zeros do not make a number longer": {func(f *fixture) { f.version = `"02.1.0131"` }, OldVersion},
		"a shorter version":                 {func(f *fixture) { f.version = `"2.1"` }, OldVersion},
		"an older major":                    {func(f *fixture) { f.version = `"1.99.999"` }, OldVersion},
		"occupancy over the window":         {func(f *fixture) { f.input = "199001" }, OverWindow},
		"a huge occupancy":                  {func(f *fixture) { f.input = "1e300" }, OverWindow},
		"an endless occupancy":              {func(f *fixture) { f.input, f.output = "1e999", "1e999" }, OverWindow},
		"an occupancy beyond int64":         {func(f *fixture) { f.input = "99999999999999999999999" }, OverWindow},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := mid()
			c.bend(&f)
			r := f.resolve(t, DefaultBands())
			require.Equal(t, c.why, r.Tokens.Why)
			require.Equal(t, Unknown, r.Tokens.Zone)
			require.Equal(t, Smart, r.Zone, "the percentage stands alone")
			require.GreaterOrEqual(t, r.ReportedWindow, int64(0))
			require.Empty(t, r.Reason)
			require.Zero(t, r.Class)
		})
	}
}

// Z: the version floor, number by number.
func TestVersionsThatAreBelieved(t *testing.T) {
	for _, version := range []string{"2.1.132", "2.1.0132", "2.1.132.0", "2.1.133", "2.2", "2.10.0", "3", "10.0.0",
		"2.1.99999999999999999999999999"} {
		f := mid()
		f.version = fmt.Sprintf("%q", version)
		r := f.resolve(t, DefaultBands())
		require.True(t, r.Tokens.Computable, version)
		require.Equal(t, version, r.CLIVersion)
	}
}

// Z: token bounds, window classes, spelling of numbers.
func TestTokenShape(t *testing.T) {
	cases := map[string]struct {
		size, input, output string
		zone                Zone
		class               int64
	}{
		"200k, smart bound":          {"200000", "99999", "1", Smart, Class200k},
		"200k, output counts":        {"200000", "100000", "1", Acceptable, Class200k},
		"200k, a fraction counts":    {"200000", "100000", "0.25", Acceptable, Class200k},
		"200k, acceptable bound":     {"200000", "160000", "0", Acceptable, Class200k},
		"200k, above it":             {"200000", "160001", "0", Dumb, Class200k},
		"200k, as exponents":         {"2e5", "1e5", "0e0", Smart, Class200k},
		"200k, full":                 {"200000", "200000", "0", Dumb, Class200k},
		"between the classes":        {"999999.9", "170000", "0", Dumb, Class200k},
		"1M, smart bound":            {"1000000", "200000", "0", Smart, Class1M},
		"1M, acceptable bound":       {"1000000", "399999", "1", Acceptable, Class1M},
		"1M, above it":               {"1000000", "400000", "1", Dumb, Class1M},
		"larger than every class":    {"1e300", "300000", "0", Acceptable, Class1M},
		"nothing occupied, in truth": {"200000", "0", "0", Smart, Class200k},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := mid()
			f.size, f.input, f.output, f.used = c.size, c.input, c.output, ""
			r := f.resolve(t, DefaultBands())
			require.Equal(t, c.zone, r.Tokens.Zone)
			require.Equal(t, c.zone, r.Zone, "the tokens stand alone")
			require.Equal(t, c.class, r.Class)
			require.True(t, r.HasOccupancy)
			require.Equal(t, float64(r.Occupancy), r.Tokens.Value)
		})
	}
}
