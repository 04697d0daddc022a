package question

import (
	"fmt"
	"strings"

	"ctxguard/hooks/config"
)

// Rules is the page for a model that wants to pass the guards at the first try,
// as Markdown. It is made from what the guards themselves go by (R1), and says
// nothing of guards that are off.
func Rules(cfg config.Config) string {
	parts := []string{"# Working with ctxguard\n\nctxguard watches a few moments of a session. This is what it looks for."}
	if cfg.Ask.Enabled {
		parts = append(parts, askRules(cfg.Ask))
	}
	if cfg.Preference.Enabled {
		parts = append(parts, preferenceRules())
	}
	if cfg.Brief.Enabled {
		parts = append(parts, briefRules(cfg.Brief))
	}
	if cfg.Capture.Enabled && cfg.Capture.ProjectWants {
		parts = append(parts, captureRules(cfg.Capture))
	}
	return strings.Join(append(parts, refusalRules()), "\n\n") + "\n"
}

func askRules(cfg config.Ask) string {
	var b strings.Builder
	b.WriteString("## Questions to the person\n\n" + onScreen + " So a question carries its own context.\n\n")
	fmt.Fprintf(&b, "- The payload holds %s.\n", wellMade)
	if cfg.MinChars > 0 {
		fmt.Fprintf(&b, "- After tool calls in the same turn, the question texts, option descriptions and previews together have at least %d characters, "+
			"unless as much plain text was written to the person in that turn.\n", cfg.MinChars)
	}
	b.WriteString("- A question that was interrupted, dismissed or answered in the person's own words is not put again unchanged.\n")
	b.WriteString("- Question texts and descriptions do not point at what is not on the screen. These phrases are held back, in any letter case " +
		"(a bar separates alternatives, brackets hold what may be missing):\n")
	for line := range strings.Lines(strings.TrimSpace(pointing)) {
		b.WriteString("  - `" + strings.TrimSpace(line) + "`\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func preferenceRules() string {
	return "## Questions that come up again and again\n\n" +
		"A question that the person may want to switch off carries a marker in its text, `" + MarkerForm + "` " +
		"(letters, digits and dashes, always the same id for the same decision), and one option whose label ends in `" + recommendedMark + "`. " +
		"Where the person prefers not to be asked, the recommended option stands, and the next message says so. " +
		"What is destructive or hard to take back is always asked."
}

func briefRules(cfg config.Brief) string {
	fields := make([]string, len(cfg.Required))
	for i, f := range cfg.Required {
		fields[i] = "`" + f + "`"
	}
	return "## Briefs for subagents\n\nThe prompt of a subagent has these fields: " + list(fields) + "."
}

func captureRules(cfg config.Capture) string {
	return "## Recording what was learned\n\nA turn that changed files leaves a record under `" + strings.TrimSuffix(cfg.Dir, "/") + "/`; one line is enough."
}

func refusalRules() string {
	return "## After a refusal\n\nA refusal says what was found and what the next step is. The call can be made again at once, changed accordingly; " +
		"the same call again meets the same refusal."
}
