package knowledge

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"ctxguard/hooks"
	"ctxguard/hooks/transcript"
)

// mostAgents bounds how many subagents' files are read for one round, and
// mostAgentFiles how many are looked at.
const (
	mostAgents     = 100
	mostAgentFiles = 10_000
)

// change is one call that changed a file of the project.
type change struct {
	// path is relative to the project, with forward slashes.
	path string
	// at is when the call was written down; zero when that is not known.
	at time.Time
}

// call is a call of a tool that changes files, before it is known how it ended.
type call struct {
	id, target, cwd string
	at              time.Time
}

// changes are those of the round (C4): in the transcript and in the files of
// its subagents, in that order.
func (c capture) changes(ev *hooks.Event, where place, r round) ([]change, error) {
	found := calls{tools: c.cfg.Tools, failed: make(map[string]bool)}
	if err := found.read(ev.TranscriptPath, r.from, r.to, time.Time{}); err != nil {
		return nil, err
	}
	agents, err := agentsSince(ev.TranscriptPath, r.since)
	if err != nil {
		return nil, err
	}
	for _, path := range agents {
		if err := found.read(path, 0, -1, r.since); err != nil {
			return nil, err
		}
	}
	var changes []change
	for _, call := range found.list {
		if found.failed[call.id] {
			continue
		}
		if path, ok := where.counts(call.target, call.cwd, ev.CWD); ok {
			changes = append(changes, change{path: path, at: call.at})
		}
	}
	return changes, nil
}

// calls collects calls and how they ended.
type calls struct {
	tools  []string
	list   []call
	failed map[string]bool
}

// read takes the lines of a transcript from one offset to another, -1 for all
// whole ones. When after is not zero, calls count only on lines with a later
// time.
func (c *calls) read(path string, from, to int64, after time.Time) error {
	f, err := transcript.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	slice, err := f.Since(from)
	if err != nil {
		return err
	}
	if to >= 0 {
		// What was written since the boundary was set belongs to the next round.
		slice.End = min(slice.End, to)
	}
	for line, err := range slice.Lines() {
		if err != nil {
			return err
		}
		c.take(line, after)
	}
	return nil
}

func (c *calls) take(line transcript.Line, after time.Time) {
	for id, result := range line.Results() {
		if result.IsError {
			c.failed[id] = true
		}
	}
	made := line.Calls()
	if len(made) == 0 {
		return
	}
	at := timeOf(line)
	if !after.IsZero() && !at.After(after) {
		return
	}
	for _, m := range made {
		if target := targetOf(m.Input); target != "" && slices.Contains(c.tools, m.Name) {
			c.list = append(c.list, call{id: m.ID, target: target, cwd: line.JSON.Get("cwd").Str, at: at})
		}
	}
}

func timeOf(line transcript.Line) time.Time {
	at, err := time.Parse(time.RFC3339, line.JSON.Get("timestamp").Str)
	if err != nil {
		return time.Time{}
	}
	return at
}

// targetOf is the file that a call changes. The client's tools name it by the
// first two keys; tools of MCP servers, which may be configured too, mostly by
// the third.
func targetOf(input gjson.Result) string {
	for _, key := range []string{"file_path", "notebook_path", "path"} {
		if v := input.Get(key); v.Type == gjson.String && v.Str != "" {
			return v.Str
		}
	}
	return ""
}

// agentsSince are the transcripts of the session's subagents that were written
// to after that time, newest first (facts F.5).
func agentsSince(mainTranscript string, since time.Time) ([]string, error) {
	base, ok := strings.CutSuffix(mainTranscript, ".jsonl")
	if !ok {
		return nil, nil
	}
	folder := filepath.Join(base, "subagents")
	dir, err := os.Open(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(mostAgentFiles)
	if err != nil && len(entries) == 0 {
		return nil, ignoreEnd(err)
	}
	type agent struct {
		path string
		at   time.Time
	}
	var agents []agent
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, "agent-") || !strings.HasSuffix(name, ".jsonl") || !entry.Type().IsRegular() {
			continue
		}
		info, err := entry.Info()
		if err != nil || !writtenAfter(info, since) {
			continue
		}
		agents = append(agents, agent{filepath.Join(folder, name), info.ModTime()})
	}
	slices.SortFunc(agents, func(a, b agent) int { return b.at.Compare(a.at) })
	paths := make([]string, 0, len(agents))
	for _, a := range agents[:min(len(agents), mostAgents)] {
		paths = append(paths, a.path)
	}
	return paths, nil
}

// pathsOf lists each changed file once, in the order of the changes.
func pathsOf(changes []change) []string {
	var paths []string
	for _, ch := range changes {
		if !slices.Contains(paths, ch.path) {
			paths = append(paths, ch.path)
		}
	}
	return paths
}
