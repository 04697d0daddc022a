package fakeapi

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// message is an answer in the API's shape, as it is sent when nothing is
// streamed.
type message struct {
	ID           string  `json:"id"`
	Type         string  `json:"type"`
	Role         string  `json:"role"`
	Model        string  `json:"model"`
	Content      []any   `json:"content"` // textBlock, toolBlock
	StopReason   *string `json:"stop_reason"`
	StopSequence *string `json:"stop_sequence"`
	Usage        Usage   `json:"usage"`
}

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type toolBlock struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// newMessage fails when a tool's input does not encode.
func newMessage(n int, model string, turn Turn) (message, error) {
	m := message{
		ID: fmt.Sprintf("msg_%06d", n), Type: "message", Role: "assistant", Model: model,
		Content: []any{}, Usage: turn.usage(),
	}
	stop := "end_turn"
	if turn.Text != "" {
		m.Content = append(m.Content, textBlock{"text", turn.Text})
	}
	for i, tool := range turn.Tools {
		stop = "tool_use"
		input, err := json.Marshal(tool.Input)
		if err != nil {
			return m, fmt.Errorf("the input scripted for %s: %w", tool.Name, err)
		}
		m.Content = append(m.Content, toolBlock{"tool_use", ToolID(n, i), tool.Name, input})
	}
	m.StopReason = &stop
	return m, nil
}

// ToolID is the id of a tool call: the i-th (from 0) of the n-th answer (from 1).
func ToolID(n, i int) string { return fmt.Sprintf("toolu_%06d%02d", n, i) }

// stream sends the answer as server-sent events, each block in one delta. A
// client that hangs up ends it: an interrupted turn is no fault.
func (m message) stream(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	out := http.NewResponseController(w)
	for _, e := range m.events() {
		data, err := json.Marshal(e)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e["type"], data); err != nil {
			return nil
		}
		if err := out.Flush(); err != nil {
			return nil
		}
	}
	return nil
}

type event map[string]any

func (m message) events() []event {
	start := m
	start.Content, start.StopReason = []any{}, nil
	start.Usage.Output = 1 // what is known before anything was said
	events := []event{{"type": "message_start", "message": start}, {"type": "ping"}}
	for i, block := range m.Content {
		events = append(events, blockEvents(i, block)...)
	}
	return append(events,
		event{
			"type":  "message_delta",
			"delta": map[string]any{"stop_reason": m.StopReason, "stop_sequence": nil},
			"usage": m.Usage,
		},
		event{"type": "message_stop"},
	)
}

func blockEvents(i int, block any) []event {
	var empty, delta any
	switch b := block.(type) {
	case textBlock:
		empty = textBlock{"text", ""}
		delta = map[string]any{"type": "text_delta", "text": b.Text}
	case toolBlock:
		empty = toolBlock{b.Type, b.ID, b.Name, json.RawMessage("{}")}
		delta = map[string]any{"type": "input_json_delta", "partial_json": string(b.Input)}
	}
	return []event{
		{"type": "content_block_start", "index": i, "content_block": empty},
		{"type": "content_block_delta", "index": i, "delta": delta},
		{"type": "content_block_stop", "index": i},
	}
}
