package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"ctxguard/cmd/realclient/fakeapi"
)

// persons is a settings file as people have them: another tool's hook, a status
// line that needs a shell, numbers and escapes that a rewrite would respell.
const persons = `{
    "env": { "GREETING": "a \u0026\u0026 b" },
    "statusLine": { "padding": 0, "type": "command",
                    "command": LINE },
    "skipDangerousModePermissionPrompt": true,
    "hooks": {
        "UserPromptSubmit": [
            { "hooks": [ { "type": "command", "command": "cat >/dev/null; echo 'words of another tool'" } ] }
        ]
    },
    "spinnerTipsEnabled": true,
    "cleanupPeriodDays": 3e1
}
`

// A status line command for LINE, and what it shows.
const (
	personsLine = `"printf 'the line is %s\\n' \"$GREETING\" | tr a-z A-Z"`
	lineShows   = "THE LINE IS A && B"
)

// person writes the settings with a line, and gives what the file holds.
func (s *Stage) person(line string) []byte {
	data := []byte(strings.Replace(persons, "LINE", line, 1))
	s.Must(os.WriteFile(s.SettingsPath(), data, 0o600))
	return data
}

func (s *Stage) settingsBytes() []byte {
	data, err := os.ReadFile(s.SettingsPath())
	s.Must(err)
	return data
}

// playSetup: from nothing to working, and back, with a session in between.
func playSetup(s *Stage) {
	before := s.person(personsLine)
	s.MustCtxguard("setup", "--dry-run")
	s.Check(bytes.Equal(before, s.settingsBytes()), "--dry-run changed the settings")
	s.MustCtxguard("setup", "--yes")
	wired := s.settingsBytes()
	s.Check(!bytes.Equal(before, wired), "setup changed nothing")

	s.Model(
		fakeapi.Turn{Text: "Answer one.", Usage: acceptableUsage()},
		fakeapi.Turn{Tools: []fakeapi.Tool{bash(untilSnapshot(dumbUsage()))}, Usage: dumbUsage()},
		fakeapi.Turn{Text: "Answer two.", Usage: dumbUsage()},
	)
	s.Open()
	s.See(lineShows)
	s.Say("prompt one", "Answer one.")
	s.AwaitSnapshot(input(acceptableUsage()))
	s.Say("prompt two", "Answer two.")
	s.See(lineShows)
	r := s.Requests(3)
	CheckEqual(s, "words of another tool in request 1", 1, r[0].Count("words of another tool"))
	checkNews(s, "the request of prompt two", r[1], said("UserPromptSubmit"), "words of another tool")
	checkNews(s, "the request after the tool", r[2], said("PostToolBatch"))
	s.Command("/exit")
	s.Must(s.Terminal.WaitEnd(s.ctx))

	s.MustCtxguard("doctor")
	s.MustCtxguard("setup", "--yes")
	s.Check(bytes.Equal(wired, s.settingsBytes()), "a second setup changed the settings")
	s.MustCtxguard("setup", "--undo", "--yes")
	s.Check(bytes.Equal(before, s.settingsBytes()), "undo does not give back the same bytes; they are now:\n%s", s.settingsBytes())
}

// playRewrite: /model makes the client write the file anew, in its own order and
// without keys that it does not know (facts I.4). What is ours is still found.
func playRewrite(s *Stage) {
	before := s.person(personsLine)
	s.MustCtxguard("setup", "--yes")
	wired := s.settingsBytes()
	s.Model(
		fakeapi.Turn{Text: "Answer one.", Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer two.", Usage: acceptableUsage()},
	)
	s.Open()
	s.Say("prompt one", "Answer one.")
	s.AwaitSnapshot(input(smartUsage()))
	s.Command("/model claude-sonnet-5-5")
	s.See("Switch model?")
	s.Confirm()
	s.See("saved as your default")
	s.Until(func() error {
		if !strings.Contains(string(s.settingsBytes()), `"model"`) {
			return errNotYet("the client has rewritten the settings")
		}
		return nil
	})
	rewritten := s.settingsBytes()
	s.Check(strings.Index(string(rewritten), `"hooks"`) < strings.Index(string(rewritten), `"statusLine"`),
		"the client no longer reorders keys, so this scene shows nothing; before:\n%s\nafter:\n%s", wired, rewritten)

	s.MustCtxguard("doctor")
	s.MustCtxguard("setup", "--yes")
	s.Check(bytes.Equal(rewritten, s.settingsBytes()), "setup found something to mend in what the client wrote; it is now:\n%s", s.settingsBytes())
	s.Must(s.Terminal.WaitReady(s.ctx))
	s.Say("prompt two", "Answer two.")
	s.AwaitSnapshot(input(acceptableUsage()))
	s.See(lineShows)
	s.CloseTerminal()

	s.MustCtxguard("setup", "--undo", "--yes")
	s.checkUndone(before, s.settingsBytes())
}

// checkUndone compares what undo left with the person's settings, and the model
// that was chosen in the meantime.
func (s *Stage) checkUndone(before, now []byte) {
	var want, got map[string]any
	s.Must(json.Unmarshal(before, &want))
	if err := json.Unmarshal(now, &got); err != nil {
		s.Fail("undo left a file that does not parse: %v\n%s", err, now)
	}
	want["model"] = "claude-sonnet-5-5"
	wantText, err := json.MarshalIndent(want, "", " ")
	s.Must(err)
	gotText, err := json.MarshalIndent(got, "", " ")
	s.Must(err)
	s.Check(bytes.Equal(wantText, gotText), "after undo the settings mean\n%s\nand not\n%s", gotText, wantText)
}

// playSetupLive wires and unwires under an open session: the client reads its
// settings again a second after they change (facts I.1).
func playSetupLive(s *Stage) {
	before := s.person(`"echo \"layers [${CTXGUARD_DEPTH:-none}]\""`)
	s.Model(
		fakeapi.Turn{Text: "Answer one.", Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer two.", Usage: dumbUsage()},
		fakeapi.Turn{Text: "Answer three.", Usage: dumbUsage()},
		fakeapi.Turn{Text: "Answer four.", Usage: acceptableUsage()},
	)
	s.Open()
	s.See("layers [none]")
	s.Say("prompt one", "Answer one.")
	s.CheckNoHomeFile("context/*")
	s.MustCtxguard("setup", "--yes")
	s.See("layers [1]") // a settings change runs the line (facts A.3)
	s.AwaitSnapshot(input(smartUsage()))
	s.Say("prompt two", "Answer two.")
	s.AwaitSnapshot(input(dumbUsage()))
	s.Say("prompt three", "Answer three.")
	checkNews(s, "the request of prompt three", s.Requests(3)[2], said("UserPromptSubmit"))

	s.MustCtxguard("setup", "--undo", "--yes")
	s.Check(bytes.Equal(before, s.settingsBytes()), "undo does not give back the same bytes; they are now:\n%s", s.settingsBytes())
	s.See("layers [none]")
	s.Say("prompt four", "Answer four.")
	all, err := s.Snapshots()
	s.Must(err)
	for _, one := range all {
		s.Check(one.Window.Input != input(acceptableUsage()), "the shim still runs after undo")
	}
}

// playShadowed: a project's statusLine stands before the user's (facts I.6), so
// a shim in the user's settings never runs there. S2 wants that told; after
// --settings the project's line is wrapped, and hooks that are now registered
// twice run once.
func playShadowed(s *Stage) {
	project := s.ProjectFile(".claude/settings.json")
	s.Must(os.MkdirAll(filepath.Dir(project), 0o700))
	s.Must(os.WriteFile(project, []byte(`{"statusLine": {"type": "command", "command": "echo the project line"}}`), 0o600))
	s.Must(s.WriteSettings(bare("echo the line of the user")))
	out := s.MustCtxguard("setup", "--yes")
	s.Check(strings.Contains(out, project), "setup does not tell of the project's status line:\n%s", out)

	s.Model(fakeapi.Turn{Text: "Answer one.", Usage: smartUsage()})
	s.Open()
	s.See("the project line")
	s.Say("prompt one", "Answer one.")
	s.CheckNoHomeFile("context/*")

	s.MustCtxguard("setup", "--yes", "--settings", project)
	s.Model(
		fakeapi.Turn{Text: "Answer two.", Usage: acceptableUsage()},
		fakeapi.Turn{Text: "Answer three.", Usage: acceptableUsage()},
	)
	s.Open()
	s.See("the project line")
	s.Say("prompt two", "Answer two.")
	s.AwaitSnapshot(input(acceptableUsage()))
	s.Say("prompt three", "Answer three.")
	checkCounts(s, "a crossing said, by request", []int{0, 0, 1}, countsOf(s, 3, "ctxguard measured"))
}
