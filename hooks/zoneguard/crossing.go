package zoneguard

import (
	"time"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
	"ctxguard/zones"
)

// crossing says once that a conversation has got worse, and once that it was
// compacted.
type crossing struct {
	cfg config.Crossing
}

// crossed is what crossing remembers of a session.
type crossed struct {
	// Armed is the worst zone announced in this cycle; empty is smart.
	Armed zones.Zone `json:"armed,omitempty"`
	// Told and ToldEvent name the compaction that was announced last.
	Told      string `json:"told,omitempty"`
	ToldEvent string `json:"told_event,omitempty"`
}

// verdict is what there is to say.
type verdict struct {
	from, to   zones.Zone
	worse      bool
	compaction bool
}

func (v verdict) speaks() bool { return v.worse || v.compaction }

func (c crossing) decide(ev *hooks.Event, mem *hooks.Memory) (hooks.Answer, hooks.Change) {
	if ev.InSubagent() {
		return hooks.Answer{Rule: "X1", Why: "inside a subagent; the zone is the main conversation's"}, nil
	}
	if !ev.HasSession {
		return hooks.Answer{Rule: "X3", Why: "the session id may not become a file name"}, nil
	}
	reading := ev.Reading()
	marker, marked := ev.Session.Marker()
	var before crossed
	mem.Recall(hooks.GuardCrossing, &before)
	stale := repeatsCompacted(mem, reading)
	if v, after := judge(before, reading, stale, marker, marked); !v.speaks() && after == before {
		return c.answer(ev, reading, v, stale), nil
	}
	return hooks.Answer{}, func(mem *hooks.Memory) hooks.Answer {
		var before crossed
		mem.Recall(hooks.GuardCrossing, &before)
		stale := repeatsCompacted(mem, reading)
		v, after := judge(before, reading, stale, marker, marked)
		answer := c.answer(ev, reading, v, stale)
		if err := mem.Remember(hooks.GuardCrossing, after); err != nil {
			answer.Why += "; " + err.Error()
		}
		return answer
	}
}

// judge is X1 to X3 as one pure step: what is to be said, and what is
// remembered then. Stale says that the reading still shows the conversation as
// it was before the compaction: it counts as unknown.
func judge(before crossed, reading zones.Reading, stale bool, marker seam.Marker, marked bool) (verdict, crossed) {
	after := before
	v := verdict{from: before.armed(), to: reading.Zone}
	if marked && !before.knows(marker) {
		v.compaction, after.Armed = true, ""
		v.from = zones.Smart
	}
	if marked {
		after.Told, after.ToldEvent = nameOf(marker), marker.Event
	}
	if stale || reading.Zone == zones.Unknown {
		v.to = zones.Unknown
		return v, after
	}
	v.worse = reading.Zone.WorseThan(after.armed())
	switch {
	case reading.Zone == zones.Smart:
		after.Armed = ""
	case v.worse:
		after.Armed = reading.Zone
	}
	return v, after
}

func (c crossed) armed() zones.Zone {
	if c.Armed == "" {
		return zones.Smart
	}
	return c.Armed
}

// nameOf tells compactions apart. A marker counts without a time too (K3).
func nameOf(m seam.Marker) string {
	if m.CompactedAt == "" {
		return "undated"
	}
	return m.CompactedAt
}

// sameCompaction is how far apart the two events of one compaction can be: the
// client runs SessionStart first and PostCompact when those hooks are done.
const sameCompaction = time.Minute

// knows reports whether the marker's compaction was announced. One compaction
// marks twice, from SessionStart and then from PostCompact (facts 0.17); the
// second mark is no second compaction.
func (c crossed) knows(m seam.Marker) bool {
	if c.Told == nameOf(m) {
		return true
	}
	if c.ToldEvent != string(hooks.SessionStart) || m.Event != string(hooks.PostCompact) {
		return false
	}
	told, err1 := time.Parse(time.RFC3339, c.Told)
	marked, err2 := time.Parse(time.RFC3339, m.CompactedAt)
	return err1 == nil && err2 == nil && !marked.Before(told) && marked.Sub(told) <= sameCompaction
}
