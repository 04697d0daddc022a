package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ctxguard/cmd/realclient/fakeapi"
)

// snapshot is a session's snapshot as a reader of another tool would decode it.
type snapshot struct {
	CapturedAt    string          `json:"captured_at"`
	SessionID     string          `json:"session_id"`
	CLIVersion    string          `json:"cli_version"`
	ContextWindow json.RawMessage `json:"context_window"`
	Client        struct {
		Model struct {
			ID string `json:"id"`
		} `json:"model"`
		TranscriptPath string `json:"transcript_path"`
	} `json:"client"`
	// Window is decoded from ContextWindow.
	Window window `json:"-"`
	path   string
}

// window is what stands in context_window.
type window struct {
	Input   int            `json:"total_input_tokens"`
	Output  int            `json:"total_output_tokens"`
	Size    int            `json:"context_window_size"`
	Percent *float64       `json:"used_percentage"`
	Usage   *fakeapi.Usage `json:"current_usage"`
}

// HomePath is a path in ctxguard's home, slash-separated below it.
func (s *Stage) HomePath(below string) string {
	return filepath.Join(s.Home, ".claude", "ctxguard", filepath.FromSlash(below))
}

// Snapshots gives the snapshot of every session. None is no error.
func (s *Stage) Snapshots() ([]snapshot, error) {
	paths, err := filepath.Glob(s.HomePath("context/*.json"))
	if err != nil {
		return nil, err
	}
	var all []snapshot
	for _, path := range paths {
		one := snapshot{path: path}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(data, &one); err != nil {
			return nil, fmt.Errorf("decode %s: %w", path, err)
		}
		if err := json.Unmarshal(one.ContextWindow, &one.Window); err != nil {
			return nil, fmt.Errorf("decode context_window of %s: %w", path, err)
		}
		all = append(all, one)
	}
	return all, nil
}

// AwaitSnapshot waits until a session's snapshot shows so many input tokens.
// The client runs the status line some 300 ms after a response (facts A.3).
func (s *Stage) AwaitSnapshot(input int) snapshot {
	var found snapshot
	s.Until(func() error {
		all, err := s.Snapshots()
		if err != nil {
			return err
		}
		var seen []string
		for _, one := range all {
			if one.Window.Input == input {
				found = one
				return nil
			}
			seen = append(seen, fmt.Sprint(one.Window.Input))
		}
		return fmt.Errorf("no snapshot shows %d input tokens, only [%s]", input, strings.Join(seen, " "))
	})
	return found
}

// marker is what marks a session as evidence-degraded.
type marker struct {
	CompactedAt string `json:"compacted_at"`
	Trigger     string `json:"trigger"`
	Event       string `json:"hook_event_name"`
}

// AwaitMarker waits until a session's marker names an event.
func (s *Stage) AwaitMarker(session, event string) marker {
	var m marker
	path := s.HomePath("context/" + session + ".compacted")
	s.Until(func() error {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(data, &m); err != nil {
			return fmt.Errorf("decode %s: %w", path, err)
		}
		if m.Event != event {
			return fmt.Errorf("the marker names %q, not yet %q", m.Event, event)
		}
		return nil
	})
	return m
}

// AwaitDecision waits until something was decided on an event.
func (s *Stage) AwaitDecision(event string) {
	path := s.HomePath("decisions.jsonl")
	s.Until(func() error {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(data)) {
			var decided struct{ Event string }
			if err := json.Unmarshal([]byte(line), &decided); err != nil {
				return fmt.Errorf("decode %s: %w", path, err)
			}
			if decided.Event == event {
				return nil
			}
		}
		return errNotYet("a decision on " + event)
	})
}

// Configure writes ctxguard.toml.
func (s *Stage) Configure(toml string) {
	path := s.HomePath("ctxguard.toml")
	s.Must(os.MkdirAll(filepath.Dir(path), 0o700))
	s.Must(os.WriteFile(path, []byte(toml), 0o600))
}

// CheckNoHomeFile notes a file of the home that should not be there.
func (s *Stage) CheckNoHomeFile(pattern string) {
	found, err := filepath.Glob(s.HomePath(pattern))
	s.Must(err)
	s.Check(len(found) == 0, "there should be no %s in the home, and there is %v", pattern, found)
}

// ProjectFile is a path in the project.
func (s *Stage) ProjectFile(name string) string { return filepath.Join(s.Project, name) }

// CheckProjectFile notes when a file of the project is there and should not be,
// or the other way round.
func (s *Stage) CheckProjectFile(name string, want bool) {
	_, err := os.Stat(s.ProjectFile(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.Must(err)
	}
	s.Check((err == nil) == want, "%s in the project: expected to be there: %v, got %v", name, want, err == nil)
}
