package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"ctxguard/hooks"
	"ctxguard/setup"
)

// shell is one that a completion script can be made for.
type shell struct {
	name   string
	script func([]completable) string
}

func shells() []shell {
	return []shell{
		{"bash", bashCompletion},
		{"zsh", zshCompletion},
		{"fish", fishCompletion},
		{"powershell", powershellCompletion},
	}
}

func shellNames() []string {
	var names []string
	for _, s := range shells() {
		names = append(names, s.name)
	}
	return names
}

func runCompletion(p process) int {
	known := strings.Join(shellNames(), ", ")
	rest, code, ok := words(p, "completion", func(*flag.FlagSet) {})
	switch {
	case !ok:
		return code
	case len(rest) != 1:
		return wrongWords(p, "completion takes one shell; there are "+known)
	}
	for _, s := range shells() {
		if s.name != rest[0] {
			continue
		}
		if _, err := io.WriteString(p.stdout, s.script(completables(commands()))); err != nil {
			return fail(p, fmt.Errorf("the script could not be printed: %w", err))
		}
		return exitDone
	}
	return wrongWords(p, fmt.Sprintf("completion: there is no script for %q; there are %s", rest[0], known))
}

// completable is what a shell may offer for one command.
type completable struct {
	name, short string
	flags       []completableFlag
	args        slot
	repeats     bool // args may stand more than once
}

type completableFlag struct {
	name      string // with its dashes
	takesWord bool
	value     slot
}

// slot is what may stand in one place: fixed words, a file, or, when it is
// empty, something that only the person knows.
type slot struct {
	words []string
	files bool
}

func (s slot) empty() bool { return len(s.words) == 0 && !s.files }

func (c completable) flagNames() []string {
	var names []string
	for _, f := range c.flags {
		names = append(names, f.name)
	}
	return names
}

// completables reads the words of each command from what its help says, so that
// help and completion cannot differ.
func completables(table []command) []completable {
	var names []string
	for _, c := range table {
		names = append(names, c.name)
	}
	var all []completable
	for _, c := range table {
		made := completable{name: c.name, short: c.short}
		made.readUsage(c.usage, names)
		made.readHelp(moreHelp(c.name), names)
		all = append(all, made)
	}
	return all
}

// readUsage takes a line such as "off [GUARD…] [--for 30m] [--yes]" apart. Words
// in small letters outside of brackets are typed as they stand.
func (c *completable) readUsage(usage string, commandNames []string) {
	tokens := strings.Fields(usage)[1:]
	for i := 0; i < len(tokens); i++ {
		token := tokens[i]
		word := strings.Trim(token, "[]…|")
		switch {
		case word == "" || word == "--":
		case strings.HasPrefix(word, "--"):
			value := ""
			if !strings.HasSuffix(token, "]") && i+1 < len(tokens) {
				i++
				value = strings.Trim(tokens[i], "[]…")
			}
			c.addFlag(word, value, commandNames)
		case strings.HasPrefix(token, "[") || isPlaceholder(word):
			c.repeats = c.repeats || strings.Contains(token, "…")
			place := slotFor(word, commandNames)
			c.args.words = append(c.args.words, place.words...)
			c.args.files = c.args.files || place.files
		default:
			c.args.words = append(c.args.words, strings.Split(word, "|")...)
		}
	}
}

// readHelp takes the flags from a command's longer help: lines that begin with
// the flag, and two spaces or more between it and what it does.
func (c *completable) readHelp(help string, commandNames []string) {
	for line := range strings.Lines(help) {
		head, _, _ := strings.Cut(strings.TrimSpace(line), "  ")
		name, value, _ := strings.Cut(head, " ")
		if strings.HasPrefix(name, "--") && !slices.Contains(c.flagNames(), name) {
			c.addFlag(name, value, commandNames)
		}
	}
}

func (c *completable) addFlag(name, value string, commandNames []string) {
	c.flags = append(c.flags, completableFlag{name: name, takesWord: value != "", value: slotFor(value, commandNames)})
}

func isPlaceholder(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsUpper(r) })
}

// slotFor is what stands for a word that help uses as a placeholder.
func slotFor(placeholder string, commandNames []string) slot {
	switch placeholder {
	case "GUARD":
		return slot{words: hooks.GuardNames()}
	case "LIST":
		return slot{words: append(setup.GuardGroups(), hooks.GuardNames()...)}
	case "COMMAND":
		return slot{words: commandNames}
	case "SHELL":
		return slot{words: shellNames()}
	case "FILE", "PATH", "command":
		return slot{files: true}
	}
	return slot{}
}
