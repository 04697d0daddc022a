package main

import (
	"fmt"
	"slices"
	"strings"

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
