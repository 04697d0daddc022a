package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/hooks/dispatch"
	"ctxguard/statusline/printable"
	"ctxguard/statusline/seam"
)

// offFor is how long guards stay off when nothing else is said: a working day.
const offFor = 8 * time.Hour

const offHelp = `
Without GUARD every guard is off. Sessions that run notice at their next event, and are
measured all the same. It ends by itself, or with ` + "`ctxguard on`" + `.

  --for 30m   how long; 8h when nothing else is said
  --yes       from inside a session: the person wants it, and is told at the next prompt
`

func runOff(p process) int {
	length := offFor
	var yes bool
	guards, code, ok := words(p, "off", func(f *flag.FlagSet) {
		f.DurationVar(&length, "for", offFor, "")
		f.BoolVar(&yes, "yes", false, "")
	})
	if !ok {
		return code
	}
	if length <= 0 {
		return wrongWords(p, "off: --for takes a time such as 30m or 8h")
	}
	if len(guards) == 0 {
		guards = []string{config.All}
	}
	for _, name := range guards {
		if name != config.All && !slices.Contains(hooks.GuardNames(), name) {
			return wrongWords(p, fmt.Sprintf("off: there is no guard %q; there are %s", name, strings.Join(hooks.GuardNames(), ", ")))
		}
	}
	// The file keeps whole seconds; a guard never comes back before its time.
	until := p.started.Add(length).Add(time.Second - 1).Truncate(time.Second)
	what := strings.Join(guards, ", ")
	if guards[0] == config.All {
		what = "every guard"
	}
	text := fmt.Sprintf("%s off until %s", what, until.Local().Format("2006-01-02 15:04"))
	return decideForPerson(p, "off", text, yes, func(home seam.Home) error {
		off, err := config.ReadOff(home)
		if err != nil || off == nil {
			off = make(config.Off)
		}
		for _, name := range guards {
			off[name] = until
		}
		return config.WriteOff(home, off.InForce(p.started))
	})
}

func runOn(p process) int {
	var yes bool
	rest, code, ok := words(p, "on", func(f *flag.FlagSet) { f.BoolVar(&yes, "yes", false, "") })
	if !ok {
		return code
	}
	if len(rest) > 0 {
		return wrongWords(p, "on takes no guard: it ends every `ctxguard off`")
	}
	return decideForPerson(p, "on", "every guard on again, as configured", yes, func(home seam.Home) error {
		return config.WriteOff(home, nil)
	})
}

// decideForPerson makes a change that is the person's to make. From inside a
// session it wants the person's yes, and leaves a trace for them.
func decideForPerson(p process, command, text string, yes bool, change func(seam.Home) error) int {
	home, ok := seam.Locate(p.getenv)
	if !ok {
		return fail(p, errNoHome)
	}
	byModel := dispatch.ByModel(p.getenv)
	if byModel && !yes {
		fmt.Fprintf(p.stderr, "ctxguard: %s is for the person to decide; nothing was changed. If they said so, run it again with --yes: they will be told\n", command)
		return exitNeedsYes
	}
	if err := change(home); err != nil {
		return fail(p, err)
	}
	if byModel {
		if err := dispatch.RecordChange(home, p.getenv, p.started, command, "from inside a session: "+text); err != nil {
			return fail(p, err)
		}
	}
	fmt.Fprintf(p.stdout, "%s\n", printable.Line(text))
	return exitDone
}
