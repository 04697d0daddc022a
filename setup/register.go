package setup

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/setup/settings"
	"ctxguard/setup/wrap"
	"ctxguard/statusline/seam"
)

// hookSeconds is the timeout of a hook without a budget of its own, and what is
// added to one (S11).
const hookSeconds = 5

// Registrations are the hook entries that the configuration asks for (S11, S12),
// made from the table of events.
func Registrations(cfg config.Config, client Client, program Program) []settings.Registration {
	needed := make(map[hooks.EventName]bool)
	everyTool := make(map[hooks.EventName]bool)
	for _, row := range hooks.Table() {
		if !isNeeded(cfg, row) {
			continue
		}
		if row.StandIn != "" && !client.Batches() {
			needed[row.StandIn], everyTool[row.StandIn] = true, true
			continue
		}
		needed[row.Event] = true
	}
	var list []settings.Registration
	for _, row := range hooks.Table() {
		if !needed[row.Event] {
			continue
		}
		r := settings.Registration{Event: string(row.Event), Timeout: hookSeconds + budget(cfg, row)}
		if !everyTool[row.Event] {
			r.Matcher = matcher(cfg, row.Tools)
		}
		r.Command, r.Args = program.hook(client)
		list = append(list, r)
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
		return !isGuest(row, guard) && isOn(cfg, guard)
	})
}

// isGuest reports whether a guard stands in the row only because its event may
// stand in for another one.
func isGuest(row hooks.Row, guard string) bool {
	return slices.ContainsFunc(hooks.Table(), func(other hooks.Row) bool {
		return other.StandIn == row.Event && slices.Contains(other.Guards, guard)
	})
}

// isOn reports whether the machine lets a guard run somewhere: capture waits for
// the project's word, which setup does not know.
func isOn(cfg config.Config, guard string) bool {
	cfg.Capture.ProjectWants = true
	return cfg.Runs(guard)
}

// budget is the largest time, in seconds, that a guard of the row gives itself.
func budget(cfg config.Config, row hooks.Row) int {
	most := 0
	for _, guard := range row.Guards {
		switch {
		case !isOn(cfg, guard):
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

// Program is our program as settings name it.
type Program struct {
	// Path is absolute, with forward slashes.
	Path string
	// Word is Path as one word for the shell, or ~/… when portable.
	Word string
	// Windows says that the exec form is to be used where the client knows it.
	Windows bool
}

// NewProgram names the program at path. With portable, which needs it to lie in
// the user's home directory, the shell finds that directory.
func NewProgram(path string, portable bool, getenv func(string) string, goos string) (Program, bool) {
	slashed := filepath.ToSlash(path)
	p := Program{Path: slashed, Word: wrap.Quote(slashed), Windows: goos == "windows"}
	if !portable {
		return p, true
	}
	home, ok := seam.UserHome(getenv)
	if !ok {
		return p, false
	}
	below, err := filepath.Rel(home, path)
	if err != nil || !filepath.IsLocal(below) {
		return p, false
	}
	p.Word = "~/" + wrap.Quote(filepath.ToSlash(below))
	p.Windows = false
	return p, true
}

// hook is the command of a hook entry. The exec form is kept to Windows, where
// it spares the question which shell reads the quotes.
func (p Program) hook(client Client) (command string, args []string) {
	if p.Windows && client.Executes() {
		return p.Path, []string{"hook"}
	}
	return p.Word + " hook", nil
}

// ours says which hook entries are ctxguard's.
func ours(e settings.Entry) bool { return wrap.IsHook(e.Command, e.Args) }

// Matches reports whether Claude Code would run a hook with that matcher for a
// tool: a plain list names tools exactly, anything else is a pattern that may
// match anywhere, and a pattern that is wrong matches nothing (facts I.5).
func Matches(matcher, tool string) bool {
	if matcher == "" || matcher == "*" {
		return true
	}
	plain := strings.IndexFunc(matcher, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_- ,|", r))
	}) < 0
	if plain {
		return slices.ContainsFunc(strings.FieldsFunc(matcher, func(r rune) bool { return r == '|' || r == ',' }), func(name string) bool {
			return strings.TrimSpace(name) == tool
		})
	}
	pattern, err := regexp.Compile(matcher)
	return err == nil && pattern.MatchString(tool)
}
