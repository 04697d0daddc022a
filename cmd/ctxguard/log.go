package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"
	"text/tabwriter"

	"ctxguard/hooks/dispatch"
	"ctxguard/statusline/printable"
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
	var list func(seam.Home, bool) (listing, error)
	switch strings.Join(rest, " ") {
	case "decisions":
		list = listDecisions
	case "answers":
		list = listAnswers
	default:
		return wrongWords(p, "log takes the word decisions or answers; `ctxguard help log` shows its words")
	}
	listed, err := list(home, summary)
	if err != nil {
		return fail(p, err)
	}
	if asJSON {
		return printJSON(p, listed.json)
	}
	return listed.print(p)
}

// listing is what a log or its summary holds, for a program and for a person.
type listing struct {
	json any
	// none is said in place of a table without rows.
	none string
	// columns and rows are text in which tabs part the cells.
	columns string
	rows    []string
}

func (l *listing) row(format string, cells ...any) {
	l.rows = append(l.rows, fmt.Sprintf(format, cells...))
}

func (l *listing) print(p process) int {
	if len(l.rows) == 0 {
		fmt.Fprintln(p.stdout, l.none)
		return exitDone
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, l.columns)
	for _, row := range l.rows {
		fmt.Fprintln(table, row)
	}
	if err := table.Flush(); err != nil {
		return fail(p, err)
	}
	return exitDone
}

func listDecisions(home seam.Home, summary bool) (listing, error) {
	decisions, err := dispatch.Decisions(home)
	if err != nil {
		return listing{}, err
	}
	l := listing{none: "nothing was decided yet"}
	if summary {
		guards := dispatch.Summarise(decisions)
		l.json = struct {
			Version int              `json:"version"`
			Guards  []dispatch.Tally `json:"guards"`
		}{jsonVersion, guards}
		l.columns = "GUARD\tSPOKE\tALLOWED\tBLOCKED\tOBEYED\tMEDIAN MS\tMAX MS"
		for _, t := range guards {
			l.row("%s\t%d\t%d\t%d\t%d\t%.1f\t%.1f",
				printable.Line(t.Guard), t.Spoke, t.Allowed, t.Blocked, t.Obeyed, t.MedianMilliseconds, t.MaxMilliseconds)
		}
		return l, nil
	}
	l.json = struct {
		Version   int                `json:"version"`
		Decisions []dispatch.Decided `json:"decisions"`
	}{jsonVersion, decisions}
	l.columns = "TIME\tSESSION\tEVENT\tGUARD\tDECISION\tZONE\tMS\tREASON"
	for _, d := range decisions {
		l.row("%s\t%.8s\t%s\t%s\t%s\t%s\t%.1f\t%s",
			printable.Line(d.Time), printable.Line(d.Session), printable.Line(d.Event), printable.Line(d.Guard),
			printable.Line(d.Decision), printable.Line(d.Zone), d.Milliseconds, printable.Line(d.Reason))
	}
	return l, nil
}

func printJSON(p process, value any) int {
	raw, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fail(p, err)
	}
	fmt.Fprintf(p.stdout, "%s\n", printable.JSON(raw))
	return exitDone
}
