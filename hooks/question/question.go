// Package question holds the guards that act on the question tool: preference
// answers what the person no longer wants to be asked, ask holds back a question
// that the person could not understand or has already turned down, answers
// records what was asked and said, fallback tells the model what to do when a
// question came back broken.
//
// It knows what the client records of a question and its answer. How a
// transcript is read belongs to package transcript, which guards run to package
// config.
package question

import (
	"github.com/tidwall/gjson"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
)

// Guards gives this page's guards, by the configuration.
func Guards(cfg config.Config) []hooks.Guard {
	return []hooks.Guard{
		{Name: hooks.GuardPreference, NeedsPayload: isQuestion, Decide: preference{cfg.Preference}.decide},
		{Name: hooks.GuardAsk, NeedsPayload: isQuestion, Decide: ask{cfg.Ask}.decide},
		{Name: hooks.GuardAnswers, NeedsPayload: isQuestion, Decide: recordAnswers},
		{Name: hooks.GuardFallback, NeedsPayload: isQuestion, Decide: fallback},
	}
}

func isQuestion(e hooks.Envelope) bool { return hooks.IsQuestionTool(e.ToolName) }

// nativeTool is the client's own question tool, the only one that takes answers
// from a hook.
const nativeTool = "AskUserQuestion"

func inputOf(ev *hooks.Event) gjson.Result { return gjson.GetBytes(ev.Payload, "tool_input") }

// silent is an answer that says nothing but why, for who wants it explained.
func silent(rule, why string) hooks.Answer { return hooks.Answer{Rule: rule, Why: why} }

// silentFor is silence because of an error, which goes to the log.
func silentFor(rule string, err error) hooks.Answer {
	return hooks.Answer{Rule: rule, Why: err.Error(), Effect: func() error { return err }}
}
