package question

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/hooks/transcript"
)

// ask holds back a question that points off the screen, repeats one that the
// person turned down, or comes without the context that it needs.
type ask struct {
	cfg config.Ask
}

func (a ask) decide(ev *hooks.Event, mem *hooks.Memory) (hooks.Answer, hooks.Change) {
	switch {
	case !hooks.IsQuestionTool(ev.ToolName):
		return silent("A1", ev.ToolName+" is not a question tool"), nil
	case ev.Getenv("CCGM_ASK_CONTEXT_OFF") == "1":
		return silent("A18", "CCGM_ASK_CONTEXT_OFF"), nil
	}
	input := inputOf(ev)
	questions := questionsOf(input)
	if len(questions) == 0 {
		return silentFor("A1", fmt.Errorf("a call of %s without questions in the known form", nativeTool)), nil
	}
	if answer, found := pointsAway(questions); found {
		return answer, nil
	}
	if ev.InSubagent() {
		return silent("A5", "the transcript at hand is the main conversation's, not the subagent's"), nil
	}
	var known searched
	mem.Recall(hooks.GuardAsk, &known)
	answer, err := a.byTranscript(ev, input, questions, &known)
	if err != nil {
		return silentFor("A5", err), nil
	}
	if answer.Ends() || !known.news {
		return answer, nil
	}
	return answer, func(mem *hooks.Memory) hooks.Answer {
		if err := mem.Remember(hooks.GuardAsk, known); err != nil {
			return silent("A6", err.Error())
		}
		return answer
	}
}

// pointsAway is A3 and A4.
func pointsAway(questions []asked) (hooks.Answer, bool) {
	patterns := compile(pointing)
	for _, q := range questions {
		if phrase, ok := find(q.text, patterns, false); ok {
			return blockedForPhrase(phrase, "a question"), true
		}
		for _, o := range q.options {
			if phrase, ok := find(o.description, patterns, false); ok {
				return blockedForPhrase(phrase, "the description of an option"), true
			}
		}
	}
	return hooks.Answer{}, false
}

// byTranscript is the rules that need to know what was said before.
func (a ask) byTranscript(ev *hooks.Event, input gjson.Result, questions []asked, known *searched) (hooks.Answer, error) {
	t, err := transcript.Open(ev.TranscriptPath)
	if err != nil {
		return hooks.Answer{}, err
	}
	defer t.Close()
	if set := setOf(questions); len(set) > 0 {
		before, err := earlier(t, known.calls(t, ev.TranscriptPath), set, &ownCall{id: ev.ToolUseID, input: input.Raw})
		if err != nil {
			return hooks.Answer{}, err
		}
		if before != answered {
			return blockedForRepeat(before), nil
		}
	}
	limit := a.limit(ev.Getenv)
	payload := carried(questions)
	if payload >= limit {
		return silent("A11", fmt.Sprintf("the question carries %d characters, the limit is %d", payload, limit)), nil
	}
	turn, err := currentTurn(ev, t, limit, ownCall{id: ev.ToolUseID, input: input.Raw})
	if err != nil {
		return hooks.Answer{}, err
	}
	if turn.ToolCalls == 0 || turn.Visible >= limit {
		return silent("A11", fmt.Sprintf("%d calls and at least %d visible characters in this turn", turn.ToolCalls, turn.Visible)), nil
	}
	return blockedForContext(turn, payload, limit), nil
}

// clientBuffer is longer than the client keeps lines before it writes them
// (facts H.3).
const clientBuffer = 250 * time.Millisecond

// currentTurn reads the turn once more, a moment later, when it does not show
// enough at once: calls and text of the same response may still be in the
// client's buffer (facts H.3), and then a call would go uncounted and a text
// unseen.
func currentTurn(ev *hooks.Event, t *transcript.File, limit int, own ownCall) (transcript.Turn, error) {
	first := own
	turn, err := t.Turn(limit, first.is)
	if err != nil || turn.Visible >= limit || ev.Wait == nil {
		return turn, err
	}
	ev.Wait(clientBuffer)
	later, err := transcript.Open(ev.TranscriptPath)
	if err != nil {
		return transcript.Turn{}, err
	}
	defer later.Close()
	return later.Turn(limit, own.is)
}

// limit is the number of characters that are enough (A11).
func (a ask) limit(getenv func(string) string) int {
	value := strings.TrimSpace(getenv("ASK_CONTEXT_MIN_CHARS"))
	if value == "" {
		return a.cfg.MinChars
	}
	if n, err := strconv.Atoi(value); err == nil && n >= 0 {
		return n
	}
	return config.Default().Ask.MinChars
}
