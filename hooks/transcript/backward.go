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
	begun    bool
	done     bool
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
	unsearched := w.to
	for {
		if i := bytes.LastIndexByte(w.buf[w.from:unsearched], '\n'); i >= 0 {
			start := w.from + i + 1
			p := w.file.piece(w.at+int64(i)+1, w.buf[start:w.to])
			w.to = w.from + i
			return p, true, nil
		}
		if w.at == 0 {
			w.done = true
			return w.file.piece(0, w.buf[w.from:w.to]), true, nil
		}
		if w.to-w.from > w.file.line {
			return w.long()
		}
		n, err := w.fill()
		if err != nil {
			return piece{}, false, err
		}
		unsearched = w.from + n
	}
}

// fill reads the block before the window and gives its length.
func (w *window) fill() (int, error) {
	n := int(min(int64(w.file.block), w.at))
	if w.from < n {
		held := w.to - w.from
		copy(w.buf[len(w.buf)-held:], w.buf[w.from:w.to])
		w.from, w.to = len(w.buf)-held, len(w.buf)
	}
	if err := w.file.read(w.buf[w.from-n:w.from], w.at-int64(n)); err != nil {
		return 0, err
	}
	w.from -= n
	w.at -= int64(n)
	return n, nil
}

// long goes on to the beginning of a line that is too long to be held.
func (w *window) long() (piece, bool, error) {
	end := w.at + int64(w.to-w.from)
	w.from, w.to = len(w.buf), len(w.buf)
	for w.at > 0 {
		w.from, w.to = len(w.buf), len(w.buf)
		n, err := w.fill()
		if err != nil {
			return piece{}, false, err
		}
		if i := bytes.LastIndexByte(w.buf[w.from:w.from+n], '\n'); i >= 0 {
			w.to = w.from + i
			return piece{start: w.at + int64(i) + 1, end: end}, true, nil
		}
	}
	w.done = true
	return piece{end: end}, true, nil
}
