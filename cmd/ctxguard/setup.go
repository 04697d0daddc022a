package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"

	"golang.org/x/term"

	"ctxguard/hooks/dispatch"
	"ctxguard/setup"
	"ctxguard/statusline/seam"
)

const setupHelp = `
  --dry-run        show what would be written, and write nothing
  --yes            write without asking
  --undo           take out what setup put in; everything else stays as it is now
  --purge          with --undo: remove ctxguard's own folder as well
  --guards LIST    the guards to be on, all others off: one or more of the
                   guards, or zone, questions, delegate, knowledge, all, none
  --settings FILE  another file than your settings.json, such as a project's
  --refresh N      draw the status line every N seconds as well
  --portable       write ~/… in place of the full path of your home directory
  --bin PATH       use this ctxguard, which a package manager keeps up to date
`

func runSetup(p process) int {
	var opts setup.Options
	var guards string
	rest, code, ok := words(p, "setup", func(f *flag.FlagSet) {
		f.BoolVar(&opts.DryRun, "dry-run", false, "")
		f.BoolVar(&opts.Yes, "yes", false, "")
		f.BoolVar(&opts.Undo, "undo", false, "")
		f.BoolVar(&opts.Purge, "purge", false, "")
		f.BoolVar(&opts.Portable, "portable", false, "")
		f.StringVar(&opts.Settings, "settings", "", "")
		f.StringVar(&opts.Bin, "bin", "", "")
		f.IntVar(&opts.Refresh, "refresh", 0, "")
		f.StringVar(&guards, "guards", "", "")
	})
	if !ok {
		return code
	}
	if len(rest) > 0 {
		return wrongWords(p, fmt.Sprintf("setup takes no %q; `ctxguard help setup` shows its words", rest[0]))
	}
	if opts.Refresh < 0 {
		return wrongWords(p, "setup: --refresh takes a number of seconds")
	}
	if guards != "" {
		chosen, err := setup.ParseGuards(guards)
		if err != nil {
			return wrongWords(p, "setup: "+err.Error())
		}
		opts.Guards = chosen
	}
	byModel := dispatch.ByModel(p.getenv)
	if byModel && !opts.Yes && !opts.DryRun {
		fmt.Fprintln(p.stderr, "ctxguard: setup is for the person to decide; nothing was changed. If they said so, run it again with --yes: they will be told")
		return exitNeedsYes
	}
	sys, err := setupSystem(p)
	if err != nil {
		return fail(p, err)
	}
	changed, err := setup.Run(sys, opts)
	if err != nil {
		return failSetup(p, err)
	}
	if changed && byModel && !opts.Purge {
		return recordSetup(p, opts)
	}
	return exitDone
}

// setupSystem is what setup and doctor get from outside.
func setupSystem(p process) (setup.System, error) {
	program, err := os.Executable()
	if err != nil {
		return setup.System{}, fmt.Errorf("find this program: %w", err)
	}
	cwd, err := os.Getwd()
	if err != nil {
		return setup.System{}, fmt.Errorf("find the current folder: %w", err)
	}
	out, isFile := p.stdout.(*os.File)
	terminal := isFile && term.IsTerminal(int(p.stdin.Fd())) && term.IsTerminal(int(out.Fd()))
	return setup.System{
		Getenv: p.getenv, Environ: p.environ, Now: p.started, CWD: cwd, Program: program,
		Managed: setup.Managed(runtime.GOOS), Stdin: p.stdin, Stdout: p.stdout,
		Terminal: terminal, Colour: terminal && p.getenv("NO_COLOR") == "",
	}, nil
}

func failSetup(p process, err error) int {
	code := fail(p, err)
	var notUnderstood *setup.NotUnderstood
	switch {
	case errors.As(err, &notUnderstood):
		return exitNotTouched
	case errors.Is(err, setup.ErrNeedsYes):
		return exitNeedsYes
	case errors.Is(err, setup.ErrWords):
		return exitWrongWords
	}
	return code
}

// recordSetup leaves a trace for the person of what was done from inside a session.
func recordSetup(p process, opts setup.Options) int {
	home, ok := seam.Locate(p.getenv)
	if !ok {
		return exitDone
	}
	text := "from inside a session: ctxguard was set up"
	if opts.Undo {
		text = "from inside a session: ctxguard's setup was taken back"
	}
	if err := dispatch.RecordChange(home, p.getenv, p.started, "setup", text); err != nil {
		return fail(p, err)
	}
	return exitDone
}
