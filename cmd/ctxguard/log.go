package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"
	"text/tabwriter"
	"unicode"

	"ctxguard/hooks/dispatch"
	"ctxguard/statusline/seam"
)

var errNoHome = errors.New("no home: set HOME, CLAUDE_CONFIG_DIR or CTXGUARD_HOME to an absolute path")

// jsonVersion is the version of what --json prints.
const jsonVersion = 1

func runLog(p process) int {
	var asJSON, summary bool
	rest, code, ok := words(p, "log", func(f *flag.FlagSet) {
		f.BoolVar(&asJSON, "json", false, "")
		f.BoolVar(&summary, "summary", false, "")
	})
	if !ok {
		return code
	}
	home, located := seam.Locate(p.getenv)
	if !located {
		return fail(p, errNoHome)
	}
	switch strings.Join(rest, " ") {
	case "decisions":
		return logDecisions(p, home, asJSON, summary)
	case "answers":
		return logAnswers(p, home, asJSON, summary)
	}
	return wrongWords(p, "log takes the word decisions or answers; `ctxguard help log` shows its words")
}

func logDecisions(p process, home seam.Home, asJSON, summary bool) int {
	decisions, err := dispatch.Decisions(home)
	if err != nil {
		return fail(p, err)
	}
	switch {
	case asJSON && summary:
		return printJSON(p, struct {
			Version int              `json:"version"`
			Guards  []dispatch.Tally `json:"guards"`
		}{jsonVersion, dispatch.Summarise(decisions)})
	case asJSON:
		return printJSON(p, struct {
			Version   int                `json:"version"`
			Decisions []dispatch.Decided `json:"decisions"`
		}{jsonVersion, decisions})
	case len(decisions) == 0:
		fmt.Fprintln(p.stdout, "nothing was decided yet")
		return exitDone
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	if summary {
		fmt.Fprintln(table, "GUARD\tSPOKE\tALLOWED\tBLOCKED\tOBEYED\tMEDIAN MS\tMAX MS")
		for _, t := range dispatch.Summarise(decisions) {
			fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%.1f\t%.1f\n",
				t.Guard, t.Spoke, t.Allowed, t.Blocked, t.Obeyed, t.MedianMilliseconds, t.MaxMilliseconds)
		}
	} else {
		fmt.Fprintln(table, "TIME\tSESSION\tEVENT\tGUARD\tDECISION\tZONE\tMS\tREASON")
		for _, d := range decisions {
			fmt.Fprintf(table, "%s\t%.8s\t%s\t%s\t%s\t%s\t%.1f\t%s\n",
				printable(d.Time), printable(d.Session), printable(d.Event), printable(d.Guard),
				printable(d.Decision), printable(d.Zone), d.Milliseconds, printable(d.Reason))
		}
	}
	if err := table.Flush(); err != nil {
		return fail(p, err)
	}
	return exitDone
}

// printable takes out what could move a terminal's cursor: the log is a file that
// anybody may have written to.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, s)
}

func printJSON(p process, value any) int {
	raw, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fail(p, err)
	}
	fmt.Fprintf(p.stdout, "%s\n", raw)
	return exitDone
}
