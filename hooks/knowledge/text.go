package knowledge

import (
	"fmt"
	"strconv"
	"strings"

	"ctxguard/hooks/knowledge/questions"
)

// The texts state facts first, then what can be done next. What comes from a
// project's file is introduced as this project's.

const (
	// longestName bounds a path in a sentence, in characters.
	longestName = 200
	// mostNamed is how many changed files are named (C6).
	mostNamed = 5
)

func startText(file string, sections []string, found []questions.Question) string {
	return fmt.Sprintf("This project keeps its questions in %s. Not settled yet, under %s there and in the project's own words "+
		"(work that hangs on one of them needs its answer first, which the person can give; an answered one moves to Answered):\n%s",
		questions.OneLine(file, longestName), questions.OneLine(strings.Join(sections, ", "), longestName), listed(found))
}

func promptText(file string, found []questions.Question) string {
	return fmt.Sprintf("The prompt touches questions that this project keeps in %s. They are not settled yet; in the project's own words "+
		"(where the prompt answers one, it can move to Answered with the answer; where the work hangs on one, the person can be asked):\n%s",
		questions.OneLine(file, longestName), listed(found))
}

func listed(found []questions.Question) string {
	lines := make([]string, 0, len(found))
	for _, q := range found {
		lines = append(lines, "- "+q.Text)
	}
	return strings.Join(lines, "\n")
}

// loss is why what is not written down will soon be gone.
type loss string

const (
	noLoss    loss = ""
	dumbZone  loss = "This conversation is in the dumb zone"
	compacted loss = "This conversation was compacted"
)

// instruction is what the model reads when the end of its turn is refused (C6).
func instruction(dir string, changed []string, l loss) string {
	dir = questions.OneLine(dir, longestName)
	parts := []string{
		fmt.Sprintf("This turn changed files of this project, and nothing was recorded under %s, where the project keeps what was learned. Changed: %s.",
			dir, named(changed)),
	}
	if l != noLoss {
		parts = append(parts, string(l)+": what is not written down is about to be lost.")
	}
	parts = append(parts, fmt.Sprintf("Next: add to a file under %s what a later session would otherwise have to find out again, such as a decision with its reason, "+
		"a cause, or a dead end. One line is enough. If there is nothing to record, say that in one sentence and end the turn; it is not held back again for this prompt.", dir))
	return strings.Join(parts, "\n")
}

// named lists the first files and counts the rest.
func named(paths []string) string {
	names := make([]string, 0, mostNamed)
	for _, p := range paths[:min(len(paths), mostNamed)] {
		names = append(names, questions.OneLine(p, longestName))
	}
	text := strings.Join(names, ", ")
	if more := len(paths) - mostNamed; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
