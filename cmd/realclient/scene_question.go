package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"ctxguard/cmd/realclient/fakeapi"
)

type option struct {
	Label       string `json:"label"`
	Description string `json:"description"`
}

// question is a call of the client's question tool with one question.
func question(text string, options ...option) fakeapi.Tool {
	return fakeapi.Tool{Name: "AskUserQuestion", Input: map[string]any{
		"questions": []any{map[string]any{
			"question": text, "header": "Storage", "options": options, "multiSelect": false,
		}},
	}}
}

// The same question without and with what a person needs to answer it.
func bareQuestion() fakeapi.Tool {
	return question("Which storage shall it be?", option{"SQLite", "One file"}, option{"Postgres", "A server"})
}

func fullQuestion(text string) fakeapi.Tool {
	return question(text+" The service keeps 40 MB of orders, written by one process and read by three reports a day; "+
		"nothing has been deployed yet, and moving later costs about a day.",
		option{"SQLite (recommended)", "One file beside the service: nothing to run, backups are a copy, one writer at a time"},
		option{"Postgres", "A server to run and to back up: several writers, reports do not wait"})
}

// thinking is what no model answers faster than, and by which the client has
// written down what was before.
const thinking = time.Second

// playAsk: A1, A11 and A16 as the model reads them, and L2 after a person has
// answered in the client's own dialog.
func playAsk(s *Stage) {
	s.Wire("echo wrapped")
	s.Model(
		fakeapi.Turn{Tools: []fakeapi.Tool{bash("echo one")}, Usage: smartUsage()},
		fakeapi.Turn{Tools: []fakeapi.Tool{bareQuestion()}, Usage: smartUsage(), Delay: thinking},
		fakeapi.Turn{Tools: []fakeapi.Tool{fullQuestion("Which storage shall it be?")}, Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer one.", Usage: smartUsage()},
	)
	s.Open()
	s.Command("prompt one")
	s.See("nothing to run, backups are a copy")
	s.Confirm()
	s.See("Answer one.")

	r := s.Requests(4)
	checkResults(s, "the bare question", r[2], true)
	checkNews(s, "the denial", r[2], "PreToolUse:AskUserQuestion hook error:", "200")
	checkResults(s, "the full question", r[3], false)
	checkNews(s, "the answer", r[3], `="SQLite (recommended)"`)
	s.Until(func() error {
		if n := len(s.answers()); n != 1 {
			return errNotYet("one answer in answers.jsonl")
		}
		return nil
	})
	got := s.answers()[0]
	CheckEqual(s, "the choice on record", "SQLite", got.Choice)
	CheckEqual(s, "its source", "hook", got.Source)
	s.Check(got.Followed != nil && *got.Followed, "the record does not say that the recommendation was followed: %+v", got)
}

// playAskAgain: A6 on what the client itself records of a dialog that was left.
func playAskAgain(s *Stage) {
	s.Wire("echo wrapped")
	ask := fakeapi.Turn{Tools: []fakeapi.Tool{fullQuestion("Which storage shall it be?")}, Usage: smartUsage()}
	s.Model(ask, ask, fakeapi.Turn{Text: "Answer two.", Usage: smartUsage()})
	s.Open()
	s.Command("prompt one")
	s.See("nothing to run, backups are a copy")
	s.Dismiss()
	s.Say("prompt two", "Answer two.")
	r := s.Requests(3)
	checkResults(s, "the question that was dismissed and came again", r[2], true)
	checkNews(s, "the denial", r[2], "PreToolUse:AskUserQuestion hook error:", "dismissed")
	s.Check(len(s.answers()) == 0, "nobody answered, and there are records: %+v", s.answers())
}

// playPreference: P7. The client takes the answer from the hook and asks nobody.
func playPreference(s *Stage) {
	s.Wire("echo wrapped")
	s.Model(
		fakeapi.Turn{Text: "Answer one.", Usage: smartUsage()},
		fakeapi.Turn{Tools: []fakeapi.Tool{fullQuestion("<qid:storage> Which storage shall it be?")}, Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer two.", Usage: smartUsage()},
	)
	s.MustCtxguard("prefs", "set", "storage", "never-ask", "--global")
	s.Open()
	s.Say("prompt one", "Answer one.")
	s.AwaitSnapshot(input(smartUsage())) // by which the client's version is known
	s.Say("prompt two", "Answer two.")

	r := s.Requests(3)
	checkResults(s, "the question", r[2], false)
	checkNews(s, "the answer", r[2], "have been answered", `="SQLite (recommended)"`, "PreToolUse:AskUserQuestion hook additional context:", "preference")
	all := s.answers()
	s.Check(len(all) == 1 && all[0].Source == "auto-decided" && all[0].Choice == "SQLite" && all[0].ID == "storage",
		"the record is not one answer of the preference's: %+v", all)
}

// answer is what is looked at in a line of answers.jsonl.
type answer struct {
	ID       string `json:"question_id"`
	Choice   string `json:"user_choice"`
	Source   string `json:"source"`
	Followed *bool  `json:"followed_recommendation"`
}

func (s *Stage) answers() []answer {
	data, err := os.ReadFile(s.HomePath("answers.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	s.Must(err)
	var all []answer
	for line := range strings.Lines(string(data)) {
		var one answer
		s.Must(json.Unmarshal([]byte(line), &one))
		all = append(all, one)
	}
	return all
}
