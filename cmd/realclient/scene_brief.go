package main

import (
	"os"
	"strings"

	"ctxguard/cmd/realclient/fakeapi"
)

// writeSources makes a package with one function, and a program that imports it.
func (s *Stage) writeSources() {
	for name, text := range map[string]string{
		"go.mod":  "module example.test/play\n",
		"main.go": "package main\n\nimport \"example.test/play/shape\"\n\nfunc main() { shape.Area(1) }\n",
	} {
		s.Must(os.WriteFile(s.ProjectFile(name), []byte(text), 0o600))
	}
	s.Must(os.Mkdir(s.ProjectFile("shape"), 0o700))
	s.Must(os.WriteFile(s.ProjectFile("shape/shape.go"), []byte("package shape\n\n// Area is a square's.\nfunc Area(side int) int { return side * side }\n"), 0o600))
}

func delegate(prompt string) fakeapi.Tool {
	return fakeapi.Tool{Name: "Agent", Input: map[string]any{
		"description": "Change a file", "prompt": prompt, "subagent_type": "general-purpose",
	}}
}

func readFile(path string) fakeapi.Tool {
	return fakeapi.Tool{Name: "Read", Input: map[string]string{"file_path": path}}
}

func editFile(path, from, to string) fakeapi.Tool {
	return fakeapi.Tool{Name: "Edit", Input: map[string]string{"file_path": path, "old_string": from, "new_string": to}}
}

const (
	fullBrief = "[[writer]]\nGOAL: refactor the function\nFILES: shape/shape.go\nCONSTRAINTS: none\nDONE WHEN: changed\nVERIFY: look"
	outlined  = "=== MODULE CONTEXT: "
)

// playBrief: B2 to B7, and T2 in the subagent that got the outline by its brief.
func playBrief(s *Stage) {
	s.Configure("[brief]\nenabled = true\n[structure]\nenabled = true\n")
	s.writeSources()
	s.Wire("echo wrapped")
	source := s.ProjectFile("shape/shape.go")
	s.API.Play(fakeapi.Script{
		Turns: []fakeapi.Turn{
			{Tools: []fakeapi.Tool{delegate("[[writer]] make it better")}, Usage: smartUsage()},
			{Tools: []fakeapi.Tool{delegate(fullBrief)}, Usage: smartUsage()},
			{Text: "It is under way.", Usage: smartUsage()},
			{Text: "It is done.", Usage: smartUsage()}, // when the client reports the subagent's end
		},
		Agents: map[string][]fakeapi.Turn{"writer": {
			{Tools: []fakeapi.Tool{readFile(source)}, Usage: smartUsage()},
			{Tools: []fakeapi.Tool{editFile(source, "side * side", "side*side + 0")}, Usage: smartUsage()},
			{Text: "Changed.", Usage: smartUsage()},
		}},
	})
	s.Open()
	s.Say("prompt one", "It is done.")

	r := s.Requests(3)
	checkResults(s, "the thin brief", r[1], true)
	checkResults(s, "the full brief", r[2], false)
	if denied := r[1].Results(); len(denied) == 1 {
		text := denied[0].Text
		s.Check(strings.Contains(text, "This brief has no GOAL:, FILES:, CONSTRAINTS:, DONE WHEN:, VERIFY:."), "the denial reads:\n%s", text)
		s.Check(strings.Contains(text, "\nDONE WHEN: how to tell"), "the denial has no template:\n%s", text)
	}
	agent := s.API.Requests(fakeapi.Agent)
	if len(agent) != 3 {
		s.Fail("the subagent made %d requests, 3 were expected", len(agent))
	}
	first := strings.Join(agent[0].Texts(), "\n")
	for _, part := range []string{
		fullBrief + "\n\n=== WORKFLOW METHODOLOGY — CARRIED INTO THIS TASK ===\n\n## DEVELOPMENT METHODOLOGY (applies to this task)\n",
		outlined + source, "func Area(side int) int", "Imported by: 1 file of this project:\n  main.go",
		"\n\n=== END CARRIED CONTEXT ===",
	} {
		s.Check(strings.Contains(first, part), "the subagent's first message lacks %q; it reads:\n%s", part, first)
	}
	CheckEqual(s, "outlines in the subagent's last request: the brief's alone", 1, agent[2].Count(outlined))
	s.checkChanged("side*side + 0")
}

// playStructure: T1 and T2, in the main line and in a subagent that knows nothing.
func playStructure(s *Stage) {
	s.Configure("[structure]\nenabled = true\n")
	s.writeSources()
	s.Wire("echo wrapped")
	source := s.ProjectFile("shape/shape.go")
	s.API.Play(fakeapi.Script{
		Turns: []fakeapi.Turn{
			{Tools: []fakeapi.Tool{readFile(source)}, Usage: smartUsage()},
			{Tools: []fakeapi.Tool{editFile(source, "side * side", "side * side * 1")}, Usage: smartUsage()},
			{Tools: []fakeapi.Tool{editFile(source, "side * side * 1", "side * side * 2")}, Usage: smartUsage()},
			{Tools: []fakeapi.Tool{delegate("[[writer]] go on")}, Usage: smartUsage()},
			{Text: "It is under way.", Usage: smartUsage()},
			{Text: "It is done.", Usage: smartUsage()}, // when the client reports the subagent's end
		},
		Agents: map[string][]fakeapi.Turn{"writer": {
			{Tools: []fakeapi.Tool{readFile(source)}, Usage: smartUsage()},
			{Tools: []fakeapi.Tool{editFile(source, "* 2", "* 3")}, Usage: smartUsage()},
			{Tools: []fakeapi.Tool{editFile(source, "* 3", "* 4")}, Usage: smartUsage()},
			{Text: "Changed.", Usage: smartUsage()},
		}},
	})
	s.Open()
	s.Say("prompt one", "It is done.")

	r := s.Requests(5)
	CheckEqual(s, "outlines before the first edit", 0, r[1].Count(outlined))
	CheckEqual(s, "outlines after the first edit", 1, r[2].Count(outlined+source))
	CheckEqual(s, "outlines at the end", 1, r[4].Count(outlined))
	agent := s.API.Requests(fakeapi.Agent)
	if len(agent) != 4 {
		s.Fail("the subagent made %d requests, 4 were expected", len(agent))
	}
	CheckEqual(s, "outlines before the subagent's first edit", 0, agent[1].Count(outlined))
	CheckEqual(s, "outlines after the subagent's first edit", 1, agent[2].Count(outlined+source))
	CheckEqual(s, "outlines at the subagent's end", 1, agent[3].Count(outlined))
	s.checkChanged("side * side * 4")
}

func (s *Stage) checkChanged(want string) {
	text, err := os.ReadFile(s.ProjectFile("shape/shape.go"))
	s.Must(err)
	s.Check(strings.Contains(string(text), want), "the edit did not go through; the file reads:\n%s", text)
}
