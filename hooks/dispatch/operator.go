package dispatch

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"ctxguard/hooks"
	"ctxguard/statusline/seam"
)

// What a person decides, a model may not: a change that was made from inside a
// session, and a change of the gate's mode, is told to the operator at the next
// prompt, whichever session it comes in.

const (
	// owedFile holds one line of JSON for each thing that the operator has yet to
	// be told.
	owedFile = "owed.jsonl"
	maxOwed  = 1 << 20
	mostOwed = 10

	// gateModeFile holds the gate's mode as the operator knows it; no file is
	// advisory.
	gateModeFile = "seen/gate-mode"
	defaultMode  = "advisory"
)

// ByModel reports whether a command runs inside a session of the client, where
// it is the model that types.
func ByModel(getenv func(string) string) bool { return getenv("CLAUDECODE") == "1" }

type owed struct {
	Time string `json:"time"`
	Text string `json:"text"`
}

// RecordChange writes down that a command changed, from inside a session, what a
// person decides: in decisions.jsonl, and for the operator at the next prompt.
// Command is the command's name, text what it did in one line.
func RecordChange(home seam.Home, getenv func(string) string, now time.Time, command, text string) error {
	decided := Decided{
		Time:     now.UTC().Format(seam.TimeLayout),
		Event:    "command",
		Guard:    command,
		Decision: "change",
		Reason:   text,
	}
	if id := getenv("CLAUDE_CODE_SESSION_ID"); seam.ValidSessionID(id) {
		decided.Session = id
	}
	line, err := json.Marshal(decided)
	if err != nil {
		return err
	}
	note, err := json.Marshal(owed{Time: decided.Time, Text: text})
	if err != nil {
		return err
	}
	return errors.Join(
		home.Append(home.Path(DecisionsFile), line),
		home.Append(home.Path(owedFile), note),
	)
}

// owedToOperator takes what the operator has yet to be told. It is taken by a
// rename, so that of several prompts at once only one tells it.
func (e *engine) owedToOperator(ev *hooks.Event) []hooks.Part {
	if ev.Name != hooks.UserPromptSubmit || ev.InSubagent() || e.frozen {
		return nil
	}
	lines := e.takeOwed()
	if line := e.changedMode(); line != "" {
		lines = append([]string{line}, lines...) // first, since what is cut stands in the log, and this does not
	}
	if len(lines) == 0 {
		return nil
	}
	if more := len(lines) - mostOwed; more > 0 {
		lines = append(lines[:mostOwed:mostOwed], "and more; `ctxguard log decisions` lists them all")
	}
	return []hooks.Part{{Guard: "operator", Answer: hooks.Answer{Operator: "ctxguard: " + strings.Join(lines, "\n- ")}}}
}

func (e *engine) takeOwed() []string {
	path := e.home.Path(owedFile)
	if _, err := os.Lstat(path); err != nil {
		return nil
	}
	claimed := path + ".told"
	if err := os.Rename(path, claimed); err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			e.log("owed.jsonl: " + err.Error())
		}
		return nil
	}
	raw, err := seam.ReadFile(claimed, maxOwed)
	if err != nil {
		e.log("owed.jsonl: " + err.Error())
		return nil
	}
	var texts []string
	for line := range bytes.SplitSeq(raw, []byte("\n")) {
		var o owed
		if json.Unmarshal(line, &o) == nil && o.Text != "" {
			texts = append(texts, o.Text)
		}
	}
	if err := os.Remove(claimed); err != nil {
		e.log("owed.jsonl: " + err.Error())
	}
	return slices.Compact(texts)
}

// changedMode says that the gate does something else now than the operator was
// last told. Switching it off in the file is such a change as well, when it was to
// block.
func (e *engine) changedMode() string {
	mode := e.understood.Config.Gate.Mode
	if mode == "blocking" && !e.understood.Config.Gate.Enabled {
		mode = "off"
	}
	known := defaultMode
	raw, err := seam.ReadFile(e.home.Path(gateModeFile), maxOwed)
	if err == nil && len(raw) > 0 {
		known = string(raw)
	}
	if known == mode {
		return ""
	}
	if err := seam.Replace(e.home.Path(gateModeFile), []byte(mode)); err != nil {
		e.log("gate-mode: " + err.Error())
		return ""
	}
	switch mode {
	case "blocking":
		return "the gate is blocking now: in the dumb zone it holds back changes once the grace is used up ([gate] mode in ctxguard.toml)"
	case "off":
		return "the gate is switched off now and holds back nothing ([gate] enabled in ctxguard.toml)"
	}
	return "the gate is advisory now and holds back nothing ([gate] mode in ctxguard.toml)"
}
