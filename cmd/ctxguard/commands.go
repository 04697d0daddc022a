package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"ctxguard/statusline/printable"
)

// The exit codes of every command but the shim, which repeats the next
// command's. Code 2 is not among them: it comes from hook alone and means that a
// guard blocked.
const (
	exitDone       = 0
	exitFailed     = 1
	exitNotTouched = 3  // a person's file could not be understood and was left alone
	exitNeedsYes   = 4  // there was nobody to ask
	exitWrongWords = 64 // the command line
)

// command is one row of the table that dispatch and help are made from.
type command struct {
	name  string
	usage string
	short string
	run   func(process) int
}

func commands() []command {
	return []command{
		{"statusline", "statusline [--] [command [arg…]]", "snapshot the client's data, then become the next command", runStatusline},
		{"zone", "zone [SESSION] [--json] [--explain]", "say where a conversation stands, in one word", runZone},
		{"hook", "hook [GUARD…]", "answer one hook event from standard input", runHook},
		{"explain", "explain [FILE]", "show what each guard would do with a recorded event or payload", runExplain},
		{"prefs", "prefs list | set ID VALUE | clear ID [--global] [--yes] [--json]", "keep what you no longer want to be asked", runPrefs},
		{"log", "log decisions|answers [--json] [--summary]", "list what the guards decided or what was asked, or tally it", runLog},
		{"rules", "rules [--install]", "print what a model should know to pass the guards", runRules},
		{"outline", "outline PATH [--json]", "show the shape of a source file, and who uses it", runOutline},
		{"off", "off [GUARD…] [--for 30m] [--yes]", "switch guards off at once in every session, for a time", runOff},
		{"on", "on [--yes]", "end every off", runOn},
		{"setup", "setup [--dry-run] [--yes] [--undo] …", "put ctxguard into Claude Code's settings, or take it out again", runSetup},
		{"doctor", "doctor [--json] [--quiet] [--settings FILE]", "find what keeps ctxguard from working, and say how to mend it", runDoctor},
		{"status", "status [SESSION] [--all] [--json] [--watch]", "show the sessions of this machine, or one session's curve", runStatus},
		{"init", "init [--questions]", "make a commented .ctxguard.toml for this project", runInit},
		{"completion", "completion SHELL", "print what makes bash, zsh, fish or powershell complete ctxguard's words", runCompletion},
		{"version", "version", "print the version", runVersion},
		{"help", "help [COMMAND]", "print this page, or a command's words", runHelp},
	}
}

func run(p process, words []string) int {
	if len(words) == 0 {
		return runHelp(p)
	}
	name := words[0]
	switch name {
	case "-h", "-help", "--help":
		name = "help"
	case "-version", "--version":
		name = "version"
	}
	for _, c := range commands() {
		if c.name == name {
			p.args = words[1:]
			return c.run(p)
		}
	}
	return wrongWords(p, fmt.Sprintf("there is no command %q; `ctxguard help` lists them", words[0]))
}

func wrongWords(p process, why string) int {
	fmt.Fprintf(p.stderr, "ctxguard: %s\n", printable.Line(why))
	return exitWrongWords
}

// fail says in one line what went wrong.
func fail(p process, err error) int {
	fmt.Fprintf(p.stderr, "ctxguard: %s\n", printable.Line(strings.ReplaceAll(err.Error(), "\n", "; ")))
	return exitFailed
}

// words parses a command's arguments: flags may stand before, between and after
// the others. It reports false, with the exit code, when the command is not to
// be run.
func words(p process, name string, define func(*flag.FlagSet)) (rest []string, code int, ok bool) {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	define(flags)
	args := p.args
	for {
		if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
			p.args = []string{name}
			return nil, runHelp(p), false
		} else if err != nil {
			return nil, wrongWords(p, fmt.Sprintf("%s: %s; `ctxguard help %s` shows its words", name, err, name)), false
		}
		if flags.NArg() == 0 {
			return rest, exitDone, true
		}
		consumed := len(args) - flags.NArg()
		if consumed > 0 && args[consumed-1] == "--" {
			return append(rest, flags.Args()...), exitDone, true
		}
		rest = append(rest, flags.Arg(0))
		args = flags.Args()[1:]
	}
}

// moreHelp is what a command's own page says besides, for commands of many words.
func moreHelp(name string) string {
	switch name {
	case "setup":
		return setupHelp
	case "init":
		return initHelp
	case "status":
		return statusHelp
	case "zone":
		return zoneHelp
	case "explain":
		return explainHelp
	case "off":
		return offHelp
	}
	return ""
}

func runHelp(p process) int {
	if len(p.args) > 0 {
		for _, c := range commands() {
			if c.name == p.args[0] {
				fmt.Fprintf(p.stdout, "usage: ctxguard %s\n\n%s\n%s", c.usage, c.short, moreHelp(c.name))
				return exitDone
			}
		}
		return wrongWords(p, fmt.Sprintf("there is no command %q; `ctxguard help` lists them", p.args[0]))
	}
	fmt.Fprint(p.stdout, "ctxguard shows how full a Claude Code conversation is, and says so before it hurts.\n\nusage:\n")
	widest := 0
	for _, c := range commands() {
		widest = max(widest, len([]rune(c.usage)))
	}
	for _, c := range commands() {
		fmt.Fprintf(p.stdout, "  ctxguard %-*s  %s\n", widest, c.usage, c.short)
	}
	return exitDone
}
