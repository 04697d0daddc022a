// Package registry says which hook entries the settings must have so that every
// guard that is on is called, and whether those that are there will do.
//
// It is made from the table of events and the configuration alone. What an entry
// runs, and how it gets into a settings file, belongs to setup; no file is
// written here.
package registry

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
)

// Entry is one hook entry, without what it runs.
type Entry struct {
	Event string `json:"event"`
	// Matcher is "" for every tool.
	Matcher string `json:"matcher,omitempty"`
	// Timeout is in seconds.
	Timeout int `json:"timeout"`
}

// seconds is the timeout of a hook without a budget of its own, and what is added
// to one.
const seconds = 5

// Wanted are the entries that the configuration asks for. Batches says that the
// client is known to have the event PostToolBatch; without that, its stand-in is
// registered.
func Wanted(cfg config.Config, batches bool) []Entry {
	needed := make(map[hooks.EventName]bool)
	everyTool := make(map[hooks.EventName]bool)
	for _, row := range hooks.Table() {
		switch {
		case !isNeeded(cfg, row):
		case row.StandIn != "" && !batches:
			needed[row.StandIn], everyTool[row.StandIn] = true, true
		default:
			needed[row.Event] = true
		}
	}
	var list []Entry
	for _, row := range hooks.Table() {
		if !needed[row.Event] {
			continue
		}
		e := Entry{Event: string(row.Event), Timeout: seconds + budget(cfg, row)}
		if !everyTool[row.Event] {
			e.Matcher = matcher(cfg, row.Tools)
		}
		list = append(list, e)
	}
	return list
}

// isNeeded reports whether a guard that is on listens to the event. An event
// without guards is housekeeping.
func isNeeded(cfg config.Config, row hooks.Row) bool {
	if len(row.Guards) == 0 {
		return cfg.Hooks.Enabled
	}
	return slices.ContainsFunc(row.Guards, func(guard string) bool {
		return !isGuest(row, guard) && IsOn(cfg, guard)
	})
}

// isGuest reports whether a guard stands in the row only because its event may
// stand in for another one.
func isGuest(row hooks.Row, guard string) bool {
	return slices.ContainsFunc(hooks.Table(), func(other hooks.Row) bool {
		return other.StandIn == row.Event && slices.Contains(other.Guards, guard)
	})
}

// IsOn reports whether the configuration lets a guard run somewhere: capture waits
// for a project's word besides, which is not known where settings are made.
func IsOn(cfg config.Config, guard string) bool {
	cfg.Capture.ProjectWants = true
	return cfg.Runs(guard)
}

// budget is the largest time, in seconds, that a guard of the row gives itself.
func budget(cfg config.Config, row hooks.Row) int {
	most := 0
	for _, guard := range row.Guards {
		switch {
		case !IsOn(cfg, guard):
		case guard == hooks.GuardBrief:
			most = max(most, cfg.Structure.BriefSeconds)
		case guard == hooks.GuardStructure:
			most = max(most, cfg.Structure.EditSeconds)
		}
	}
	return most
}

// matcher is ^(A|B|…)$, or "" for every tool. A plain list would do for most
// names, but not for those of MCP servers, which are patterns (facts I.5).
func matcher(cfg config.Config, tools hooks.ToolSet) string {
	const question = "AskUserQuestion|mcp__.*__AskUserQuestion"
	switch tools {
	case hooks.NoTools:
		return ""
	case hooks.QuestionTools:
		return "^(" + question + ")$"
	}
	names := slices.Concat(cfg.Gate.Tools, []string{"Write", "Edit", "MultiEdit", "NotebookEdit", "Agent", "Task"})
	var patterns []string
	for _, name := range names {
		if pattern := regexp.QuoteMeta(name); name != "" && !slices.Contains(patterns, pattern) {
			patterns = append(patterns, pattern)
		}
	}
	return "^(" + strings.Join(append(patterns, question), "|") + ")$"
}

// Registered is what the last setup wrote, as setup.json keeps it.
type Registered struct {
	// Batches is what Wanted was told.
	Batches bool    `json:"post_tool_batch"`
	Entries []Entry `json:"entries"`
}

// File is the name of setup.json below the home.
const File = "setup.json"

const maxFile = 1 << 20

// Read gives what the last setup registered; false when no setup is known.
func Read(home seam.Home) (Registered, bool) {
	raw, err := seam.ReadFile(home.Path(File), maxFile)
	if err != nil {
		return Registered{}, false
	}
	var file struct {
		Registered *Registered `json:"registered"`
	}
	if json.Unmarshal(raw, &file) != nil || file.Registered == nil {
		return Registered{}, false
	}
	return *file.Registered, true
}

// Lacks says in one line what the entries that are registered lack for the
// configuration; "" when they will do. What is registered beyond it does no harm.
func (r Registered) Lacks(cfg config.Config) string {
	for _, want := range Wanted(cfg, r.Batches) {
		at := slices.IndexFunc(r.Entries, func(e Entry) bool { return e.Event == want.Event })
		switch {
		case at < 0:
			return want.Event + " is not registered"
		case r.Entries[at].Matcher != "" && r.Entries[at].Matcher != want.Matcher:
			return want.Event + " is registered for other tools"
		case r.Entries[at].Timeout < want.Timeout:
			return fmt.Sprintf("%s is given %d seconds, and a guard may take %d", want.Event, r.Entries[at].Timeout, want.Timeout-seconds)
		}
	}
	return ""
}
