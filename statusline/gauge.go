package statusline

import (
	"math"
	"strconv"
	"strings"

	"ctxguard/zones"
)

// FreeCell is a cell of the bar that nothing fills.
const FreeCell = "░"

// Short is a count of tokens in at most five characters: 840, 84k, 1.2M.
func Short(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10)
	case n < 999_500:
		return strconv.FormatFloat(math.Round(float64(n)/1000), 'f', -1, 64) + "k"
	}
	return strconv.FormatFloat(math.Round(float64(n)/100_000)/10, 'f', -1, 64) + "M"
}

// Bar draws the occupancy of the window in eighths of a cell; all cells are free
// when it is not known.
func Bar(r zones.Reading, cells int) string {
	var fill float64
	switch {
	case r.HasOccupancy && r.TrueWindow > 0:
		fill = float64(r.Occupancy) / float64(r.TrueWindow)
	case r.Percent.Computable:
		fill = r.Percent.Value / 100
	default:
		return strings.Repeat(FreeCell, cells)
	}
	eighths := int(math.Round(min(max(fill, 0), 1) * float64(cells) * 8))
	full := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		full += []string{"▏", "▎", "▍", "▌", "▋", "▊", "▉"}[rest-1]
	}
	return full + strings.Repeat(FreeCell, cells-(eighths+7)/8)
}
