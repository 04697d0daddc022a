package delegate

import (
	"context"
	"path/filepath"

	"github.com/tidwall/gjson"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/hooks/outline"
	"ctxguard/zones"
)

// structure shows the shape of a file to whoever is about to change it. It
// decides nothing (T1).
type structure struct{ cfg config.Structure }

func (s structure) decide(ev *hooks.Event, mem *hooks.Memory) (hooks.Answer, hooks.Change) {
	key := targetKey(ev.ToolName)
	if key == "" {
		return silent("T1", ev.ToolName+" changes no file")
	}
	target := gjson.GetBytes(ev.Payload, "tool_input."+key)
	if target.Type != gjson.String || target.Str == "" {
		return silent("T1", "the call names no file")
	}
	at := s.target(ev, target.Str)
	if at.root == "" {
		return silent("T9", "the file is not inside the project")
	}
	file := fileKey(at.path)
	if l := recallLedger(mem); l.seen(ev.Conversation(), file) {
		return silent("T2", "this conversation has seen the file's outline")
	} else if ev.InSubagent() && l.claim(ev.AgentType, file) {
		return hooks.Answer{}, s.claimed(ev, file)
	}
	chars := s.size(ev)
	if chars == 0 {
		return silent("T7", "nothing is shown on edits in the dumb zone")
	}
	req, ok := request(ev, s.cfg, at, chars)
	if !ok {
		return silent("T5", "there is no home to work in")
	}
	ctx, cancel := context.WithTimeout(context.Background(), budget(s.cfg.EditSeconds))
	defer cancel()
	r := render(ctx, req, ev.Now)
	return s.answer(ev, req, r, file)
}

func silent(rule, why string) (hooks.Answer, hooks.Change) {
	return hooks.Answer{Rule: rule, Why: why}, nil
}

func (s structure) target(ev *hooks.Event, path string) place {
	if !filepath.IsAbs(path) {
		return locate(ev, path)
	}
	return placeAt(ev, path)
}

// size is T7. The zone is the main conversation's; a subagent has a window of
// its own and gets the whole.
func (s structure) size(ev *hooks.Event) int {
	if ev.InSubagent() {
		return editChars
	}
	switch ev.Reading().Zone {
	case zones.Dumb:
		return 0
	case zones.Acceptable:
		return editCharsLow
	}
	return editChars
}

func (s structure) answer(ev *hooks.Event, req outline.Request, r outline.Result, file string) (hooks.Answer, hooks.Change) {
	switch {
	case r.State == outline.NothingToSay:
		return silent("T4", r.Reason)
	case r.State == outline.Unavailable && r.Retry:
		return hooks.Answer{Context: r.Text, Rule: "T5", Why: r.Reason, Effect: warm(req, ev.Now)}, nil
	}
	answer := hooks.Answer{Context: r.Text, Rule: "T1", Why: "the file's outline"}
	if r.State == outline.Unavailable {
		answer.Rule, answer.Why = "T5", "unavailable: "+r.Reason
	}
	return answer, func(mem *hooks.Memory) hooks.Answer {
		l := recallLedger(mem)
		if l.seen(ev.Conversation(), file) {
			return hooks.Answer{Rule: "T2", Why: "this conversation has seen the file's outline"}
		}
		l.show(ev.Conversation(), file)
		if err := l.remember(mem); err != nil {
			return hooks.Answer{Rule: "T2", Why: err.Error()}
		}
		return answer
	}
}

// claimed moves a file that came with the brief to what the subagent has seen.
func (s structure) claimed(ev *hooks.Event, file string) hooks.Change {
	return func(mem *hooks.Memory) hooks.Answer {
		l := recallLedger(mem)
		l.claim(ev.AgentType, file)
		l.show(ev.Conversation(), file)
		if err := l.remember(mem); err != nil {
			return hooks.Answer{Rule: "T2", Why: err.Error()}
		}
		return hooks.Answer{Rule: "T2", Why: "the file's outline came with the brief"}
	}
}
