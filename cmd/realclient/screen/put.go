package screen

import (
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
)

const zeroWidthJoiner = "\u200d"

// maxGrapheme bounds what one cell takes: joined emoji have some thirty bytes.
const maxGrapheme = 128

// put writes one character at the cursor.
func (s *Screen) put(r rune) {
	char := string(r)
	width := uniseg.StringWidth(char)
	if before := s.before(); before != nil && (width == 0 || strings.HasSuffix(before.text, zeroWidthJoiner)) {
		if len(before.text) < maxGrapheme {
			before.text += char
		}
		return
	}
	if width == 0 {
		return // nothing stands before it
	}
	if s.wrapDue || s.cursor.col+width > s.cols {
		s.lineFeed()
		s.cursor.col = 0
	}
	row, col := s.cursor.row, s.cursor.col
	s.blank(row, col, col+width)
	s.cells[row][col] = cell{text: char, style: s.style}
	for i := col + 1; i < min(col+width, s.cols); i++ {
		s.cells[row][i] = cell{covered: true}
	}
	s.cursor.col += width
	if s.cursor.col >= s.cols {
		s.cursor.col, s.wrapDue = s.cols-1, true
	}
}

// before gives the character that was written last on this line, if the cursor
// still stands behind it.
func (s *Screen) before() *cell {
	col := s.cursor.col - 1
	if s.wrapDue {
		col = s.cursor.col
	}
	line := s.cells[s.cursor.row]
	for col > 0 && line[col].covered {
		col--
	}
	if col < 0 || line[col].text == "" {
		return nil
	}
	return &line[col]
}

// style is what is kept of how a character looks.
type style struct {
	foreground string // see Screen.Foreground
}

// apply carries out the parameters of one SGR sequence.
func (st *style) apply(params []int) {
	if len(params) == 0 {
		*st = style{}
	}
	for i := 0; i < len(params); i++ {
		switch p := params[i]; {
		case p <= 0:
			*st = style{}
		case p >= 30 && p <= 37 || p >= 90 && p <= 97:
			st.foreground = strconv.Itoa(p)
		case p == 39:
			st.foreground = ""
		case p == 38 || p == 48 || p == 58:
			n := extended(params[i:])
			if p == 38 {
				st.foreground = join(params[i : i+n])
			}
			i += n - 1
		}
	}
}

// extended gives the length of an extended colour at the head of params: 38;5;n
// or 38;2;r;g;b.
func extended(params []int) int {
	n := 1
	if len(params) > 1 {
		switch params[1] {
		case 5:
			n = 3
		case 2:
			n = 5
		}
	}
	return min(n, len(params))
}

func join(params []int) string {
	words := make([]string, len(params))
	for i, p := range params {
		words[i] = strconv.Itoa(p)
	}
	return strings.Join(words, ";")
}
