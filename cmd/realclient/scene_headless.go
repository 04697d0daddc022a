package main

import "ctxguard/cmd/realclient/fakeapi"

// playHeadless: under -p the status line never runs (facts A.3), so nothing is
// known; and what is not known is not spoken of and blocks nothing (G2, X3).
func playHeadless(s *Stage) {
	s.Configure("[gate]\nmode = \"blocking\"\ngrace_calls = 0\n")
	s.Wire("echo never seen")
	s.Model(
		fakeapi.Turn{Tools: []fakeapi.Tool{write(s.ProjectFile("a.txt")), bash("echo one")}, Usage: dumbUsage()},
		fakeapi.Turn{Text: "Written.", Usage: dumbUsage()},
	)
	run, err := s.Headless(s.ctx, "write it", withoutAsking(nil)...)
	s.Must(err)
	CheckEqual(s, "the exit code", 0, run.ExitCode)
	CheckEqual(s, "standard output", "Written.\n", run.Stdout)
	CheckEqual(s, "standard error", "", run.Stderr)
	s.CheckProjectFile("a.txt", true)
	for i, r := range s.Requests(2) {
		CheckEqual(s, "words of hooks in request "+string(rune('1'+i)), 0, r.Count("hook additional context"))
		CheckEqual(s, "words of ctxguard in request "+string(rune('1'+i)), 0, r.Count("ctxguard"))
	}
	s.CheckNoHomeFile("context/*")
	s.CheckNoHomeFile("decisions.jsonl")
}
