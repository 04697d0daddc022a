package setup

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ctxguard/hooks/config"
	"ctxguard/hooks/registry"
	"ctxguard/setup/settings"
	"ctxguard/setup/wrap"
	"ctxguard/statusline/seam"
)

// Registrations are the hook entries that the configuration asks for (S11, S12).
func Registrations(cfg config.Config, client Client, program Program) []settings.Registration {
	var list []settings.Registration
	for _, e := range registry.Wanted(cfg, client.Batches()) {
		r := settings.Registration{Event: e.Event, Matcher: e.Matcher, Timeout: e.Timeout}
		r.Command, r.Args = program.hook(client)
		list = append(list, r)
	}
	return list
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
