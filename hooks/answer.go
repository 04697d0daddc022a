package hooks

import "time"

// Decision is what an Answer does to the call or the turn.
type Decision string

const (
	// Silent decides nothing; text may still be said.
	Silent Decision = ""
	// Deny refuses a tool call with JSON and exit 0; Reason is for the model.
	Deny Decision = "deny"
	// Block refuses with exit 2 and Reason on standard error, nothing on
	// standard output.
	Block Decision = "block"
	// Allow lets a tool call through with UpdatedInput in place of its input.
	// It is never given without one.
	Allow Decision = "allow"
)

// Answer is what one guard says to one event. The zero Answer is silence.
type Answer struct {
	Decision Decision
	// Reason is the text of a Deny or Block, or why an Allow changes the input.
	Reason string
	// UpdatedInput is the whole new tool input, one JSON object: the client
	// replaces, it does not merge (facts 0.9).
	UpdatedInput []byte
	// Context goes to the model, Operator to the person's screen.
	Context  string
	Operator string
	// Rule is the number of the rule that made the answer, such as "X2"; Why is
	// the evidence in one line, without any of the person's text. Both are set
	// on silence too where there is something to explain.
	Rule string
	Why  string
	// Effect, when not nil, is what has to be done besides speaking, such as
	// writing a marker. It is not run when an event is only explained; its error
	// is logged and stops nothing.
	Effect func() error
	// Next, when not nil, gives the answer to use instead of this one. It runs
	// after the memory was written and the lock released, so it may take time;
	// it does not run when the memory could not be written.
	Next func() Answer
	// Settle, on an answer that Next gave, makes the answer to use instead of it
	// from the memory, under the lock, as a Change does: what Next found out can so
	// be remembered too. An answer that cannot be remembered decides nothing.
	Settle Change
}

// Speaks reports whether anything of the answer would be printed.
func (a Answer) Speaks() bool {
	return a.Decision != Silent || a.Context != "" || a.Operator != ""
}

// Ends reports whether the answer ends the run: no guard after it is asked.
func (a Answer) Ends() bool { return a.Decision != Silent }

// Change updates the memory. It runs under the session's lock on the memory as
// it is then, which may be newer than the one that the guard saw, and its
// answer replaces the guard's. So a decision that hangs on a count is made
// here. It must be quick and may not touch files.
type Change func(*Memory) Answer

// Guard is one named set of rules.
type Guard struct {
	Name string
	// NeedsPayload reports whether Decide looks at Event.Payload for such an
	// event. Nil means that the envelope is enough.
	NeedsPayload func(Envelope) bool
	// Budget is the time that the guard may take at most; zero for all but those
	// that render, which share in the hook's own deadline.
	Budget time.Duration
	// Decide looks at the event and the session's memory and writes nothing to
	// the memory itself. A nil Change means that there is nothing to remember.
	Decide func(*Event, *Memory) (Answer, Change)
}
