package overview

import (
	"encoding/json"
	"time"

	"ctxguard/zones"
)

// jsonVersion is the version of the form that JSON gives.
const jsonVersion = 1

type overviewJSON struct {
	Version  int           `json:"version"`
	Sessions []sessionJSON `json:"sessions"`
	// Total is how many there are, shown or not.
	Total int `json:"total"`
}

type sessionJSON struct {
	SessionID       string        `json:"session_id"`
	Project         string        `json:"project,omitempty"`
	Model           string        `json:"model,omitempty"`
	Degraded        bool          `json:"evidence_degraded"`
	CompactedAt     string        `json:"compacted_at,omitempty"`
	UntilCompaction *int64        `json:"tokens_until_compaction,omitempty"`
	Reading         zones.Reading `json:"reading"`
	History         []pointJSON   `json:"history"`
}

type pointJSON struct {
	Time   string `json:"time"`
	Tokens int64  `json:"tokens"`
	Window int64  `json:"window,omitempty"`
}

// JSON is the sessions in a stable form; what is not known is absent.
func JSON(sessions []Session, total int) ([]byte, error) {
	out := overviewJSON{Version: jsonVersion, Sessions: []sessionJSON{}, Total: total}
	for _, s := range sessions {
		j := sessionJSON{
			SessionID: s.ID, Project: s.Project, Model: s.Model,
			Degraded: s.Degraded, Reading: s.Reading, History: []pointJSON{},
		}
		if !s.CompactedAt.IsZero() {
			j.CompactedAt = s.CompactedAt.UTC().Format(time.RFC3339)
		}
		if s.LeftKnown {
			j.UntilCompaction = &s.Left
		}
		for _, p := range s.History {
			j.History = append(j.History, pointJSON{p.Time.UTC().Format(time.RFC3339), p.Tokens, p.Window})
		}
		out.Sessions = append(out.Sessions, j)
	}
	return json.MarshalIndent(out, "", "  ")
}
