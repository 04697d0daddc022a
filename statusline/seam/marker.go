package seam

import (
	"errors"
	"io/fs"
	"time"

	"github.com/tidwall/gjson"
)

const maxMarker = 64 << 10

// Marker says that the session was compacted. Its presence alone makes the
// session evidence-degraded (K3); the fields say which compaction it was.
type Marker struct {
	// CompactedAt is the text that stands in the file, "" when it is not
	// understood.
	CompactedAt string
	Trigger     string
	Event       string
}

// markerTime is in UTC. Milliseconds keep two compactions apart that scripts
// may bring about within one second.
const markerTime = "2006-01-02T15:04:05.000Z"

// Mark writes the session's marker; the last one wins (K1).
func (s Session) Mark(trigger, event string, at time.Time) error {
	b := append([]byte(`{"compacted_at":"`), at.UTC().Format(markerTime)...)
	b = append(b, `","trigger":`...)
	b = gjson.AppendJSONString(b, trigger)
	b = append(b, `,"hook_event_name":`...)
	b = gjson.AppendJSONString(b, event)
	return Replace(s.MarkerPath(), append(b, '}', '\n'))
}

// Marker reads the session's marker and reports whether there is one. A marker
// that cannot be understood is a marker all the same.
func (s Session) Marker() (Marker, bool) {
	raw, err := ReadFile(s.MarkerPath(), maxMarker)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrNotRegular) {
		return Marker{}, false
	}
	if err != nil {
		return Marker{}, true
	}
	root, err := parseObject(raw)
	if err != nil {
		return Marker{}, true
	}
	return Marker{
		CompactedAt: text(root.Get("compacted_at")),
		Trigger:     text(root.Get("trigger")),
		Event:       text(root.Get("hook_event_name")),
	}, true
}
