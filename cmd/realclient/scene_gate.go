package main

import (
	"strings"

	"ctxguard/cmd/realclient/fakeapi"
)

// playGate: G1, G3 to G5, G7 and G9, each call in a turn of its own.
func playGate(s *Stage) {
	s.Configure("[gate]\nmode = \"blocking\"\ngrace_calls = 1\n")
	s.Wire("echo wrapped")
	call := func(tools ...fakeapi.Tool) fakeapi.Turn { return fakeapi.Turn{Tools: tools, Usage: dumbUsage()} }
	s.Model(
		fakeapi.Turn{Text: "Answer one.", Usage: dumbUsage()},
		call(write(s.ProjectFile("grace.txt"))),
		call(write(s.ProjectFile("denied.txt"))),
		call(write(s.ProjectFile("HANDOFF-notes.md")), bash("echo still works")),
		fakeapi.Turn{Text: "Answer two.", Usage: dumbUsage()},
	)
	s.Open()
	s.Say("prompt one", "Answer one.")
	s.AwaitSnapshot(input(dumbUsage()))
	s.Say("prompt two", "Answer two.")

	s.CheckProjectFile("grace.txt", true)
	s.CheckProjectFile("denied.txt", false)
	s.CheckProjectFile("HANDOFF-notes.md", true)
	r := s.Requests(5)
	checkResults(s, "the grace", r[2], false)
	checkResults(s, "the denial", r[3], true)
	checkResults(s, "the handoff and Bash", r[4], false, false)
	denied := r[3].Results()
	if len(denied) == 1 {
		text := denied[0].Text
		s.Check(strings.HasPrefix(text, "PreToolUse:Write hook error: This conversation is in the dumb zone: 450,800 tokens"), "the denial reads:\n%s", text)
		s.Check(strings.Contains(text, "*handoff*") && strings.Contains(text, "/clear"), "the denial does not say what to do next:\n%s", text)
	}
	CheckEqual(s, "the way out, told to the model", 0, r[4].Count("ctxguard off"))
	s.See("ctxguard off gate --for 30m")
}

// playGateCompact: G2's second half and G6. Zeros look green; the marker counts.
func playGateCompact(s *Stage) {
	s.Configure("[gate]\nmode = \"blocking\"\ngrace_calls = 0\n")
	s.Wire("echo wrapped")
	s.Model(
		fakeapi.Turn{Tools: []fakeapi.Tool{write(s.ProjectFile("before.txt"))}, Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer one.", Usage: smartUsage()},
		fakeapi.Turn{Tools: []fakeapi.Tool{write(s.ProjectFile("after.txt"))}, Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer two.", Usage: smartUsage()},
		fakeapi.Turn{Tools: []fakeapi.Tool{write(s.ProjectFile("fresh.txt"))}, Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer three.", Usage: smartUsage()},
	)
	s.Open()
	s.Say("prompt one", "Answer one.")
	session := s.AwaitSnapshot(input(smartUsage())).SessionID
	s.Command("/compact")
	s.AwaitMarker(session, "PostCompact")
	s.Must(s.Terminal.WaitReady(s.ctx))
	s.Say("prompt two", "Answer two.")
	s.Command("/clear")
	s.Must(s.Terminal.WaitReady(s.ctx))
	s.Say("prompt three", "Answer three.")

	s.CheckProjectFile("before.txt", true)
	s.CheckProjectFile("after.txt", false)
	s.CheckProjectFile("fresh.txt", true)
	r := s.Requests(6)
	checkResults(s, "the write after the compaction", r[3], true)
	checkResults(s, "the write after /clear", r[5], false)
	if denied := r[3].Results(); len(denied) == 1 {
		s.Check(strings.Contains(denied[0].Text, "Only a fresh conversation (/clear) lifts this."), "the denial reads:\n%s", denied[0].Text)
	}
}

// checkResults compares which of a request's tool results are errors.
func checkResults(s *Stage, whose string, r fakeapi.Request, want ...bool) {
	results := r.Results()
	ok := len(results) == len(want)
	for i := 0; ok && i < len(want); i++ {
		ok = results[i].IsError == want[i]
	}
	s.Check(ok, "%s: errors are expected as %v, and the results are %+v", whose, want, results)
}
