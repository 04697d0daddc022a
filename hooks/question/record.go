package question

import (
	"errors"
	"slices"
	"strings"

	"ctxguard/hooks"
	"ctxguard/statusline/seam"
)

// AnswersFile is the log of questions, below the home.
const AnswersFile = "answers.jsonl"

// Where an answer came from (L5).
const (
	SourceHook        = "hook"
	SourceOther       = "auq-other"
	SourceAutoDecided = "auto-decided"
)

// What stands in the place of a choice that nobody can tell.
const (
	unknownChoice = "__unknown__"
	noChoice      = "__unanswered__"
)

// The lengths of a record's texts in characters (L6).
const (
	longestSummary  = 200
	longestChoice   = 64
	longestFreeText = 300
)

// Record is one line of answers.jsonl (L2).
type Record struct {
	Time        string `json:"ts"`
	SessionID   string `json:"session_id,omitempty"`
	ToolUseID   string `json:"tool_use_id,omitempty"`
	Project     string `json:"project,omitempty"`
	QuestionID  string `json:"question_id"`
	Summary     string `json:"question_summary"`
	Options     int    `json:"options_count"`
	Choice      string `json:"user_choice"`
	Recommended string `json:"recommended,omitempty"`
	// Followed is nil when the choice or the recommendation is not known.
	Followed *bool  `json:"followed_recommendation,omitempty"`
	FreeText string `json:"free_text,omitempty"`
	Source   string `json:"source"`
	Zone     string `json:"zone,omitempty"`
}

// newRecord is the record of a question that nobody has answered yet.
func newRecord(ev *hooks.Event, q asked) Record {
	id, summary := markerOf(q.text)
	if id == "" {
		id = q.observedID()
	}
	r := Record{
		Time:       ev.Now.UTC().Format(seam.TimeLayout),
		ToolUseID:  ev.ToolUseID,
		Project:    ev.Project,
		QuestionID: id,
		Summary:    clip(summary, longestSummary),
		Options:    len(q.options),
		Choice:     unknownChoice,
		Source:     SourceHook,
		Zone:       string(ev.Reading().Zone),
	}
	if ev.HasSession {
		r.SessionID = ev.Session.ID()
	}
	if o, ok := q.recommended(); ok {
		r.Recommended = clip(withoutMark(o.label), longestChoice)
	}
	return r
}

// observedID names a question that carries no marker (L3).
func (a asked) observedID() string {
	labels := a.labels()
	slices.Sort(labels)
	return "hook-" + fingerprint("unknown::" + a.text + "::" + strings.Join(labels, "|"))[:10]
}

// choose sets the choice and compares it with the recommendation (L6).
func (r *Record) choose(q asked, choice string) {
	labels, ok := q.chosen(choice)
	if !ok {
		labels = []string{choice}
	}
	for i, label := range labels {
		labels[i] = withoutMark(label)
	}
	r.Choice = clip(strings.Join(labels, ", "), longestChoice)
	if o, ok := q.recommended(); ok {
		followed := len(labels) == 1 && normal(labels[0]) == normal(withoutMark(o.label))
		r.Followed = &followed
	}
}

// say sets what the person wrote themselves (L5).
func (r *Record) say(words string) {
	r.FreeText = clip(words, longestFreeText)
	r.Source = SourceOther
}

// kept is the memory of the guards preference and answers.
type kept struct {
	// Recorded are the questions that stand in answers.jsonl (L7), Filled the
	// calls that a stored preference answered (P8); both oldest first.
	Recorded []string `json:"recorded,omitempty"`
	Filled   []string `json:"filled,omitempty"`
}

// mostKept bounds the memory: a hook that runs twice does so at once.
const mostKept = 64

func recall(mem *hooks.Memory) kept {
	var state kept
	mem.Recall(hooks.GuardAnswers, &state)
	return state
}

// remembered is the list with the key at its end, without the oldest beyond
// mostKept.
func remembered(list []string, key string) []string {
	if key == "" || slices.Contains(list, key) {
		return list
	}
	list = append(list, key)
	return list[max(0, len(list)-mostKept):]
}

// fresh gives the records that were not written yet, and remembers them. A call
// without an id cannot be told from another one.
func (k *kept) fresh(toolUseID string, records []Record) []Record {
	if toolUseID == "" {
		return records
	}
	var news []Record
	for _, r := range records {
		key := toolUseID + " " + r.QuestionID
		if !slices.Contains(k.Recorded, key) {
			news = append(news, r)
		}
		k.Recorded = remembered(k.Recorded, key)
	}
	return news
}

func appendRecords(ev *hooks.Event, records []Record) error {
	if !ev.HasSession {
		return errors.New("a question was not recorded: the session id may not become a file name")
	}
	home := ev.Session.Home()
	for _, r := range records {
		line, err := encodeJSON(r)
		if err == nil {
			err = home.Append(home.Path(AnswersFile), line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
