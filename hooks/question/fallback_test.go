package question

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
)

func (s *session) fallback(payload string) hooks.Answer {
	s.t.Helper()
	answer, err := s.run(hooks.GuardFallback, config.Default(), []byte(payload))
	require.NoError(s.t, err)
	require.Equal(s.t, hooks.Silent, answer.Decision, "never a decision (F1)")
	return answer
}

func failureEvent(rest string) string {
	return `{"session_id":"s","hook_event_name":"PostToolUseFailure","tool_name":"AskUserQuestion","tool_input":{"questions":[]}` + rest + `}`
}

func TestBrokenResults_F1_F2(t *testing.T) {
	for name, c := range map[string]struct {
		payload string
		broken  bool
	}{
		"null":                              {backEvent("x", nil, colour), true},
		"missing":                           {`{"hook_event_name":"PostToolUse","tool_name":"AskUserQuestion"}`, true},
		"blank text":                        {backEvent("x", " \n", colour), true},
		"the client's phrase":               {backEvent("x", "[Tool result missing due to internal error]", colour), true},
		"the phrase in content":             {backEvent("x", map[string]any{"content": "Tool Result Missing"}, colour), true},
		"the phrase in blocks":              {backEvent("x", map[string]any{"content": []any{map[string]any{"type": "text", "text": "tool result missing"}}}, colour), true},
		"is_error":                          {backEvent("x", map[string]any{"is_error": true}, colour), true},
		"isError":                           {backEvent("x", map[string]any{"isError": true, "content": "x"}, colour), true},
		"error with text":                   {backEvent("x", map[string]any{"error": "boom"}, colour), true},
		"a failure with an error":           {failureEvent(`,"error":"boom"`), true},
		"a failure without anything":        {failureEvent(``), true},
		"an answer":                         {backEvent("x", answersRecord("Which colour do you want?", "Red"), colour), false},
		"an answer that speaks of an error": {backEvent("x", answersRecord("Which colour do you want?", "the error: tool result missing"), colour), false},
		"text that speaks of an error":      {backEvent("x", "the user said: error", colour), false},
		"is_error that is not true":         {backEvent("x", map[string]any{"is_error": "true", "isError": 1}, colour), false},
		"error that is blank":               {backEvent("x", map[string]any{"error": " "}, colour), false},
		"error that is no text":             {backEvent("x", map[string]any{"error": map[string]any{}}, colour), false},
		"a dismissal":                       {backEvent("x", map[string]any{"is_error": true, "content": "The user doesn't want to proceed with this tool use."}, colour), false},
		"a failure that is a dismissal":     {failureEvent(`,"error":"The user doesn't want to proceed with this tool use."`), false},
		"an interruption":                   {failureEvent(`,"error":"aborted","is_interrupt":true`), false},
		"another tool":                      {`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_response":null}`, false},
		"another event":                     {`{"hook_event_name":"PreToolUse","tool_name":"AskUserQuestion"}`, false},
		"an MCP server's tool":              {`{"hook_event_name":"PostToolUse","tool_name":"mcp__x__AskUserQuestion","tool_response":null}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.broken, newSession(t).fallback(c.payload).Context != "")
		})
	}
	for _, name := range []string{"offered-option", "free-text", "multi-question", "answered-by-hook"} {
		require.False(t, newSession(t).fallback(string(payload(t, "hook-PostToolUse.AskUserQuestion."+name+".json"))).Speaks(), name)
	}
}

func TestKindsOfSession_F3_F4(t *testing.T) {
	for name, c := range map[string]struct {
		env   map[string]string
		agent bool
		want  sessionKind
	}{
		"nothing known":             {nil, false, interactive},
		"attended":                  {map[string]string{"CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDE_CODE_ENTRYPOINT": "cli"}, false, interactive},
		"not attended":              {map[string]string{"CLAUDE_CODE_SESSION_ATTENDED": "0"}, false, headless},
		"an entrypoint of the SDK":  {map[string]string{"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, false, headless},
		"a subagent":                {map[string]string{"CLAUDE_CODE_SESSION_ATTENDED": "0"}, true, spawned},
		"said to be interactive":    {map[string]string{"CTXGUARD_SESSION_KIND": "interactive", "CLAUDE_CODE_ENTRYPOINT": "sdk"}, true, interactive},
		"said to be headless":       {map[string]string{"CTXGUARD_SESSION_KIND": " Headless "}, true, headless},
		"said to be spawned":        {map[string]string{"CTXGUARD_SESSION_KIND": "spawned"}, false, spawned},
		"said to be something else": {map[string]string{"CTXGUARD_SESSION_KIND": "robot"}, true, spawned},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t)
			s.env = c.env
			event := `{"hook_event_name":"PostToolUse","tool_name":"AskUserQuestion","tool_response":null}`
			if c.agent {
				event = `{"agent_id":"a",` + event[1:]
			}
			golden(t, "fallback-"+string(c.want), s.fallback(event).Context)
		})
	}
}
