package overview

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"

	"github.com/rivo/uniseg"

	"ctxguard/statusline"
	"ctxguard/zones"
)

// View is how an overview is drawn.
type View struct {
	// Columns is the width of the terminal; 0 when it is not known.
	Columns int
	Colour  bool
	Now     time.Time
}

// column is one column of the table. Those with the highest rank go first when
// the terminal is too narrow.
type column struct {
	title string
	rank  int
	cell  func(View, Session) string
	// zone colours the cell by the session's zone.
	zone bool
}

func columns() []column {
	return []column{
		{"SESSION", 2, func(_ View, s Session) string { return clip(s.ID, 8) }, false},
		{"PROJECT", 1, func(_ View, s Session) string { return clip(orDash(s.Project), 20) }, false},
		{"MODEL", 5, func(_ View, s Session) string { return clip(orDash(s.Model), 14) }, false},
		{"FILL", 3, func(_ View, s Session) string { return statusline.Bar(s.Reading, 10) }, true},
		{"TOKENS", 3, func(_ View, s Session) string { return tokens(s.Reading) }, false},
		{"ZONE", 0, func(_ View, s Session) string { return zoneOf(s) }, true},
		{"TO COMPACTION", 6, func(_ View, s Session) string { return left(s) }, false},
		{"AGE", 4, func(_ View, s Session) string { return age(s.Reading.Age, s.Reading.CapturedAt) }, false},
		{"CURVE", 7, func(_ View, s Session) string { return spark(s, 16) }, false},
	}
}

// Table draws the sessions, one a line, into the view's width. Total is how many
// there are in all.
func Table(v View, sessions []Session, total int) string {
	if len(sessions) == 0 {
		return "no session has been measured yet: `ctxguard doctor` says whether the status line is wired\n"
	}
	shown := columns()
	cells := cellsOf(v, shown, sessions)
	for v.Columns > 0 && widthOf(cells) > v.Columns && len(shown) > 1 {
		worst := 0
		for i, c := range shown {
			if c.rank >= shown[worst].rank {
				worst = i
			}
		}
		shown = append(shown[:worst:worst], shown[worst+1:]...)
		cells = cellsOf(v, shown, sessions)
	}
	var b strings.Builder
	widths := widthsOf(cells)
	for row, line := range cells {
		b.WriteString(drawRow(v, shown, widths, line, row, sessions))
	}
	if more := total - len(sessions); more > 0 {
		b.WriteString(clip(fmt.Sprintf("and %d more", more), v.limit()) + "\n")
	}
	return b.String()
}

func drawRow(v View, shown []column, widths []int, line []string, row int, sessions []Session) string {
	var b strings.Builder
	for i, cell := range line {
		cell = clip(cell, v.limit())
		padding := ""
		if i < len(line)-1 {
			padding = strings.Repeat(" ", max(0, widths[i]-uniseg.StringWidth(cell))+2)
		}
		switch {
		case !v.Colour:
		case row == 0:
			cell = "\x1b[2m" + cell + "\x1b[0m"
		case shown[i].zone:
			cell = statusline.Colour(sessions[row-1].Reading.Zone) + cell + "\x1b[0m"
		}
		b.WriteString(cell + padding)
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}

// limit is how wide a single text may be.
func (v View) limit() int {
	if v.Columns > 0 {
		return v.Columns
	}
	return math.MaxInt
}

func cellsOf(v View, shown []column, sessions []Session) [][]string {
	head := make([]string, 0, len(shown))
	for _, c := range shown {
		head = append(head, c.title)
	}
	cells := [][]string{head}
	for _, s := range sessions {
		line := make([]string, 0, len(shown))
		for _, c := range shown {
			line = append(line, c.cell(v, s))
		}
		cells = append(cells, line)
	}
	return cells
}

func widthsOf(cells [][]string) []int {
	widths := make([]int, len(cells[0]))
	for _, line := range cells {
		for i, cell := range line {
			widths[i] = max(widths[i], uniseg.StringWidth(cell))
		}
	}
	return widths
}

func widthOf(cells [][]string) int {
	total := -2
	for _, w := range widthsOf(cells) {
		total += w + 2
	}
	return total
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

func tokens(r zones.Reading) string {
	if !r.HasOccupancy || r.TrueWindow <= 0 {
		return "–"
	}
	return statusline.Short(r.Occupancy) + "/" + statusline.Short(r.TrueWindow)
}

func zoneOf(s Session) string {
	if s.Degraded {
		return string(s.Reading.Zone) + ", compacted"
	}
	return string(s.Reading.Zone)
}

func left(s Session) string {
	if !s.LeftKnown {
		return "–"
	}
	return statusline.Short(s.Left)
}

func age(d time.Duration, captured time.Time) string {
	switch {
	case captured.IsZero():
		return "–"
	case d < 0:
		return "ahead"
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}

// spark is the history's end as a small curve, against the window.
func spark(s Session, most int) string {
	points := s.History
	if len(points) > most {
		points = points[len(points)-most:]
	}
	var b strings.Builder
	for _, p := range points {
		window := max(p.Window, p.Tokens, 1)
		level := int(math.Round(float64(p.Tokens) / float64(window) * 7))
		b.WriteRune([]rune("▁▂▃▄▅▆▇█")[level])
	}
	return b.String()
}

// clip keeps as much of a text as fits, and nothing that moves a cursor.
func clip(s string, columns int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, s)
	if uniseg.StringWidth(s) <= columns {
		return s
	}
	used, graphemes := 1, uniseg.NewGraphemes(s)
	for graphemes.Next() {
		if used += graphemes.Width(); used > columns {
			start, _ := graphemes.Positions()
			return s[:start] + "…"
		}
	}
	return s
}
