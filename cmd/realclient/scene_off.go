package main

import (
	"fmt"
	"strings"

	"ctxguard/cmd/realclient/fakeapi"
)

// playOff switches the gate off between two calls of one turn, and on again.
func playOff(s *Stage) {
	s.Configure("[gate]\nmode = \"blocking\"\ngrace_calls = 0\n")
	s.Wire("echo wrapped")
	call := func(tool fakeapi.Tool) fakeapi.Turn {
		return fakeapi.Turn{Tools: []fakeapi.Tool{tool}, Usage: dumbUsage()}
	}
	s.Model(
		fakeapi.Turn{Text: "Answer one.", Usage: dumbUsage()},
		call(write(s.ProjectFile("on.txt"))),
		call(bash(untilGo)),
		call(write(s.ProjectFile("off.txt"))),
		fakeapi.Turn{Text: "Answer two.", Usage: dumbUsage()},
		call(write(s.ProjectFile("on-again.txt"))),
		fakeapi.Turn{Text: "Answer three.", Usage: dumbUsage()},
	)
	s.Open()
	s.Say("prompt one", "Answer one.")
	s.AwaitSnapshot(input(dumbUsage()))
	s.Command("prompt two")
	s.Until(func() error {
		if n := len(s.API.Requests(fakeapi.Main)); n < 3 {
			return fmt.Errorf("%d requests of 3", n)
		}
		return nil
	})
	s.MustCtxguard("off", "gate", "--for", "10m")
	s.Go()
	s.See("Answer two.")
	s.MustCtxguard("on")
	s.Must(s.Terminal.WaitReady(s.ctx))
	s.Say("prompt three", "Answer three.")
	for name, there := range map[string]bool{"on.txt": false, "off.txt": true, "on-again.txt": false} {
		s.CheckProjectFile(name, there)
	}
}

// playModel has the model run the program: the client tells it its session
// (facts A.2), and DESIGN.md section 4 what it may not decide.
func playModel(s *Stage) {
	s.Wire("echo wrapped")
	line := func(words string) fakeapi.Tool { return bash(s.Program + " " + words + " 2>&1; echo code $?") }
	s.Model(
		fakeapi.Turn{Text: "Answer one.", Usage: smartUsage()},
		fakeapi.Turn{Tools: []fakeapi.Tool{line("zone"), line("off gate")}, Usage: smartUsage()},
		fakeapi.Turn{Tools: []fakeapi.Tool{line("off gate --for 5m --yes")}, Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer two.", Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer three.", Usage: smartUsage()},
	)
	s.Open()
	s.Say("prompt one", "Answer one.")
	s.AwaitSnapshot(input(smartUsage()))
	s.Say("prompt two", "Answer two.")
	r := s.Requests(4)
	checkResults(s, "zone and off", r[2], false, false)
	checkResults(s, "off with a yes", r[3], false)
	checkNews(s, "what zone and off without a yes gave", r[2], "smart\ncode 0", "for the person to decide", "code 4")
	checkNews(s, "what off with a yes gave", r[3], "gate off until", "code 0")
	before := s.Terminal.Screen()
	s.Check(!strings.Contains(before, "UserPromptSubmit says:"), "the person was told before there was anything to tell:\n%s", before)

	s.Say("prompt three", "Answer three.")
	s.See("UserPromptSubmit says:")
	s.Check(strings.Contains(s.Terminal.Screen(), "gate off until"), "the person is not told what the model did:\n%s", s.Terminal.Screen())
}
