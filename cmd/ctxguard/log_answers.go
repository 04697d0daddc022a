package main

import (
	"fmt"

	"ctxguard/hooks/question"
	"ctxguard/statusline/printable"
	"ctxguard/statusline/seam"
)

func listAnswers(home seam.Home, summary bool) (listing, error) {
	records, err := question.Records(home)
	if err != nil {
		return listing{}, err
	}
	l := listing{none: "nothing was asked yet"}
	if summary {
		questions := question.Summarise(records)
		l.json = struct {
			Version   int              `json:"version"`
			Questions []question.Tally `json:"questions"`
		}{jsonVersion, questions}
		l.columns = "QUESTION\tASKED\tFOLLOWED\tOWN WORDS\tUNANSWERED\tDECIDED FOR YOU\tSUMMARY"
		for _, t := range questions {
			l.row("%s\t%d\t%s\t%d\t%d\t%d\t%s",
				printable.Line(t.QuestionID), t.Asked, ofCompared(t), t.OwnWords, t.Unanswered, t.Decided, short(t.Summary))
		}
		return l, nil
	}
	l.json = struct {
		Version int               `json:"version"`
		Answers []question.Record `json:"answers"`
	}{jsonVersion, records}
	l.columns = "TIME\tSESSION\tQUESTION\tANSWER\tRECOMMENDED\tSOURCE\tSUMMARY"
	for _, r := range records {
		l.row("%s\t%.8s\t%s\t%s\t%s\t%s\t%s",
			printable.Line(r.Time), printable.Line(r.SessionID), printable.Line(r.QuestionID), short(r.Choice), short(r.Recommended), printable.Line(r.Source), short(r.Summary))
	}
	return l, nil
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
	runes := []rune(printable.Line(s))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}
