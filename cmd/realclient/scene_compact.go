package main

import (
	"strings"

	"ctxguard/cmd/realclient/fakeapi"
)

const evidenceGone = "Evidence from before has to be read again"

// playCompact: the marker of K1, and X1's second half.
func playCompact(s *Stage) {
	s.Wire("echo wrapped")
	s.Model(
		fakeapi.Turn{Text: "Answer one.", Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer two.", Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer three.", Usage: smartUsage()},
	)
	s.Open()
	s.Say("prompt one", "Answer one.")
	session := s.AwaitSnapshot(input(smartUsage())).SessionID
	s.CheckNoHomeFile("context/*.compacted")

	s.Command("/compact")
	s.See("Compacted")
	m := s.AwaitMarker(session, "PostCompact")
	CheckEqual(s, "the marker's trigger", "manual", m.Trigger)
	// Zeros, until there is a response: nothing is known (facts 0.2).
	s.AwaitSnapshot(0)
	zone, _, _ := s.Ctxguard("zone", session)
	CheckEqual(s, "ctxguard zone after the compaction", "unknown\n", zone)

	s.Say("prompt two", "Answer two.")
	s.See("ctxguard: compacted: earlier evidence is gone")
	s.Say("prompt three", "Answer three.")
	checkCounts(s, "the compaction said, by request", []int{0, 1, 1}, countsOf(s, 3, evidenceGone))
	checkNews(s, "the request of prompt two", s.Requests(3)[1], "UserPromptSubmit hook additional context: This conversation was compacted")
	checkQuietCompaction(s)
}

// playCompactAuto compacts inside a turn, where the window less 33,000 tokens is
// passed (facts G.2); afterwards a new cycle begins (X2).
func playCompactAuto(s *Stage) {
	full := fakeapi.Usage{Input: 970_000, Output: 500}
	s.Wire("echo wrapped")
	s.Model(
		fakeapi.Turn{Text: "Answer one.", Usage: dumbUsage()},
		fakeapi.Turn{Tools: []fakeapi.Tool{bash("echo one")}, Usage: full},
		fakeapi.Turn{Text: "Answer two.", Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer three.", Usage: acceptableUsage()},
		fakeapi.Turn{Text: "Answer four.", Usage: acceptableUsage()},
	)
	s.Open()
	s.Say("prompt one", "Answer one.")
	session := s.AwaitSnapshot(input(dumbUsage())).SessionID
	s.Say("prompt two", "Answer two.")
	m := s.AwaitMarker(session, "PostCompact")
	CheckEqual(s, "the marker's trigger", "auto", m.Trigger)
	CheckEqual(s, "requests for a summary", 1, len(s.API.Requests(fakeapi.Compaction)))

	s.AwaitSnapshot(input(smartUsage()))
	s.Say("prompt three", "Answer three.")
	s.AwaitSnapshot(input(acceptableUsage()))
	s.Say("prompt four", "Answer four.")
	s.See("ctxguard: smart → acceptable")

	// Request 3 opens the compacted conversation: what was said before is gone.
	checkCounts(s, "the compaction said, by request", []int{0, 0, 0, 1, 1}, countsOf(s, 5, evidenceGone))
	checkCounts(s, "crossings said, by request", []int{0, 1, 0, 0, 1}, countsOf(s, 5, "ctxguard measured"))
	checkNews(s, "the request of prompt four", s.Requests(5)[4], "from the smart zone to the acceptable zone")
	checkQuietCompaction(s)
}

func countsOf(s *Stage, n int, text string) []int {
	var counts []int
	for _, r := range s.Requests(n) {
		counts = append(counts, r.Count(text))
	}
	return counts
}

// checkQuietCompaction: what PostCompact printed would reach the model, as an
// error or within the command's output (facts 0.16). The client itself says that
// the hook ran; nothing may follow.
func checkQuietCompaction(s *Stage) {
	const ran = "completed successfully"
	for _, r := range s.API.All() {
		for _, text := range r.Texts() {
			if _, after, told := strings.Cut(text, "PostCompact"); told {
				line, _, _ := strings.Cut(after, "\n")
				s.Check(strings.Contains(line, ran) && !strings.Contains(line, ran+":"), "the model was told of PostCompact:\n%s", text)
			}
		}
	}
}
