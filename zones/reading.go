package zones

import (
	"encoding/json"
	"time"
)

// Code is a short stable word for why something is not known. Codes stand in
// `ctxguard zone --json`.
type Code string

// Why a zone is unknown as a whole.
const (
	NoSnapshot        Code = "no-snapshot"
	NotJSON           Code = "not-json"
	OtherSession      Code = "other-session"
	BadTime           Code = "bad-time"
	Stale             Code = "stale"
	Future            Code = "future"
	NoWindowObject    Code = "no-window-object"
	NoUsage           Code = "no-usage"
	ZeroUsage         Code = "zero-usage"
	NothingComputable Code = "nothing-computable"
)

// Why one shape cannot be computed.
const (
	NotANumber   Code = "not-a-number"  // used_percentage
	OutOfRange   Code = "out-of-range"  // the percentage, reported or computed again
	Pegged       Code = "pegged"        // 100 beside an occupancy larger than the true window
	NoInput      Code = "no-input"      // total_input_tokens is no count, so nothing to compute the percentage from
	NoTotals     Code = "no-totals"     // one of the totals is no count
	NoWindow     Code = "no-window"     // no true window
	BelowClasses Code = "below-classes" // the true window is smaller than every class
	NoVersion    Code = "no-version"    // cli_version
	BadVersion   Code = "bad-version"
	OldVersion   Code = "old-version"
	OverWindow   Code = "over-window" // occupancy larger than a true window that [window] does not name
	NoBands      Code = "no-bands"    // bands that break their own rules
)

// Reading is a zone with the evidence for it. The zero value of a field means
// not known; where zero could be a number too, a Has field tells.
type Reading struct {
	Zone Zone
	// Reason is why the zone is unknown; empty for every other zone.
	Reason  Code
	Session string

	Percent Shape
	Tokens  Shape

	// Occupancy is total_input_tokens + total_output_tokens of a snapshot that is
	// believed, from a client whose totals mean that (VersionFloor). It may be
	// larger than the window.
	Occupancy    int64
	HasOccupancy bool

	// The next four are what the client reported, believed or not: of a stale
	// snapshot they are as old as it is, and below VersionFloor the totals are
	// sums. To show a fill, use Occupancy and Percent.Value. They are not known
	// when current_usage is null or zero: the client then reports nothing.
	InputTokens       int64
	HasInputTokens    bool
	OutputTokens      int64
	HasOutputTokens   bool
	UsedPercentage    float64
	HasUsedPercentage bool
	ReportedWindow    int64

	// TrueWindow is what the zone is decided over, in tokens.
	TrueWindow   int64
	WindowSource WindowSource
	// Class is the window class whose band row was used.
	Class int64

	// ModelID and CLIVersion are untrusted text from the snapshot.
	ModelID    string
	CLIVersion string

	CapturedAt time.Time
	// Age is the time since CapturedAt, negative when it lies ahead.
	Age time.Duration
	// StillCurrent says that the snapshot is older than StaleAfter and counts all
	// the same, since nothing has happened in the session after it.
	StillCurrent bool
}

// Shape is what one of the two measures says. Only a computable shape has a
// value.
type Shape struct {
	Computable bool
	// Zone is Unknown when the shape is not computable.
	Zone Zone
	// Why is the reason when a snapshot that is believed leaves the shape not
	// computable.
	Why Code
	// Value is percent of the true window, or tokens.
	Value float64
	// Recomputed says that Value is not what the client reported, but computed
	// from total_input_tokens over the true window.
	Recomputed bool
	// SmartMax and AcceptableMax are the bounds that Value was held against.
	SmartMax      float64
	AcceptableMax float64
}

func notComputable(why Code) Shape { return Shape{Zone: Unknown, Why: why} }

func computed(value, smartMax, acceptableMax float64) Shape {
	return Shape{
		Computable:    true,
		Zone:          zoneOf(value, smartMax, acceptableMax),
		Value:         value,
		SmartMax:      smartMax,
		AcceptableMax: acceptableMax,
	}
}

// jsonVersion is the version of the form that MarshalJSON gives. It changes
// when a key goes or changes its meaning, not when one is added.
const jsonVersion = 1

type readingJSON struct {
	Version      int          `json:"version"`
	Zone         Zone         `json:"zone"`
	Reason       Code         `json:"reason,omitempty"`
	SessionID    string       `json:"session_id,omitempty"`
	Percentage   shapeJSON    `json:"percentage"`
	Tokens       shapeJSON    `json:"tokens"`
	Occupancy    *int64       `json:"occupancy,omitempty"`
	TrueWindow   int64        `json:"true_window,omitempty"`
	WindowSource WindowSource `json:"window_source,omitempty"`
	WindowClass  int64        `json:"window_class,omitempty"`
	Reported     reportedJSON `json:"reported"`
	ModelID      string       `json:"model_id,omitempty"`
	CLIVersion   string       `json:"cli_version,omitempty"`
	CapturedAt   string       `json:"captured_at,omitempty"`
	AgeSeconds   *float64     `json:"age_seconds,omitempty"`
	StillCurrent bool         `json:"still_current"`
}

type shapeJSON struct {
	Computable    bool     `json:"computable"`
	Zone          Zone     `json:"zone"`
	Why           Code     `json:"why,omitempty"`
	Value         *float64 `json:"value,omitempty"`
	Recomputed    *bool    `json:"recomputed,omitempty"`
	SmartMax      float64  `json:"smart_max,omitempty"`
	AcceptableMax float64  `json:"acceptable_max,omitempty"`
}

type reportedJSON struct {
	InputTokens    *int64   `json:"total_input_tokens,omitempty"`
	OutputTokens   *int64   `json:"total_output_tokens,omitempty"`
	Window         int64    `json:"context_window_size,omitempty"`
	UsedPercentage *float64 `json:"used_percentage,omitempty"`
}

// MarshalJSON gives the stable form that `ctxguard zone --json` prints. A
// number that is not known is absent.
func (r Reading) MarshalJSON() ([]byte, error) {
	out := readingJSON{
		Version:      jsonVersion,
		Zone:         r.Zone,
		Reason:       r.Reason,
		SessionID:    r.Session,
		Percentage:   r.Percent.json(),
		Tokens:       r.Tokens.json(),
		Occupancy:    known(r.HasOccupancy, r.Occupancy),
		TrueWindow:   r.TrueWindow,
		WindowSource: r.WindowSource,
		WindowClass:  r.Class,
		Reported: reportedJSON{
			InputTokens:    known(r.HasInputTokens, r.InputTokens),
			OutputTokens:   known(r.HasOutputTokens, r.OutputTokens),
			Window:         r.ReportedWindow,
			UsedPercentage: known(r.HasUsedPercentage, r.UsedPercentage),
		},
		ModelID:      r.ModelID,
		CLIVersion:   r.CLIVersion,
		StillCurrent: r.StillCurrent,
	}
	if !r.CapturedAt.IsZero() {
		out.CapturedAt = r.CapturedAt.UTC().Format(CapturedAtLayout)
		out.AgeSeconds = known(true, r.Age.Seconds())
	}
	return json.Marshal(out)
}

func (s Shape) json() shapeJSON {
	if !s.Computable {
		return shapeJSON{Zone: Unknown, Why: s.Why}
	}
	return shapeJSON{
		Computable:    true,
		Zone:          s.Zone,
		Value:         &s.Value,
		Recomputed:    &s.Recomputed,
		SmartMax:      s.SmartMax,
		AcceptableMax: s.AcceptableMax,
	}
}

func known[T any](is bool, value T) *T {
	if !is {
		return nil
	}
	return &value
}
