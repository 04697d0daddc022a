package question

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tidwall/gjson"

	"ctxguard/hooks"
)

// recordAnswers is the guard answers: it writes down each question that was put
// with what was said to it. It says nothing, except to a question that came
// back without any answer.
func recordAnswers(ev *hooks.Event, _ *hooks.Memory) (hooks.Answer, hooks.Change) {
	if ev.Name != hooks.PostToolUse || !hooks.IsQuestionTool(ev.ToolName) {
		return silent("L1", "not the result of a question tool"), nil
	}
	questions := slices.DeleteFunc(questionsOf(inputOf(ev)), func(q asked) bool { return normal(q.text) == "" })
	if len(questions) == 0 {
		return silentFor("L1", fmt.Errorf("a result of %s without questions in the known form", nativeTool)), nil
	}
	replies, strange := repliesOf(questions, gjson.GetBytes(ev.Payload, "tool_response"))
	return hooks.Answer{}, func(mem *hooks.Memory) hooks.Answer {
		state := recall(mem)
		filled := ev.ToolUseID != "" && slices.Contains(state.Filled, ev.ToolUseID)
		var records []Record
		for i, q := range questions {
			records = append(records, q.record(ev, replies[i], filled))
		}
		fresh := state.fresh(ev.ToolUseID, records)
		answer := hooks.Answer{Rule: "L1", Why: fmt.Sprintf("questions: %d, of these not yet recorded: %d", len(questions), len(fresh))}
		if err := mem.Remember(hooks.GuardAnswers, state); err != nil {
			return silent("L7", err.Error())
		}
		if n := unanswered(records); n > 0 {
			answer.Rule, answer.Context = "L8", unansweredContext(n, len(records))
		}
		answer.Effect = func() error {
			err := appendRecords(ev, fresh)
			if strange != "" && len(fresh) > 0 {
				err = errors.Join(err, fmt.Errorf("an answer in an unknown form: %s", strange))
			}
			return err
		}
		return answer
	}
}

// record is the record of one question with its reply (L4 to L6, L8).
func (a asked) record(ev *hooks.Event, r reply, filled bool) Record {
	record := newRecord(ev, a)
	switch {
	case !r.known:
	case normal(r.choice) == "":
		record.Choice = noChoice
	default:
		record.choose(a, r.choice)
		if _, offered := a.chosen(r.choice); !offered && !r.several && r.words == "" {
			r.words = r.choice
		}
	}
	if r.words != "" {
		record.say(r.words)
	}
	if filled {
		record.Source = SourceAutoDecided
	}
	return record
}

func unanswered(records []Record) int {
	n := 0
	for _, r := range records {
		if r.Choice == noChoice {
			n++
		}
	}
	return n
}
