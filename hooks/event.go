// Package hooks is what the guards and the dispatcher share: the Event that
// arrived, the Answer that a guard gives, the Memory of the session, and the
// table that says which guard listens to which event and what may be answered
// there.
//
// It decodes Claude Code's hook payloads and prints the one merged answer. No
// rule of a guard may enter here, and no guard is imported.
package hooks

import (
	"time"

	"ctxguard/statusline/seam"
	"ctxguard/zones"
)

// EventName is Claude Code's name of a hook event.
type EventName string

// The events that ctxguard registers.
const (
	SessionStart       EventName = "SessionStart"
	UserPromptSubmit   EventName = "UserPromptSubmit"
	PreToolUse         EventName = "PreToolUse"
	PostToolUse        EventName = "PostToolUse"
	PostToolUseFailure EventName = "PostToolUseFailure"
	PostToolBatch      EventName = "PostToolBatch"
	PostCompact        EventName = "PostCompact"
	Stop               EventName = "Stop"
	SessionEnd         EventName = "SessionEnd"
)

// Event is one hook event as it arrived. All text in it is untrusted.
type Event struct {
	Envelope
	// Payload is the whole payload, one valid JSON object, on the events whose
	// row in the table asks for it; nil on the others.
	Payload []byte
	// Session is where the session's files are. It is the zero value, with
	// HasSession false, when the payload's session id may not become a file name.
	Session    seam.Session
	HasSession bool
	// Now is when the process started.
	Now time.Time
	// Getenv is the environment of the hook process.
	Getenv func(string) string
	// Wait lets time pass, for what the client has yet to write. It is nil when
	// nothing is being written: the event is only explained.
	Wait func(time.Duration)
	// Frozen is set when the event is only explained: no file may change, the
	// cache included.
	Frozen bool
	// Project is the root of the project: CLAUDE_PROJECT_DIR, else the git root
	// above CWD; empty when neither is known.
	Project string

	// Resolve gives the zone with its evidence; called at most once, by Reading.
	Resolve func() zones.Reading
	reading *zones.Reading
}

// Envelope holds the top-level keys that hook payloads share, and the short
// ones of single events. A key that is missing, or holds anything but text,
// is the empty string.
type Envelope struct {
	Name           EventName
	SessionID      string
	TranscriptPath string
	CWD            string
	PromptID       string
	PermissionMode string
	// AgentID is set inside a subagent only (facts F.4).
	AgentID   string
	AgentType string
	ToolName  string
	ToolUseID string
	// Source is SessionStart's: startup, resume, clear, compact or fork.
	Source string
	// Trigger is PostCompact's: manual or auto.
	Trigger string
}

// InSubagent reports whether the call was made by a subagent: session and
// transcript are then the parent's (facts F.4).
func (e *Event) InSubagent() bool { return e.AgentID != "" }

// Conversation names the conversation that the event belongs to within its
// session: the main one, or one subagent's. It is a key for memory of what was
// already shown.
func (e *Event) Conversation() string {
	if e.AgentID == "" {
		return "main"
	}
	return "agent:" + e.AgentID
}

// Reading is the zone of the session's main conversation with its evidence. It
// is resolved at the first call; a guard that never asks never pays for it.
func (e *Event) Reading() zones.Reading {
	if e.reading == nil {
		reading := zones.Reading{Zone: zones.Unknown}
		if e.Resolve != nil {
			reading = e.Resolve()
		}
		e.reading = &reading
	}
	return *e.reading
}

// Resolved is the reading if some guard asked for it, else nil.
func (e *Event) Resolved() *zones.Reading { return e.reading }
