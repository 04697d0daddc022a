package question

import (
	"fmt"
	"strings"

	"ctxguard/hooks"
	"ctxguard/hooks/transcript"
)

// The texts state what was found and what the next step is. The model reads
// them in the place of the tool's result.

// onScreen is what every refusal of ask rests on.
const onScreen = "The person sees the payload of the question word for word; what was written, read or thought before it " +
	"may not be on their screen at all."

// wellMade says what a question needs, so that the next one passes.
const wellMade = "what is decided, why now, two to six facts that bear on it, and, in the description of each option, what follows from choosing it"

func blockedForPhrase(phrase, where string) hooks.Answer {
	return hooks.Answer{
		Decision: hooks.Block,
		Rule:     "A3",
		Why:      "a phrase that points off the screen in " + where,
		Reason: fmt.Sprintf("The question was held back: %s says %q, which points at something that the person cannot see. %s "+
			"Next step: put what the phrase points at into the payload itself (%s), leave the phrase out, and call the tool again.",
			where, phrase, onScreen, wellMade),
	}
}

func blockedForRepeat(before outcome) hooks.Answer {
	var what, next string
	switch before {
	case interrupted:
		what = "was interrupted before the person answered it"
		next = "if the decision is still open, find out from the person's last message why they did not answer, and ask again with a rewritten payload that answers what they said"
	case dismissed:
		what = "was dismissed by the person"
		next = "take up what the person said when they dismissed it, or ask them in plain text what is missing; then ask again with a rewritten payload that answers it"
	default:
		what = "was answered by the person in their own words instead of with an option"
		next = "act on those words; if something is still open, ask with a rewritten payload that answers what they said"
	}
	return hooks.Answer{
		Decision: hooks.Block,
		Rule:     "A6",
		Why:      "the same question before: " + string(before),
		Reason: fmt.Sprintf("The question was held back: the same set of questions was put before in this session and %s. "+
			"Put unchanged, it tells them nothing new. Next step: %s.", what, next),
	}
}

func blockedForContext(turn transcript.Turn, payload, limit int) hooks.Answer {
	return hooks.Answer{
		Decision: hooks.Block,
		Rule:     "A11",
		Why:      fmt.Sprintf("%d calls, %d characters carried, %d visible, limit %d", turn.ToolCalls, payload, turn.Visible, limit),
		Reason: fmt.Sprintf("The question was held back: it would reach the person without its context. Since their last message there %s, "+
			"the payload carries %s (question texts, option descriptions and previews), and the text on their screen has %s; the limit is %d. %s "+
			"Next step: put into the payload %s, and call the tool again.",
			times(turn.ToolCalls, "was one tool call", "were %d tool calls"),
			times(payload, "one character", "%d characters"), times(turn.Visible, "one", "%d"), limit, onScreen, wellMade),
	}
}

func times(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf(many, n)
}

// list joins items as a sentence does.
func list(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:len(items)-1], ", ") + " and " + items[len(items)-1]
}

func deniedReason(all []decided) string {
	return fmt.Sprintf("The question was not put to the person: their stored preferences say not to ask it, so the recommended option stands. "+
		"Decided for them: %s. Next step: go on with that, and say in the next message to the person what was decided by their stored preference.",
		named(all))
}

func filledContext(all []decided) string {
	return fmt.Sprintf("A stored preference answered this question; the person did not see it and did not answer it. "+
		"Decided by the preference: %s. The next message to the person should say so.", named(all))
}

func toOperator(all []decided) string {
	return fmt.Sprintf("ctxguard: answered by your stored preference, without asking: %s. `ctxguard prefs list` shows the preferences.", named(all))
}

func proseInstead() hooks.Answer {
	return hooks.Answer{
		Decision: hooks.Deny,
		Rule:     "P10",
		Why:      "the question tool does not work in this host",
		Reason: "The question tool does not work in this host, so the person would never see this question. " +
			"Next step: " + asProse + ", and then wait for the person's answer.",
	}
}

// asProse is a question in the shape that a person can answer in plain text.
const asProse = `write the decision to the person as prose: what is at stake; a line "Recommendation: …"; then one paragraph for each option, ` +
	`with "(recommended)" behind the one that is recommended, and a figure "completeness: n/10" for how much of the work each option covers`

func unansweredContext(missing, all int) string {
	what := "The question came back without an answer"
	if all > 1 {
		what = fmt.Sprintf("Of %d questions %d came back without an answer", all, missing)
	}
	return what + ": nobody chose anything, so no choice may be assumed, the recommended one included. " +
		"What hangs on it is still open; it can be asked again, or be put to the person in plain text."
}

func fallbackContext(kind sessionKind) string {
	const lost = "The question came back broken; an answer, if there was one, is lost. "
	switch kind {
	case headless:
		return lost + "Nobody attends this session, so nobody can answer, and no choice may be assumed. Next step: report BLOCKED with the decision that is open, its options " +
			"and what each would change, and stop there."
	case spawned:
		return lost + "This is a subagent, which has nobody to ask. Next step: take the recommended option, go on without writing the question out, " +
			"and name the decision in the final report."
	}
	return lost + "No choice may be assumed. Next step: " + asProse + ", and then wait for the person's answer."
}
