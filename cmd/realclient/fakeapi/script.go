// Package fakeapi is a stand-in for the Messages API that plays a script: what
// the model "says", which tools it calls, how many tokens it reports, and when.
// It listens on loopback, never calls out, and keeps every request that it got
// so that a scene can ask what reached the model.
//
// It knows the wire format and nothing of ctxguard. Headers are not kept: that
// is where the client puts its key.
package fakeapi

import "time"

// Script is what the server plays.
type Script struct {
	// Turns answer the requests of the main conversation, in order. A request
	// beyond the last one is answered with Unscripted and counted.
	Turns []Turn
	// Agents answer the requests of subagents, in order: by a key that the
	// subagent's brief names as [[KEY]].
	Agents map[string][]Turn
	// Summary answers a request to summarise the conversation. Its text has a
	// default.
	Summary Turn
}

// Turn is one answer of the model.
type Turn struct {
	Text  string
	Tools []Tool
	// Usage is what the answer reports. The zero value reports DefaultUsage:
	// a real answer never costs nothing.
	Usage Usage
	// Delay passes before the first byte.
	Delay time.Duration
	// Status other than 0 and 200 makes the answer an API error with Text as
	// its message.
	Status int
}

// Tool is one tool call.
type Tool struct {
	Name  string
	Input any // encodes to a JSON object
}

// Usage counts tokens, by the names that the API gives them.
type Usage struct {
	Input      int `json:"input_tokens"`
	CacheWrite int `json:"cache_creation_input_tokens"`
	CacheRead  int `json:"cache_read_input_tokens"`
	Output     int `json:"output_tokens"`
}

// Texts of answers that no script gave.
const (
	Unscripted     = "Nothing is scripted for this request."
	DefaultSummary = "<analysis>Short.</analysis>\n<summary>\nThe conversation so far, in one line.\n</summary>"
	sideAnswer     = "ok"
)

// DefaultUsage is reported by turns that give none.
func DefaultUsage() Usage { return Usage{Input: 100, Output: 20} }

func (t Turn) usage() Usage {
	if t.Usage == (Usage{}) {
		return DefaultUsage()
	}
	return t.Usage
}
