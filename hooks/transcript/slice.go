package transcript

import (
	"bytes"
	"fmt"
	"iter"
)

// Slice is the part of a transcript that was written since some offset.
type Slice struct {
	file *File
	// Start is where reading begins: the offset asked for, or later when the
	// slice is longer than 64 MiB; 0 when the offset lay past the end, since
	// the file is then another one.
	Start int64
	// End is behind the last whole line. It is the offset to ask for next time:
	// a last line without its line end is still being written.
	End int64
}

// Since is the slice from that offset to the last whole line.
func (f *File) Since(offset int64) (Slice, error) {
	if offset < 0 || offset > f.size {
		offset = 0
	}
	end, err := f.lineStart(f.size)
	if err != nil {
		return Slice{}, err
	}
	end = max(end, offset)
	return Slice{file: f, Start: max(offset, end-f.slice), End: end}, nil
}

// Settled is what of the transcript will not change any more, and how to know it
// again: the length up to the last whole line, and the last bytes before that, at
// most n.
func (f *File) Settled(n int) (length int64, before []byte, err error) {
	if length, err = f.lineStart(f.size); err != nil {
		return 0, nil, err
	}
	before, err = f.Before(length, n)
	return length, before, err
}

// Before is the last n bytes before that offset, fewer at the file's beginning.
func (f *File) Before(offset int64, n int) ([]byte, error) {
	if offset < 0 || offset > f.size {
		return nil, fmt.Errorf("the transcript has %d bytes, fewer than %d", f.size, offset)
	}
	before := make([]byte, min(offset, int64(n)))
	return before, f.read(before, offset-int64(len(before)))
}

// Lines are the slice's lines, first to last. Lines that are not one JSON
// object are left out, as is the rest of a line that begins before Start. An
// error is yielded once and ends it.
func (s Slice) Lines() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		r := &runner{file: s.file, buf: make([]byte, s.file.line+s.file.block), at: s.Start, end: s.End}
		for {
			piece, ok, err := r.next()
			if err != nil {
				yield(Line{}, err)
				return
			}
			if !ok {
				return
			}
			line, ok, err := piece.parse(s.file, nil)
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

// runner holds the part of the file just behind what was already given away.
type runner struct {
	file *File
	buf  []byte
	// buf[from:to] is the text behind the last line given; it begins at the
	// file's byte at.
	from, to int
	at, end  int64
}

// next gives the line behind the one that it gave last. A line longer than the
// bound is only located. Text without a line end at the slice's end is no line.
func (r *runner) next() (piece, bool, error) {
	searched := 0
	for {
		if i := bytes.IndexByte(r.buf[r.from+searched:r.to], '\n'); i >= 0 {
			n := searched + i
			p := r.file.piece(r.at, r.buf[r.from:r.from+n])
			r.from += n + 1
			r.at += int64(n) + 1
			return p, true, nil
		}
		searched = r.to - r.from
		if r.at+int64(searched) >= r.end {
			return piece{}, false, nil
		}
		if searched > r.file.line {
			return r.long()
		}
		if err := r.fill(); err != nil {
			return piece{}, false, err
		}
	}
}

// fill reads the block behind the window.
func (r *runner) fill() error {
	next := r.at + int64(r.to-r.from)
	n := int(min(int64(r.file.block), r.end-next))
	if len(r.buf)-r.to < n {
		r.to = copy(r.buf, r.buf[r.from:r.to])
		r.from = 0
	}
	if err := r.file.read(r.buf[r.to:r.to+n], next); err != nil {
		return err
	}
	r.to += n
	return nil
}

// long goes on to the end of a line that is too long to be held.
func (r *runner) long() (piece, bool, error) {
	p := piece{start: r.at}
	for r.at += int64(r.to - r.from); r.at < r.end; r.at += int64(r.to - r.from) {
		r.from, r.to = 0, 0
		if err := r.fill(); err != nil {
			return piece{}, false, err
		}
		if i := bytes.IndexByte(r.buf[r.from:r.to], '\n'); i >= 0 {
			p.end = r.at + int64(i)
			r.from = i + 1
			r.at = p.end + 1
			return p, true, nil
		}
	}
	r.from, r.to = 0, 0
	return piece{}, false, nil
}
