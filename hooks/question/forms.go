package question

import (
	"strings"

	"github.com/tidwall/gjson"
)

// reply is what came back for one question.
type reply struct {
	known bool
	// choice is empty for a question that came back without an answer.
	choice string
	// several says that the choice is a list of labels, whatever they are.
	several bool
	words   string
}

// repliesOf reads what came back for each question, in the forms that are known
// (L4). It reports the form that none of them fits, as keys and types.
func repliesOf(questions []asked, response gjson.Result) (replies []reply, strange string) {
	replies = make([]reply, len(questions))
	answers := response.Get("answers")
	switch {
	case answers.IsObject():
		byQuestion(questions, replies, answers, response)
	case answers.IsArray():
		inOrder(replies, answers)
	case response.Get("answers").Type == gjson.Null && answers.Exists():
		for i := range replies {
			replies[i].known = true
		}
	default:
		besideQuestions(replies, response.Get("questions"))
	}
	for i, r := range replies {
		if !r.known && normal(questions[i].text) != "" {
			strange = shape(response, 0)
		}
	}
	return replies, strange
}

// byQuestion is the native form: answers keyed by the question's text.
func byQuestion(questions []asked, replies []reply, answers, response gjson.Result) {
	annotations := response.Get("annotations")
	matched := make(map[int]bool)
	for i, q := range questions {
		answer, ok := member(answers, q.text)
		if !ok {
			continue
		}
		matched[i] = true
		replies[i] = replyOf(answer)
		notes, _ := member(annotations, q.text)
		replies[i].words = strings.TrimSpace(text(notes.Get("notes")))
		if replies[i].known && replies[i].choice == "" {
			replies[i].choice = replies[i].words
		}
	}
	left := answers.Map()
	switch {
	case len(left) == 0 && strings.TrimSpace(text(response.Get("response"))) != "":
		// Free text instead of any choice.
		for i := range replies {
			words := text(response.Get("response"))
			replies[i] = reply{known: true, choice: words, words: words}
		}
	case len(matched) == 0 && len(questions) == 1 && len(left) == 1:
		for _, only := range left {
			replies[0] = replyOf(only)
		}
	case len(matched) == len(left):
		// What is not among the answers was not answered.
		for i := range replies {
			replies[i].known = replies[i].known || !matched[i]
		}
	}
}

func replyOf(answer gjson.Result) reply {
	switch {
	case answer.Type == gjson.String:
		return reply{known: true, choice: strings.TrimSpace(text(answer))}
	case answer.Type == gjson.Null:
		return reply{known: true}
	case answer.IsArray():
		var labels []string
		for _, v := range answer.Array() {
			if v.Type != gjson.String {
				return reply{}
			}
			labels = append(labels, text(v))
		}
		return reply{known: true, choice: strings.Join(labels, ", "), several: true}
	}
	return reply{}
}

// inOrder is a list of answers, one for each question.
func inOrder(replies []reply, answers gjson.Result) {
	list := answers.Array()
	for i := range replies {
		switch {
		case i >= len(list):
			replies[i].known = true
		case list[i].IsObject():
			replies[i] = replyFrom(list[i], "option_label", "label", "choice", "answer")
			for _, key := range []string{"free_text", "other_text"} {
				if words := strings.TrimSpace(text(list[i].Get(key))); words != "" && replies[i].words == "" {
					replies[i].words = words
					replies[i].known = true
				}
			}
			if replies[i].choice == "" {
				replies[i].choice = replies[i].words
			}
		default:
			replies[i] = replyOf(list[i])
		}
	}
}

// besideQuestions is an answer that stands in its question's own object.
func besideQuestions(replies []reply, questions gjson.Result) {
	list := questions.Array()
	for i := range replies {
		if i < len(list) {
			replies[i] = replyFrom(list[i], "user_answer", "answer", "choice")
		}
	}
}

// replyFrom takes the first of the keys that is there.
func replyFrom(object gjson.Result, keys ...string) reply {
	for _, key := range keys {
		if v := object.Get(key); v.Exists() {
			return replyOf(v)
		}
	}
	return reply{}
}

// shape describes JSON by its keys and types, without any of its texts: what may
// stand in the log.
func shape(v gjson.Result, depth int) string {
	const deepest, mostKeys = 3, 12
	switch {
	case v.IsObject():
		if depth >= deepest {
			return "object"
		}
		var keys []string
		v.ForEach(func(key, value gjson.Result) bool {
			name := "a key"
			if ValidID(strings.ReplaceAll(key.Str, "_", "-")) {
				name = key.Str
			}
			keys = append(keys, name+": "+shape(value, depth+1))
			return len(keys) < mostKeys
		})
		return "{" + strings.Join(keys, ", ") + "}"
	case v.IsArray():
		first := v.Get("0")
		if !first.Exists() || depth >= deepest {
			return "list"
		}
		return "[" + shape(first, depth+1) + "]"
	case !v.Exists():
		return "nothing"
	}
	return strings.ToLower(v.Type.String())
}
