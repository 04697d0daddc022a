package outline

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"ctxguard/statusline/seam"
)

// index is what every file of one family in a project says that it imports. It
// is kept in the home, and only files whose size or time changed are read again.
type index struct {
	files    []indexed
	complete bool
}

type indexed struct {
	found
	specs []string
}

const (
	indexHeader = "ctxguard imports 1"
	maxIndex    = 32 << 20
	// settled is how old a file must have been when the index was written for
	// its time to be trusted: within the clock's grain it may have changed
	// without showing it.
	settled = 2 * time.Second
)

// indexProject walks the project and reads what is new. What was read is kept
// even when the time runs out, so that the next run comes further.
func indexProject(ctx context.Context, req Request, root string, f family) (index, error) {
	files, complete, err := walk(ctx, root, f)
	if err != nil {
		return index{}, fmt.Errorf("look through the project: %w", err)
	}
	store := cachePath(req.Home, "imports", root, string(f))
	known := loadIndex(store)
	idx := index{complete: complete}
	fresh, began := 0, time.Now()
	for _, file := range files {
		entry, ok := known[file.rel]
		if !ok || entry.found != file {
			if ctx.Err() != nil {
				idx.complete = false
				break
			}
			entry, fresh = indexed{file, readSpecs(root, file, f)}, fresh+1
		}
		idx.files = append(idx.files, entry)
	}
	if !req.Frozen && (fresh > 0 || len(known) > len(idx.files)) {
		saveIndex(store, began, idx.files)
	}
	return idx, ctx.Err()
}

// readSpecs gives no imports for a file that is too large or cannot be read: it
// still counts as a file.
func readSpecs(root string, file found, f family) []string {
	if file.size > maxScanned {
		return nil
	}
	src, err := readRegular(filepath.Join(root, filepath.FromSlash(file.rel)), maxScanned)
	if err != nil || isBinary(src) {
		return nil
	}
	return importSpecs(f, string(src))
}

// loadIndex reads the kept index by path. Entries that may have changed unseen
// are left out, and so is everything after a line that is not understood.
func loadIndex(store string) map[string]indexed {
	raw, err := seam.ReadFile(store, maxIndex)
	if err != nil {
		return nil
	}
	head, body, ok := strings.Cut(string(raw), "\n")
	stamp, ok2 := strings.CutPrefix(head, indexHeader+" ")
	written, err := strconv.ParseInt(stamp, 10, 64)
	if !ok || !ok2 || err != nil {
		return nil
	}
	known := make(map[string]indexed)
	for line := range strings.SplitSeq(body, "\n") {
		fields := strings.Split(line, "\t")
		if len(fields) < 3 {
			break
		}
		size, err1 := strconv.ParseInt(fields[1], 10, 64)
		mtime, err2 := strconv.ParseInt(fields[2], 10, 64)
		if err1 != nil || err2 != nil {
			break
		}
		if mtime > written-int64(settled) {
			continue
		}
		known[fields[0]] = indexed{found{fields[0], size, mtime}, fields[3:]}
	}
	return known
}

// saveIndex keeps the index. Without it the next run is slower; nothing else
// comes of a home that cannot be written.
func saveIndex(store string, at time.Time, files []indexed) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %d\n", indexHeader, at.UnixNano())
	for _, f := range files {
		fmt.Fprintf(&b, "%s\t%d\t%d", f.rel, f.size, f.mtime)
		for _, spec := range f.specs {
			b.WriteByte('\t')
			b.WriteString(spec)
		}
		b.WriteByte('\n')
	}
	if b.Len() <= maxIndex {
		_ = seam.Replace(store, b.Bytes())
	}
}

// resolver gathers what names hang on.
func (idx index) resolver(f family) resolver {
	r := resolver{family: f, modules: make(map[string]string), packages: make(map[string]bool)}
	for _, file := range idx.files {
		switch path.Base(file.rel) {
		case "go.mod":
			for _, spec := range file.specs {
				if module, ok := strings.CutPrefix(spec, "module "); ok {
					r.modules[path.Dir(file.rel)] = module
				}
			}
		case "__init__.py":
			r.packages[path.Dir(file.rel)] = true
		}
	}
	return r
}
