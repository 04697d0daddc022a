// Package screen is a small model of a terminal's screen: bytes go in, and what
// a person would see comes out as lines of text. It follows the cursor, erasing,
// scrolling and colours well enough to say what is visible; it draws nothing and
// reads no keys.
//
// It knows nothing of the client that writes to it.
package screen

import "strings"

// Screen is a screen of fixed size. It is not safe for concurrent use.
type Screen struct {
	cols, rows int
	cells      [][]cell
	main       [][]cell // what the alternate screen hides; nil when it is not shown

	cursor, saved position
	// wrapDue: the last column was written; the next character goes to a new line.
	wrapDue     bool
	top, bottom int // the scrolling region, both inclusive
	style       style

	parser  parser
	replies []byte
}

type position struct{ row, col int }

// cell is one place of the screen. A wide character stands in its first cell
// and leaves covered ones behind it.
type cell struct {
	text    string // one grapheme; empty is blank
	covered bool
	style   style
}

// New gives an empty screen with the cursor in the corner.
func New(cols, rows int) *Screen {
	s := &Screen{cols: cols, rows: rows, bottom: rows - 1}
	s.cells = blankRows(cols, rows)
	return s
}

func blankRows(cols, rows int) [][]cell {
	grid := make([][]cell, rows)
	for i := range grid {
		grid[i] = make([]cell, cols)
	}
	return grid
}

// Write takes what a program writes to its terminal. It never fails.
func (s *Screen) Write(p []byte) (int, error) {
	for _, b := range p {
		s.parser.feed(s, b)
	}
	return len(p), nil
}

// Replies gives what a terminal would have answered since the last call, to be
// written to the program's input: its attributes and the place of the cursor,
// for which programs wait.
func (s *Screen) Replies() []byte {
	r := s.replies
	s.replies = nil
	return r
}

// Lines gives the visible text, a line for each row, without trailing blanks.
func (s *Screen) Lines() []string {
	lines := make([]string, s.rows)
	for i, row := range s.cells {
		lines[i] = text(row)
	}
	return lines
}

func text(row []cell) string {
	var b strings.Builder
	for _, c := range row {
		switch {
		case c.covered:
		case c.text == "":
			b.WriteByte(' ')
		default:
			b.WriteString(c.text)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// String is the visible text without the blank rows below it.
func (s *Screen) String() string {
	return strings.TrimRight(strings.Join(s.Lines(), "\n"), "\n")
}

// Foreground gives the colour in which the first occurrence of a text on one
// row begins, as the parameters of its SGR sequence: "31", "38;5;208"; empty is
// the terminal's own. It reports false when the text is not visible.
func (s *Screen) Foreground(needle string) (string, bool) {
	for _, row := range s.cells {
		before, _, found := strings.Cut(text(row), needle)
		if !found {
			continue
		}
		return row[column(row, len(before))].style.foreground, true
	}
	return "", false
}

// column gives the cell in which the byte at offset of the row's text stands.
func column(row []cell, offset int) int {
	for i, c := range row {
		if c.covered {
			continue
		}
		if offset <= 0 {
			return i
		}
		offset -= max(1, len(c.text))
	}
	return len(row) - 1
}

// Resize changes the size. Rows are cut or added at the bottom; nothing is
// wrapped again, since programs redraw.
func (s *Screen) Resize(cols, rows int) {
	s.cells = resized(s.cells, cols, rows)
	if s.main != nil {
		s.main = resized(s.main, cols, rows)
	}
	s.cols, s.rows = cols, rows
	s.top, s.bottom, s.wrapDue = 0, rows-1, false
	s.moveTo(s.cursor.row, s.cursor.col)
	s.saved = s.clamp(s.saved)
}

func resized(old [][]cell, cols, rows int) [][]cell {
	grid := blankRows(cols, rows)
	for i := range grid {
		if i < len(old) {
			copy(grid[i], old[i])
		}
	}
	return grid
}

func (s *Screen) clamp(p position) position {
	return position{min(max(p.row, 0), s.rows-1), min(max(p.col, 0), s.cols-1)}
}

func (s *Screen) moveTo(row, col int) {
	s.cursor, s.wrapDue = s.clamp(position{row, col}), false
}
