package delegate

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/hooks/outline"
)

// brief looks at what a subagent is about to be given.
type brief struct {
	cfg       config.Brief
	structure config.Structure
}

const (
	repeatForEachAgent = "agent"
	permissionAsk      = "ask"
)

func (b brief) decide(ev *hooks.Event, mem *hooks.Memory) (hooks.Answer, hooks.Change) {
	if !delegates(ev.ToolName) {
		return silent("B1", ev.ToolName+" starts no subagent")
	}
	input := gjson.GetBytes(ev.Payload, "tool_input")
	prompt := input.Get("prompt")
	switch {
	case prompt.Type != gjson.String || strings.TrimSpace(prompt.Str) == "":
		return silent("B1", "there is no prompt")
	case redelegated(prompt.Str):
		return silent("B1", "the prompt carries its context already")
	}
	required := fields(b.cfg)
	if gone := missing(prompt.Str, required); len(gone) > 0 {
		return hooks.Answer{
			Decision: hooks.Deny, Reason: denial(gone, required),
			Rule: "B2", Why: "missing: " + fieldNames(gone),
		}, nil
	}
	found := matching(prompt.Str, domains(b.cfg))
	structure := b.structureFor(ev, prompt.Str, required, found)
	if structure.denial != "" {
		return hooks.Answer{Decision: hooks.Deny, Reason: structure.denial, Rule: "B4", Why: structure.why}, nil
	}
	blocks := structure.blocks(found)
	if len(blocks) == 0 {
		return silent("B7", "no domain matches")
	}
	return hooks.Answer{}, func(mem *hooks.Memory) hooks.Answer {
		return b.give(ev, mem, input, blocks, structure.warm)
	}
}

// give hands out the blocks that are new, and remembers them. It runs under the
// lock; everything that takes time is done.
func (b brief) give(ev *hooks.Event, mem *hooks.Memory, input gjson.Result, blocks []block, warm func() error) hooks.Answer {
	l := recallLedger(mem)
	if b.cfg.Repeat != repeatForEachAgent {
		blocks = l.unseen(ev.Conversation(), blocks)
	}
	if len(blocks) == 0 {
		return hooks.Answer{Rule: "B8", Why: "this session was given every block", Effect: warm}
	}
	answer, ok := b.carry(input, blocks)
	if !ok {
		return hooks.Answer{Rule: "B9", Why: "the input could not be rewritten"}
	}
	answer.Effect = warm
	toParent := answer.Decision == hooks.Silent
	for _, bl := range blocks {
		l.record(ev.Conversation(), input.Get("subagent_type").Str, bl, toParent, b.cfg.Repeat == repeatForEachAgent)
	}
	if err := l.remember(mem); err != nil {
		return hooks.Answer{Rule: "B9", Why: err.Error()}
	}
	return answer
}

// unseen leaves out what briefs of this session carried, and files whose outline
// this conversation has seen (B8, T2).
func (l ledger) unseen(conversation string, blocks []block) []block {
	var left []block
	for _, bl := range blocks {
		if !l.given(bl.key) && !(bl.file != "" && l.seen(conversation, bl.file)) {
			left = append(left, bl)
		}
	}
	return left
}

func (l ledger) given(key string) bool {
	for _, k := range l.Given {
		if k == key {
			return true
		}
	}
	return false
}

// record notes one block as given. Its file counts as seen by the conversation
// that delegates, unless every subagent is to get its own, and waits to be
// claimed by the subagent.
func (l *ledger) record(conversation, agentType string, bl block, toParent, each bool) {
	if !l.given(bl.key) {
		l.Given = append(l.Given, bl.key)
	}
	if bl.file == "" {
		return
	}
	if toParent || !each {
		l.show(conversation, bl.file)
	}
	if !toParent {
		l.Briefed = append(l.Briefed, briefed{agentType, bl.file})
	}
}

// carry makes the answer: the input with its prompt extended, or where that must
// not be, the blocks as context of the parent (B7, B10).
func (b brief) carry(input gjson.Result, blocks []block) (hooks.Answer, bool) {
	var titles, texts, kinds []string
	fromProject := false
	for _, bl := range blocks {
		titles, texts = append(titles, bl.title), append(texts, bl.text)
		kinds = append(kinds, bl.kind())
		fromProject = fromProject || bl.project
	}
	what := strings.Join(kinds, ", ")
	if fromProject || b.cfg.Permission == permissionAsk {
		return hooks.Answer{
			Context: "The brief goes out as it was written. What ctxguard knows for this task, for you to judge and pass on:\n\n" +
				strings.Join(texts, "\n\n"),
			Rule: "B10", Why: "told the parent: " + what,
		}, true
	}
	updated, ok := extended(input, "\n\n"+opening+"\n\n"+strings.Join(texts, "\n\n")+"\n\n"+closing)
	return hooks.Answer{
		Decision: hooks.Allow, UpdatedInput: updated,
		Reason: "ctxguard carried into this brief: " + strings.Join(titles, ", ") + ".",
		Rule:   "B7", Why: "carried: " + what,
	}, ok
}

// extended is the input with text at the end of its prompt; every other byte
// stays as it came, since the client replaces the whole input (facts 0.9). An
// input with two prompts is not touched: readers disagree on which one counts.
func extended(input gjson.Result, text string) ([]byte, bool) {
	count := 0
	input.ForEach(func(key, _ gjson.Result) bool {
		if key.Str == "prompt" {
			count++
		}
		return true
	})
	// Not input.Get: its Index counts from the payload's beginning.
	prompt := gjson.Get(input.Raw, "prompt")
	end := prompt.Index + len(prompt.Raw) - 1 // of the text, at the quote
	if count != 1 || prompt.Type != gjson.String || prompt.Index <= 0 || end >= len(input.Raw) {
		return nil, false
	}
	var more bytes.Buffer
	encoder := json.NewEncoder(&more)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(text) != nil {
		return nil, false
	}
	quoted := bytes.TrimSuffix(more.Bytes(), []byte("\n"))
	updated := append([]byte(input.Raw[:end]), quoted[1:len(quoted)-1]...)
	updated = append(updated, input.Raw[end:]...)
	return updated, gjson.ValidBytes(updated)
}

// carried is the structure that goes with a brief.
type carried struct {
	text, title string
	file        string
	// note says in the domains' blocks why there is no structure.
	note string
	// denial refuses the call, why is its evidence.
	denial, why string
	warm        func() error
}

func (c carried) blocks(found []domain) []block {
	var blocks []block
	for _, d := range found {
		note := ""
		if d.NeedsStructure {
			note = c.note
		}
		blocks = append(blocks, d.block(note))
	}
	if c.text != "" {
		blocks = append(blocks, block{key: "structure:" + c.file, title: c.title, text: c.text, file: c.file})
	}
	return blocks
}

const moduleContext = "=== MODULE CONTEXT"

// structureFor finds the structure that the brief needs (B4, B6).
func (b brief) structureFor(ev *hooks.Event, prompt string, required []field, found []domain) carried {
	needed, toParent := false, b.cfg.Permission == permissionAsk
	for _, d := range found {
		needed = needed || d.NeedsStructure
		toParent = toParent || d.project
	}
	if !needed || strings.Contains(prompt, moduleContext) {
		return carried{}
	}
	var places []place
	for _, word := range named(prompt, required) {
		if p := locate(ev, word); p.path != "" && !looseInHome(ev, p.path) {
			places = append(places, p)
		}
	}
	if len(places) == 0 {
		return carried{
			why: "no usable path",
			denial: "This brief is about code, and its FILES field names no file of the project: " +
				"the subagent would have to search for where to begin. " +
				"Next: send the same call again with the paths to read and to change in FILES, from the project's root, such as src/server/router.go. " +
				"A file that is yet to be made counts too.",
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), budget(b.structure.BriefSeconds))
	defer cancel()
	// A subagent has a window of its own and gets the whole (T7); what goes to the
	// parent has to fit an edit's measure.
	chars := briefChars
	if toParent {
		chars = editChars
	}
	return b.firstRendered(ctx, ev, places, chars)
}

// firstRendered takes the first existing file that renders; only when none does,
// a file that is yet to be made (B6).
func (b brief) firstRendered(ctx context.Context, ev *hooks.Event, places []place, chars int) carried {
	none := carried{note: "(The structure of the named files could not be given: there is none that outlines are made for.)"}
	for _, exists := range []bool{true, false} {
		for _, at := range places {
			req, ok := request(ev, b.structure, at, chars)
			if !ok || at.exists != exists {
				continue
			}
			r := render(ctx, req, ev.Now)
			switch {
			case r.State == outline.Rendered:
				return carried{text: r.Text, title: "module context of " + at.path, file: fileKey(at.path)}
			case r.NoCommand:
				return carried{denial: "The structure of " + at.path + " cannot be shown: " + r.Reason +
					". Next: tell the person; they can correct or remove the command in ctxguard.toml.", why: "the structure command does not exist"}
			case r.State == outline.Unavailable:
				none.note = "(The structure of " + at.path + " could not be given: " + r.Reason + ".)"
				if r.Retry {
					none.warm = warm(req, ev.Now)
					return none
				}
			}
		}
	}
	return none
}
