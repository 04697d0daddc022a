package fakeapi

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Kind says on whose behalf the client sent a request.
type Kind string

// The kinds.
const (
	Main       Kind = "main"       // the main conversation
	Agent      Kind = "agent"      // a subagent named by a key of Script.Agents
	Compaction Kind = "compaction" // the conversation is to be summarised
	Side       Kind = "side"       // anything without tools: titles, topics, probes
)

// Request is one request as it arrived.
type Request struct {
	Kind     Kind
	Key      string // of an Agent
	Model    string
	System   string // the texts of the system prompt, joined by newlines
	Messages []Message
	Body     []byte // as it was sent
	tools    int
	stream   bool
}

// Message is one message of the conversation.
type Message struct {
	Role   string
	Blocks []Block
}

// Block is one content block. Text is what the model reads of it: the text of a
// text block, the content of a tool result.
type Block struct {
	Type    string
	Text    string
	ToolUse string // the id of the call that a tool result answers
	IsError bool
}

// Texts gives everything the model reads in the conversation, system prompt
// left out, each block as one text.
func (r Request) Texts() []string {
	var texts []string
	for _, m := range r.Messages {
		for _, b := range m.Blocks {
			texts = append(texts, b.Text)
		}
	}
	return texts
}

// Count says how often a text stands in the system prompt and the conversation.
func (r Request) Count(text string) int {
	n := strings.Count(r.System, text)
	for _, t := range r.Texts() {
		n += strings.Count(t, text)
	}
	return n
}

// Results gives the tool results of the last message that has any.
func (r Request) Results() []Block {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		var results []Block
		for _, b := range r.Messages[i].Blocks {
			if b.Type == "tool_result" {
				results = append(results, b)
			}
		}
		if results != nil {
			return results
		}
	}
	return nil
}

// News gives the texts that follow the last answer of the model: what this
// request tells it that it was not told before.
func (r Request) News() []string {
	last := -1
	for i, m := range r.Messages {
		if m.Role == "assistant" {
			last = i
		}
	}
	return Request{Messages: r.Messages[last+1:]}.Texts()
}

// wireRequest is the part of a request body that is looked at.
type wireRequest struct {
	Model    string            `json:"model"`
	Stream   bool              `json:"stream"`
	System   content           `json:"system"`
	Tools    []json.RawMessage `json:"tools"`
	Messages []struct {
		Role    string  `json:"role"`
		Content content `json:"content"`
	} `json:"messages"`
}

// content is text, or a list of blocks.
type content []Block

func (c *content) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		*c = content{{Type: "text", Text: text}}
		return nil
	}
	var blocks []struct {
		Type    string  `json:"type"`
		Text    string  `json:"text"`
		Content content `json:"content"` // of a tool result
		ToolUse string  `json:"tool_use_id"`
		IsError bool    `json:"is_error"`
	}
	if err := json.Unmarshal(raw, &blocks); err != nil {
		return fmt.Errorf("content is neither text nor blocks: %w", err)
	}
	*c = make(content, 0, len(blocks))
	for _, b := range blocks {
		text := b.Text
		if b.Content != nil {
			text = b.Content.text()
		}
		*c = append(*c, Block{Type: b.Type, Text: text, ToolUse: b.ToolUse, IsError: b.IsError})
	}
	return nil
}

func (c content) text() string {
	texts := make([]string, 0, len(c))
	for _, b := range c {
		texts = append(texts, b.Text)
	}
	return strings.Join(texts, "\n")
}

// parse reads a request body and says what it is for. Keys are those of
// Script.Agents.
func parse(body []byte, keys map[string][]Turn) (Request, error) {
	var wire wireRequest
	if err := json.Unmarshal(body, &wire); err != nil {
		return Request{}, err
	}
	r := Request{
		Model: wire.Model, System: wire.System.text(), Body: body,
		tools: len(wire.Tools), stream: wire.Stream,
	}
	for _, m := range wire.Messages {
		r.Messages = append(r.Messages, Message{Role: m.Role, Blocks: m.Content})
	}
	r.Kind, r.Key = classify(r, keys)
	return r, nil
}

// classify tells the kinds apart by what every client so far has sent: a
// compaction ends with the user message that asks for the summary and how to
// tag it, side requests carry no tools, and a subagent starts from its brief.
func classify(r Request, keys map[string][]Turn) (Kind, string) {
	first, last := r.userTexts()
	if strings.Contains(last, "<summary>") && strings.Contains(last, "<analysis>") {
		return Compaction, ""
	}
	if r.tools == 0 {
		return Side, ""
	}
	for key := range keys {
		if strings.Contains(first, "[["+key+"]]") {
			return Agent, key
		}
	}
	return Main, ""
}

// userTexts gives the texts of the first and of the last user message.
func (r Request) userTexts() (first, last string) {
	seen := false
	for _, m := range r.Messages {
		if m.Role != "user" {
			continue
		}
		last = content(m.Blocks).text()
		if !seen {
			first, seen = last, true
		}
	}
	return first, last
}
