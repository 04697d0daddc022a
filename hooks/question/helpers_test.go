package question

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
	"ctxguard/zones"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares a text that a model or a person reads with the file of that
// name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got+"\n"), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, strings.TrimSuffix(string(want), "\n"), got)
}

// session is one session in a home of its own.
type session struct {
	t          *testing.T
	home       seam.Home
	session    seam.Session
	env        map[string]string
	transcript string
	reading    zones.Reading
	project    string
	mem        []byte
	// meanwhile is what the client writes while a guard waits.
	meanwhile func()
}

const sessionID = "289dffc6-e639-4953-a7af-31d7ae248c4d"

func newSession(t *testing.T) *session {
	t.Helper()
	s := &session{t: t, home: seam.At(t.TempDir()), env: map[string]string{}, reading: zones.Reading{Zone: zones.Smart, CLIVersion: "2.1.332"}}
	s.session, _ = s.home.Session(sessionID)
	s.transcript = filepath.Join(t.TempDir(), "t.jsonl")
	return s
}

// wrote makes the transcript of those lines.
func (s *session) wrote(lines ...string) *session {
	s.t.Helper()
	require.NoError(s.t, os.WriteFile(s.transcript, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	return s
}

func (s *session) event(payload []byte) *hooks.Event {
	s.t.Helper()
	var scanner hooks.Scanner
	done, err := scanner.Feed(payload)
	require.NoError(s.t, err)
	require.True(s.t, done)
	ev := &hooks.Event{
		Envelope:   scanner.Envelope(),
		Payload:    payload,
		Session:    s.session,
		HasSession: true,
		Now:        time.Date(2026, 11, 30, 5, 0, 0, 0, time.UTC),
		Getenv:     func(key string) string { return s.env[key] },
		Project:    s.project,
		Resolve:    func() zones.Reading { return s.reading },
	}
	if s.meanwhile != nil {
		ev.Wait = func(time.Duration) { s.meanwhile() }
	}
	ev.TranscriptPath = s.transcript
	return ev
}

// run is one run of the hook with that guard: the change is applied to the
// session's memory, the effect carried out.
func (s *session) run(guard string, cfg config.Config, payload []byte) (hooks.Answer, error) {
	s.t.Helper()
	ev := s.event(payload)
	for _, g := range Guards(cfg) {
		if g.Name != guard {
			continue
		}
		require.True(s.t, g.NeedsPayload(ev.Envelope) || !hooks.IsQuestionTool(ev.ToolName))
		mem := hooks.NewMemory(func() []byte { return s.mem })
		answer, change := g.Decide(ev, mem)
		if change != nil {
			answer = change(mem)
			raw, err := mem.Encode()
			require.NoError(s.t, err)
			s.mem = raw
		}
		if answer.Effect != nil {
			return answer, answer.Effect()
		}
		return answer, nil
	}
	s.t.Fatalf("there is no guard %s", guard)
	return hooks.Answer{}, nil
}

func (s *session) asks(payload string) hooks.Answer {
	s.t.Helper()
	answer, err := s.run(hooks.GuardAsk, config.Default(), []byte(payload))
	require.NoError(s.t, err)
	return answer
}

// blockedBy is the rule that holds the question back; empty when it passes.
func (s *session) blockedBy(payload string) string {
	s.t.Helper()
	answer := s.asks(payload)
	if !answer.Ends() {
		return ""
	}
	return answer.Rule
}

// askEvent is a PreToolUse of that tool with those questions.
func askEvent(tool, id string, questions ...map[string]any) string {
	return encode(map[string]any{
		"session_id": sessionID, "hook_event_name": "PreToolUse", "tool_name": tool, "tool_use_id": id,
		"tool_input": map[string]any{"questions": questions},
	})
}

// q is a question with options, each "label" or "label: description".
func q(text string, options ...string) map[string]any {
	var list []any
	for _, o := range options {
		label, description, _ := strings.Cut(o, ": ")
		list = append(list, map[string]any{"label": label, "description": description})
	}
	return map[string]any{"question": text, "header": "H", "options": list, "multiSelect": false}
}

func encode(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func payload(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("../../testdata/payloads", name))
	require.NoError(t, err)
	return raw
}

// The lines of a transcript as the client writes them.

func person(text string) string {
	return encode(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": text}})
}

func said(text string) string {
	return encode(map[string]any{"type": "assistant", "message": map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}}})
}

func call(id, tool string, input any) string {
	return encode(map[string]any{"type": "assistant", "message": map[string]any{"content": []any{
		map[string]any{"type": "tool_use", "id": id, "name": tool, "input": input},
	}}})
}

func asking(id string, questions ...map[string]any) string {
	return call(id, nativeTool, map[string]any{"questions": questions})
}

func result(id, text string, record any) string {
	line := map[string]any{"type": "user", "message": map[string]any{"content": []any{
		map[string]any{"type": "tool_result", "tool_use_id": id, "content": text},
	}}}
	if record != nil {
		line["toolUseResult"] = record
	}
	return encode(line)
}

func answersRecord(pairs ...string) map[string]any {
	answers := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		answers[pairs[i]] = pairs[i+1]
	}
	return map[string]any{"answers": answers, "annotations": map[string]any{}}
}

func records(t *testing.T, home seam.Home) []Record {
	t.Helper()
	raw, err := os.ReadFile(home.Path(AnswersFile))
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(t, err)
	var list []Record
	for line := range strings.Lines(string(raw)) {
		var r Record
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		list = append(list, r)
	}
	return list
}

func text200(n int) string { return fmt.Sprintf("%s.", strings.Repeat("x", n-1)) }
