package main

import (
	"fmt"
	"text/tabwriter"

	"ctxguard/hooks/question"
	"ctxguard/statusline/seam"
)

func logAnswers(p process, home seam.Home, asJSON, summary bool) int {
	records, err := question.Records(home)
	if err != nil {
		return fail(p, err)
	}
	switch {
	case asJSON && summary:
		return printJSON(p, struct {
			Version   int              `json:"version"`
			Questions []question.Tally `json:"questions"`
		}{jsonVersion, question.Summarise(records)})
	case asJSON:
		return printJSON(p, struct {
			Version int               `json:"version"`
			Answers []question.Record `json:"answers"`
		}{jsonVersion, records})
	case len(records) == 0:
		fmt.Fprintln(p.stdout, "nothing was asked yet")
		return exitDone
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	if summary {
		fmt.Fprintln(table, "QUESTION\tASKED\tFOLLOWED\tOWN WORDS\tUNANSWERED\tDECIDED FOR YOU\tSUMMARY")
		for _, t := range question.Summarise(records) {
			fmt.Fprintf(table, "%s\t%d\t%s\t%d\t%d\t%d\t%s\n",
				printable(t.QuestionID), t.Asked, ofCompared(t), t.OwnWords, t.Unanswered, t.Decided, short(t.Summary))
		}
	} else {
		fmt.Fprintln(table, "TIME\tSESSION\tQUESTION\tANSWER\tRECOMMENDED\tSOURCE\tSUMMARY")
		for _, r := range records {
			fmt.Fprintf(table, "%s\t%.8s\t%s\t%s\t%s\t%s\t%s\n",
				printable(r.Time), printable(r.SessionID), printable(r.QuestionID), short(r.Choice), short(r.Recommended), printable(r.Source), short(r.Summary))
		}
	}
	if err := table.Flush(); err != nil {
		return fail(p, err)
	}
	return exitDone
}

// ofCompared is how often the recommendation was followed, of how often there
// was one.
func ofCompared(t question.Tally) string {
	if t.Compared == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d", t.Followed, t.Compared)
}

// short keeps a table's column narrow; --json has the whole text.
func short(s string) string {
	const most = 60
	runes := []rune(printable(s))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}
