// Package transcript reads Claude Code's transcripts: JSON lines, appended to
// while the session runs, of any number and of any length.
//
// A transcript is never loaded. It is read in blocks: from the end to find the
// current turn, by a plain search for a tool's name to find older calls of it,
// and forward from an offset to see what is new. Memory stays the same for a
// file of kilobytes and of gigabytes: a line longer than a bound is condensed
// while it streams by (see condense.go).
//
// The package knows how the client writes down who said what, and nothing else:
// what a question, an answer or a changed file means to a guard may not enter
// here. Lines that are not one JSON object are passed over one by one, since
// the client may be killed while it writes (A17).
package transcript

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"ctxguard/statusline/seam"
)

// limits bound what is held in memory, in bytes. Tests make them small.
type limits struct {
	// block is how much is read at once.
	block int
	// line is the longest line held whole, and the most that a longer one is
	// condensed to.
	line int
	// text is how much is kept of one string of a line that is condensed.
	text int
	// slice is the most that is read of a slice: its end.
	slice int64
}

func defaultLimits() limits {
	return limits{block: 256 << 10, line: 512 << 10, text: 8 << 10, slice: 64 << 20}
}

// File is an open transcript. It ends where the file ended when it was opened:
// what the client adds later is not seen. It is for one goroutine at a time.
type File struct {
	bytes io.ReaderAt
	close func() error
	size  int64
	limits
	scratch       []byte
	searchBuffers [mostSearchers][]byte
}

// Open opens the transcript at path. Anything but a regular file is
// seam.ErrNotRegular, without waiting for a pipe's other end; a transcript that
// does not exist yet, as at a session's first prompt (facts H.1), is
// fs.ErrNotExist. The caller closes it.
func Open(path string) (*File, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		// The same words on every system.
		return nil, fmt.Errorf("open the transcript %s: %w", path, fs.ErrNotExist)
	}
	if err != nil {
		return nil, fmt.Errorf("open the transcript: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("open the transcript %s: %w", path, seam.ErrNotRegular)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the transcript: %w", err)
	}
	return &File{bytes: file, close: file.Close, size: info.Size(), limits: defaultLimits()}, nil
}

// Close closes the file.
func (f *File) Close() error { return f.close() }

// Size is the transcript's length in bytes when it was opened.
func (f *File) Size() int64 { return f.size }

// read fills p from the offset on. Less than len(p) is an error: the file was
// cut off while it was read.
func (f *File) read(p []byte, offset int64) error {
	if _, err := f.bytes.ReadAt(p, offset); err != nil {
		return fmt.Errorf("read the transcript at byte %d: %w", offset, err)
	}
	return nil
}

// buffer is a block of memory for a search that keeps nothing across calls.
func (f *File) buffer() []byte {
	if f.scratch == nil {
		f.scratch = make([]byte, f.block)
	}
	return f.scratch
}
