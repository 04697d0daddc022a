package dispatch

import (
	"encoding/json"
	"slices"
	"time"

	"ctxguard/statusline/seam"
)

// Decisions reads decisions.jsonl with its older generation, oldest first. Lines
// that are not understood are passed over.
func Decisions(home seam.Home) ([]Decided, error) {
	lines, err := home.Lines(DecisionsFile)
	if err != nil {
		return nil, err
	}
	all := []Decided{}
	for _, line := range lines {
		var d Decided
		if json.Unmarshal(line, &d) == nil && d.Guard != "" {
			all = append(all, d)
		}
	}
	return all, nil
}

// Tally is what one guard did over a list of decisions.
type Tally struct {
	Guard string `json:"guard"`
	// Spoke counts texts without a decision, Allowed calls let through with
	// another input, Blocked denials and blocks.
	Spoke   int `json:"spoke"`
	Allowed int `json:"allowed"`
	Blocked int `json:"blocked"`
	// Obeyed counts the blocks after which the guard did not block the same
	// session again within ten minutes.
	Obeyed int `json:"obeyed"`
	// MedianMilliseconds and MaxMilliseconds are what the guard took when it did
	// not keep silent.
	MedianMilliseconds float64 `json:"median_milliseconds"`
	MaxMilliseconds    float64 `json:"max_milliseconds"`
}

// obeyedAfter is how long a guard must not have had to block again.
const obeyedAfter = 10 * time.Minute

// Summarise tallies decisions by guard, in the order of their first appearance.
func Summarise(decisions []Decided) []Tally {
	tallies := []Tally{}
	took := make(map[string][]float64)
	for i, d := range decisions {
		at := slices.IndexFunc(tallies, func(t Tally) bool { return t.Guard == d.Guard })
		if at < 0 {
			at = len(tallies)
			tallies = append(tallies, Tally{Guard: d.Guard})
		}
		t := &tallies[at]
		switch {
		case d.blocks():
			t.Blocked++
			if !blocksAgain(d, decisions[i+1:]) {
				t.Obeyed++
			}
		case d.Decision == "allow":
			t.Allowed++
		default:
			t.Spoke++
		}
		took[d.Guard] = append(took[d.Guard], d.Milliseconds)
	}
	for i := range tallies {
		times := took[tallies[i].Guard]
		slices.Sort(times)
		tallies[i].MedianMilliseconds = times[len(times)/2]
		tallies[i].MaxMilliseconds = times[len(times)-1]
	}
	return tallies
}

func (d Decided) blocks() bool { return d.Decision == "deny" || d.Decision == "block" }

// blocksAgain reports whether the next thing that the guard did in that session
// was to block again, soon.
func blocksAgain(d Decided, later []Decided) bool {
	for _, next := range later {
		if next.Guard != d.Guard || next.Session != d.Session {
			continue
		}
		first, err1 := time.Parse(seam.TimeLayout, d.Time)
		second, err2 := time.Parse(seam.TimeLayout, next.Time)
		return next.blocks() && err1 == nil && err2 == nil && second.Sub(first) < obeyedAfter
	}
	return false
}
