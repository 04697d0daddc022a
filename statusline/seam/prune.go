package seam

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	keepSessions = 14 * 24 * time.Hour
	keepTemps    = time.Hour
	pruneAtMost  = 500
	pruneEvery   = 24 * time.Hour
	seenEvery    = time.Hour
)

// sessionFile tells how the files of one folder are named after sessions.
type sessionFile struct {
	folder string
	suffix string
}

func sessionFiles() []sessionFile {
	return []sessionFile{
		{"context", ".json"},
		{"context", ".compacted"},
		{"history", ".jsonl"},
		{"history", ".jsonl" + rotatedSuffix},
		{"state", ".json"},
	}
}

// Prune removes the files of sessions none of whose files changed for 14 days,
// at most 500 files, and temporary files older than an hour. Only names that the
// seam itself gives are touched. Nothing comes of a file that cannot be removed:
// the next run tries again.
func (h Home) Prune(now time.Time) {
	h.touch(h.Path("cache/pruned"), now)
	touched := make(map[string]time.Time)
	for _, folder := range []string{"context", "history", "state", "cache", "seen", "."} {
		h.pruneFolder(folder, now, touched)
	}
	left := pruneAtMost
	for id, at := range touched {
		if now.Sub(at) <= keepSessions {
			continue
		}
		for _, f := range sessionFiles() {
			if left > 0 && removeIfOlder(h.Path(f.folder+"/"+id+f.suffix), now.Add(-keepSessions)) {
				left--
			}
		}
	}
}

// pruneFolder removes old temporary files from one folder and notes for each
// session found there when it was last touched.
func (h Home) pruneFolder(folder string, now time.Time, touched map[string]time.Time) {
	entries, err := os.ReadDir(h.Path(folder))
	if err != nil {
		return
	}
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasPrefix(name, tempPrefix) {
			removeIfOlder(h.Path(folder+"/"+name), now.Add(-keepTemps))
			continue
		}
		id, ok := sessionOf(folder, name)
		if !ok {
			continue
		}
		if info, err := entry.Info(); err == nil && info.ModTime().After(touched[id]) {
			touched[id] = info.ModTime()
		}
	}
}

func sessionOf(folder, name string) (string, bool) {
	for _, f := range sessionFiles() {
		if id, ok := strings.CutSuffix(name, f.suffix); ok && f.folder == folder && ValidSessionID(id) {
			return id, true
		}
	}
	return "", false
}

// removeIfOlder looks once more just before it removes, since the session may
// have come back to life since the folder was listed.
func removeIfOlder(path string, limit time.Time) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || !info.ModTime().Before(limit) {
		return false
	}
	return os.Remove(path) == nil
}

// PruneDue reports whether nothing has pruned for a day. A stamp from the
// future is a clock's mistake and counts for nothing.
func (h Home) PruneDue(now time.Time) bool {
	age, ok := ageOf(h.Path("cache/pruned"), now)
	return !ok || age >= pruneEvery || age < 0
}

// Seen notes that an event of that name has arrived, at most once an hour. It is
// doctor's evidence that the event is delivered at all.
func (h Home) Seen(event string, now time.Time) {
	path := h.Path("seen/" + event)
	if age, ok := ageOf(path, now); !ok || age >= seenEvery || age < 0 {
		h.touch(path, now)
	}
}

// LastSeen is when an event of that name was last noted.
func (h Home) LastSeen(event string) (time.Time, bool) {
	info, err := os.Stat(h.Path("seen/" + event))
	if err != nil {
		return time.Time{}, false
	}
	return info.ModTime(), true
}

func ageOf(path string, now time.Time) (time.Duration, bool) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, false
	}
	return now.Sub(info.ModTime()), true
}

// touch sets the file's time, and makes the file when it is missing.
func (h Home) touch(path string, at time.Time) {
	err := os.Chtimes(path, at, at)
	if !errors.Is(err, fs.ErrNotExist) {
		return
	}
	if os.MkdirAll(filepath.Dir(path), dirMode) == nil {
		_ = replaceStamped(path, nil, at)
	}
}
