package zones_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/zones"
)

func TestBounds(t *testing.T) {
	custom := zones.DefaultBands()
	custom.SmartMaxPercent, custom.AcceptableMaxPercent = 5, 90
	for name, c := range map[string]struct {
		bands             zones.Bands
		window            int64
		smart, acceptable int64
	}{
		"in a million the tokens say it first":       {zones.DefaultBands(), 1_000_000, 200_000, 400_000},
		"in 200000 the percentage ends acceptable":   {zones.DefaultBands(), 200_000, 100_000, 150_000},
		"between the classes the lower row holds":    {zones.DefaultBands(), 500_000, 100_000, 160_000},
		"below every class there is the percentage":  {zones.DefaultBands(), 100_000, 50_000, 75_000},
		"each bound for itself":                      {custom, 1_000_000, 50_000, 400_000},
		"percentages alone, as in a file of no rows": {zones.Bands{SmartMaxPercent: 50, AcceptableMaxPercent: 75}, 200_000, 100_000, 150_000},
	} {
		smart, acceptable, ok := c.bands.Bounds(c.window)
		require.True(t, ok, name)
		require.Equal(t, []int64{c.smart, c.acceptable}, []int64{smart, acceptable}, name)
	}
	for _, window := range []int64{0, -1, zones.MaxCount + 1} {
		_, _, ok := zones.DefaultBands().Bounds(window)
		require.False(t, ok)
	}
}
