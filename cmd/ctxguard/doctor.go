package main

import (
	"flag"
	"fmt"

	"ctxguard/setup/doctor"
)

func runDoctor(p process) int {
	var asJSON, quiet bool
	var settings string
	rest, code, ok := words(p, "doctor", func(f *flag.FlagSet) {
		f.BoolVar(&asJSON, "json", false, "")
		f.BoolVar(&quiet, "quiet", false, "")
		f.StringVar(&settings, "settings", "", "")
	})
	if !ok {
		return code
	}
	if len(rest) > 0 {
		return wrongWords(p, fmt.Sprintf("doctor takes no %q; `ctxguard help doctor` shows its words", rest[0]))
	}
	sys, err := setupSystem(p)
	if err != nil {
		return fail(p, err)
	}
	report := doctor.Examine(sys, settings)
	switch {
	case quiet:
	case asJSON:
		err = report.PrintJSON(p.stdout)
	default:
		err = report.Print(p.stdout, sys.Colour)
	}
	if err != nil {
		return fail(p, err)
	}
	if !report.Healthy() {
		return exitFailed
	}
	return exitDone
}
