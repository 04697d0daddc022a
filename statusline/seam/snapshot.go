package seam

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Snapshot is what the shim wrote of one status line payload. Its fields hold
// what stands in the file, unjudged: zones.Resolve decides what to believe.
type Snapshot struct {
	// CapturedAt should read YYYY-MM-DDTHH:MM:SSZ, in UTC.
	CapturedAt string
	SessionID  string
	// CLIVersion is empty when the client sent no version.
	CLIVersion string
	// ContextWindow is the raw JSON value of context_window, nil when missing.
	ContextWindow []byte
	// Client is the raw JSON object of client, nil when missing.
	Client []byte
}

// ErrNotObject says that the bytes are not one JSON object in UTF-8.
var ErrNotObject = errors.New("not a JSON object")

// DecodeSnapshot reads the bytes of a snapshot file.
func DecodeSnapshot(raw []byte) (Snapshot, error) {
	root, err := parseObject(raw)
	if err != nil {
		return Snapshot{}, err
	}
	var s Snapshot
	root.ForEach(func(key, value gjson.Result) bool {
		switch key.String() {
		case "captured_at":
			s.CapturedAt = text(value)
		case "session_id":
			s.SessionID = text(value)
		case "cli_version":
			s.CLIVersion = text(value)
		case "context_window":
			s.ContextWindow = []byte(value.Raw)
		case "client":
			if value.IsObject() {
				s.Client = []byte(value.Raw)
			}
		}
		return true
	})
	return s, nil
}

// parseObject accepts one JSON object, with or without a byte order mark.
func parseObject(raw []byte) (gjson.Result, error) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if !ValidJSON(raw) {
		return gjson.Result{}, ErrNotObject
	}
	root := gjson.ParseBytes(raw)
	if !root.IsObject() {
		return gjson.Result{}, ErrNotObject
	}
	return root, nil
}

// text is the value of a JSON string in valid UTF-8, and empty for anything else.
func text(v gjson.Result) string {
	if v.Type != gjson.String || !utf8.ValidString(v.Str) {
		return ""
	}
	return v.Str
}
