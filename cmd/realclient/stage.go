package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"ctxguard/cmd/realclient/client"
	"ctxguard/cmd/realclient/fakeapi"
)

// Stage is where one scene plays: a sandbox with the client, a scripted model,
// and the program under test. A scene is a list of steps on it; a step that
// cannot be done ends the scene, a Check that fails does not.
type Stage struct {
	*client.Sandbox
	API      *fakeapi.Server
	Program  string // ctxguard, as built from this module
	Terminal *client.Terminal

	ctx         context.Context
	dir         string
	differences []string
}

// Check notes a difference and goes on.
func (s *Stage) Check(ok bool, format string, args ...any) {
	if !ok {
		s.differences = append(s.differences, fmt.Sprintf(format, args...))
	}
}

// CheckEqual notes when something is not what was expected.
func CheckEqual[T comparable](s *Stage, what string, want, got T) {
	s.Check(want == got, "%s: expected %v, got %v", what, want, got)
}

// Must ends the scene when a step could not be done.
func (s *Stage) Must(err error) {
	if err != nil {
		s.Fail("%v", err)
	}
}

// Fail ends the scene.
func (s *Stage) Fail(format string, args ...any) {
	s.Check(false, format, args...)
	runtime.Goexit()
}

// Model gives the model its lines. Those of before are forgotten.
func (s *Stage) Model(turns ...fakeapi.Turn) { s.API.Play(fakeapi.Script{Turns: turns}) }

// withoutAsking lets every tool call through: the default mode asks a server
// that is not there whether a call is safe.
func withoutAsking(args []string) []string {
	return append([]string{"--permission-mode", "bypassPermissions"}, args...)
}

// Open starts an interactive client and waits for its input box. One that is
// open is ended first.
func (s *Stage) Open(args ...string) {
	s.CloseTerminal()
	terminal, err := s.Start(withoutAsking(args)...)
	s.Must(err)
	s.Terminal = terminal
	s.Must(terminal.WaitReady(s.ctx))
}

// Say submits a prompt and waits for the text with which the turn ends, and for
// its end: what is typed before is queued.
func (s *Stage) Say(prompt, answer string) {
	s.Command(prompt)
	s.See(answer)
	s.Must(s.Terminal.WaitUntil(s.ctx, "the turn has ended", client.Idle))
}

// Command submits a line without waiting for anything.
func (s *Stage) Command(line string) { s.Must(s.Terminal.Submit(s.ctx, line)) }

// See waits until a text is on the screen.
func (s *Stage) See(text string) { s.Must(s.Terminal.WaitFor(s.ctx, text)) }

// Confirm takes the chosen line of the dialog that is open; Dismiss leaves it.
func (s *Stage) Confirm() { s.closeDialog(client.Enter) }

func (s *Stage) Dismiss() { s.closeDialog(client.Esc) }

// closeDialog presses a key until the input box is back. A dialog that has just
// opened takes no keys for a moment, against those that were meant for what was
// there before.
func (s *Stage) closeDialog(key string) {
	const again = time.Second
	for range int(client.WaitTime / again) {
		s.Must(s.Terminal.Press(key))
		for end := time.Now().Add(again); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if _, ok := client.Input(s.Terminal.Screen()); ok {
				return
			}
		}
	}
	s.Fail("the dialog stays open; the screen is:\n%s", s.Terminal.Screen())
}

// Until waits for a state of things that no screen shows. The function gives nil
// when it is there, else what is missing.
func (s *Stage) Until(ready func() error) {
	deadline := time.Now().Add(client.WaitTime)
	for {
		err := ready()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			s.Fail("waited %v, and still: %v%s", client.WaitTime, err, s.screenNote())
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-s.ctx.Done():
			s.Fail("interrupted: %v", s.ctx.Err())
		}
	}
}

func (s *Stage) screenNote() string {
	if s.Terminal == nil {
		return ""
	}
	return "\nthe screen is:\n" + s.Terminal.Screen()
}

// CloseTerminal ends the interactive client, if there is one.
func (s *Stage) CloseTerminal() {
	if s.Terminal != nil {
		s.Terminal.End()
		s.Terminal = nil
	}
}

// Requests gives the main conversation's requests, oldest first; it ends the
// scene when there are fewer than n.
func (s *Stage) Requests(n int) []fakeapi.Request {
	requests := s.API.Requests(fakeapi.Main)
	if len(requests) < n {
		s.Fail("the model got %d requests, at least %d were expected%s", len(requests), n, s.screenNote())
	}
	return requests
}

// Ctxguard runs the program in the sandbox, as the person in another terminal
// would, and gives what it printed and its exit code.
func (s *Stage) Ctxguard(words ...string) (stdout, stderr string, code int) {
	cmd := exec.CommandContext(s.ctx, s.Program, words...)
	cmd.Dir, cmd.Env = s.Project, s.Environ()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.Fail("run ctxguard %s: %v", strings.Join(words, " "), err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// MustCtxguard is Ctxguard for a command that has to succeed.
func (s *Stage) MustCtxguard(words ...string) string {
	out, complaint, code := s.Ctxguard(words...)
	if code != 0 {
		s.Fail("ctxguard %s ended with %d:\n%s%s", strings.Join(words, " "), code, out, complaint)
	}
	return out
}

// takeDown ends everything that the scene started and notes what was left
// behind, or went past the script.
func (s *Stage) takeDown() {
	s.CloseTerminal()
	s.endLeftovers()
	s.Check(s.API.Close() == nil, "the scripted API could not be closed")
	for _, fault := range s.API.Faults() {
		s.Check(false, "the script did not foresee %s", fault)
	}
}

// endLeftovers gives processes of the sandbox a moment to go, as the hooks of an
// ending session do, then ends them by their ids.
func (s *Stage) endLeftovers() {
	const patience = 3 * time.Second
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if len(s.Leftovers()) == 0 {
			return
		}
	}
	for _, pid := range s.Leftovers() {
		s.Check(false, "process %d was still running %v after the end", pid, patience)
		if err := client.EndProcess(pid); err != nil && !errors.Is(err, os.ErrProcessDone) {
			s.Check(false, "process %d cannot be ended: %v", pid, err)
		}
	}
}

// written is the end of what ctxguard wrote down in the scene, by which a
// failure can be told from a silence.
func (s *Stage) written() string {
	const most = 4 << 10
	var all []string
	for _, name := range []string{"ctxguard.log", "decisions.jsonl"} {
		if data, err := os.ReadFile(s.HomePath(name)); err == nil {
			all = append(all, name+":", strings.TrimSpace(string(data[max(0, len(data)-most):])))
		}
	}
	return strings.Join(all, "\n")
}

// keepRequests leaves what the model was sent beside the sandbox.
func (s *Stage) keepRequests() {
	for i, r := range s.API.All() {
		path := filepath.Join(s.dir, fmt.Sprintf("request-%03d-%s.json", i+1, r.Kind))
		if err := os.WriteFile(path, r.Body, 0o600); err != nil {
			s.Check(false, "a request cannot be kept: %v", err)
		}
	}
}

// errNotYet is what Until is still waiting for.
func errNotYet(what string) error { return fmt.Errorf("not yet: %s", what) }
