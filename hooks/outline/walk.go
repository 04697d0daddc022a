package outline

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
)

const (
	// maxFiles and maxBytes bound what is read of one project (T9).
	maxFiles = 5000
	maxBytes = 64 << 20
	// maxSeen bounds the names that are passed over on the way.
	maxSeen = 100_000
	// maxScanned is the largest file that is looked through for imports.
	maxScanned = 1 << 20
)

// found is a regular file that the walk came by.
type found struct {
	rel   string // below the root, with forward slashes
	size  int64
	mtime int64 // nanoseconds
}

// walk lists the project's files of one family in the order of their names.
// Symbolic links are not followed, and folders that hold other people's code or
// results are skipped. Complete is false when a bound was met first.
func walk(ctx context.Context, root string, f family) (files []found, complete bool, err error) {
	seen, bytes := 0, int64(0)
	complete = true
	err = filepath.WalkDir(root, func(full string, entry fs.DirEntry, walkErr error) error {
		if seen++; seen%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if seen > maxSeen {
			complete = false
			return fs.SkipAll
		}
		if walkErr != nil {
			// A folder that may not be read is as if it were empty, but not
			// silently so.
			complete = false
			return nil
		}
		if entry.IsDir() {
			if full != root && skippedFolder(entry.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if !entry.Type().IsRegular() || !inFamily(entry.Name(), f) {
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return nil
		}
		rel, err := filepath.Rel(root, full)
		if err != nil || strings.ContainsAny(rel, "\t\n\r") {
			complete = false
			return nil
		}
		size := min(info.Size(), maxScanned)
		if len(files) == maxFiles || bytes+size > maxBytes {
			complete = false
			return fs.SkipAll
		}
		bytes += size
		files = append(files, found{filepath.ToSlash(rel), info.Size(), info.ModTime().UnixNano()})
		return nil
	})
	return files, complete, err
}

// skippedFolder knows the folders of dependencies and results, and passes over
// hidden ones: version control, virtual environments, caches.
func skippedFolder(name string) bool {
	switch name {
	case "node_modules", "vendor", "target", "dist", "__pycache__", "venv":
		return true
	}
	return strings.HasPrefix(name, ".")
}

func inFamily(name string, f family) bool {
	return familyOf(name) == f || f == goFamily && name == "go.mod"
}
