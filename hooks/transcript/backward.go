package transcript

import (
	"bytes"
	"io"
	"iter"
)

// backward yields the lines from the last to the first that wanted, when it is
// not nil, does not turn down by their bytes alone. Lines that are not one JSON
// object are left out. An error is yielded once and ends it.
func (f *File) backward(wanted func(raw []byte) bool) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		w := &window{file: f, buf: make([]byte, f.line+f.block), at: f.size}
		for {
			piece, ok, err := w.previous()
			if err != nil {
				yield(Line{}, err)
				return
			}
			if !ok {
				return
			}
			line, ok, err := piece.parse(f, wanted)
			if err != nil {
				yield(Line{}, err)
				return
			}
			if ok && !yield(line, nil) {
				return
			}
		}
	}
}

// piece is the place of one line, with its bytes when they are few enough to be
// held. The bytes are only good until the next line is asked for.
type piece struct {
	start, end int64
	held       bool
	raw        []byte
}

// piece is the line that begins at start and has those bytes.
func (f *File) piece(start int64, raw []byte) piece {
	return piece{start: start, end: start + int64(len(raw)), held: len(raw) <= f.line, raw: raw}
}

func (p piece) parse(f *File, wanted func([]byte) bool) (Line, bool, error) {
	if p.held {
		if wanted != nil && !wanted(p.raw) {
			return Line{}, false, nil
		}
		line, ok := parse(p.start, p.raw)
		return line, ok, nil
	}
	raw, ok, err := condense(io.NewSectionReader(f.bytes, p.start, p.end-p.start), f.buffer(), f.limits)
	if err != nil || !ok {
		return Line{}, false, err
	}
	line, ok := parse(p.start, raw)
	line.Condensed = true
	return line, ok, nil
}

// window holds the part of the file just before what was already given away.
type window struct {
	file *File
	buf  []byte
	// buf[from:to] is the text before the last line given; it begins at the
	// file's byte at.
	from, to int
	at       int64
	// breaks are the places of the line ends in the window, as offsets in the
	// file. They are looked for forwards: that way the search is a fast one.
	breaks []int64
	begun  bool
	done   bool
}

// previous gives the line before the one that it gave last. A line longer than
// the bound is only located.
func (w *window) previous() (piece, bool, error) {
	if w.done {
		return piece{}, false, nil
	}
	if !w.begun {
		w.begun = true
		w.from, w.to = len(w.buf), len(w.buf)
	}
	for len(w.breaks) == 0 {
		if w.at == 0 {
			w.done = true
			return w.file.piece(0, w.buf[w.from:w.to]), true, nil
		}
		if w.to-w.from > w.file.line {
			return w.long()
		}
		if err := w.fill(); err != nil {
			return piece{}, false, err
		}
	}
	last := w.breaks[len(w.breaks)-1]
	w.breaks = w.breaks[:len(w.breaks)-1]
	cut := w.from + int(last-w.at)
	p := w.file.piece(last+1, w.buf[cut+1:w.to])
	w.to = cut
	return p, true, nil
}

// fill reads the block before the window, in which no line end is left.
func (w *window) fill() error {
	n := int(min(int64(w.file.block), w.at))
	if w.from < n {
		held := w.to - w.from
		copy(w.buf[len(w.buf)-held:], w.buf[w.from:w.to])
		w.from, w.to = len(w.buf)-held, len(w.buf)
	}
	block := w.buf[w.from-n : w.from]
	if err := w.file.read(block, w.at-int64(n)); err != nil {
		return err
	}
	w.from -= n
	w.at -= int64(n)
	for i := 0; ; i++ {
		next := bytes.IndexByte(block[i:], '\n')
		if next < 0 {
			return nil
		}
		i += next
		w.breaks = append(w.breaks, w.at+int64(i))
	}
}

// long goes on to the beginning of a line that is too long to be held.
func (w *window) long() (piece, bool, error) {
	end := w.at + int64(w.to-w.from)
	for len(w.breaks) == 0 {
		if w.at == 0 {
			w.done = true
			return piece{end: end}, true, nil
		}
		w.from, w.to = len(w.buf), len(w.buf)
		if err := w.fill(); err != nil {
			return piece{}, false, err
		}
	}
	last := w.breaks[len(w.breaks)-1]
	w.breaks = w.breaks[:len(w.breaks)-1]
	w.to = w.from + int(last-w.at)
	return piece{start: last + 1, end: end}, true, nil
}
