package question

import (
	"strings"

	"github.com/tidwall/gjson"

	"ctxguard/hooks"
)

// sessionKind is who could answer (F3).
type sessionKind string

const (
	interactive sessionKind = "interactive"
	headless    sessionKind = "headless"
	spawned     sessionKind = "spawned"
)

// fallback tells the model what to do when a question came back broken. It never
// decides anything.
func fallback(ev *hooks.Event, _ *hooks.Memory) (hooks.Answer, hooks.Change) {
	if ev.Name != hooks.PostToolUse && ev.Name != hooks.PostToolUseFailure || !hooks.IsQuestionTool(ev.ToolName) {
		return silent("F1", "not the result of a question tool"), nil
	}
	how, isBroken := brokenResult(ev)
	if !isBroken {
		return silent("F1", "the question came back whole"), nil
	}
	kind := kindOf(ev)
	return hooks.Answer{Rule: "F2", Why: how + ", session " + string(kind), Context: fallbackContext(kind)}, nil
}

// kindOf is F4.
func kindOf(ev *hooks.Event) sessionKind {
	switch kind := sessionKind(strings.ToLower(strings.TrimSpace(ev.Getenv("CTXGUARD_SESSION_KIND")))); kind {
	case interactive, headless, spawned:
		return kind
	}
	switch {
	case ev.InSubagent():
		return spawned
	case ev.Getenv("CLAUDE_CODE_SESSION_ATTENDED") == "0", strings.HasPrefix(ev.Getenv("CLAUDE_CODE_ENTRYPOINT"), "sdk"):
		return headless
	}
	return interactive
}

// brokenResult is F2, with how the result is broken.
func brokenResult(ev *hooks.Event) (how string, isBroken bool) {
	root := gjson.ParseBytes(ev.Payload)
	response := root.Get("tool_response")
	if ev.Name == hooks.PostToolUseFailure {
		if root.Get("is_interrupt").Type == gjson.True || fromThePerson(text(root.Get("error"))) {
			return "", false
		}
		if strings.TrimSpace(text(root.Get("error"))) != "" {
			return "the call failed", true
		}
	}
	said := contentOf(response)
	if fromThePerson(said) || fromThePerson(text(response.Get("error"))) {
		return "", false
	}
	switch {
	case response.Type == gjson.Null: // missing, too
		return "no result", true
	case response.Type == gjson.String && strings.TrimSpace(text(response)) == "":
		return "a blank result", true
	case strings.Contains(strings.ToLower(said), "tool result missing"):
		return "the client lost the result", true
	case response.Get("is_error").Type == gjson.True, response.Get("isError").Type == gjson.True:
		return "a result marked as an error", true
	case strings.TrimSpace(text(response.Get("error"))) != "":
		return "a result with an error", true
	}
	return "", false
}

// contentOf is the plain text of a response: the response itself, or its content
// as text or in blocks.
func contentOf(response gjson.Result) string {
	if response.Type == gjson.String {
		return text(response)
	}
	content := response
	if response.IsObject() {
		content = response.Get("content")
	}
	if !content.IsArray() {
		return text(content)
	}
	var parts []string
	for _, block := range content.Array() {
		parts = append(parts, text(block.Get("text")))
	}
	return strings.Join(parts, "\n")
}

// fromThePerson reports whether a result says that the person turned the
// question down or interrupted it: that is an answer, not a fault.
func fromThePerson(words string) bool {
	words = strings.ReplaceAll(words, "’", "'")
	return strings.Contains(words, "user doesn't want to proceed") ||
		strings.Contains(words, "did not answer the question") ||
		strings.HasPrefix(strings.TrimSpace(words), "[Request interrupted")
}
