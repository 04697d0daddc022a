package overview

import (
	"math"
	"strings"
)

// spark is the whole history as a small curve, against the largest window in it.
func spark(s Session) string {
	points := s.History
	if len(points) == 0 {
		return ""
	}
	most := int64(1)
	for _, p := range points {
		most = max(most, p.Window, p.Tokens)
	}
	values := sample(points, points[0].Time, points[len(points)-1].Time, min(len(points), sparkCells))
	var b strings.Builder
	for _, value := range values {
		b.WriteRune([]rune("▁▂▃▄▅▆▇█")[int(math.Round(value/float64(most)*7))])
	}
	return b.String()
}
