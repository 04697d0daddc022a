package screen

import "fmt"

const tabWidth = 8

func (s *Screen) controlByte(b byte) {
	switch b {
	case '\r':
		s.moveTo(s.cursor.row, 0)
	case '\n', '\v', '\f':
		s.lineFeed()
	case '\b':
		s.moveTo(s.cursor.row, s.cursor.col-1)
	case '\t':
		s.moveTo(s.cursor.row, (s.cursor.col/tabWidth+1)*tabWidth)
	}
}

func (s *Screen) escapeByte(b byte) {
	switch b {
	case '7':
		s.saved = s.cursor
	case '8':
		s.moveTo(s.saved.row, s.saved.col)
	case 'D':
		s.lineFeed()
	case 'E':
		s.lineFeed()
		s.moveTo(s.cursor.row, 0)
	case 'M':
		s.reverseLineFeed()
	case 'c':
		*s = *New(s.cols, s.rows)
	}
}

// lineFeed keeps the column.
func (s *Screen) lineFeed() {
	s.wrapDue = false
	switch s.cursor.row {
	case s.bottom:
		s.scrollUp(s.top, 1)
	case s.rows - 1: // below the scrolling region
	default:
		s.cursor.row++
	}
}

func (s *Screen) reverseLineFeed() {
	s.wrapDue = false
	switch s.cursor.row {
	case s.top:
		s.scrollDown(s.top, 1)
	case 0:
	default:
		s.cursor.row--
	}
}

// scrollUp moves the rows from first to the end of the scrolling region up by n.
func (s *Screen) scrollUp(first, n int) {
	for range min(n, s.bottom-first+1) {
		copy(s.cells[first:s.bottom], s.cells[first+1:s.bottom+1])
		s.cells[s.bottom] = make([]cell, s.cols)
	}
}

func (s *Screen) scrollDown(first, n int) {
	for range min(n, s.bottom-first+1) {
		copy(s.cells[first+1:s.bottom+1], s.cells[first:s.bottom])
		s.cells[first] = make([]cell, s.cols)
	}
}

func (s *Screen) control(q sequence) {
	if q.intermediate != "" {
		return // cursor shapes and the like: nothing to see
	}
	if q.private != 0 {
		s.privateControl(q)
		return
	}
	row, col, n := s.cursor.row, s.cursor.col, q.param(0, 1)
	switch q.final {
	case 'A':
		s.moveTo(row-n, col)
	case 'B', 'e':
		s.moveTo(row+n, col)
	case 'C', 'a':
		s.moveTo(row, col+n)
	case 'D':
		s.moveTo(row, col-n)
	case 'E':
		s.moveTo(row+n, 0)
	case 'F':
		s.moveTo(row-n, 0)
	case 'G', '`':
		s.moveTo(row, n-1)
	case 'd':
		s.moveTo(n-1, col)
	case 'H', 'f':
		s.moveTo(n-1, q.param(1, 1)-1)
	case 's':
		s.saved = s.cursor
	case 'u':
		s.moveTo(s.saved.row, s.saved.col)
	case 'm':
		s.style.apply(q.params)
	case 'r':
		s.setRegion(n-1, q.param(1, s.rows)-1)
	case 'n', 'c':
		s.report(q)
	default:
		s.edit(q)
	}
}

// edit carries out the sequences that change cells.
func (s *Screen) edit(q sequence) {
	row, col, n := s.cursor.row, s.cursor.col, q.param(0, 1)
	switch q.final {
	case 'J':
		s.eraseScreen(q.param(0, 0))
	case 'K':
		s.eraseLine(q.param(0, 0))
	case 'X':
		s.blank(row, col, col+n)
	case 'P':
		line := s.cells[row]
		copy(line[col:], line[min(col+n, s.cols):])
		s.blank(row, max(col, s.cols-n), s.cols)
	case '@':
		line := s.cells[row]
		copy(line[min(col+n, s.cols):], line[col:])
		s.blank(row, col, col+n)
	case 'L':
		if row >= s.top && row <= s.bottom {
			s.scrollDown(row, n)
		}
	case 'M':
		if row >= s.top && row <= s.bottom {
			s.scrollUp(row, n)
		}
	case 'S':
		s.scrollUp(s.top, n)
	case 'T':
		s.scrollDown(s.top, n)
	}
}

func (s *Screen) privateControl(q sequence) {
	if q.private != '?' || q.final != 'h' && q.final != 'l' {
		return
	}
	for _, mode := range q.params {
		switch mode {
		case 47, 1047, 1049:
			s.alternate(q.final == 'h')
		}
	}
}

// alternate shows the other screen, which starts empty, or the first one again.
func (s *Screen) alternate(on bool) {
	switch {
	case on && s.main == nil:
		s.saved = s.cursor
		s.main, s.cells = s.cells, blankRows(s.cols, s.rows)
	case !on && s.main != nil:
		s.cells, s.main = s.main, nil
		s.moveTo(s.saved.row, s.saved.col)
	}
}

func (s *Screen) setRegion(top, bottom int) {
	bottom = min(bottom, s.rows-1)
	if top >= bottom {
		return
	}
	s.top, s.bottom = top, bottom
	s.moveTo(0, 0)
}

func (s *Screen) eraseScreen(how int) {
	row, col := s.cursor.row, s.cursor.col
	first, end := 0, s.rows
	switch how {
	case 0:
		s.blank(row, col, s.cols)
		first = row + 1
	case 1:
		s.blank(row, 0, col+1)
		end = row
	case 2:
	default:
		return // 3 is the scrollback, which is not kept
	}
	for i := first; i < end; i++ {
		s.blank(i, 0, s.cols)
	}
}

func (s *Screen) eraseLine(how int) {
	row, col := s.cursor.row, s.cursor.col
	switch how {
	case 0:
		s.blank(row, col, s.cols)
	case 1:
		s.blank(row, 0, col+1)
	case 2:
		s.blank(row, 0, s.cols)
	}
}

// blank empties the cells from first up to end, and the other halves of wide
// characters that it cuts.
func (s *Screen) blank(row, first, end int) {
	line := s.cells[row]
	first, end = max(first, 0), min(end, s.cols)
	for first > 0 && first < s.cols && line[first].covered {
		first--
	}
	for end < s.cols && line[end].covered {
		end++
	}
	for i := first; i < end; i++ {
		line[i] = cell{}
	}
}

// report answers a question about the terminal.
func (s *Screen) report(q sequence) {
	switch {
	case q.final == 'c' && q.param(0, 0) == 0:
		s.replies = append(s.replies, "\x1b[?62;22c"...) // a VT220 with colours
	case q.final == 'n' && q.param(0, 0) == 5:
		s.replies = append(s.replies, "\x1b[0n"...)
	case q.final == 'n' && q.param(0, 0) == 6:
		s.replies = fmt.Appendf(s.replies, "\x1b[%d;%dR", s.cursor.row+1, s.cursor.col+1)
	}
}
