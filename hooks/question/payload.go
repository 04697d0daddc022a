package question

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// asked is one question of a call.
type asked struct {
	// text is the question as it was written.
	text    string
	options []option
}

// option is one offered answer.
type option struct {
	label       string
	description string
	preview     string
}

// questionsOf reads the questions of a tool's input. What is not as it should be
// is left out: a question that is no object, an option that is neither an object
// nor text.
func questionsOf(input gjson.Result) []asked {
	list := input.Get("questions")
	if !list.IsArray() {
		return nil
	}
	var questions []asked
	list.ForEach(func(_, q gjson.Result) bool {
		if q.IsObject() {
			questions = append(questions, asked{text: text(q.Get("question")), options: optionsOf(q.Get("options"))})
		}
		return true
	})
	return questions
}

func optionsOf(list gjson.Result) []option {
	if !list.IsArray() {
		return nil
	}
	var options []option
	list.ForEach(func(_, o gjson.Result) bool {
		switch {
		case o.Type == gjson.String:
			options = append(options, option{label: text(o)})
		case o.IsObject():
			options = append(options, option{
				label:       text(o.Get("label")),
				description: text(o.Get("description")),
				preview:     text(o.Get("preview")),
			})
		}
		return true
	})
	return options
}

func (a asked) labels() []string {
	var labels []string
	for _, o := range a.options {
		if o.label != "" {
			labels = append(labels, o.label)
		}
	}
	return labels
}

// carried is the number of characters that the questions put on the screen:
// their texts, and the descriptions and previews of their options (A12).
func carried(questions []asked) int {
	n := 0
	for _, q := range questions {
		n += characters(q.text)
		for _, o := range q.options {
			n += characters(o.description) + characters(o.preview)
		}
	}
	return n
}

func characters(s string) int { return utf8.RuneCountInString(strings.TrimSpace(s)) }

// setOf is what makes two calls the same question (A6): the texts, in any order
// and each once, letter case and the kind of white space aside.
func setOf(questions []asked) []string {
	var set []string
	for _, q := range questions {
		if t := normal(q.text); t != "" {
			set = append(set, t)
		}
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// normal is a text with runs of white space made one blank, trimmed and in lower
// case.
func normal(s string) string { return strings.ToLower(oneLine(s)) }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// clip is a text on one line, of at most n characters.
func clip(s string, n int) string {
	s = oneLine(s)
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:n]))
}

// sameValue reports whether two JSON texts are the same value, whatever their
// spacing and the order of their keys (A8).
func sameValue(a, b string) bool {
	var va, vb any
	return json.Unmarshal([]byte(a), &va) == nil && json.Unmarshal([]byte(b), &vb) == nil && reflect.DeepEqual(va, vb)
}

// encodeJSON is JSON on one line that keeps <, > and & as people wrote them.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// text is the value of a JSON string in UTF-8, and empty for anything else.
func text(v gjson.Result) string {
	if v.Type != gjson.String {
		return ""
	}
	return strings.ToValidUTF8(v.Str, "\ufffd")
}
