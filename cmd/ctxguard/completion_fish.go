package main

import (
	"fmt"
	"strings"
)

func fishCompletion(all []completable) string {
	var b strings.Builder
	b.WriteString(`# ctxguard: completion for fish.

# Whether the command line so far is one of this command.
function __ctxguard_in
	set -l typed (commandline -opc)
	test (count $typed) -ge 2; and test $typed[2] = $argv[1]
end

# The same, and nothing but flags came after the command.
function __ctxguard_first
	__ctxguard_in $argv[1]; or return
	set -l typed (commandline -opc)
	not string match -qv -- '-*' $typed[3..-1]
end

function __ctxguard_bare
	test (count (commandline -opc)) -eq 1
end

complete -c ctxguard -f
`)
	for _, c := range all {
		fmt.Fprintf(&b, "complete -c ctxguard -n __ctxguard_bare -a %s -d %s\n", c.name, fishQuote(c.short))
	}
	for _, c := range all {
		in := fmt.Sprintf("complete -c ctxguard -n '__ctxguard_in %s'", c.name)
		for _, f := range c.flags {
			fmt.Fprintf(&b, "%s -l %s%s\n", in, strings.TrimLeft(f.name, "-"), fishValue(f))
		}
		switch {
		case c.args.files:
			fmt.Fprintf(&b, "%s -F\n", in)
		case c.repeats && !c.args.empty():
			fmt.Fprintf(&b, "%s -a %s\n", in, fishQuote(strings.Join(c.args.words, " ")))
		case !c.args.empty():
			fmt.Fprintf(&b, "complete -c ctxguard -n '__ctxguard_first %s' -a %s\n", c.name, fishQuote(strings.Join(c.args.words, " ")))
		}
	}
	return b.String()
}

func fishValue(f completableFlag) string {
	switch {
	case !f.takesWord:
		return ""
	case f.value.files:
		return " -r -F"
	case f.value.empty():
		return " -x"
	}
	return " -x -a " + fishQuote(strings.Join(f.value.words, " "))
}

func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}
