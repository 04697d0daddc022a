package overview

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rivo/uniseg"

	"ctxguard/statusline"
	"ctxguard/zones"
)

const (
	barCells   = 10
	sparkCells = 16
	// Names of people's choice are cut at these widths however much room there is.
	widestProject = 40
	widestModel   = 24
	// shownID is how much of a session's id is shown. The id of one that Claude Code
	// gave is a UUID, whose first block has that many digits; a beginning names
	// the session where it is the only one.
	shownID = 8
)

// column is one column of the table. Those with the highest rank go first when
// the terminal is too narrow, and with them those that have nothing to tell.
type column struct {
	title string
	rank  int
	cell  func(View, Session) string
	// least and most bound the width of names, which give way before a column
	// goes; both are 0 for what is shown in full.
	least, most int
	// numeric cells end below one another.
	numeric bool
	colour  func(Session) string
}

func columns() []column {
	return []column{
		{title: "SESSION", rank: 3, cell: func(_ View, s Session) string { return s.ID[:min(len(s.ID), shownID)] }},
		{title: "PROJECT", rank: 1, cell: func(_ View, s Session) string { return orDash(s.Project) }, least: 8, most: widestProject},
		{title: "MODEL", rank: 7, cell: func(_ View, s Session) string { return orDash(s.Model) }, least: 10, most: widestModel},
		{title: "FILL", rank: 2, cell: func(_ View, s Session) string { return statusline.Bar(s.Reading, barCells) }, colour: zoneColour},
		{title: "TOKENS", rank: 4, cell: func(_ View, s Session) string { return tokens(s.Reading) }, numeric: true},
		{title: "ZONE", rank: 0, cell: func(_ View, s Session) string { return string(s.Reading.Zone) }, colour: zoneColour},
		{title: "COMPACTED", rank: 5, cell: func(v View, s Session) string { return s.compacted(v.Now) }},
		{title: "TO COMPACTION", rank: 9, cell: func(_ View, s Session) string { return left(s) }, numeric: true},
		{title: "AGE", rank: 6, cell: func(_ View, s Session) string { return age(s.Reading.Age, s.Reading.CapturedAt) }, numeric: true},
		{title: "CURVE", rank: 8, cell: func(_ View, s Session) string { return spark(s) }},
	}
}

// Table draws the sessions, one a line, into the view's width. Total is how many
// there are in all.
func Table(v View, sessions []Session, total int) string {
	if len(sessions) == 0 {
		return v.flow(text("no session has been measured yet: `ctxguard doctor` says whether the status line is wired"))
	}
	shown := slices.DeleteFunc(columns(), func(c column) bool { return c.rank > 4 && c.tellsNothing(v, sessions) })
	widths := fit(v, shown, sessions)
	for widths == nil {
		worst := slices.MaxFunc(shown, func(a, b column) int { return a.rank - b.rank }).rank
		shown = slices.DeleteFunc(shown, func(c column) bool { return c.rank == worst })
		widths = fit(v, shown, sessions)
	}
	var b strings.Builder
	b.WriteString(row(v, shown, widths, func(c column) piece { return piece{c.title, dim} }))
	for _, s := range sessions {
		b.WriteString(row(v, shown, widths, func(c column) piece {
			p := piece{text: c.cell(v, s)}
			if c.colour != nil {
				p.colour = c.colour(s)
			}
			return p
		}))
	}
	if more := total - len(sessions); more > 0 {
		b.WriteString(v.flow(muted(fmt.Sprintf("and %d more", more)), muted("(`ctxguard status --all`)")))
	}
	return b.String()
}

func (c column) tellsNothing(v View, sessions []Session) bool {
	return !slices.ContainsFunc(sessions, func(s Session) bool {
		cell := c.cell(v, s)
		return cell != "" && cell != dash
	})
}

// fit gives each column its width, or nil when there is no room for them all.
// The last column is never given up.
func fit(v View, shown []column, sessions []Session) []int {
	widths := make([]int, 0, len(shown))
	total := -len(gap)
	for _, c := range shown {
		width := uniseg.StringWidth(c.title)
		for _, s := range sessions {
			width = max(width, uniseg.StringWidth(clip(c.cell(v, s), v.limit())))
		}
		if c.most > 0 {
			width = min(width, c.most)
		}
		widths = append(widths, width)
		total += width + len(gap)
	}
	// Of the names, the model gives way first: it stands further right.
	for i := len(shown) - 1; i >= 0 && total > v.limit(); i-- {
		if c := shown[i]; c.most > 0 {
			give := min(total-v.limit(), max(0, widths[i]-max(c.least, len(c.title))))
			widths[i] -= give
			total -= give
		}
	}
	if total > v.limit() && len(shown) > 1 {
		return nil
	}
	return widths
}

func row(v View, shown []column, widths []int, of func(column) piece) string {
	var b strings.Builder
	pending := ""
	for i, c := range shown {
		p := of(c)
		p.text = clip(p.text, min(widths[i], v.limit()))
		padding := strings.Repeat(" ", max(0, widths[i]-uniseg.StringWidth(p.text)))
		if c.numeric {
			pending, padding = pending+padding, ""
		}
		if p.text != "" {
			b.WriteString(pending + v.paintCell(p))
			pending = ""
		}
		pending += padding + gap
	}
	return b.String() + "\n"
}

// paintCell keeps what is free of a bar in the background.
func (v View) paintCell(p piece) string {
	full := strings.TrimRight(p.text, statusline.FreeCell)
	return v.paint(piece{full, p.colour}) + v.paint(piece{p.text[len(full):], dim})
}

func zoneColour(s Session) string { return statusline.Colour(s.Reading.Zone) }

const dash = "–"

func orDash(s string) string {
	if s == "" {
		return dash
	}
	return s
}

func tokens(r zones.Reading) string {
	if !r.HasOccupancy || r.TrueWindow <= 0 {
		return dash
	}
	return statusline.Short(r.Occupancy) + "/" + statusline.Short(r.TrueWindow)
}

func left(s Session) string {
	if !s.LeftKnown {
		return dash
	}
	return statusline.Short(s.Left)
}

// compacted is when the session was compacted last, "" when it never was.
func (s Session) compacted(now time.Time) string {
	switch {
	case !s.Degraded:
		return ""
	case s.CompactedAt.IsZero() || s.CompactedAt.After(now):
		return "yes"
	}
	return age(now.Sub(s.CompactedAt), s.CompactedAt) + " ago"
}

func age(d time.Duration, captured time.Time) string {
	switch {
	case captured.IsZero():
		return dash
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
