package main

import (
	"strings"

	"ctxguard/hooks"
)

// settings is the part of Claude Code's settings that scenes write.
type settings struct {
	StatusLine *command           `json:"statusLine,omitempty"`
	Hooks      map[string][]group `json:"hooks,omitempty"`
	// SkipWarning is written by the client itself once a person has confirmed
	// the mode without permission prompts.
	SkipWarning bool `json:"skipDangerousModePermissionPrompt"`
}

type group struct {
	Matcher string    `json:"matcher,omitempty"`
	Hooks   []command `json:"hooks"`
}

type command struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout,omitempty"` // of a hook, in seconds
	// Refresh is the status line's: it also runs every so many seconds.
	Refresh int `json:"refreshInterval,omitempty"`
}

func shell(line string) command { return command{Type: "command", Command: line} }

// bare is a person's settings without ctxguard. An empty line is no status line.
func bare(line string) settings {
	s := settings{Hooks: make(map[string][]group), SkipWarning: true}
	if line != "" {
		c := shell(line)
		s.StatusLine = &c
	}
	return s
}

// Wire puts ctxguard into the client's settings, around a status line command.
func (s *Stage) Wire(line string) { s.Must(s.WriteSettings(s.wiredByHand(line))) }

// wiredByHand is the wiring as the design describes it, for scenes that are not
// about how it gets there.
func (s *Stage) wiredByHand(line string) settings {
	wired := bare(strings.TrimRight(s.Program+" statusline -- "+line, " -"))
	for _, row := range hooks.Table() {
		wired.Hooks[string(row.Event)] = []group{{
			Matcher: matcher(row.Tools),
			Hooks:   []command{{Type: "command", Command: s.Program + " hook", Timeout: 5}},
		}}
	}
	return wired
}

func matcher(tools hooks.ToolSet) string {
	const question = `AskUserQuestion|mcp__.*__AskUserQuestion`
	switch tools {
	case hooks.GuardedTools:
		return `^(Write|Edit|MultiEdit|NotebookEdit|Agent|Task|Workflow|` + question + `)$`
	case hooks.QuestionTools:
		return `^(` + question + `)$`
	default:
		return ""
	}
}
