package main

import (
	"fmt"
	"slices"
	"strings"

	"ctxguard/cmd/realclient/client"
	"ctxguard/cmd/realclient/fakeapi"
)

// said is how the client introduces a hook's words to the model (facts C.1).
func said(event string) string { return event + " hook additional context: ctxguard measured" }

// playCrossing is X1 to X3 as the model and the operator see them.
func playCrossing(s *Stage) {
	s.Wire("echo wrapped")
	s.Model(
		fakeapi.Turn{Text: "Answer one.", Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer two.", Usage: acceptableUsage()},
		fakeapi.Turn{Text: "Answer three.", Usage: acceptableUsage()},
		fakeapi.Turn{Tools: []fakeapi.Tool{bash(untilSnapshot(dumbUsage()))}, Usage: dumbUsage()},
		fakeapi.Turn{Text: "Answer four.", Usage: dumbUsage()},
		fakeapi.Turn{Text: "Answer five.", Usage: dumbUsage()},
	)
	s.Open()
	s.Say("prompt one", "Answer one.")
	s.AwaitSnapshot(input(smartUsage()))
	s.Say("prompt two", "Answer two.")
	s.AwaitSnapshot(input(acceptableUsage()))
	s.Say("prompt three", "Answer three.")
	s.See("ctxguard: smart → acceptable")
	s.Say("prompt four", "Answer four.")
	s.See("ctxguard: acceptable → dumb")
	s.AwaitSnapshot(input(dumbUsage()))
	s.Say("prompt five", "Answer five.")

	r := s.Requests(6)
	counts := func(event string) []int {
		var n []int
		for _, request := range r {
			n = append(n, request.Count(said(event)))
		}
		return n
	}
	// What was injected stays in the conversation: a one that stays a one.
	checkCounts(s, "a crossing said at a prompt, by request", []int{0, 0, 1, 1, 1, 1}, counts("UserPromptSubmit"))
	checkCounts(s, "a crossing said after a tool batch, by request", []int{0, 0, 0, 0, 1, 1}, counts("PostToolBatch"))
	checkNews(s, "the request of prompt three", r[2], "from the smart zone to the acceptable zone", "300,900 tokens of 1,000,000 (30 %)")
	checkNews(s, "the request after the tool", r[4], "from the acceptable zone to the dumb zone", "450,800 tokens of 1,000,000 (45 %)", "in a file now")
}

// untilSnapshot is a line that runs until the status line has seen a response's
// numbers, which it does while the tools that the response called are running.
func untilSnapshot(u fakeapi.Usage) string {
	return fmt.Sprintf(`n=0; until grep -q %d "$HOME"/.claude/ctxguard/context/*.json || [ $n -gt 100 ]; do n=$((n+1)); sleep 0.1; done`, input(u))
}

// checkNews notes texts that a request should newly tell the model and does not.
func checkNews(s *Stage, whose string, r fakeapi.Request, texts ...string) {
	news := strings.Join(r.News(), "\n")
	for _, text := range texts {
		s.Check(strings.Contains(news, text), "%s does not say %q; what is new in it:\n%s", whose, text, news)
	}
}

// checkCounts compares the first numbers of got; the scene may have gone on.
func checkCounts(s *Stage, what string, want, got []int) {
	got = got[:min(len(got), len(want))]
	s.Check(slices.Equal(want, got), "%s: expected %v, got %v", what, want, got)
}

// playCrossing200k: a model for which the client puts a hook's words into the
// user's message (facts C.1), and where tokens and percentage agree on the zone.
func playCrossing200k(s *Stage) {
	usage := fakeapi.Usage{Input: 110_000, Output: 400}
	s.Wire("echo wrapped")
	s.Model(
		fakeapi.Turn{Text: "Answer one.", Usage: usage},
		fakeapi.Turn{Text: "Answer two.", Usage: usage},
		fakeapi.Turn{Text: "Answer three.", Usage: usage},
	)
	s.Open("--model", "claude-sonnet-4-5-20250929")
	s.Say("prompt one", "Answer one.")
	s.AwaitSnapshot(input(usage))
	s.Say("prompt two", "Answer two.")
	s.Say("prompt three", "Answer three.")
	checkCounts(s, "a crossing said, by request", []int{0, 1, 1}, countsOf(s, 3, said("UserPromptSubmit")))
	checkNews(s, "the request of prompt two", s.Requests(3)[1],
		"<system-reminder>\n"+said("UserPromptSubmit"), "from the smart zone to the acceptable zone: 110,400 tokens of 200,000 (55 %)")
}

// playQueued is X9: what is typed during a turn goes out with the tool's result.
func playQueued(s *Stage) {
	s.Wire("echo wrapped")
	s.Model(
		fakeapi.Turn{Tools: []fakeapi.Tool{bash(untilGo)}, Usage: acceptableUsage()},
		fakeapi.Turn{Text: "Answer one.", Usage: acceptableUsage()},
		fakeapi.Turn{Text: "Answer two.", Usage: acceptableUsage()},
	)
	s.Open()
	s.Command("prompt one")
	s.AwaitSnapshot(input(acceptableUsage()))
	s.Command("typed meanwhile")
	s.AwaitDecision("UserPromptSubmit")
	s.Go()
	s.See("Answer one.")
	s.Must(s.Terminal.WaitUntil(s.ctx, "the turn has ended", client.Idle))
	s.Say("prompt two", "Answer two.")
	checkCounts(s, "a crossing said, by request", []int{0, 1, 1}, countsOf(s, 3, "ctxguard measured"))
	checkNews(s, "the request after the tool", s.Requests(3)[1], said("UserPromptSubmit"), "typed meanwhile")
}

// playResume: what was told is remembered with the session, not with the
// process.
func playResume(s *Stage) {
	s.Wire("echo wrapped")
	s.Model(
		fakeapi.Turn{Text: "Answer one.", Usage: acceptableUsage()},
		fakeapi.Turn{Text: "Answer two.", Usage: acceptableUsage()},
		fakeapi.Turn{Text: "Answer three.", Usage: acceptableUsage()},
	)
	s.Open()
	s.Say("prompt one", "Answer one.")
	session := s.AwaitSnapshot(input(acceptableUsage())).SessionID
	s.Say("prompt two", "Answer two.")
	s.Command("/exit")
	s.Must(s.Terminal.WaitEnd(s.ctx))
	s.Open("--resume", session)
	s.Say("prompt three", "Answer three.")
	checkCounts(s, "a crossing said, by request", []int{0, 1, 1}, countsOf(s, 3, "ctxguard measured"))
}

// playSubagent: the zone is the main conversation's, while a subagent's calls
// come under its session id (facts F.4; G8).
func playSubagent(s *Stage) {
	s.Configure("[gate]\nmode = \"blocking\"\ngrace_calls = 0\ntools = [\"Write\"]\n")
	s.Wire("echo wrapped")
	dispatch := fakeapi.Tool{Name: "Agent", Input: map[string]any{
		"description": "Write a file", "prompt": "[[writer]] write it", "subagent_type": "general-purpose",
	}}
	s.API.Play(fakeapi.Script{
		Turns: []fakeapi.Turn{
			{Tools: []fakeapi.Tool{dispatch}, Usage: dumbUsage()},
			{Text: "It is under way.", Usage: dumbUsage()},
			{Text: "It is done.", Usage: dumbUsage()}, // when the client reports the subagent's end
		},
		Agents: map[string][]fakeapi.Turn{"writer": {
			// The crossing is due from here on, and is not the subagent's to hear.
			{Tools: []fakeapi.Tool{bash(untilSnapshot(dumbUsage()))}, Usage: smartUsage()},
			{Tools: []fakeapi.Tool{write(s.ProjectFile("by-agent.txt"))}, Usage: smartUsage()},
			{Text: "Written.", Usage: smartUsage()},
		}},
	})
	s.Open()
	s.Say("prompt one", "It is done.")

	s.CheckProjectFile("by-agent.txt", true)
	agent := s.API.Requests(fakeapi.Agent)
	CheckEqual(s, "requests of the subagent", 3, len(agent))
	for _, r := range agent {
		CheckEqual(s, "words of ctxguard in a request of the subagent", 0, r.Count("ctxguard"))
	}
	last := s.Requests(3)[2]
	CheckEqual(s, "a crossing said, in the main conversation's last request", 1, last.Count("ctxguard measured"))
}
