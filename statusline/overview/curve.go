package overview

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/guptarohit/asciigraph"

	"ctxguard/statusline"
	"ctxguard/statusline/seam"
	"ctxguard/zones"
)

const (
	defaultColumns = 80
	// widestCurve is wider than any terminal: COLUMNS may say anything, and every
	// column takes memory.
	widestCurve = 1000
	// A curve is drawn in at most curveRows rows, and in leastRows even where they
	// do not fit: less would show nothing. Below airyRows there are no blank lines.
	curveRows = 14
	leastRows = 2
	airyRows  = 5
	leastPlot = 2
	// axisColumns is what asciigraph puts beside the numbers: two blanks and the
	// axis.
	axisColumns = 3

	boundSign     = "╌"
	compactedSign = "┊"
)

// Curve draws one session: what is known of it, then its occupancy over time with
// the bounds of the zones and the last compaction.
func Curve(v View, s Session, bands zones.Bands) string {
	head := v.flow(text(clip(orDash(s.Project), widestProject)), text(clip(orDash(s.Model), widestModel)), muted(s.ID)) + v.flow(facts(v, s)...)
	if why := s.Reading.WhyUnknown(); why != "" {
		head += v.flow(muted("unknown: " + why))
	}
	if len(s.History) < 2 {
		return head + "\n" + v.flow(text("no curve yet: there are fewer than two measurements"))
	}
	c := newCanvas(v, s, bands)
	tail := c.legend()
	rows, between := curveRows, "\n"
	if v.Rows > 0 {
		// The axis with its times takes two rows, zero one, and so does each blank line.
		rows = min(v.Rows-strings.Count(head, "\n")-strings.Count(tail, "\n")-5, curveRows)
		if rows < airyRows {
			rows, between = max(rows+2, leastRows), ""
		}
	}
	return head + between + c.plot(rows) + "\n" + between + tail
}

func facts(v View, s Session) [][]piece {
	r := s.Reading
	all := [][]piece{barOf(r)}
	if r.HasOccupancy && r.TrueWindow > 0 {
		all = append(all, text(tokens(r)))
	}
	zone := string(r.Zone)
	if r.Percent.Computable {
		zone = fmt.Sprintf("%.0f%% %s", r.Percent.Value, r.Zone)
	}
	all = append(all, []piece{{zone, zoneColour(s)}})
	if s.LeftKnown {
		all = append(all, text(statusline.Short(s.Left)+" until auto-compaction"))
	}
	if !r.CapturedAt.IsZero() {
		all = append(all, text("measured "+age(r.Age, r.CapturedAt)+" ago"))
	}
	return all
}

func barOf(r zones.Reading) []piece {
	bar := statusline.Bar(r, barCells)
	full := strings.TrimRight(bar, statusline.FreeCell)
	return []piece{{full, statusline.Colour(r.Zone)}, {bar[len(full):], dim}}
}

// canvas is what a curve is drawn on.
type canvas struct {
	view        View
	session     Session
	first, last time.Time
	// smart and acceptable are the upper bounds of the zones in tokens; 0 where
	// they are not known.
	smart, acceptable int64
	// top is the largest count that has to be on it.
	top int64
	// stamp is the layout of the times below it.
	stamp string
}

func newCanvas(v View, s Session, bands zones.Bands) canvas {
	points := s.History
	c := canvas{view: v, session: s, first: points[0].Time, last: points[len(points)-1].Time}
	window := s.Reading.TrueWindow
	if window <= 0 {
		window = points[len(points)-1].Window
	}
	c.smart, c.acceptable, _ = bands.Bounds(window)
	c.top = max(c.acceptable, 1)
	for _, p := range points {
		c.top = max(c.top, p.Tokens)
	}
	switch span := c.last.Sub(c.first); {
	case span < 2*time.Minute:
		c.stamp = "15:04:05"
	case span < 20*time.Hour:
		c.stamp = "15:04"
	case span < 6*24*time.Hour:
		c.stamp = "Mon 15:04"
	default:
		c.stamp = "Jan _2"
	}
	return c
}

// plot leaves the drawing to asciigraph, which draws one series over the other.
func (c canvas) plot(most int) string {
	step := stepFor(c.top, most, c.smart, c.acceptable)
	rows := int((c.top + step - 1) / step)
	width := c.columns(step, rows)
	p := picture{}
	if at, ok := c.columnOf(c.session.CompactedAt, width); ok {
		p.add(upright(width, at, float64(rows)*float64(step)), asciigraph.Default, allOf(compactedSign))
	}
	if c.acceptable > 0 {
		p.add(flat(c.smart, width), statusline.PaletteAcceptable, allOf(boundSign))
		p.add(flat(c.acceptable, width), statusline.PaletteDumb, allOf(boundSign))
	}
	p.add(sample(c.session.History, c.first, c.last, width), asciigraph.Default, asciigraph.DefaultCharSet)
	options := []asciigraph.Option{
		asciigraph.Height(rows), asciigraph.LowerBound(0), asciigraph.UpperBound(float64(rows) * float64(step)),
		asciigraph.SeriesChars(p.signs...),
		asciigraph.YAxisValueFormatter(func(y float64) string { return statusline.Short(int64(math.Round(y))) }),
		asciigraph.XAxisRange(float64(c.first.Unix()), float64(c.last.Unix())),
		asciigraph.XAxisTickCount(max(2, min(7, width/(len(c.stamp)+5)))),
		asciigraph.XAxisValueFormatter(func(x float64) string { return c.view.clock(time.Unix(int64(x), 0), c.stamp) }),
	}
	if c.view.Colour {
		options = append(options, asciigraph.SeriesColors(p.colours...))
	}
	return asciigraph.PlotMany(p.series, options...)
}

type picture struct {
	series  [][]float64
	colours []asciigraph.AnsiColor
	signs   []asciigraph.CharSet
}

func (p *picture) add(series []float64, colour asciigraph.AnsiColor, signs asciigraph.CharSet) {
	p.series, p.colours, p.signs = append(p.series, series), append(p.colours, colour), append(p.signs, signs)
}

// columns is how many there are for the curve itself, beside the numbers and the
// axis, and the half of the last time that stands out on the right.
func (c canvas) columns(step int64, rows int) int {
	widest := 0
	for i := range rows + 1 {
		widest = max(widest, len(statusline.Short(step*int64(i))))
	}
	all := defaultColumns
	if c.view.Columns > 0 {
		all = min(c.view.Columns, widestCurve)
	}
	return max(leastPlot, all-widest-axisColumns-len(c.stamp)/2)
}

// stepFor is a round number of tokens such that most steps reach the top. A step
// that all the marks are multiples of is preferred, since a mark between two rows
// stands in the wrong one; but not at the price of two thirds of the rows.
func stepFor(top int64, most int, marks ...int64) int64 {
	first := int64(0)
	for unit := int64(1); ; unit *= 10 {
		for _, step := range []int64{unit, 2 * unit, 5 * unit / 2, 5 * unit} {
			if step*int64(most) < top {
				continue
			}
			if first == 0 {
				first = step
			}
			if step > 3*first {
				return first
			}
			if !slices.ContainsFunc(marks, func(mark int64) bool { return mark%step != 0 }) {
				return step
			}
		}
	}
}

// columnOf is where a moment stands on the axis of time.
func (c canvas) columnOf(at time.Time, width int) (int, bool) {
	if at.Before(c.first) || at.After(c.last) || !c.last.After(c.first) {
		return 0, false
	}
	return int(math.Round(float64(width-1) * float64(at.Sub(c.first)) / float64(c.last.Sub(c.first)))), true
}

// sample gives the history at n moments that lie equally far apart, each the most
// since the one before. From one measurement to the next nothing has changed.
func sample(points []seam.Point, first, last time.Time, n int) []float64 {
	values := make([]float64, n)
	if !last.After(first) {
		// A second knows no order of its own; that of the lines is the true one.
		for i := range values {
			values[i] = float64(points[i*(len(points)-1)/max(1, n-1)].Tokens)
		}
		return values
	}
	next := 0
	for i := range values {
		until := first.Add(time.Duration(float64(last.Sub(first)) * float64(i) / float64(max(1, n-1))))
		if i == n-1 {
			until = last
		}
		seen := false
		for ; next < len(points) && !points[next].Time.After(until); next++ {
			tokens := float64(points[next].Tokens)
			if !seen || i == n-1 {
				values[i], seen = tokens, true
				continue
			}
			values[i] = max(values[i], tokens)
		}
		if !seen && next > 0 {
			values[i] = float64(points[next-1].Tokens)
		}
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

// upright is a line from the bottom to the top in one column: asciigraph joins
// two values of different height in the column of the first.
func upright(n, at int, top float64) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = math.NaN()
	}
	at = min(at, n-2)
	values[at], values[at+1] = 0, top
	return values
}

func allOf(sign string) asciigraph.CharSet {
	set := asciigraph.CreateCharSet(sign)
	set.StartCap, set.EndCap = " ", " "
	return set
}

// legend says what the signs mean and which time is shown.
func (c canvas) legend() string {
	v, s := c.view, c.session
	var signs [][]piece
	if c.acceptable > 0 {
		signs = append(signs,
			[]piece{{boundSign + " smart up to " + statusline.Short(c.smart), statusline.Colour(zones.Acceptable)}},
			[]piece{{boundSign + " acceptable up to " + statusline.Short(c.acceptable), statusline.Colour(zones.Dumb)}})
	}
	if s.Degraded {
		signs = append(signs, text(c.compaction()))
	}
	until := "2006-01-02 15:04"
	if v.clock(c.first, time.DateOnly) == v.clock(c.last, time.DateOnly) {
		until = "15:04"
	}
	return v.flow(signs...) + v.flow(
		muted(fmt.Sprintf("%d measurements", len(s.History))),
		muted("from "+v.clock(c.first, "2006-01-02 15:04")),
		muted("to "+v.clock(c.last, until)))
}

// compaction is the last one: the marker knows no other.
func (c canvas) compaction() string {
	at := c.session.CompactedAt
	if at.IsZero() {
		return "compacted, at a time that is not known"
	}
	sign := ""
	if _, drawn := c.columnOf(at, leastPlot); drawn {
		sign = compactedSign + " "
	}
	return sign + "last compacted " + c.view.clock(at, "2006-01-02 15:04")
}
