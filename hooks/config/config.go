// Package config is what the person decided: which guards run and how, from
// ctxguard.toml in the home, .ctxguard.toml in the project, off.json and the
// environment.
//
// It turns files into one Config and a list of notices, and keeps the understood
// form in the home's cache, because decoding TOML costs as much as half a start
// of the program. It decides nothing about events, and the project's file can
// never widen what the person's own file allows.
package config

// Config is the understood configuration. Its zero value is not useful; see
// Default.
type Config struct {
	Hooks      Hooks
	Statusline Statusline
	Seam       Seam
	History    History
	Crossing   Crossing
	Compact    Compact
	Gate       Gate
	Ask        Ask
	Preference Preference
	Answers    Switch
	Fallback   Switch
	Brief      Brief
	Structure  Structure
	Reminders  Reminders
	Capture    Capture
}

// Hooks is [hooks]: with Enabled false every guard is silent.
type Hooks struct{ Enabled bool }

// Switch is a table that has nothing but its switch.
type Switch struct{ Enabled bool }

// Statusline is [statusline]: the parts of the line that ctxguard draws itself.
type Statusline struct{ Show []string }

// Seam is [seam]: other existing directories that get the same snapshot. A
// leading ~ is still there.
type Seam struct{ Mirror []string }

// History is [history].
type History struct{ Enabled bool }

// Crossing is [crossing]. Menu is "both" or "operator".
type Crossing struct {
	Enabled bool
	Menu    string
	Router  string
}

// Compact is [compact].
type Compact struct {
	Enabled      bool
	CountsAsDumb bool
}

// Gate is [gate]. Mode is "advisory" or "blocking".
type Gate struct {
	Enabled     bool
	Mode        string
	GraceCalls  int
	Tools       []string
	ExemptPaths []string
}

// Ask is [ask]. MinChars 0 switches the rule of invisible context off.
type Ask struct {
	Enabled  bool
	MinChars int
}

// Preference is [preference]. Answer is "auto", "deny" or "fill"; Prose is
// "auto", "true" or "false".
type Preference struct {
	Enabled  bool
	Answer   string
	Prose    string
	Registry map[string]Door // by question id, lower case
}

// Door says whether a question can be taken back.
type Door string

// The doors.
const (
	OneWay Door = "one-way"
	TwoWay Door = "two-way"
)

// Brief is [brief]. Repeat is "session" or "agent", Permission "allow" or "ask".
type Brief struct {
	Enabled  bool
	Required []string
	// ProjectRequired are those of Required that only the project's file asks for:
	// they are introduced to the model as the project's.
	ProjectRequired []string
	Repeat          string
	Permission      string
	// Domains is nil when the machine's file gives none: the built-in ones hold.
	Domains []Domain
	// ProjectDomains come from the project's file and are added to the others.
	ProjectDomains []Domain
}

// Domain is one [[brief.domain]].
type Domain struct {
	Name           string
	Patterns       []string
	Summary        string
	NeedsStructure bool
}

// Structure is [structure]. Command comes from the machine's file only.
type Structure struct {
	Enabled      bool
	Command      []string
	Extensions   []string
	EditSeconds  int
	BriefSeconds int
}

// Reminders is [reminders].
type Reminders struct {
	Enabled  bool
	File     string
	AtStart  []string
	OnPrompt []string
	Triggers []Trigger
}

// Trigger is one [[reminders.trigger]].
type Trigger struct {
	// FromProject is true when the project's file gave it: its text is introduced
	// to the model as the project's.
	FromProject bool
	When        []string
	Question    string
}

// Capture is [capture]. ProjectWants is true when the project's file has a
// [capture] table: the guard runs only then.
type Capture struct {
	Enabled      bool
	ProjectWants bool
	Dir          string
	Ignore       []string
	Tools        []string
}

// Default is the configuration of a person who has changed nothing.
func Default() Config {
	return Config{
		Hooks:      Hooks{Enabled: true},
		Statusline: Statusline{Show: []string{"model", "bar", "tokens", "zone", "dir", "branch", "cost"}},
		History:    History{Enabled: true},
		Crossing:   Crossing{Enabled: true, Menu: "both", Router: "session-flow:workflow"},
		Compact:    Compact{Enabled: true, CountsAsDumb: true},
		Gate: Gate{
			Enabled:     true,
			Mode:        "advisory",
			GraceCalls:  10,
			Tools:       []string{"Write", "Edit", "MultiEdit", "NotebookEdit", "Agent", "Task", "Workflow"},
			ExemptPaths: []string{"*handoff*"},
		},
		Ask:        Ask{Enabled: true, MinChars: 200},
		Preference: Preference{Enabled: true, Answer: "auto", Prose: "auto"},
		Answers:    Switch{Enabled: true},
		Fallback:   Switch{Enabled: true},
		Brief: Brief{
			Required:   []string{"GOAL:", "FILES:", "CONSTRAINTS:", "DONE WHEN:", "VERIFY:"},
			Repeat:     "session",
			Permission: "allow",
		},
		Structure: Structure{EditSeconds: 10, BriefSeconds: 20},
		Reminders: Reminders{
			Enabled:  true,
			File:     "knowledge-base/_questions.md",
			AtStart:  []string{"blocking"},
			OnPrompt: []string{"blocking", "open"},
		},
		Capture: Capture{
			Enabled: true,
			Dir:     "knowledge-base",
			Ignore:  []string{"agents/"},
			Tools:   []string{"Write", "Edit", "MultiEdit", "NotebookEdit"},
		},
	}
}

// Runs reports whether the configuration lets the named guard run.
func (c Config) Runs(guard string) bool {
	if !c.Hooks.Enabled {
		return false
	}
	switch guard {
	case "crossing":
		return c.Crossing.Enabled
	case "compact":
		return c.Compact.Enabled
	case "gate":
		return c.Gate.Enabled
	case "preference":
		return c.Preference.Enabled
	case "ask":
		return c.Ask.Enabled
	case "answers":
		return c.Answers.Enabled
	case "fallback":
		return c.Fallback.Enabled
	case "brief":
		return c.Brief.Enabled
	case "structure":
		return c.Structure.Enabled
	case "reminders":
		return c.Reminders.Enabled
	case "capture":
		return c.Capture.Enabled && c.Capture.ProjectWants
	}
	return false
}
