package zoneguard

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/zones"
)

// The texts follow X5 to X7 and G7: facts first, then what can be done; none
// of them gives an order. What the model gets stays under 900 characters.

func (c crossing) answer(ev *hooks.Event, reading zones.Reading, v verdict, stale bool) hooks.Answer {
	a := hooks.Answer{Rule: v.rule(), Why: v.why(reading, stale)}
	if !v.speaks() {
		return a
	}
	surroundings := lookAround(ev.Getenv, c.cfg.Router)
	a.Context = c.forModel(reading, v, surroundings)
	a.Operator = c.forOperator(reading, v, surroundings)
	return a
}

func (v verdict) rule() string {
	switch {
	case v.speaks():
		return "X1"
	case v.to == zones.Unknown:
		return "X3"
	}
	return "X2"
}

func (v verdict) why(reading zones.Reading, stale bool) string {
	switch {
	case v.worse && v.compaction:
		return string(v.from) + " to " + string(v.to) + ", and a compaction that was not announced"
	case v.worse:
		return string(v.from) + " to " + string(v.to)
	case v.compaction:
		return "a compaction that was not announced"
	case stale:
		return "the numbers are still those from before the compaction"
	case v.to == zones.Unknown:
		return "unknown: " + string(reading.Reason)
	}
	return string(v.to) + " is not worse than " + string(v.from)
}

func (c crossing) forModel(reading zones.Reading, v verdict, s surroundings) string {
	var parts []string
	if v.worse {
		parts = append(parts, fmt.Sprintf("ctxguard measured that this conversation went from the %s zone to the %s zone: %s.",
			v.from, v.to, numbers(reading)))
	}
	if v.compaction {
		parts = append(parts, "This conversation was compacted: what was read, run and seen before that is gone from it, "+
			"and only a summary is left. Evidence from before has to be read again before it is relied on.")
	}
	parts = append(parts, "This is a measurement, not an instruction to stop.")
	if v.worse && v.to == zones.Dumb {
		parts = append(parts, "State that is worth keeping should be in a file now.")
	}
	if c.cfg.Menu != "operator" {
		parts = append(parts, "Ways on: continue; write the state down and hand over to a fresh session; /clear; "+
			"give the next piece to a subagent, which has a window of its own; /compact.")
	}
	if s.router {
		parts = append(parts, "The skill "+c.cfg.Router+" helps to choose.")
	}
	return strings.Join(parts, " ")
}

func (c crossing) forOperator(reading zones.Reading, v verdict, s surroundings) string {
	parts := []string{}
	if v.worse {
		parts = append(parts, fmt.Sprintf("ctxguard: %s → %s", v.from, v.to), numbers(reading))
	}
	if v.compaction {
		parts = append(parts, "compacted: earlier evidence is gone from the conversation")
		if !v.worse {
			parts[0] = "ctxguard: " + parts[0]
		}
	}
	if left, ok := s.untilCompaction(reading); ok && v.worse {
		parts = append(parts, left)
	}
	return strings.Join(append(parts, "go on, hand over, /clear, delegate or /compact"), " · ")
}

// numbers is the occupancy with the window and the percentage, as far as they
// are known.
func numbers(r zones.Reading) string {
	var b strings.Builder
	if r.HasOccupancy {
		b.WriteString(grouped(r.Occupancy) + " tokens")
		if r.TrueWindow > 0 {
			b.WriteString(" of " + grouped(r.TrueWindow))
		}
	}
	if r.Percent.Computable {
		text := strconv.FormatFloat(math.Round(r.Percent.Value), 'f', -1, 64) + " %"
		if r.HasOccupancy {
			text = " (" + text + ")"
		} else {
			text += " of the window"
		}
		b.WriteString(text)
	}
	if b.Len() == 0 {
		return "numbers not known"
	}
	return b.String()
}

// grouped writes n with a comma between thousands.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func denial(ev *hooks.Event, now effective, cfg config.Gate) string {
	reading := ev.Reading()
	var state, lift string
	if now.degraded {
		state = "This conversation was compacted, so the evidence for a change is no longer in it"
		lift = "Only a fresh conversation (/clear) lifts this."
	} else {
		state = "This conversation is in the dumb zone: " + numbers(reading)
		lift = "A fresh conversation (/clear) lifts this."
	}
	return fmt.Sprintf("%s. The person chose to have changes held back here; %s. "+
		"Still working: reading and searching, Bash, skills, questions, and writing a file whose path matches %s. "+
		"Next: write what a fresh session needs to know into such a file, then tell the person that it is time to clear. %s",
		state, graceOf(cfg.GraceCalls), strings.Join(cfg.ExemptPaths, " or "), lift)
}

func graceOf(calls int) string {
	switch calls {
	case 0:
		return "no call of grace is given"
	case 1:
		return "the one call of grace is used up"
	}
	return fmt.Sprintf("the %d calls of grace are used up", calls)
}

// softening names the way out to the operator only: a model that reads it would
// be told how to open the gate.
func softening(tool string) string {
	return "ctxguard held back " + tool + " (gate is blocking). To let it through: `ctxguard off gate --for 30m` in a terminal, " +
		"or [gate] mode = \"advisory\" in ctxguard.toml."
}
