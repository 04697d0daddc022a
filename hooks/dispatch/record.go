package dispatch

import (
	"encoding/json"

	"ctxguard/hooks"
	"ctxguard/statusline/seam"
)

// DecisionsFile is the log of decisions, below the home.
const DecisionsFile = "decisions.jsonl"

// Decided is one line of decisions.jsonl: something that was not silence.
type Decided struct {
	Time    string `json:"time"`
	Session string `json:"session"`
	Event   string `json:"event"`
	Guard   string `json:"guard"`
	// Decision is deny, block, allow, or say where text alone was given.
	Decision string `json:"decision"`
	// Zone is left out when no guard asked for it.
	Zone         string  `json:"zone,omitempty"`
	Reason       string  `json:"reason"`
	Milliseconds float64 `json:"milliseconds"`
}

// record appends what a guard did, when it was not silence.
func (e *engine) record(ev *hooks.Event, s Step) {
	if !s.Answer.Speaks() {
		return
	}
	d := Decided{
		Time:         e.sys.Now.UTC().Format(seam.TimeLayout),
		Event:        string(ev.Name),
		Guard:        s.Guard,
		Decision:     string(s.Answer.Decision),
		Reason:       s.Answer.Rule + ": " + s.Answer.Why,
		Milliseconds: float64(s.Took.Microseconds()) / 1000,
	}
	if ev.HasSession {
		d.Session = ev.Session.ID()
	}
	if s.Answer.Decision == hooks.Silent {
		d.Decision = "say"
	}
	if reading := ev.Resolved(); reading != nil {
		d.Zone = string(reading.Zone)
	}
	line, err := json.Marshal(d)
	if err == nil {
		err = e.home.Append(e.home.Path(DecisionsFile), line)
	}
	if err != nil {
		e.log("decisions.jsonl: " + err.Error())
	}
}
