package transcript

import (
	"bytes"
	"iter"
)

// linesWith yields the lines in which needle stands and that wanted does not
// turn down by their bytes, last first, each once. The needle may not hold a
// line end.
func (f *File) linesWith(needle []byte, wanted func([]byte) bool) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		buf := make([]byte, f.block+len(needle)-1)
		for end := f.size; end > 0; {
			start := max(0, end-int64(f.block))
			// A needle may begin in this block and end in the next.
			block := buf[:min(end-start+int64(len(needle))-1, f.size-start)]
			if err := f.read(block, start); err != nil {
				yield(Line{}, err)
				return
			}
			end = start
			hits := indexAll(block, needle)
			for i := len(hits) - 1; i >= 0; {
				p, err := f.lineAround(start + int64(hits[i]))
				if err != nil {
					yield(Line{}, err)
					return
				}
				line, ok, err := p.parse(f, wanted)
				if err != nil {
					yield(Line{}, err)
					return
				}
				if ok && !yield(line, nil) {
					return
				}
				for i >= 0 && start+int64(hits[i]) >= p.start {
					i--
				}
				end = min(end, p.start)
			}
		}
	}
}

// indexAll lists where needle stands in b.
func indexAll(b, needle []byte) []int {
	var all []int
	for at := 0; ; {
		i := bytes.Index(b[at:], needle)
		if i < 0 {
			return all
		}
		all = append(all, at+i)
		at += i + len(needle)
	}
}

// index is the place of the first needle at or behind from.
func (f *File) index(needle []byte, from int64) (int64, bool, error) {
	buf := make([]byte, f.block+len(needle)-1)
	for ; from < f.size; from += int64(f.block) {
		block := buf[:min(int64(len(buf)), f.size-from)]
		if err := f.read(block, from); err != nil {
			return 0, false, err
		}
		if i := bytes.Index(block, needle); i >= 0 {
			return from + int64(i), true, nil
		}
	}
	return 0, false, nil
}

// lineAround is the line that the byte at that place belongs to, held when it
// is short enough.
func (f *File) lineAround(at int64) (piece, error) {
	start, err := f.lineStart(at)
	if err != nil {
		return piece{}, err
	}
	end, err := f.lineEnd(at)
	if err != nil {
		return piece{}, err
	}
	p := piece{start: start, end: end}
	if end-start <= int64(f.line) {
		p.held = true
		p.raw = make([]byte, end-start)
		err = f.read(p.raw, start)
	}
	return p, err
}

// firstLook is how far is read at first for the ends of a line.
const firstLook = 4 << 10

// lineStart is where the line begins that holds, or ends with, the byte before
// at: behind the line end before it.
func (f *File) lineStart(at int64) (int64, error) {
	for n := int64(firstLook); at > 0; n = min(n*4, int64(f.block)) {
		buf := f.buffer()
		block := buf[:min(n, at, int64(len(buf)))]
		if err := f.read(block, at-int64(len(block))); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(block, '\n'); i >= 0 {
			return at - int64(len(block)) + int64(i) + 1, nil
		}
		at -= int64(len(block))
	}
	return 0, nil
}

// lineEnd is the place of the first line end at or behind at, or the file's
// end.
func (f *File) lineEnd(at int64) (int64, error) {
	for n := int64(firstLook); at < f.size; n = min(n*4, int64(f.block)) {
		buf := f.buffer()
		block := buf[:min(n, f.size-at, int64(len(buf)))]
		if err := f.read(block, at); err != nil {
			return 0, err
		}
		if i := bytes.IndexByte(block, '\n'); i >= 0 {
			return at + int64(i), nil
		}
		at += int64(len(block))
	}
	return f.size, nil
}
