package knowledge

import (
	"time"

	"github.com/tidwall/gjson"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/hooks/transcript"
	"ctxguard/zones"
)

// capture refuses, once for each prompt, the end of a turn that changed files
// and recorded nothing.
type capture struct {
	cfg config.Capture
}

// looked is what capture remembers: how far the transcript was judged.
type looked struct {
	// Offset is the byte behind the last line that was judged.
	Offset int64 `json:"offset"`
	// Checked is when that was, in nanoseconds since 1970; 0 is never.
	Checked int64 `json:"checked"`
	// Refused is the prompt whose turn was refused its end.
	Refused string `json:"refused,omitempty"`
}

// round is what is judged at one Stop: the transcript's bytes from one boundary
// to the next, and the time of the first.
type round struct {
	from, to int64
	since    time.Time
}

func (c capture) decide(ev *hooks.Event, mem *hooks.Memory) (hooks.Answer, hooks.Change) {
	if rule, why := leftAlone(ev); why != "" {
		return silent(rule, why), nil
	}
	size, end, err := measure(ev.TranscriptPath)
	if err != nil {
		return silent("C9", err.Error()), nil
	}
	busy := backgroundRunning(ev.Payload)
	look := func(mem *hooks.Memory) (before, after looked, r round, answer hooks.Answer) {
		before = recall(mem)
		after, r, answer = before.look(ev, size, end, busy)
		return before, after, r, answer
	}
	if before, after, _, answer := look(mem); before == after {
		return answer, nil
	}
	return hooks.Answer{}, func(mem *hooks.Memory) hooks.Answer {
		_, after, r, answer := look(mem)
		if err := mem.Remember(hooks.GuardCapture, after); err != nil {
			return silent("C9", err.Error())
		}
		if r.to > r.from {
			// C2: only once the new boundary is written.
			answer.Next = func() hooks.Answer { return c.judge(ev, r) }
		}
		return answer
	}
}

// leftAlone says by which rule the turn may end before anything is looked at.
func leftAlone(ev *hooks.Event) (rule, why string) {
	switch {
	case gjson.GetBytes(ev.Payload, "stop_hook_active").Type == gjson.True:
		return "C2", "a Stop hook has already kept this turn going"
	case ev.TranscriptPath == "":
		return "C2", "transcript_path is no text"
	case ev.Project == "":
		return "C1", "there is no project"
	case !ev.HasSession:
		return "C9", "the session id may not become a file name"
	case ev.InSubagent():
		return "C1", "inside a subagent"
	case ev.Getenv("CLAUDE_CODE_SESSION_ATTENDED") == "0":
		return "C8", "nobody attends the session"
	}
	return "", ""
}

// measure gives the transcript's size, and the offset behind its last whole line
// (C7).
func measure(path string) (size, end int64, err error) {
	f, err := transcript.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	slice, err := f.Since(0)
	return f.Size(), slice.End, err
}

func backgroundRunning(payload []byte) bool {
	running := false
	gjson.GetBytes(payload, "background_tasks").ForEach(func(_, task gjson.Result) bool {
		running = task.Get("status").Str == "running"
		return !running
	})
	return running
}

func recall(mem *hooks.Memory) looked {
	var before looked
	if !mem.Recall(hooks.GuardCapture, &before) {
		return looked{}
	}
	return before
}

// look moves the boundary (C2, C3). The round is empty when there is nothing to
// judge; the boundary then stays, or is the session's first.
func (before looked) look(ev *hooks.Event, size, end int64, busy bool) (looked, round, hooks.Answer) {
	after := looked{Offset: end, Checked: ev.Now.UnixNano(), Refused: before.Refused}
	switch {
	case before.Checked <= 0 || before.Checked > after.Checked || before.Offset < 0:
		// Also when the clock was set back: it is not known then when a round began.
		return after, round{}, silent("C3", "the first look at this session")
	case busy:
		// The boundary stays, so that the turn that ends without them is judged by
		// all that was done.
		return before, round{}, silent("C8", "background tasks are running")
	}
	from := before.Offset
	if from > size {
		from = 0
	}
	if from >= end {
		return before, round{}, silent("C3", "nothing new since the last look")
	}
	if before.Refused != "" && before.Refused == ev.PromptID {
		return after, round{}, silent("C8", "this prompt was refused its end before")
	}
	return after, round{from: from, to: end, since: time.Unix(0, before.Checked)}, silent("C2", "the boundary is moved")
}

// judge is C4 to C6. Whatever cannot be read lets the turn end (C9).
func (c capture) judge(ev *hooks.Event, r round) hooks.Answer {
	where, err := placeOf(ev.Project, c.cfg.Dir)
	if err != nil {
		return silent("C9", err.Error())
	}
	changes, err := c.changes(ev, where, r)
	if err != nil {
		return silent("C9", err.Error())
	}
	if len(changes) == 0 {
		return silent("C4", "no file of the project was changed")
	}
	began := began(changes, r.since)
	filed, err := where.filedSince(began, c.cfg.Ignore)
	if err != nil {
		return silent("C9", err.Error())
	}
	paths := pathsOf(changes)
	if filed {
		return silent("C5", counted(len(paths), "changed file")+", and something was filed")
	}
	return c.refuse(ev, paths)
}

// began is when the round began, seen from what was changed in it: a line that
// was written late tells of a change before the last look (C5).
func began(changes []change, since time.Time) time.Time {
	for _, ch := range changes {
		if !ch.at.IsZero() && ch.at.Before(since) {
			since = ch.at
		}
	}
	return since
}

// refuse counts the refusal under the lock, so that a prompt gets one (C8).
func (c capture) refuse(ev *hooks.Event, paths []string) hooks.Answer {
	answer := hooks.Answer{
		Decision: hooks.Block,
		Reason:   instruction(c.cfg.Dir, paths, lossOf(ev)),
		Rule:     "C1",
		Why:      counted(len(paths), "changed file") + ", nothing filed",
	}
	return hooks.Answer{Settle: func(mem *hooks.Memory) hooks.Answer {
		now := recall(mem)
		if ev.PromptID == "" {
			return answer
		}
		if now.Refused == ev.PromptID {
			return silent("C8", "this prompt was refused its end before")
		}
		now.Refused = ev.PromptID
		if err := mem.Remember(hooks.GuardCapture, now); err != nil {
			return silent("C9", err.Error())
		}
		return answer
	}}
}

func lossOf(ev *hooks.Event) loss {
	if _, marked := ev.Session.Marker(); marked {
		return compacted
	}
	if ev.Reading().Zone == zones.Dumb {
		return dumbZone
	}
	return noLoss
}
