package main

// settings is the part of Claude Code's settings that scenes write.
type settings struct {
	StatusLine *command           `json:"statusLine,omitempty"`
	Hooks      map[string][]group `json:"hooks,omitempty"`
	// SkipWarning is written by the client itself once a person has confirmed
	// the mode without permission prompts.
	SkipWarning bool `json:"skipDangerousModePermissionPrompt"`
}

type group struct {
	Hooks []command `json:"hooks"`
}

type command struct {
	Type    string `json:"type"`
	Command string `json:"command"`
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

// Wire has setup put ctxguard around a status line command and among the hooks.
// Words are more of setup's.
func (s *Stage) Wire(line string, words ...string) { s.WireInto(bare(line), words...) }

// WireInto does so in settings of the scene's own.
func (s *Stage) WireInto(settings settings, words ...string) {
	s.Must(s.WriteSettings(settings))
	s.MustCtxguard(append([]string{"setup", "--yes"}, words...)...)
}
