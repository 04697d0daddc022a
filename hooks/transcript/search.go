package transcript

import (
	"bytes"
	"errors"
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// linesWith yields the lines that begin at since or later, in which needle stands
// and that wanted does not turn down by their bytes, last first, each once. The
// needle may not hold a line end.
func (f *File) linesWith(needle []byte, since int64, wanted func([]byte) bool) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for end := f.size; end > since; {
			start := max(since, end-int64(f.block)*searchBlocks)
			hits, err := f.search(needle, start, end)
			if err != nil {
				yield(Line{}, err)
				return
			}
			end = start
			for i := len(hits) - 1; i >= 0; {
				p, err := f.lineAround(hits[i])
				if err != nil {
					yield(Line{}, err)
					return
				}
				if p.start < since {
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
				for i >= 0 && hits[i] >= p.start {
					i--
				}
				end = min(end, p.start)
			}
		}
	}
}

const (
	// searchBlocks is how many blocks are searched before the hits in them are
	// looked at: enough to make several searchers worth their start.
	searchBlocks = 64
	// mostSearchers bounds how many blocks are held at once.
	mostSearchers = 4
)

// search lists the places of needle that begin from start up to end, in order.
// Reading from the system's cache is as much work as comparing, so the blocks
// are shared out among the processors.
func (f *File) search(needle []byte, start, end int64) ([]int64, error) {
	blocks := int((end - start + int64(f.block) - 1) / int64(f.block))
	found := make([][]int64, blocks)
	errs := make([]error, blocks)
	var next atomic.Int64
	var searchers sync.WaitGroup
	for i := range min(blocks, runtime.GOMAXPROCS(0), mostSearchers) {
		// A needle may begin in one block and end in the next.
		if need := f.block + len(needle) - 1; len(f.searchBuffers[i]) < need {
			f.searchBuffers[i] = make([]byte, need)
		}
		searchers.Go(func() {
			for at := int(next.Add(1) - 1); at < blocks; at = int(next.Add(1) - 1) {
				from := start + int64(at)*int64(f.block)
				to := min(from+int64(f.block), end)
				found[at], errs[at] = f.searchBlock(needle, f.searchBuffers[i], from, to)
			}
		})
	}
	searchers.Wait()
	return slices.Concat(found...), errors.Join(errs...)
}

func (f *File) searchBlock(needle, buf []byte, from, to int64) ([]int64, error) {
	block := buf[:min(to-from+int64(len(needle))-1, f.size-from)]
	if err := f.read(block, from); err != nil {
		return nil, err
	}
	var hits []int64
	for at := 0; ; {
		i := indexRare(block[at:], needle)
		if i < 0 {
			return hits, nil
		}
		hits = append(hits, from+int64(at+i))
		at += i + len(needle)
	}
}

// indexRare is bytes.Index that looks for the byte of the needle which is the
// least common in text, where it has one: a capital Q.
func indexRare(b, needle []byte) int {
	rare := bytes.IndexByte(needle, 'Q')
	if rare < 0 {
		return bytes.Index(b, needle)
	}
	for at := rare; at < len(b); at++ {
		i := bytes.IndexByte(b[at:], 'Q')
		if i < 0 {
			return -1
		}
		at += i
		if bytes.HasPrefix(b[at-rare:], needle) {
			return at - rare
		}
	}
	return -1
}

// index is the place of the first needle at or behind from. What is looked for
// is mostly near, so it searches a little at first.
func (f *File) index(needle []byte, from int64) (int64, bool, error) {
	for blocks := int64(1); from < f.size; blocks = min(blocks*4, searchBlocks) {
		end := min(from+blocks*int64(f.block), f.size)
		hits, err := f.search(needle, from, end)
		if err != nil {
			return 0, false, err
		}
		if len(hits) > 0 {
			return hits[0], true, nil
		}
		from = end
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
