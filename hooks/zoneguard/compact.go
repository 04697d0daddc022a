package zoneguard

import (
	"ctxguard/hooks"
	"ctxguard/zones"
)

// compacted is what compact remembers: the occupancy that the snapshot showed
// when the session was marked. A status line run may still carry that number
// after the compaction (facts G.1), so a reading that repeats it tells nothing
// about the conversation as it is now; a drop does.
type compacted struct {
	Occupancy int64 `json:"occupancy"`
}

// compact writes the marker that makes a session evidence-degraded (K1, K2). It
// never prints: what PostCompact prints reaches the model as an error.
func compact(ev *hooks.Event, _ *hooks.Memory) (hooks.Answer, hooks.Change) {
	if ev.Name == hooks.SessionStart && ev.Source != "compact" {
		return hooks.Answer{Rule: "K2", Why: "the session did not start from a compaction"}, nil
	}
	if !ev.HasSession {
		return hooks.Answer{Rule: "K4", Why: "the session id may not become a file name"}, nil
	}
	trigger := ev.Trigger
	if trigger != "manual" && trigger != "auto" {
		trigger = "unknown"
	}
	answer := hooks.Answer{
		Rule:   "K1",
		Why:    "marks the session evidence-degraded, trigger " + trigger,
		Effect: func() error { return ev.Session.Mark(trigger, string(ev.Name), ev.Now) },
	}
	if ev.Name == hooks.SessionStart {
		answer.Rule = "K2"
	}
	// Zero, which no reading repeats, when it is not known.
	before := compacted{Occupancy: ev.Reading().Occupancy}
	return answer, func(mem *hooks.Memory) hooks.Answer {
		if err := mem.Remember(hooks.GuardCompact, before); err != nil {
			answer.Why += "; " + err.Error()
		}
		return answer
	}
}

// repeatsCompacted reports whether the reading still shows the occupancy that
// was there before the last compaction.
func repeatsCompacted(mem *hooks.Memory, reading zones.Reading) bool {
	var at compacted
	mem.Recall(hooks.GuardCompact, &at)
	return at.Occupancy > 0 && reading.HasOccupancy && reading.Occupancy == at.Occupancy
}
