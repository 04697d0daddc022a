package overview

import (
	"fmt"
	"strings"
	"time"

	"github.com/guptarohit/asciigraph"

	"ctxguard/statusline"
	"ctxguard/statusline/seam"
	"ctxguard/zones"
)

const (
	curveHeight  = 12
	leastWidth   = 20
	defaultWidth = 72
	axisWidth    = 12
)

// Curve draws one session: its line, then its occupancy over time with the bands
// of its window class, and the compactions.
func Curve(v View, s Session, bands zones.Bands) string {
	var b strings.Builder
	b.WriteString(Table(v, []Session{s}, 1))
	if len(s.History) < 2 {
		b.WriteString("\nno curve yet: its occupancy has not changed since the first measurement\n")
		return b.String()
	}
	width := defaultWidth
	if v.Columns > 0 {
		width = max(leastWidth, v.Columns-axisWidth)
	}
	series := [][]float64{occupancies(s.History)}
	colours := []asciigraph.AnsiColor{asciigraph.Default}
	legend := []string{"tokens"}
	if band, ok := bandOf(s, bands); ok {
		series = append(series, flat(band.SmartMax, len(s.History)), flat(band.AcceptableMax, len(s.History)))
		colours = append(colours, asciigraph.Green, asciigraph.Red)
		legend = append(legend, "smart up to "+statusline.Short(band.SmartMax), "acceptable up to "+statusline.Short(band.AcceptableMax))
	}
	options := []asciigraph.Option{
		asciigraph.Height(curveHeight), asciigraph.Width(width), asciigraph.LowerBound(0),
		asciigraph.YAxisValueFormatter(func(y float64) string { return statusline.Short(int64(y)) }),
	}
	if v.Colour {
		options = append(options, asciigraph.SeriesColors(colours...))
	}
	b.WriteString("\n" + asciigraph.PlotMany(series, options...) + "\n")
	first, last := s.History[0].Time, s.History[len(s.History)-1].Time
	fmt.Fprintf(&b, "\n%s\n", strings.Join(legend, " · "))
	fmt.Fprintf(&b, "%d measurements from %s to %s\n", len(s.History), clock(first), clock(last))
	if drops := compactions(s); len(drops) > 0 {
		fmt.Fprintf(&b, "compacted: %s\n", strings.Join(drops, ", "))
	}
	return b.String()
}

func clock(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

func occupancies(points []seam.Point) []float64 {
	values := make([]float64, 0, len(points))
	for _, p := range points {
		values = append(values, float64(p.Tokens))
	}
	return values
}

func flat(value int64, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(value)
	}
	return values
}

// bandOf is the row of the session's window class.
func bandOf(s Session, bands zones.Bands) (zones.TokenBand, bool) {
	for _, band := range bands.Tokens {
		if band.Class == s.Reading.Class {
			return band, true
		}
	}
	return zones.TokenBand{}, false
}

// compactions are the moments at which the conversation was compacted, as far as
// they can be told: the marker keeps the last one.
func compactions(s Session) []string {
	if !s.Degraded {
		return nil
	}
	if s.CompactedAt.IsZero() {
		return []string{"at a time that is not known"}
	}
	return []string{clock(s.CompactedAt)}
}
