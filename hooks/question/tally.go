package question

import (
	"encoding/json"
	"slices"

	"ctxguard/statusline/seam"
)

// Records reads answers.jsonl with its older generation, oldest first. Lines
// that are not understood are passed over.
func Records(home seam.Home) ([]Record, error) {
	lines, err := home.Lines(AnswersFile)
	if err != nil {
		return nil, err
	}
	all := []Record{}
	for _, line := range lines {
		var r Record
		if json.Unmarshal(line, &r) == nil && r.QuestionID != "" {
			all = append(all, r)
		}
	}
	return all, nil
}

// Tally is what became of one question over time.
type Tally struct {
	QuestionID string `json:"question_id"`
	// Summary is the newest wording.
	Summary string `json:"question_summary"`
	// Asked counts how often the question reached the person, Decided how often a
	// stored preference answered it instead.
	Asked   int `json:"asked"`
	Decided int `json:"decided"`
	// Compared counts the answers of the person for which there was a
	// recommendation, Followed those that took it.
	Compared int `json:"compared"`
	Followed int `json:"followed"`
	// OwnWords counts answers in free text or with notes, Unanswered those that
	// came back empty.
	OwnWords   int    `json:"own_words"`
	Unanswered int    `json:"unanswered"`
	Last       string `json:"last"`
}

// Summarise tallies records by question, the most frequent first.
func Summarise(records []Record) []Tally {
	tallies := []Tally{}
	for _, r := range records {
		at := slices.IndexFunc(tallies, func(t Tally) bool { return t.QuestionID == r.QuestionID })
		if at < 0 {
			at = len(tallies)
			tallies = append(tallies, Tally{QuestionID: r.QuestionID})
		}
		tallies[at].add(r)
	}
	slices.SortStableFunc(tallies, func(a, b Tally) int {
		return b.Asked + b.Decided - a.Asked - a.Decided
	})
	return tallies
}

func (t *Tally) add(r Record) {
	t.Summary, t.Last = r.Summary, r.Time
	if r.Source == SourceAutoDecided {
		t.Decided++
		return
	}
	t.Asked++
	if r.Followed != nil {
		t.Compared++
		if *r.Followed {
			t.Followed++
		}
	}
	if r.Source == SourceOther {
		t.OwnWords++
	}
	if r.Choice == noChoice {
		t.Unanswered++
	}
}
