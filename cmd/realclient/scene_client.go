package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ctxguard/cmd/realclient/fakeapi"
)

// playClient uses stand-ins of a few lines of shell in place of ctxguard. When
// it fails the client has changed, or the driver is wrong.
func playClient(s *Stage) {
	record, records := s.recorder()
	wired := bare(record + ` line; printf 'stand-in \033[31mred\033[0m'`)
	for _, event := range []string{"SessionStart", "PreToolUse", "PostToolBatch", "Stop"} {
		wired.Hooks[event] = []group{{Hooks: []command{shell(record + " " + event)}}}
	}
	context := `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"words of a hook"}}`
	wired.Hooks["UserPromptSubmit"] = []group{{Hooks: []command{shell(record + ` UserPromptSubmit; echo '` + context + `'`)}}}
	s.Must(s.WriteSettings(wired))

	s.Model(
		fakeapi.Turn{Tools: []fakeapi.Tool{bash("echo from-the-tool")}, Usage: smartUsage()},
		fakeapi.Turn{Text: "That is done.", Usage: acceptableUsage()},
	)
	s.Open()
	s.See("stand-in red")
	colour, _ := s.Terminal.Foreground("red")
	CheckEqual(s, "the colour of the status line", "31", colour)
	s.Say("please run it", "That is done.")

	s.Until(func() error {
		got := records("line")
		last := struct {
			Window window `json:"context_window"`
		}{}
		if len(got) == 0 || json.Unmarshal([]byte(got[len(got)-1]), &last) != nil || last.Window.Input != input(acceptableUsage()) {
			return fmt.Errorf("the status line has not been given the last response's numbers")
		}
		return nil
	})
	requests := s.Requests(2)
	CheckEqual(s, "what a hook says, in the first request", 1, requests[0].Count("UserPromptSubmit hook additional context: words of a hook"))
	results := requests[1].Results()
	s.Check(len(results) == 1 && strings.Contains(results[0].Text, "from-the-tool"), "the tool's result reached the model as %+v", results)

	s.Command("/exit")
	s.Must(s.Terminal.WaitEnd(s.ctx))
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolBatch", "Stop"} {
		CheckEqual(s, event+" events", 1, len(records(event)))
	}
}

// recorder gives a shell command that takes a name, and a function that gives
// what was on its standard input under that name, oldest first.
func (s *Stage) recorder() (command string, records func(name string) []string) {
	script := filepath.Join(s.dir, "record.sh")
	into := filepath.Join(s.dir, "records")
	s.Must(os.MkdirAll(into, 0o700))
	body := fmt.Sprintf("n=$(ls '%[1]s' | wc -l)\ncat > '%[1]s'/$1.$(printf %%06d $n).$$\n", into)
	s.Must(os.WriteFile(script, []byte(body), 0o600))
	return "sh '" + script + "'", func(name string) []string {
		paths, err := filepath.Glob(filepath.Join(into, name+".*"))
		s.Must(err)
		texts := make([]string, 0, len(paths))
		for _, path := range paths { // in the order of their numbers
			data, err := os.ReadFile(path)
			s.Must(err)
			texts = append(texts, string(data))
		}
		return texts
	}
}
