package question

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
)

// preference answers for the person what they said they no longer want to be
// asked, and takes questions to prose where the question tool does not work.
type preference struct {
	cfg config.Preference
}

// decided is one question with the option that stands in for an answer.
type decided struct {
	asked
	id     string
	value  Value
	option option
}

func (p preference) decide(ev *hooks.Event, _ *hooks.Memory) (hooks.Answer, hooks.Change) {
	if !hooks.IsQuestionTool(ev.ToolName) {
		return silent("P1", ev.ToolName+" is not a question tool"), nil
	}
	input := inputOf(ev)
	questions := questionsOf(input)
	all, why, err := p.decideAll(ev, questions)
	prose := len(questions) > 0 && p.prose(ev.Getenv)
	switch {
	case all != nil && !prose && p.fills(ev):
		if filled, ok := withAnswers(input, all); ok {
			return hooks.Answer{}, fill(ev, all, filled)
		}
		return silent("P7", "two questions with the same text have different answers"), nil
	case all != nil:
		return hooks.Answer{}, deny(ev, all)
	case prose:
		return proseInstead(), nil
	case err != nil:
		return silentFor("P9", err), nil
	}
	return silent("P9", why), nil
}

// decideAll gives every question of the call its option, or none of them (P6)
// with the reason.
func (p preference) decideAll(ev *hooks.Event, questions []asked) ([]decided, string, error) {
	if len(questions) == 0 || !ev.HasSession {
		return nil, "no question in the known form, or no session", nil
	}
	ids := make([]string, len(questions))
	for i, q := range questions {
		if ids[i], _ = markerOf(q.text); ids[i] == "" {
			return nil, "a question without a marker", nil
		}
	}
	stored, err := ReadPreferences(ev.Session.Home())
	if err != nil {
		return nil, "", err
	}
	var all []decided
	for i, q := range questions {
		d := decided{asked: q, id: ids[i], value: stored.For(ev.Project, ids[i])}
		option, ok := q.recommended()
		switch {
		case d.value != NeverAsk && d.value != AskOnlyForOneWay:
			return nil, d.id + " has no preference against asking", nil
		case strings.Contains(d.id, alwaysAskedPart):
			return nil, d.id + " is a split question", nil
		case !ok:
			return nil, d.id + " recommends no single option", nil
		case p.door(d.id, q.text+"\n"+option.label+"\n"+option.description) == config.OneWay:
			return nil, d.id + " is a one-way door", nil
		}
		d.option = option
		all = append(all, d)
	}
	return all, "", nil
}

// alwaysAskedPart marks the ids of questions that are asked whatever is stored (P4).
const alwaysAskedPart = "-split-"

// door is P3: what the registry says, else what the text speaks of.
func (p preference) door(id, text string) config.Door {
	if door, ok := p.cfg.Registry[id]; ok {
		return door
	}
	if speaksOfDestruction(text) {
		return config.OneWay
	}
	return config.TwoWay
}

// prose reports whether the question tool does not work here (P10).
func (p preference) prose(getenv func(string) string) bool {
	switch p.cfg.Prose {
	case "true":
		return true
	case "false":
		return false
	}
	return getenv("CONDUCTOR_PORT") != "" || getenv("CONDUCTOR_WORKSPACE_PATH") != ""
}

// fills reports whether the answer is put into the call instead of a denial (P7).
func (p preference) fills(ev *hooks.Event) bool {
	if ev.ToolName != nativeTool {
		return false
	}
	switch p.cfg.Answer {
	case "fill":
		return true
	case "deny":
		return false
	}
	return takesAnswers(ev.Reading().CLIVersion)
}

// withAnswers is the whole input with an answer for each question, since the
// client replaces the input and does not merge it (facts 0.9). It reports false
// when one text stands for two answers.
func withAnswers(input gjson.Result, all []decided) ([]byte, bool) {
	answers := make(map[string]string, len(all))
	for _, d := range all {
		if other, ok := answers[d.text]; ok && other != d.option.label {
			return nil, false
		}
		answers[d.text] = d.option.label
	}
	var b []byte
	input.ForEach(func(key, value gjson.Result) bool {
		if key.Str != "answers" {
			b = append(append(append(append(b, ','), key.Raw...), ':'), value.Raw...)
		}
		return true
	})
	raw, err := encodeJSON(answers)
	if err != nil || len(b) == 0 {
		return nil, false
	}
	b[0] = '{'
	return append(append(append(b, `,"answers":`...), raw...), '}'), true
}

// fill lets the call through with its answers, once the mark is in the memory by
// which the guard answers knows who answered (P8).
func fill(ev *hooks.Event, all []decided, filled []byte) hooks.Change {
	return func(mem *hooks.Memory) hooks.Answer {
		state := recall(mem)
		state.Filled = remembered(state.Filled, ev.ToolUseID)
		if err := mem.Remember(hooks.GuardAnswers, state); err != nil {
			return silent("P7", err.Error())
		}
		return hooks.Answer{
			Decision:     hooks.Allow,
			UpdatedInput: filled,
			Reason:       "a stored preference of the person answers this",
			Context:      filledContext(all),
			Operator:     toOperator(all),
			Rule:         "P7",
			Why:          "filled in: " + ids(all),
		}
	}
}

// deny refuses the call with what to go on with, and records it, since no
// PostToolUse follows (P8).
func deny(ev *hooks.Event, all []decided) hooks.Change {
	return func(mem *hooks.Memory) hooks.Answer {
		state := recall(mem)
		var records []Record
		for _, d := range all {
			r := newRecord(ev, d.asked)
			r.Source = SourceAutoDecided
			r.choose(d.asked, d.option.label)
			records = append(records, r)
		}
		fresh := state.fresh(ev.ToolUseID, records)
		if err := mem.Remember(hooks.GuardAnswers, state); err != nil {
			return silent("P8", err.Error())
		}
		return hooks.Answer{
			Decision: hooks.Deny,
			Reason:   deniedReason(all),
			Operator: toOperator(all),
			Rule:     "P7",
			Why:      "decided by preference: " + ids(all),
			Effect:   func() error { return appendRecords(ev, fresh) },
		}
	}
}

func ids(all []decided) string {
	var names []string
	for _, d := range all {
		names = append(names, d.id)
	}
	return strings.Join(slices.Compact(names), ", ")
}

func named(all []decided) string {
	var parts []string
	for _, d := range all {
		parts = append(parts, fmt.Sprintf("%s: %q", d.id, withoutMark(d.option.label)))
	}
	return strings.Join(parts, "; ")
}

// takesAnswers reports whether a client of that version takes answers from a
// hook: 2.1.85 and later.
func takesAnswers(version string) bool {
	floor := [3]int{2, 1, 85}
	var have [3]int
	if n, err := fmt.Sscanf(version, "%d.%d.%d", &have[0], &have[1], &have[2]); n != 3 || err != nil {
		return false
	}
	return slices.Compare(have[:], floor[:]) >= 0
}
