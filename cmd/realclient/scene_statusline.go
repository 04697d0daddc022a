package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ctxguard/cmd/realclient/client"
	"ctxguard/cmd/realclient/fakeapi"
)

// playSnapshot follows DESIGN.md section 5, key by key.
func playSnapshot(s *Stage) {
	s.Wire("echo wrapped")
	s.Model(fakeapi.Turn{Text: "Good morning.", Usage: smartUsage()})
	s.Open()
	s.Say("hello", "Good morning.")
	snap := s.AwaitSnapshot(input(smartUsage()))

	CheckEqual(s, "session_id", strings.TrimSuffix(filepath.Base(snap.path), ".json"), snap.SessionID)
	CheckEqual(s, "cli_version", client.Version, snap.CLIVersion)
	s.Check(regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`).MatchString(snap.CapturedAt), "captured_at is %q", snap.CapturedAt)
	CheckEqual(s, "total_output_tokens", smartUsage().Output, snap.Window.Output)
	CheckEqual(s, "context_window_size", 1_000_000, snap.Window.Size)
	s.Check(snap.Window.Percent != nil && *snap.Window.Percent == 3, "used_percentage is not 3: %s", snap.ContextWindow)
	s.Check(snap.Window.Usage != nil && *snap.Window.Usage == smartUsage(), "current_usage is not the response's: %s", snap.ContextWindow)
	CheckEqual(s, "the model", s.Requests(1)[0].Model, snap.Client.Model.ID)
	_, err := os.Stat(snap.Client.TranscriptPath)
	s.Check(err == nil, "transcript_path names no file: %v", err)
	info, err := os.Stat(snap.path)
	s.Must(err)
	CheckEqual(s, "the snapshot's mode", os.FileMode(0o600), info.Mode())

	out, _, code := s.Ctxguard("zone", snap.SessionID)
	CheckEqual(s, "ctxguard zone", "smart\n", out)
	CheckEqual(s, "its exit code", 0, code)
	s.CheckNoHomeFile("ctxguard.log")
}

// The lines are in the colours, widths and links that people's lines have; the
// payload is kept to see that it got through.
const wrapped = `cat > "$HOME/payload.json"
printf 'dir \033[31mred\033[0m \033[1;38;5;208mamber\033[0m 漢字 ✓ é\n'
printf '\033]8;;https://example.com/\033\\link\033]8;;\033\\ · second row\n'
`

// playLine shows a status line first without and then with ctxguard around it.
func playLine(s *Stage) {
	script := filepath.Join(s.Home, "line.sh")
	s.Must(os.WriteFile(script, []byte(wrapped), 0o600))
	line := "sh '" + script + "'"

	look := func() (rows []string, colours []string) {
		s.Model(fakeapi.Turn{Text: "A first answer.", Usage: smartUsage()})
		s.Open()
		s.See("second row")
		s.Say("hello", "A first answer.")
		for _, text := range []string{"red", "amber"} {
			colour, _ := s.Terminal.Foreground(text)
			colours = append(colours, colour)
		}
		return client.StatusRows(s.Terminal.Screen()), colours
	}
	s.Must(s.WriteSettings(bare(line)))
	wantRows, wantColours := look()
	s.Wire(line)
	rows, colours := look()
	s.Check(len(wantRows) == 2 && wantRows[0] == "dir red amber 漢字 ✓ é", "the line without ctxguard is not understood: %q", wantRows)
	s.Check(slices.Equal(wantColours, []string{"31", "38;5;208"}), "its colours are not understood: %q", wantColours)
	s.Check(slices.Equal(wantRows, rows), "without ctxguard the rows are %q, with it %q", wantRows, rows)
	s.Check(slices.Equal(wantColours, colours), "without ctxguard the colours are %q, with it %q", wantColours, colours)

	snap := s.AwaitSnapshot(input(smartUsage()))
	s.Until(func() error {
		data, err := os.ReadFile(filepath.Join(s.Home, "payload.json"))
		if err != nil {
			return err
		}
		var payload struct {
			Session string          `json:"session_id"`
			Window  json.RawMessage `json:"context_window"`
		}
		if err := json.Unmarshal(data, &payload); err != nil {
			return err
		}
		if payload.Session != snap.SessionID || string(payload.Window) != string(snap.ContextWindow) {
			return errNotYet("the wrapped command has the payload of the snapshot")
		}
		return nil
	})

	// A line that fails is not shown (facts A.5): the exit code goes through.
	s.Must(os.WriteFile(script, []byte(wrapped+"exit 3\n"), 0o600))
	s.Model(fakeapi.Turn{Text: "A second answer.", Usage: smartUsage()})
	s.Say("again", "A second answer.")
	s.Must(s.Terminal.WaitUntil(s.ctx, "the failing line is gone", func(screen string) bool {
		return !strings.Contains(screen, "second row")
	}))
}

// playOwnLine is the line of DESIGN.md section 4, before there is an answer and
// after one.
func playOwnLine(s *Stage) {
	s.Wire("")
	s.Model(fakeapi.Turn{Text: "Answer one.", Usage: acceptableUsage()})
	s.Open()
	s.Say("prompt one", "Answer one.")
	s.AwaitSnapshot(input(acceptableUsage()))
	holds := func(screen string) bool {
		line := strings.Join(client.StatusRows(screen), "\n")
		return strings.Contains(line, "Opus 5.5") && strings.Contains(line, "30") && strings.Contains(line, "acceptable")
	}
	s.Must(s.Terminal.WaitUntil(s.ctx, "the line has the model, the percentage and the zone", holds))
}

// playSlowLine: the client kills a run that is still going when the next one
// starts, and its whole tree (facts A.5), so this line is never once drawn.
func playSlowLine(s *Stage) {
	slow := bare("sh -c 'sleep 30; echo too late'")
	slow.StatusLine.Refresh = 1
	s.WireInto(slow)
	s.Model(
		fakeapi.Turn{Text: "Answer one.", Usage: smartUsage()},
		fakeapi.Turn{Text: "Answer two.", Usage: acceptableUsage()},
	)
	s.Open()
	s.Say("prompt one", "Answer one.")
	s.AwaitSnapshot(input(smartUsage()))
	s.Say("prompt two", "Answer two.")
	s.AwaitSnapshot(input(acceptableUsage()))
	// That nothing is left is checked when the stage is taken down.
}

// playBrokenHome puts a file where the home should be: nothing can be kept, and
// nobody may notice (DESIGN.md section 1, promise 1).
func playBrokenHome(s *Stage) {
	s.Wire("echo the line is here", "--bin", s.Program)
	s.Must(os.RemoveAll(s.HomePath("")))
	s.Must(os.WriteFile(s.HomePath(""), []byte("in the way\n"), 0o600))
	s.Model(
		fakeapi.Turn{Text: "Answer one.", Usage: dumbUsage()},
		fakeapi.Turn{Tools: []fakeapi.Tool{write(s.ProjectFile("a.txt")), bash("echo one")}, Usage: dumbUsage()},
		fakeapi.Turn{Text: "Answer two.", Usage: dumbUsage()},
	)
	s.Open()
	s.See("the line is here")
	s.Say("prompt one", "Answer one.")
	s.Say("prompt two", "Answer two.")
	s.See("the line is here")
	s.CheckProjectFile("a.txt", true)
	for _, sign := range []string{"hook error", "hook gave no", "ctxguard"} {
		s.Check(!strings.Contains(s.Terminal.Screen(), sign), "the screen speaks of %q:\n%s", sign, s.Terminal.Screen())
		for _, r := range s.Requests(3) {
			CheckEqual(s, "mentions of "+sign+" in a request", 0, r.Count(sign))
		}
	}
}
