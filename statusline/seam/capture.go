package seam

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

const (
	// TimeLayout is the exact form of captured_at, always in UTC.
	TimeLayout = "2006-01-02T15:04:05Z"

	// rewriteAfter is how old an equal snapshot may grow before it is written
	// again: captured_at is what readers judge.
	rewriteAfter = 45 * time.Second
	// futureLimit is how far ahead a snapshot on disk may claim to be before it
	// is taken for a clock's mistake and replaced.
	futureLimit = 60 * time.Second

	maxSnapshot = 4 << 20
)

// clientKeys are the payload's members that the snapshot keeps under client.
func clientKeys() []string {
	return []string{"model", "workspace", "cost", "rate_limits", "exceeds_200k_tokens", "transcript_path"}
}

// Payload is what the seam needs of one status line payload.
type Payload struct {
	SessionID  string
	CLIVersion string
	// ContextWindow is the raw value of context_window, nil when missing.
	ContextWindow []byte
	client        []member
}

type member struct {
	key string
	raw []byte
}

// ErrNoSession says that a payload carries no session id that may become a
// file name.
var ErrNoSession = errors.New("no usable session_id")

// DecodePayload reads a status line payload. The error is ErrNotObject or
// ErrNoSession; nothing can be written for either.
func DecodePayload(raw []byte) (Payload, error) {
	root, err := parseObject(raw)
	if err != nil {
		return Payload{}, err
	}
	values := make(map[string]gjson.Result)
	root.ForEach(func(key, value gjson.Result) bool {
		values[key.String()] = value
		return true
	})
	p := Payload{SessionID: text(values["session_id"]), CLIVersion: text(values["version"])}
	if !ValidSessionID(p.SessionID) {
		return Payload{}, ErrNoSession
	}
	if v, ok := values["context_window"]; ok && len(v.Raw) <= maxSnapshot/2 && utf8.ValidString(v.Raw) {
		p.ContextWindow = []byte(v.Raw)
	}
	for _, key := range clientKeys() {
		// JSON in another encoding than UTF-8 would make the whole file
		// unreadable for strict readers.
		if v, ok := values[key]; ok && utf8.ValidString(v.Raw) {
			p.client = append(p.client, member{key, []byte(v.Raw)})
		}
	}
	return p, nil
}

// Snapshot is the snapshot of the payload, taken at that moment, as it would
// be read back from disk.
func (p Payload) Snapshot(at time.Time) Snapshot {
	s := Snapshot{
		CapturedAt:    at.UTC().Format(TimeLayout),
		SessionID:     p.SessionID,
		CLIVersion:    p.CLIVersion,
		ContextWindow: p.ContextWindow,
	}
	if len(p.client) > 0 {
		s.Client = p.encodeClient(nil)
	}
	return s
}

// encode writes the snapshot file's bytes. The payload's own values are copied
// raw, so that unknown fields and the spelling of numbers survive.
func (p Payload) encode(at time.Time, withClient bool) []byte {
	b := make([]byte, 0, 256+len(p.ContextWindow))
	b = append(b, `{"captured_at":"`...)
	b = at.UTC().AppendFormat(b, TimeLayout)
	b = append(b, `","session_id":"`...)
	b = append(b, p.SessionID...) // letters, digits, - and _ only
	b = append(b, '"')
	if p.CLIVersion != "" {
		b = append(b, `,"cli_version":`...)
		b = gjson.AppendJSONString(b, p.CLIVersion)
	}
	if p.ContextWindow != nil {
		b = append(b, `,"context_window":`...)
		b = append(b, p.ContextWindow...)
	}
	if withClient && len(p.client) > 0 {
		b = append(b, `,"client":`...)
		b = p.encodeClient(b)
	}
	return append(b, '}', '\n')
}

func (p Payload) encodeClient(b []byte) []byte {
	b = append(b, '{')
	for i, m := range p.client {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendQuote(b, m.key)
		b = append(b, ':')
		b = append(b, m.raw...)
	}
	return append(b, '}')
}

// CaptureOptions say what else a capture does.
type CaptureOptions struct {
	// Mirrors are absolute paths of other directories that get the first four
	// keys too; those that do not exist are passed over.
	Mirrors []string
	// History says whether a change of occupancy is recorded.
	History bool
}

// Settled reports whether Capture would write nothing, as in the steady state: the
// shim need not even know then what else a capture does.
func (h Home) Settled(p Payload, at time.Time) bool {
	session, ok := h.Session(p.SessionID)
	return ok && session.stored().supersedes(p, at)
}

// Capture writes the payload's snapshot, unless what is on disk is newer, or
// says the same and is not yet 45 seconds old. The error names what could not
// be written; the rest was tried all the same.
func (h Home) Capture(p Payload, at time.Time, opts CaptureOptions) error {
	session, ok := h.Session(p.SessionID)
	if !ok {
		return ErrNoSession
	}
	unlock, locked := session.Lock(snapshotWait)
	if locked {
		defer unlock()
	}
	before := session.stored()
	if before.supersedes(p, at) {
		return nil
	}
	// Without the lock somebody may have written meanwhile; with it nobody can.
	overtaken := false
	late := func() bool {
		overtaken = !locked && session.stored().supersedes(p, at)
		return overtaken
	}
	errs := []error{replaceUnless(session.SnapshotPath(), p.fitting(at), at, late)}
	if overtaken {
		return errors.Join(errs...)
	}
	if opts.History {
		errs = append(errs, session.recordHistory(p, before, at))
	}
	for _, dir := range opts.Mirrors {
		errs = append(errs, mirror(dir, p, at))
	}
	return errors.Join(errs...)
}

// fitting is the snapshot's bytes, without client when they would be more than
// readers take.
func (p Payload) fitting(at time.Time) []byte {
	if raw := p.encode(at, true); len(raw) <= maxSnapshot {
		return raw
	}
	return p.encode(at, false)
}

// storedSnapshot is the snapshot on disk with the file's own time, which is the
// moment of capture to the nanosecond as far as the file system keeps it.
type storedSnapshot struct {
	Snapshot
	captured time.Time
	modified time.Time
	found    bool
}

func (s Session) stored() storedSnapshot {
	snapshot, err := s.Snapshot()
	if err != nil {
		return storedSnapshot{}
	}
	captured, err := time.Parse(TimeLayout, snapshot.CapturedAt)
	if err != nil {
		return storedSnapshot{}
	}
	stored := storedSnapshot{Snapshot: snapshot, captured: captured, found: true}
	if info, err := os.Stat(s.SnapshotPath()); err == nil {
		stored.modified = info.ModTime()
	}
	return stored
}

// supersedes reports whether what is on disk makes writing p needless or wrong.
func (s storedSnapshot) supersedes(p Payload, at time.Time) bool {
	if !s.found || s.captured.After(at.Add(futureLimit)) {
		return false
	}
	second := at.Truncate(time.Second)
	if s.captured.After(second) {
		return true
	}
	// Within one second the process that started later wins; its start is the
	// file's time. A time of another second was set by somebody else.
	sameSecond := s.captured.Equal(second) && s.modified.Truncate(time.Second).Equal(second)
	if sameSecond && s.modified.After(at) {
		return true
	}
	return bytes.Equal(s.ContextWindow, p.ContextWindow) &&
		s.SessionID == p.SessionID && s.CLIVersion == p.CLIVersion &&
		at.Sub(s.captured) < rewriteAfter
}

// Snapshot reads the session's snapshot. Without one the error is
// fs.ErrNotExist; a file of no bytes, as a power cut may leave it, reads as none.
func (s Session) Snapshot() (Snapshot, error) {
	raw, err := ReadFile(s.SnapshotPath(), maxSnapshot)
	if err != nil {
		return Snapshot{}, err
	}
	if len(raw) == 0 {
		return Snapshot{}, fs.ErrNotExist
	}
	return DecodeSnapshot(raw)
}

func mirror(dir string, p Payload, at time.Time) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil
	}
	return replaceStamped(filepath.Join(dir, p.SessionID+".json"), p.encode(at, false), at)
}
