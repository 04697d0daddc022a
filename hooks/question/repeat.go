package question

import (
	"iter"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"ctxguard/hooks"
	"ctxguard/hooks/transcript"
)

// outcome is what became of an earlier question (A6, A9).
type outcome string

const (
	// answered is with an option that was offered, or in no way that is known:
	// nothing is ever held back on a guess.
	answered outcome = "answered"
	// notAsked is a question that a hook held back: it never reached the person (A7).
	notAsked    outcome = "not asked"
	interrupted outcome = "interrupted"
	dismissed   outcome = "dismissed"
	ownWords    outcome = "answered in the person's own words"
)

// earlier finds what became of the newest of the calls that asked the same set of
// questions and reached the person; answered when there is none.
func earlier(t *transcript.File, calls iter.Seq2[transcript.Call, error], set []string, own *ownCall) (outcome, error) {
	for call, err := range calls {
		if err != nil {
			return answered, err
		}
		if !hooks.IsQuestionTool(call.Name) || own.is(call) {
			continue
		}
		questions := questionsOf(call.Input)
		if !slices.Equal(setOf(questions), set) {
			continue
		}
		result, ok, err := t.ResultOf(call)
		if err != nil {
			return answered, err
		}
		if !ok {
			return interrupted, nil
		}
		if o := outcomeOf(call.Name, questions, result); o != notAsked {
			return o, nil
		}
	}
	return answered, nil
}

// ownCall knows the call in flight among the calls of the transcript (A8): by
// its id, else as the newest one with the same input.
type ownCall struct {
	id    string
	input string
	found bool
}

func (o *ownCall) is(call transcript.Call) bool {
	if o.id != "" {
		return call.ID == o.id
	}
	if o.found || !hooks.IsQuestionTool(call.Name) || !sameValue(call.Input.Raw, o.input) {
		return false
	}
	o.found = true
	return true
}

// outcomeOf reads what the client recorded (facts E.2). The structured record
// is believed before the text that the model was told.
func outcomeOf(tool string, questions []asked, result transcript.Result) outcome {
	words := strings.TrimSpace(result.Text)
	switch {
	case strings.HasPrefix(words, "PreToolUse:"+tool+" hook error:"):
		return notAsked
	case strings.Contains(strings.ReplaceAll(words, "’", "'"), "user doesn't want to proceed"):
		return dismissed
	case strings.HasPrefix(words, "[Request interrupted"), strings.Contains(words, "did not answer the question"):
		return interrupted
	}
	record := result.Structured
	if answers := record.Get("answers"); answers.IsObject() {
		if text(record.Get("response")) != "" {
			return ownWords
		}
		return fromRecord(questions, answers, record.Get("annotations"))
	}
	return fromText(questions, words)
}

// fromRecord compares the recorded answers with the labels of their own
// questions.
func fromRecord(questions []asked, answers, annotations gjson.Result) outcome {
	if len(answers.Map()) == 0 {
		return answered
	}
	missing := false
	for _, q := range questions {
		if normal(q.text) == "" || len(q.labels()) == 0 {
			continue
		}
		answer, ok := member(answers, q.text)
		if !ok {
			missing = true
			continue
		}
		notes, _ := member(annotations, q.text)
		if !q.offered(answer) || strings.TrimSpace(text(notes.Get("notes"))) != "" {
			return ownWords
		}
	}
	if missing {
		return interrupted
	}
	return answered
}

// member is the value of the object under a question's text, tolerantly of white
// space and letter case.
func member(object gjson.Result, question string) (gjson.Result, bool) {
	var found gjson.Result
	if !object.IsObject() {
		return found, false
	}
	object.ForEach(func(key, value gjson.Result) bool {
		if text(key) == question {
			found = value
			return false
		}
		if !found.Exists() && normal(text(key)) == normal(question) {
			found = value
		}
		return true
	})
	return found, found.Exists()
}

// offered reports whether an answer consists of labels of the question.
func (a asked) offered(answer gjson.Result) bool {
	if answer.IsArray() {
		for _, v := range answer.Array() {
			if !slices.Contains(a.labels(), text(v)) {
				return false
			}
		}
		return true
	}
	_, ok := a.chosen(text(answer))
	return ok
}

// chosen is the list of labels that an answer names: one, or several joined by
// ", ". A label may hold a ", " itself.
func (a asked) chosen(answer string) ([]string, bool) {
	labels := a.labels()
	if slices.Contains(labels, answer) {
		return []string{answer}, true
	}
	// ends[i] is the label that ends at byte i of the answer, all before it being
	// labels too.
	ends := make([]string, len(answer)+1)
	reached := func(i int) bool {
		return i == 0 || ends[i] != ""
	}
	for i := 0; i < len(answer); i++ {
		if !reached(i) {
			continue
		}
		rest := answer[i:]
		if i > 0 {
			var ok bool
			if rest, ok = strings.CutPrefix(rest, ", "); !ok {
				continue
			}
		}
		for _, label := range labels {
			if strings.HasPrefix(rest, label) {
				ends[len(answer)-len(rest)+len(label)] = label
			}
		}
	}
	if answer == "" || !reached(len(answer)) {
		return nil, false
	}
	var list []string
	for i := len(answer); i > 0; {
		list = append(list, ends[i])
		i -= len(ends[i])
		if i > 0 {
			i -= len(", ")
		}
	}
	slices.Reverse(list)
	return list, true
}

// fromText reads the sentence that the model was told: "question"="answer" for
// each question. Nothing in it is escaped, and its opening words have changed
// between versions, so only the pairs are looked at.
func fromText(questions []asked, words string) outcome {
	for _, q := range questions {
		if normal(q.text) == "" || len(q.labels()) == 0 {
			continue
		}
		_, rest, ok := strings.Cut(words, `"`+q.text+`"="`)
		if ok && !q.beginsWithOffered(rest) {
			return ownWords
		}
	}
	return answered
}

// beginsWithOffered reports whether the text begins with an answer made of
// labels, the quote that ends it, and no notes.
func (a asked) beginsWithOffered(rest string) bool {
	for at := 0; ; {
		i := strings.IndexByte(rest[at:], '"')
		if i < 0 {
			return false
		}
		at += i
		if _, ok := a.chosen(rest[:at]); ok {
			return !strings.HasPrefix(strings.TrimSpace(rest[at+1:]), "notes:")
		}
		at++
	}
}
