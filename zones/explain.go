package zones

import (
	"fmt"
	"strconv"
	"time"
)

// Explain tells a person what was read, what each shape gave, and which rule
// made the zone of it. Text from the snapshot is quoted.
func (r Reading) Explain() []string {
	var lines []string
	add := func(name, format string, args ...any) {
		lines = append(lines, fmt.Sprintf("%-12s", name+":")+fmt.Sprintf(format, args...))
	}
	if r.Session != "" {
		add("session", "%s", quoteUnlessPlain(r.Session))
	}
	if !r.CapturedAt.IsZero() {
		add("snapshot", "captured at %s, %s", r.CapturedAt.UTC().Format(CapturedAtLayout), r.ageText())
	}
	if r.CLIVersion != "" {
		add("client", "version %s", quoteUnlessPlain(r.CLIVersion))
	}
	if r.ModelID != "" {
		add("model", "%s", quoteUnlessPlain(r.ModelID))
	}
	if r.TrueWindow > 0 {
		add("window", "%s", r.windowText())
	}
	if r.hasTotals() {
		add("totals", "%s", r.totalsText())
	}
	if !r.wholeUnknown() {
		add("percentage", "%s", r.Percent.explain("%", ""))
		add("tokens", "%s", r.Tokens.explain("", fmt.Sprintf(" in class %d", r.Class)))
	}
	add("zone", "%s: %s", r.Zone, r.ruleText())
	return lines
}

// wholeUnknown reports whether the shapes were not even looked at.
func (r Reading) wholeUnknown() bool {
	return r.Zone == Unknown && r.Reason != NothingComputable
}

func (r Reading) ageText() string {
	age := r.Age.Round(time.Second)
	if age < 0 {
		return (-age).String() + " ahead of this clock"
	}
	if r.StillCurrent {
		return age.String() + " old, still current: the transcript has not changed since"
	}
	return age.String() + " old"
}

func (r Reading) windowText() string {
	size := countText(r.TrueWindow) + " tokens"
	reported := "the client reported none"
	if r.ReportedWindow > 0 {
		reported = "the client reported " + countText(r.ReportedWindow)
	}
	switch r.WindowSource {
	case FromTable:
		return size + ", named by [window] in zones.toml; " + reported
	case FromSuffix:
		return size + ", since the model's id ends in " + MillionSuffix + "; " + reported
	}
	return size + ", as the client reported"
}

func (r Reading) totalsText() string {
	sum := r.reportedOccupancy()
	text := fmt.Sprintf("%s in + %s out", countText(r.InputTokens), countText(r.OutputTokens))
	switch {
	case r.HasOccupancy:
		return fmt.Sprintf("%s = %s occupancy", text, countText(sum))
	case r.wholeUnknown():
		return text + ", not believed"
	}
	return text + ", not believed: " + r.Tokens.Why.text()
}

func (s Shape) explain(unit, of string) string {
	if !s.Computable {
		return "not computable: " + s.Why.text()
	}
	source := ""
	if s.Recomputed {
		source = ", computed again from the input total"
	}
	return fmt.Sprintf("%s%s%s%s: %s (smart to %s, acceptable to %s)",
		numberText(s.Value), unit, of, source, s.Zone, numberText(s.SmartMax), numberText(s.AcceptableMax))
}

// WhyUnknown tells a person why the zone is unknown; it is empty for every other.
func (r Reading) WhyUnknown() string {
	if r.Zone != Unknown {
		return ""
	}
	return r.Reason.text()
}

func (r Reading) ruleText() string {
	switch {
	case r.Zone == Unknown:
		return r.WhyUnknown()
	case r.Percent.Computable && r.Tokens.Computable && r.Percent.Zone == r.Tokens.Zone:
		return "both shapes agree"
	case r.Percent.Computable && r.Tokens.Computable:
		return "both shapes can be computed, and the worse zone wins"
	case r.Percent.Computable:
		return "only the percentage can be computed, and it stands alone"
	}
	return "only the tokens can be computed, and they stand alone"
}

// text is the code in words.
func (c Code) text() string {
	switch c {
	case NoSnapshot:
		return "there is no snapshot of this session"
	case NotJSON:
		return "the snapshot is not a JSON object"
	case OtherSession:
		return "the snapshot carries another session's id"
	case BadTime:
		return "captured_at is not in the form YYYY-MM-DDTHH:MM:SSZ"
	case Stale:
		return fmt.Sprintf("the snapshot is older than %d minutes", int(StaleAfter.Minutes()))
	case Future:
		return fmt.Sprintf("captured_at lies more than %d s ahead of this clock", int(FutureTolerance.Seconds()))
	case NoWindowObject:
		return "context_window is not an object"
	case NoUsage:
		return "current_usage is null or missing, as before the first response"
	case ZeroUsage:
		return "current_usage holds only zeros, as after a compaction until the next response"
	case NothingComputable:
		return "neither shape can be computed"
	case NotANumber:
		return "used_percentage is not a number"
	case OutOfRange:
		return fmt.Sprintf("the percentage lies outside 0 to %d", percentFull)
	case Pegged:
		return fmt.Sprintf("it is pegged at %d while the occupancy is larger than the window", percentFull)
	case NoInput:
		return "the client's percentage is over another window, and total_input_tokens is missing or no count"
	case NoTotals:
		return "total_input_tokens or total_output_tokens is missing or no count"
	case NoWindow:
		return "the size of the window is not known"
	case BelowClasses:
		return "the window is smaller than every class in the token bands"
	case NoVersion:
		return "the client's version is not known"
	case BadVersion:
		return "the client's version is not dotted numbers"
	case OldVersion:
		return "clients before " + VersionFloor + " sent sums over the whole session"
	case OverWindow:
		return "the occupancy is larger than the window, so the window must be wrong; [window] in zones.toml can name the right one"
	case NoBands:
		return "the bands break their own rules"
	}
	return "no reason was given"
}

// countText writes a number of tokens; one at MaxCount may stand for more.
func countText(n int64) string {
	if n >= MaxCount {
		return "at least " + strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10)
}

// numberText writes a whole number as one, and others to a hundredth.
func numberText(v float64) string {
	if v == float64(int64(v)) {
		return countText(int64(v))
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// quoteUnlessPlain keeps what a snapshot holds from reaching the terminal as
// more than text.
func quoteUnlessPlain(text string) string {
	quoted := strconv.QuoteToASCII(clip(text))
	if quoted == `"`+text+`"` {
		return text
	}
	return quoted
}
