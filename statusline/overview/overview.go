// Package overview shows the sessions of this machine: how full each is, where it
// stands, and how it got there. It reads what the shim wrote and writes nothing;
// no rule about what the numbers mean may enter here.
package overview

import (
	"path/filepath"
	"time"

	"github.com/tidwall/gjson"

	"ctxguard/statusline/seam"
	"ctxguard/zones"
)

// Session is one session as its files tell it.
type Session struct {
	ID      string
	Reading zones.Reading
	// Model and Project are names for people, from the client; Model is its id
	// when there is no name. Both are untrusted text.
	Model   string
	Project string
	// Degraded says that the session was compacted; CompactedAt is when, the zero
	// time when that is not known.
	Degraded    bool
	CompactedAt time.Time
	// Left is how many tokens there are until the client compacts by itself, where
	// that is known.
	Left      int64
	LeftKnown bool
	// History is oldest first.
	History []seam.Point
}

// Source is what an overview is read from.
type Source struct {
	Home  seam.Home
	Bands zones.Bands
	Now   time.Time
	// Settings are the bytes of the user's settings.json, nil for none.
	Settings []byte
	Getenv   func(string) string
	// Modified gives a file's time; the client's transcript is looked at by it,
	// to tell whether an old snapshot is still current.
	Modified func(path string) (time.Time, bool)
}

// Newest gives the n sessions whose snapshots changed last.
func (s Source) Newest(n int) []Session {
	var sessions []Session
	for _, session := range s.Home.Newest(n) {
		sessions = append(sessions, s.Session(session))
	}
	return sessions
}

// Session reads one session.
func (s Source) Session(place seam.Session) Session {
	evidence := zones.Evidence{Session: place.ID(), Problem: zones.ProblemNone}
	session := Session{ID: place.ID()}
	if snapshot, err := place.Snapshot(); err == nil {
		evidence.Snapshot = &snapshot
		session.describe(snapshot.Client)
		if at, ok := s.Modified(gjson.GetBytes(snapshot.Client, "transcript_path").String()); ok {
			evidence.QuietSince = at
		}
	}
	session.Reading = zones.Resolve(evidence, s.Bands, s.Now)
	session.readMarker(place)
	if r := session.Reading; r.HasInputTokens && r.Zone != zones.Unknown {
		point, ok := zones.CompactionPoint(r.TrueWindow, r.ModelID, s.Settings, s.Getenv)
		session.Left, session.LeftKnown = max(0, point-r.InputTokens), ok
	}
	if points, err := place.History(); err == nil {
		session.History = points
	}
	return session
}

func (s *Session) describe(client []byte) {
	s.Model = gjson.GetBytes(client, "model.display_name").String()
	if s.Model == "" {
		s.Model = gjson.GetBytes(client, "model.id").String()
	}
	if dir := gjson.GetBytes(client, "workspace.project_dir").String(); dir != "" {
		s.Project = filepath.Base(filepath.FromSlash(dir))
	}
}

func (s *Session) readMarker(place seam.Session) {
	marker, ok := place.Marker()
	if !ok {
		return
	}
	s.Degraded = true
	if at, err := time.Parse(time.RFC3339, marker.CompactedAt); err == nil {
		s.CompactedAt = at
	}
}
