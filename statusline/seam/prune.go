package seam

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
// at most 500 files, and temporary files older than an hour, in the other folders
// too: mirrors, and wherever else files of ours are put.
// Only names that the seam itself gives are touched, and no folder that a link of
// somebody else's leads to. Nothing comes of a file that
// cannot be removed: the next run tries again. The error says that the run could
// not be noted; then nothing is removed, or every refresh of the status line would
// look through the whole home.
func (h Home) Prune(now time.Time, others ...string) error {
	if err := h.touch(h.Path("cache/pruned"), now); err != nil {
		return err
	}
	for _, dir := range others {
		RemoveTemps(dir, now)
	}
	touched := make(map[string]time.Time)
	for _, folder := range []string{"context", "history", "state", "cache", "seen", "bin", "backups", "."} {
		h.pruneFolder(folder, now, touched)
	}
	limit := now.Add(-keepSessions)
	left := pruneAtMost
	for id, at := range touched {
		if session, ok := h.Session(id); ok && left > 0 && at.Before(limit) && h.Knows(id) {
			left -= session.removeIfOlder(limit, left)
		}
	}
	return nil
}

// removeIfOlder removes at most atMost files of the session, unless one of them
// has changed since the limit: the session may have come back to life since the
// folders were listed. The lock keeps it from doing so in between.
func (s Session) removeIfOlder(limit time.Time, atMost int) (removed int) {
	unlock, ok := s.Lock(snapshotWait)
	if !ok {
		return 0
	}
	defer unlock()
	for _, f := range sessionFiles() {
		if info, err := os.Lstat(s.path(f)); err == nil && !info.ModTime().Before(limit) {
			return 0
		}
	}
	for _, f := range sessionFiles() {
		if removed < atMost && removeIfOlder(s.path(f), limit) {
			removed++
		}
	}
	return removed
}

func (s Session) path(f sessionFile) string { return s.home.Path(f.folder + "/" + s.id + f.suffix) }

// RemoveTemps removes from a folder the temporary files older than an hour that a
// killed process of ours left there.
func RemoveTemps(dir string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), tempPrefix) {
			removeIfOlder(filepath.Join(dir, entry.Name()), now.Add(-keepTemps))
		}
	}
}

// pruneFolder removes old temporary files from one folder and notes for each
// session found there when it was last touched.
func (h Home) pruneFolder(folder string, now time.Time, touched map[string]time.Time) {
	if info, err := os.Lstat(h.Path(folder)); err != nil || info.Mode()&fs.ModeSymlink != 0 && !Ours(info) {
		return
	}
	RemoveTemps(h.Path(folder), now)
	if !holdsSessions(folder) {
		return
	}
	entries, err := os.ReadDir(h.Path(folder))
	if err != nil {
		return
	}
	for _, entry := range entries {
		name := entry.Name()
		id, ok := sessionOf(folder, name)
		if !ok {
			continue
		}
		if info, err := entry.Info(); err == nil && info.ModTime().After(touched[id]) {
			touched[id] = info.ModTime()
		}
	}
}

func holdsSessions(folder string) bool {
	return slices.ContainsFunc(sessionFiles(), func(f sessionFile) bool { return f.folder == folder })
}

func sessionOf(folder, name string) (string, bool) {
	for _, f := range sessionFiles() {
		if id, ok := strings.CutSuffix(name, f.suffix); ok && f.folder == folder && ValidSessionID(id) {
			return id, true
		}
	}
	return "", false
}

// removeIfOlder removes a regular file that has not changed since the limit.
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
		_ = h.touch(path, now) // the next event tries again
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
func (h Home) touch(path string, at time.Time) error {
	err := os.Chtimes(path, at, at)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return replaceStamped(path, nil, at)
}
