package zones

import (
	"time"

	"github.com/tidwall/gjson"

	"ctxguard/statusline/seam"
)

// Evidence is what is known of a session.
type Evidence struct {
	// Session is the id of the session whose zone is asked.
	Session string
	// Snapshot is nil when there is none, or when it could not be decoded.
	Snapshot *seam.Snapshot
	// Problem is why Snapshot is nil: ProblemNone or ProblemNotJSON.
	Problem string
	// QuietSince is when the transcript of the session was last modified. With
	// it a snapshot older than StaleAfter counts while the transcript has not
	// been touched since: the status line does not run while the person is away
	// or a dialog is open (facts A.3). Zero: the rule is not applied.
	QuietSince time.Time
}

// The values of Evidence.Problem.
const (
	ProblemNone    = "no snapshot"
	ProblemNotJSON = "not JSON"
)

// Resolve decides the zone. It never fails: what cannot be believed is
// unknown, and the Reading says why.
func Resolve(e Evidence, b Bands, now time.Time) Reading {
	r := Reading{
		Zone:    Unknown,
		Session: e.Session,
		Percent: Shape{Zone: Unknown},
		Tokens:  Shape{Zone: Unknown},
	}
	if r.Reason = identify(e); r.Reason != "" {
		return r
	}
	window, problem := openWindow(e.Snapshot.ContextWindow)
	r.describe(e.Snapshot, window, problem == "", b)
	r.Reason = r.date(e, now)
	if r.Reason == "" {
		r.Reason = problem
	}
	if r.Reason != "" {
		return r
	}
	r.judge(b)
	return r
}

// identify says why there is no snapshot of this session to look at.
func identify(e Evidence) Code {
	switch {
	case e.Snapshot == nil && e.Problem == ProblemNotJSON:
		return NotJSON
	case e.Snapshot == nil:
		return NoSnapshot
	case e.Snapshot.SessionID != e.Session || e.Session == "":
		return OtherSession
	}
	return ""
}

// contextWindow is the part of context_window that is read. Of a key that
// stands twice the last one counts, as in Claude Code's own parser.
type contextWindow struct {
	input, output, size, used, usage gjson.Result
}

// openWindow reads context_window, and says why its numbers are no evidence.
func openWindow(raw []byte) (contextWindow, Code) {
	var w contextWindow
	if !gjson.ValidBytes(raw) {
		return w, NoWindowObject
	}
	object := gjson.ParseBytes(raw)
	if !object.IsObject() {
		return w, NoWindowObject
	}
	object.ForEach(func(key, value gjson.Result) bool {
		switch key.String() {
		case "total_input_tokens":
			w.input = value
		case "total_output_tokens":
			w.output = value
		case "context_window_size":
			w.size = value
		case "used_percentage":
			w.used = value
		case "current_usage":
			w.usage = value
		}
		return true
	})
	return w, usageProblem(w.usage)
}

// usageProblem: after a compaction clients sent null up to 2.1.152, and have
// sent an object of zeros since (version matrix). What is no object, or holds
// no number, tells no more than null does.
func usageProblem(usage gjson.Result) Code {
	if !usage.IsObject() {
		return NoUsage
	}
	numbers, nonzero := 0, 0
	usage.ForEach(func(_, value gjson.Result) bool {
		if value.Type == gjson.Number {
			numbers++
			if value.Num != 0 {
				nonzero++
			}
		}
		return true
	})
	switch {
	case numbers == 0:
		return NoUsage
	case nonzero == 0:
		return ZeroUsage
	}
	return ""
}

// describe notes what the snapshot reports. The numbers of a client that says
// it has none are left out.
func (r *Reading) describe(s *seam.Snapshot, w contextWindow, used bool, b Bands) {
	r.CLIVersion = s.CLIVersion
	r.ModelID = modelID(s.Client)
	r.ReportedWindow = windowSize(w.size)
	r.TrueWindow, r.WindowSource = trueWindow(b.Windows, r.ModelID, r.ReportedWindow)
	if !used {
		return
	}
	r.InputTokens, r.HasInputTokens = count(w.input)
	r.OutputTokens, r.HasOutputTokens = count(w.output)
	r.UsedPercentage, r.HasUsedPercentage = percentage(w.used)
}

// modelID is client.model.id when that is text.
func modelID(client []byte) string {
	if !gjson.ValidBytes(client) {
		return ""
	}
	return member(member(gjson.ParseBytes(client), "model"), "id").Str // empty for all but text
}

// member is the last value under that key of an object.
func member(object gjson.Result, name string) gjson.Result {
	var found gjson.Result
	if !object.IsObject() {
		return found
	}
	object.ForEach(func(key, value gjson.Result) bool {
		if key.String() == name {
			found = value
		}
		return true
	})
	return found
}

// date reads captured_at and says why it makes the snapshot unbelievable.
func (r *Reading) date(e Evidence, now time.Time) Code {
	captured, ok := parseCapturedAt(e.Snapshot.CapturedAt)
	if !ok {
		return BadTime
	}
	r.CapturedAt = captured
	r.Age = now.Sub(captured)
	switch {
	case r.Age < -FutureTolerance:
		return Future
	case r.Age <= StaleAfter:
		return ""
	}
	if e.QuietSince.IsZero() || e.QuietSince.After(captured.Add(QuietTolerance)) {
		return Stale
	}
	r.StillCurrent = true
	return ""
}

// parseCapturedAt accepts the exact form alone. Go's parser would let a
// fraction of a second or an hour of one digit pass, hence the way back.
func parseCapturedAt(text string) (time.Time, bool) {
	t, err := time.Parse(CapturedAtLayout, text)
	return t, err == nil && t.Format(CapturedAtLayout) == text
}

// judge computes both shapes and combines them.
func (r *Reading) judge(b Bands) {
	versionTrouble := versionProblem(r.CLIVersion)
	if r.hasTotals() && versionTrouble == "" {
		r.Occupancy, r.HasOccupancy = r.reportedOccupancy(), true
	}
	r.Percent = r.percentShape(b, versionTrouble)
	r.Tokens = r.tokenShape(b, versionTrouble)
	r.Zone = combine(r.Percent, r.Tokens)
	if r.Zone == Unknown {
		r.Reason = NothingComputable
	}
}

// combine is the combination rule: when both shapes can be computed the worse
// zone wins; when one can, it stands alone; when neither can, the zone is
// unknown.
func combine(percent, tokens Shape) Zone {
	switch {
	case percent.Computable && tokens.Computable:
		if tokens.Zone.WorseThan(percent.Zone) {
			return tokens.Zone
		}
		return percent.Zone
	case percent.Computable:
		return percent.Zone
	case tokens.Computable:
		return tokens.Zone
	}
	return Unknown
}

func (r *Reading) hasTotals() bool { return r.HasInputTokens && r.HasOutputTokens }

func (r *Reading) reportedOccupancy() int64 { return total(r.InputTokens, r.OutputTokens) }

// percentShape takes the client's percentage, or, where the true window is not
// the client's, computes it again. The totals of an old client are sums over
// the session, so nothing can be computed from them.
func (r *Reading) percentShape(b Bands, versionTrouble Code) Shape {
	if !validPercents(b.SmartMaxPercent, b.AcceptableMaxPercent) {
		return notComputable(NoBands)
	}
	recompute := r.TrueWindow > 0 && r.TrueWindow != r.ReportedWindow
	value := r.UsedPercentage
	switch {
	case recompute && !r.HasInputTokens:
		return notComputable(NoInput)
	case recompute && versionTrouble != "":
		return notComputable(versionTrouble)
	case recompute:
		// Multiplied first, so that an exact percentage stays exact on a bound.
		value = float64(r.InputTokens) * percentFull / float64(r.TrueWindow)
	case !r.HasUsedPercentage:
		return notComputable(NotANumber)
	}
	if value < 0 || value > percentFull {
		return notComputable(OutOfRange)
	}
	if value == percentFull && r.TrueWindow > 0 && r.hasTotals() && r.reportedOccupancy() > r.TrueWindow {
		return notComputable(Pegged)
	}
	shape := computed(value, b.SmartMaxPercent, b.AcceptableMaxPercent)
	shape.Recomputed = recompute
	return shape
}

// tokenShape holds the occupancy against the row of the window class. More
// than fits into the window means that the window is wrong, unless the person
// named it.
func (r *Reading) tokenShape(b Bands, versionTrouble Code) Shape {
	if !r.hasTotals() {
		return notComputable(NoTotals)
	}
	if r.TrueWindow == 0 {
		return notComputable(NoWindow)
	}
	row, ok := b.row(r.TrueWindow)
	if !ok {
		return notComputable(BelowClasses)
	}
	if !row.valid() {
		return notComputable(NoBands)
	}
	if versionTrouble != "" {
		return notComputable(versionTrouble)
	}
	if r.Occupancy > r.TrueWindow && r.WindowSource != FromTable {
		return notComputable(OverWindow)
	}
	r.Class = row.Class
	return computed(float64(r.Occupancy), float64(row.SmartMax), float64(row.AcceptableMax))
}
