// Package delegate holds the guards of work that is handed on: brief makes sure
// that what a subagent is given is enough, structure puts the shape of a file in
// front of whoever is about to change it.
//
// They decide and remember what was shown; the shape itself comes from package
// outline. Whatever fails here leaves the call as it was (B9).
package delegate

import (
	"time"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
)

// Guards gives this page's guards, by the configuration.
func Guards(cfg config.Config) []hooks.Guard {
	b := brief{cfg: cfg.Brief, structure: cfg.Structure}
	s := structure{cfg.Structure}
	return []hooks.Guard{
		{
			Name: hooks.GuardBrief, Budget: budget(cfg.Structure.BriefSeconds),
			NeedsPayload: func(e hooks.Envelope) bool { return delegates(e.ToolName) },
			Decide:       b.decide,
		},
		{
			Name: hooks.GuardStructure, Budget: budget(cfg.Structure.EditSeconds),
			NeedsPayload: func(e hooks.Envelope) bool { return targetKey(e.ToolName) != "" },
			Decide:       s.decide,
		},
	}
}

func budget(seconds int) time.Duration { return time.Duration(seconds) * time.Second }

// delegates reports whether the tool starts a subagent. It is called Task in
// older clients.
func delegates(tool string) bool { return tool == "Agent" || tool == "Task" }

// targetKey is where an edit tool's input names the file; empty for other tools.
func targetKey(tool string) string {
	switch tool {
	case "Write", "Edit", "MultiEdit":
		return "file_path"
	case "NotebookEdit":
		return "notebook_path"
	}
	return ""
}
