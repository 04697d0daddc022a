package main

import (
	"os"
	"path/filepath"
	"strings"

	"ctxguard/cmd/realclient/fakeapi"
)

const (
	blockingQuestion = "Which directory wins, the flag or the variable?"
	openQuestion     = "Who owns the dialog?"
	refusal          = "This turn changed files of this project, and nothing was recorded under knowledge-base"
)

// keepKnowledge gives the project a questions file and a file of its own.
func (s *Stage) keepKnowledge(toml string) {
	s.Must(os.MkdirAll(s.ProjectFile("knowledge-base"), 0o755))
	page := "## Blocking\n- " + blockingQuestion + "\n\n## Open\n- " + openQuestion + "\n"
	s.Must(os.WriteFile(filepath.Join(s.ProjectFile("knowledge-base"), "_questions.md"), []byte(page), 0o600))
	s.Must(os.WriteFile(s.ProjectFile(".ctxguard.toml"), []byte(toml), 0o600))
}

// playReminders: Q3 and Q4.
func playReminders(s *Stage) {
	s.keepKnowledge("[[reminders.trigger]]\nwhen = [\"the dialog\"]\nquestion = \"Who owns\"\n")
	s.Wire("echo wrapped")
	s.Model(
		fakeapi.Turn{Text: "Answer one.", Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer two.", Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer three.", Usage: smartUsage()},
	)
	s.Open()
	s.Say("prompt one", "Answer one.")
	session := s.AwaitSnapshot(input(smartUsage())).SessionID
	s.Say("what of THE DIALOG now", "Answer two.")
	checkCounts(s, "the blocking question, by request", []int{1, 1}, countsOf(s, 2, blockingQuestion))
	checkCounts(s, "the open question, by request", []int{0, 1}, countsOf(s, 2, openQuestion))

	s.Command("/compact")
	s.See("Compacted")
	s.AwaitMarker(session, "PostCompact")
	s.Must(s.Terminal.WaitReady(s.ctx))
	s.Say("prompt three", "Answer three.")
	r := s.Requests(3)
	CheckEqual(s, "the blocking question after the compaction", 0, r[2].Count(blockingQuestion))
}

// playCapture: C1, C3, C5 and C8. The first turn of a session is never judged.
func playCapture(s *Stage) {
	s.keepKnowledge("[capture]\n")
	s.Wire("echo wrapped")
	s.Model(
		fakeapi.Turn{Text: "Answer one.", Usage: smartUsage()},
		fakeapi.Turn{Tools: []fakeapi.Tool{write(s.ProjectFile("a.txt"))}, Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer two.", Usage: smartUsage()},
		fakeapi.Turn{Tools: []fakeapi.Tool{write(filepath.Join(s.ProjectFile("knowledge-base"), "note.md"))}, Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer three.", Usage: smartUsage()},
	)
	s.Open()
	s.Say("prompt one", "Answer one.")
	s.Say("prompt two", "Answer three.")
	r := s.Requests(5)
	CheckEqual(s, "requests", 5, len(r))
	checkCounts(s, "the refusal, by request", []int{0, 0, 0, 1, 1}, countsOf(s, 5, refusal))
	s.Check(strings.Contains(string(r[3].Body), "Changed: a.txt."), "the refusal does not name what was changed")
	s.CheckProjectFile("knowledge-base/note.md", true)
}

// playCaptureHeadless: C8. Nobody attends the session.
func playCaptureHeadless(s *Stage) {
	s.keepKnowledge("[capture]\n")
	s.Wire("echo never seen")
	s.Model(
		fakeapi.Turn{Text: "Answer one.", Usage: smartUsage()},
		fakeapi.Turn{Tools: []fakeapi.Tool{write(s.ProjectFile("a.txt"))}, Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer two.", Usage: smartUsage()},
	)
	// The first turn, attended, sets the boundary; the second would be judged.
	s.Open()
	s.Say("prompt one", "Answer one.")
	session := s.AwaitSnapshot(input(smartUsage())).SessionID
	s.CloseTerminal()
	run, err := s.Headless(s.ctx, "prompt two", withoutAsking([]string{"--resume", session})...)
	s.Must(err)
	CheckEqual(s, "the exit code", 0, run.ExitCode)
	CheckEqual(s, "standard output", "Answer two.\n", run.Stdout)
	s.CheckProjectFile("a.txt", true)
	CheckEqual(s, "requests", 3, len(s.Requests(3)))
	s.Check(s.boundarySet(session), "the first turn set no boundary, so this shows nothing")
}

// playCaptureBackground: C8. A turn that ends while a subagent still runs is left
// alone; the one in which the client reports its end is judged on both.
func playCaptureBackground(s *Stage) {
	s.keepKnowledge("[capture]\n")
	s.Wire("echo wrapped")
	dispatch := fakeapi.Tool{Name: "Agent", Input: map[string]any{
		"description": "Wait a little", "prompt": "[[waiter]] wait", "subagent_type": "general-purpose",
	}}
	s.API.Play(fakeapi.Script{
		Turns: []fakeapi.Turn{
			{Text: "Answer one.", Usage: smartUsage()},
			{Tools: []fakeapi.Tool{write(s.ProjectFile("a.txt")), dispatch}, Usage: smartUsage()},
			{Text: "It is under way.", Usage: smartUsage()},
			{Text: "It is done.", Usage: smartUsage()},
			{Text: "Nothing to record.", Usage: smartUsage()},
		},
		Agents: map[string][]fakeapi.Turn{"waiter": {
			{Tools: []fakeapi.Tool{bash("sleep 3")}, Usage: smartUsage()},
			{Text: "Waited.", Usage: smartUsage()},
		}},
	})
	s.Open()
	s.Say("prompt one", "Answer one.")
	s.Say("prompt two", "Nothing to record.")
	s.CheckProjectFile("a.txt", true)
	checkCounts(s, "the refusal, by request", []int{0, 0, 0, 0, 1}, countsOf(s, 5, refusal))
}

// boundarySet reports whether capture has looked at the session.
func (s *Stage) boundarySet(session string) bool {
	raw, err := os.ReadFile(s.HomePath("state/" + session + ".json"))
	return err == nil && strings.Contains(string(raw), `"capture":{"offset":`)
}
