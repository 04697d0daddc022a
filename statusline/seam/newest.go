package seam

import (
	"math"
	"os"
	"slices"
	"strings"
	"time"
)

// Newest lists the at most n sessions whose snapshots changed last,
// newest first.
func (h Home) Newest(n int) []Session {
	entries, err := os.ReadDir(h.Path("context"))
	if err != nil {
		return nil
	}
	type dated struct {
		session Session
		at      time.Time
	}
	var all []dated
	for _, entry := range entries {
		id, ok := strings.CutSuffix(entry.Name(), ".json")
		if !ok {
			continue
		}
		session, ok := h.Session(id)
		if !ok {
			continue
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			all = append(all, dated{session, info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b dated) int { return b.at.Compare(a.at) })
	sessions := make([]Session, 0, min(n, len(all)))
	for _, d := range all[:min(n, len(all))] {
		sessions = append(sessions, d.session)
	}
	return sessions
}

// Matching gives the measured session with that id, else those whose ids begin with it.
func (h Home) Matching(beginning string) []Session {
	if session, ok := h.Session(beginning); ok && session.measured() {
		return []Session{session}
	}
	var all []Session
	for _, session := range h.Newest(math.MaxInt) {
		if strings.HasPrefix(session.ID(), beginning) {
			all = append(all, session)
		}
	}
	return all
}

// measured reports whether there is a snapshot or a history of the session.
func (s Session) measured() bool {
	for _, path := range []string{s.SnapshotPath(), s.HistoryPath()} {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// Count is how many sessions have a snapshot.
func (h Home) Count() int {
	entries, err := os.ReadDir(h.Path("context"))
	if err != nil {
		return 0
	}
	n := 0
	for _, entry := range entries {
		if id, ok := strings.CutSuffix(entry.Name(), ".json"); ok && ValidSessionID(id) {
			n++
		}
	}
	return n
}
