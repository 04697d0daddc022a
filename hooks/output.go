package hooks

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"

	"ctxguard/statusline/printable"
)

// What goes where:
//
//   - standard output: one JSON object, or nothing at all; never a log line, since
//     any other text beside the JSON hides it from the client (facts C.4);
//   - standard error: the reason of a Block, for the model; nothing else;
//   - the model: additionalContext, permissionDecisionReason, a Block's reason;
//   - the operator: systemMessage, which is never part of a request (facts C.2).
//
// The client shows all of it to the person, so nothing in it may steer a terminal.
//
// Never printed: defer, ask, an allow without a new input, continue.

// maxText bounds each text of an answer, in UTF-16 units as the client counts.
// Beyond 10,000 the client hands the model a file's name and a preview instead
// of the text (facts C.4).
const maxText = 9500

// Output is what a hook process does: write these, exit with that.
type Output struct {
	Stdout   []byte
	Stderr   []byte
	ExitCode int
}

// exitBlocked has one meaning in this program: a guard blocked.
const exitBlocked = 2

// Part is one guard's share of the merged answer.
type Part struct {
	Guard  string
	Answer Answer
}

// Merge makes one output of what the guards said to the event of that row. Only
// the last part can hold a decision, since a decision ends the run. A field that
// the row does not allow is dropped: on a wrong event it would be an error on
// the person's screen (facts C.4).
func Merge(row Row, parts []Part) Output {
	var contexts, messages []named
	decision := Answer{}
	for _, p := range parts {
		if row.Context && p.Answer.Context != "" {
			contexts = append(contexts, named{p.Guard, p.Answer.Context})
		}
		if row.Operator && p.Answer.Operator != "" {
			messages = append(messages, named{p.Guard, p.Answer.Operator})
		}
		if p.Answer.Ends() {
			decision = p.Answer
			// A reason may quote what the model wrote, however long that is.
			decision.Reason = join([]named{{p.Guard, decision.Reason}})
		}
	}
	if decision.Decision == Block && row.Block {
		return Output{Stderr: []byte(printable.Text(decision.Reason) + "\n"), ExitCode: exitBlocked}
	}
	return Output{Stdout: encodeAnswer(row, decision, join(contexts), join(messages))}
}

// envelopeOut is the one shape that is ever printed.
type envelopeOut struct {
	SystemMessage string       `json:"systemMessage,omitempty"`
	Specific      *specificOut `json:"hookSpecificOutput,omitempty"`
}

type specificOut struct {
	HookEventName     EventName       `json:"hookEventName"`
	Decision          Decision        `json:"permissionDecision,omitempty"`
	Reason            string          `json:"permissionDecisionReason,omitempty"`
	UpdatedInput      json.RawMessage `json:"updatedInput,omitempty"`
	AdditionalContext string          `json:"additionalContext,omitempty"`
}

func encodeAnswer(row Row, decision Answer, context, message string) []byte {
	out := envelopeOut{SystemMessage: message}
	specific := specificOut{HookEventName: row.Event, AdditionalContext: context}
	switch {
	case !row.Deny:
	case decision.Decision == Deny:
		specific.Decision, specific.Reason = Deny, printable.Text(decision.Reason)
	case decision.Decision == Allow && len(decision.UpdatedInput) > 0:
		specific.Decision, specific.Reason = Allow, printable.Text(decision.Reason)
		specific.UpdatedInput = decision.UpdatedInput
	}
	if specific.AdditionalContext != "" || specific.Decision != Silent {
		out.Specific = &specific
	}
	if out.SystemMessage == "" && out.Specific == nil {
		return nil
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(out) != nil {
		// A guard gave an input that is no JSON: better nothing than a fragment.
		return nil
	}
	return b.Bytes()
}

type named struct {
	guard string
	text  string
}

// join puts a blank line between the texts of several guards and keeps the whole
// under maxText. What does not fit is cut at a line, and named.
func join(texts []named) string {
	const reserve = 200 // for the sentence that names what was cut
	var b strings.Builder
	var cut []string
	room := maxText - reserve
	for _, t := range texts {
		text := strings.TrimRight(printable.Text(strings.ToValidUTF8(t.text, "\ufffd")), "\n")
		if size := units(text) + 2; size <= room {
			room -= size
		} else {
			text = firstLines(text, room)
			cut = append(cut, t.guard)
			room = 0
		}
		if text == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(text)
	}
	if len(cut) > 0 {
		b.WriteString("\n\n[shortened to stay below " + strconv.Itoa(maxText) +
			" characters: the rest of " + strings.Join(cut, ", ") + "]")
	}
	return b.String()
}

// firstLines is as many whole lines of text as fit into room units; of a single
// line too long, as many characters.
func firstLines(text string, room int) string {
	used, end := 0, 0
	for i, r := range text {
		n := utf16.RuneLen(r)
		if used+n > room {
			if end == 0 {
				return text[:i]
			}
			return text[:end]
		}
		used += n
		if r == '\n' {
			end = i
		}
	}
	return text
}

// units is the length of s as JavaScript counts it.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}
