package overview

import (
	"math"
	"strings"
	"time"
	"unicode"

	"github.com/rivo/uniseg"
)

// View is how an overview is drawn.
type View struct {
	// Columns and Rows are the size to fit into; 0 where it is not known. Only a
	// curve fits itself into the rows: a list may be longer than the terminal.
	Columns int
	Rows    int
	Colour  bool
	Now     time.Time
	// Zone is where clock times are shown for, the local zone when it is nil.
	Zone *time.Location
}

const (
	dim   = "\x1b[2m"
	reset = "\x1b[0m"
	gap   = "  "
)

// piece is a text in one colour; "" is the terminal's own.
type piece struct {
	text   string
	colour string
}

func (v View) paint(p piece) string {
	if !v.Colour || p.colour == "" || p.text == "" {
		return p.text
	}
	return p.colour + p.text + reset
}

// limit is how wide a line may be.
func (v View) limit() int {
	if v.Columns > 0 {
		return v.Columns
	}
	return math.MaxInt
}

// flow sets groups of pieces one after another and starts a new line where the
// next group does not fit. What is too wide for any line is broken between words,
// and a word that is too wide is cut.
func (v View) flow(groups ...[]piece) string {
	var b strings.Builder
	used := 0
	for _, group := range groups {
		between := gap
		for _, part := range v.breakUp(group) {
			width := widthOf(part)
			switch {
			case used == 0:
			case used+len(between)+width <= v.limit():
				b.WriteString(between)
				used += len(between)
			default:
				b.WriteByte('\n')
				used = 0
			}
			for _, p := range part {
				p.text = clip(p.text, v.limit()-used)
				used += uniseg.StringWidth(p.text)
				b.WriteString(v.paint(p))
			}
			between = " "
		}
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// breakUp gives the group itself, or its words where it is too wide for a line.
func (v View) breakUp(group []piece) [][]piece {
	switch width := widthOf(group); {
	case width == 0:
		return nil
	case width <= v.limit():
		return [][]piece{group}
	}
	var words [][]piece
	for _, p := range group {
		for _, word := range strings.Fields(p.text) {
			words = append(words, []piece{{word, p.colour}})
		}
	}
	return words
}

func widthOf(group []piece) int {
	width := 0
	for _, p := range group {
		width += uniseg.StringWidth(clip(p.text, math.MaxInt))
	}
	return width
}

// clock is the time for people.
func (v View) clock(t time.Time, layout string) string {
	if v.Zone == nil {
		return t.Local().Format(layout)
	}
	return t.In(v.Zone).Format(layout)
}

func text(s string) []piece { return []piece{{text: s}} }

func muted(s string) []piece { return []piece{{s, dim}} }

// clip keeps as much of a text as fits, and nothing that moves a cursor. Nor does it
// keep what chooses the form of an emoji: terminals do not agree on its width.
func clip(s string, columns int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && !unicode.Is(unicode.Variation_Selector, r) {
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
			if columns < 1 {
				return ""
			}
			return s[:start] + "…"
		}
	}
	return s
}
