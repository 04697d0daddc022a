package fakeapi_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ctxguard/cmd/realclient/fakeapi"
)

func start(t *testing.T, script fakeapi.Script) *fakeapi.Server {
	t.Helper()
	s, err := fakeapi.Start(script)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// post sends a body as the client does, key included.
func post(t *testing.T, s *fakeapi.Server, path, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, s.URL()+path, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("X-Api-Key", "secret-of-the-person")
	r.Header.Set("Authorization", "Bearer secret-of-the-person")
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(answer)
}

const (
	tools   = `"tools":[{"name":"Bash"}],`
	hello   = `{"model":"m",` + tools + `"messages":[{"role":"user","content":"hello"}]}`
	side    = `{"model":"m","messages":[{"role":"user","content":"a title, please"}]}`
	compact = `{"model":"m",` + tools + `"messages":[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"},` +
		`{"role":"user","content":[{"type":"text","text":"Summarise: think in <analysis> tags, answer in <summary> tags."}]}]}`
	brief = `{"model":"m",` + tools + `"messages":[{"role":"user","content":[{"type":"text","text":"[[scout]] look around"}]}]}`
)

func TestTurnsAreAnsweredInOrder(t *testing.T) {
	s := start(t, fakeapi.Script{Turns: []fakeapi.Turn{
		{Text: "one", Usage: fakeapi.Usage{Input: 1, CacheWrite: 2, CacheRead: 3, Output: 4}},
		{Tools: []fakeapi.Tool{{Name: "Bash", Input: map[string]string{"command": "ls"}}}},
	}})
	status, first := post(t, s, "/v1/messages", hello)
	require.Equal(t, http.StatusOK, status)
	require.JSONEq(t, `{"id":"msg_000001","type":"message","role":"assistant","model":"m",
		"content":[{"type":"text","text":"one"}],"stop_reason":"end_turn","stop_sequence":null,
		"usage":{"input_tokens":1,"cache_creation_input_tokens":2,"cache_read_input_tokens":3,"output_tokens":4}}`, first)
	_, second := post(t, s, "/v1/messages", hello)
	require.JSONEq(t, `{"id":"msg_000002","type":"message","role":"assistant","model":"m",
		"content":[{"type":"tool_use","id":"toolu_00000200","name":"Bash","input":{"command":"ls"}}],
		"stop_reason":"tool_use","stop_sequence":null,
		"usage":{"input_tokens":100,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":20}}`, second)
	require.Empty(t, s.Faults())
}

func TestAStreamPutsTogetherTheSameAnswer(t *testing.T) {
	s := start(t, fakeapi.Script{Turns: []fakeapi.Turn{{
		Text:  "two parts",
		Tools: []fakeapi.Tool{{Name: "Write", Input: map[string]any{"file_path": "/a"}}},
		Usage: fakeapi.Usage{Input: 7, Output: 9},
	}}})
	_, body := post(t, s, "/v1/messages", strings.Replace(hello, `"model"`, `"stream":true,"model"`, 1))

	var types []string
	var text, input, stop string
	var output int
	lines := bufio.NewScanner(strings.NewReader(body))
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var e struct {
			Type  string
			Delta struct {
				Text   string
				Input  string `json:"partial_json"`
				Reason string `json:"stop_reason"`
			}
			Usage fakeapi.Usage
		}
		require.NoError(t, json.Unmarshal([]byte(data), &e))
		require.Contains(t, body, "event: "+e.Type+"\ndata: ")
		types = append(types, e.Type)
		text, input = text+e.Delta.Text, input+e.Delta.Input
		stop, output = stop+e.Delta.Reason, output+e.Usage.Output
	}
	require.Equal(t, []string{
		"message_start", "ping",
		"content_block_start", "content_block_delta", "content_block_stop",
		"content_block_start", "content_block_delta", "content_block_stop",
		"message_delta", "message_stop",
	}, types)
	require.Equal(t, "two parts", text)
	require.JSONEq(t, `{"file_path":"/a"}`, input)
	require.Equal(t, "tool_use", stop)
	require.Equal(t, 9, output)
}

func TestEachKindOfRequestHasItsOwnAnswer(t *testing.T) {
	s := start(t, fakeapi.Script{
		Turns:  []fakeapi.Turn{{Text: "from the turns"}},
		Agents: map[string][]fakeapi.Turn{"scout": {{Text: "from the scout"}}},
	})
	for _, c := range []struct {
		body, want string
		kind       fakeapi.Kind
	}{
		{side, `"text":"ok"`, fakeapi.Side},
		{compact, "The conversation so far", fakeapi.Compaction},
		{brief, "from the scout", fakeapi.Agent},
		{hello, "from the turns", fakeapi.Main},
	} {
		_, answer := post(t, s, "/v1/messages", c.body)
		require.Contains(t, answer, c.want)
		require.Len(t, s.Requests(c.kind), 1, c.kind)
	}
	require.Len(t, s.All(), 4)
	require.Empty(t, s.Faults())
}

func TestWhatGoesPastTheScriptIsAFault(t *testing.T) {
	s := start(t, fakeapi.Script{Agents: map[string][]fakeapi.Turn{"scout": nil}})
	_, answer := post(t, s, "/v1/messages", hello)
	require.Contains(t, answer, fakeapi.Unscripted)
	post(t, s, "/v1/messages", brief)
	status, _ := post(t, s, "/v1/messages", "{")
	require.Equal(t, http.StatusBadRequest, status)
	s.Play(fakeapi.Script{Turns: []fakeapi.Turn{{Tools: []fakeapi.Tool{{Name: "Bash", Input: func() {}}}}}})
	status, _ = post(t, s, "/v1/messages", hello)
	require.Equal(t, http.StatusInternalServerError, status)

	faults := s.Faults()
	require.Len(t, faults, 4)
	require.Contains(t, faults[0], "request 1 of the main conversation, and only 0 are scripted")
	require.Contains(t, faults[1], "subagent scout")
	require.Contains(t, faults[2], "cannot be read")
	require.Contains(t, faults[3], "the input scripted for Bash")
}

func TestAnotherScriptCanBePlayedInTheMiddle(t *testing.T) {
	s := start(t, fakeapi.Script{Turns: []fakeapi.Turn{{Text: "old"}, {Text: "never"}}})
	post(t, s, "/v1/messages", hello)
	s.Play(fakeapi.Script{Turns: []fakeapi.Turn{{Text: "new"}}})
	_, answer := post(t, s, "/v1/messages", hello)
	require.Contains(t, answer, `"new"`)
	require.Len(t, s.Requests(fakeapi.Main), 2, "what was recorded stays")
}

func TestATurnCanBeLateOrAnError(t *testing.T) {
	s := start(t, fakeapi.Script{Turns: []fakeapi.Turn{
		{Text: "late", Delay: 80 * time.Millisecond},
		{Text: "prompt is too long", Status: http.StatusBadRequest},
	}})
	began := time.Now()
	post(t, s, "/v1/messages", hello)
	require.GreaterOrEqual(t, time.Since(began), 80*time.Millisecond)
	status, body := post(t, s, "/v1/messages", hello)
	require.Equal(t, http.StatusBadRequest, status)
	require.JSONEq(t, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long"}}`, body)
}

func TestNoCredentialsAreRecorded(t *testing.T) {
	s := start(t, fakeapi.Script{Turns: []fakeapi.Turn{{Text: "x"}}})
	post(t, s, "/v1/messages", hello)
	for _, r := range s.All() {
		all, err := json.Marshal(r)
		require.NoError(t, err)
		require.NotContains(t, string(all), "secret-of-the-person")
		require.False(t, bytes.Contains(r.Body, []byte("secret-of-the-person")))
	}
}

func TestARequestSaysWhatReachedTheModel(t *testing.T) {
	s := start(t, fakeapi.Script{Turns: []fakeapi.Turn{{Text: "x"}}})
	post(t, s, "/v1/messages", `{"model":"m",`+tools+`"system":[{"type":"text","text":"the word"}],"messages":[
		{"role":"user","content":"the word"},
		{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]},
		{"role":"user","content":[
			{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"no, the word"},
			{"type":"tool_result","tool_use_id":"t2","content":[{"type":"text","text":"yes"}]}]},
		{"role":"system","content":"the word"}]}`)
	r := s.All()[0]
	require.Equal(t, 4, r.Count("the word"))
	require.Equal(t, []string{"no, the word", "yes", "the word"}, r.News())
	require.Equal(t, []fakeapi.Block{
		{Type: "tool_result", Text: "no, the word", ToolUse: "t1", IsError: true},
		{Type: "tool_result", Text: "yes", ToolUse: "t2"},
	}, r.Results())
}

func TestEverythingElseTheClientAsksForIsThere(t *testing.T) {
	s := start(t, fakeapi.Script{})
	status, body := post(t, s, "/v1/messages/count_tokens", strings.Repeat("x", 40))
	require.Equal(t, http.StatusOK, status)
	require.JSONEq(t, `{"input_tokens":10}`, body)
	status, _ = post(t, s, "/api/some/flags", "{}")
	require.Equal(t, http.StatusOK, status)
	require.Empty(t, s.All(), "only messages are recorded")
}

func TestOnlyLoopbackIsServed(t *testing.T) {
	s := start(t, fakeapi.Script{})
	require.True(t, strings.HasPrefix(s.URL(), "http://127.0.0.1:"), s.URL())
}
