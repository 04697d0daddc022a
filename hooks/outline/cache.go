package outline

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"ctxguard/statusline/seam"
)

const (
	// cacheFolder is below the home; it may be deleted at any time.
	cacheFolder = "cache/outline"
	maxCached   = 4 << 20
	// keptShapes and trimmedTo bound the number of files in the cache.
	keptShapes = 1000
	trimmedTo  = 800
)

// cachePath is where something is kept that hangs on the parts and on nothing
// else. Its name is a hash: nothing in a project can choose it. The hash is no
// cryptographic one, whose packages would work at every start of the program, so
// the project's root is always among the parts: who builds two texts with one
// hash deceives nobody but the readers of that same project.
func cachePath(home, kind string, parts ...string) string {
	sum := fnv.New128a()
	for _, part := range parts {
		fmt.Fprintf(sum, "%d:", len(part))
		_, _ = io.WriteString(sum, part)
	}
	return filepath.Join(home, filepath.FromSlash(cacheFolder), kind+"-"+hex.EncodeToString(sum.Sum(nil)))
}

// recall decodes what is kept at path; it reports false when there is nothing
// there that is understood.
func recall(path string, into any) bool {
	raw, err := seam.ReadFile(path, maxCached)
	return err == nil && json.Unmarshal(raw, into) == nil
}

// keep stores a value. Nothing comes of a home that cannot be written, but that
// the next render is slower.
func keep(path string, value any) {
	raw, err := json.Marshal(value)
	if err != nil || len(raw) > maxCached {
		return
	}
	if seam.Replace(path, raw) == nil {
		trim(filepath.Dir(path))
	}
}

// trim removes the oldest files of a cache that has grown too large.
func trim(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) <= keptShapes {
		return
	}
	type aged struct {
		name string
		at   time.Time
	}
	var files []aged
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && isCacheName(entry.Name()) {
			files = append(files, aged{entry.Name(), info.ModTime()})
		}
	}
	sort.Slice(files, func(i, j int) bool { return files[i].at.Before(files[j].at) })
	for i := 0; i < len(files)-trimmedTo; i++ {
		_ = os.Remove(filepath.Join(folder, files[i].name))
	}
}

// isCacheName knows the names that cachePath gives: the folder may be a link to one
// that holds other things.
func isCacheName(name string) bool {
	kind, sum, ok := strings.Cut(name, "-")
	return ok && kind != "" && len(sum) == 2*fnvSize && strings.Trim(sum, "0123456789abcdef") == ""
}

// fnvSize is the hash's length in bytes.
const fnvSize = 16

// readSource reads the file to render.
func readSource(path string) ([]byte, error) {
	src, err := readRegular(path, maxSource)
	if err != nil {
		return nil, err
	}
	if isBinary(src) {
		return nil, errNotText
	}
	return bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")), nil
}

// readRegular reads a path that has no links left in it. What took the file's
// place since it was looked at is not read: no link is followed, and no pipe is
// waited for.
func readRegular(path string, limit int64) ([]byte, error) {
	before, err := os.Lstat(path)
	if err != nil {
		return nil, fmt.Errorf("it cannot be read: %w", reason(err))
	}
	if !before.Mode().IsRegular() {
		return nil, errNotRegular
	}
	if before.Size() > limit {
		return nil, errTooLarge
	}
	f, err := openNoWait(path)
	if err != nil {
		return nil, fmt.Errorf("it cannot be read: %w", reason(err))
	}
	defer f.Close()
	if after, err := f.Stat(); err != nil || !os.SameFile(before, after) {
		return nil, errNotRegular
	}
	src, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, fmt.Errorf("it cannot be read: %w", reason(err))
	}
	if int64(len(src)) > limit {
		return nil, errTooLarge
	}
	return src, nil
}

// reason is the error without the path, which the reader has already.
func reason(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

// isBinary looks at the beginning for what text never has.
func isBinary(src []byte) bool {
	return strings.ContainsRune(string(src[:min(len(src), 8<<10)]), 0) || bytes.HasPrefix(src, []byte("\x7fELF"))
}
