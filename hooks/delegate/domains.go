package delegate

import (
	"regexp"
	"strings"

	"ctxguard/hooks/config"
)

// domain is a kind of work, with the advice that goes along with it.
type domain struct {
	config.Domain
	project bool // its text is the project's, not ours or the person's
}

// domains gives the built-in ones or the machine's, and the project's after them.
func domains(cfg config.Brief) []domain {
	own := cfg.Domains
	if own == nil {
		own = builtInDomains()
	}
	var list []domain
	for _, d := range own {
		list = append(list, domain{d, false})
	}
	for _, d := range cfg.ProjectDomains {
		list = append(list, domain{d, true})
	}
	return list
}

func builtInDomains() []config.Domain {
	return []config.Domain{
		{
			Name: "development",
			Patterns: []string{
				`\b(implement|refactor)(s|ed|ing)?\b`, `\bfix(es|ed|ing)? (the|a) bug\b`,
				`\b(function|module|endpoint)s?\b`, `\bclass(es)?\b`,
			},
			NeedsStructure: true,
			Summary: `- Read the code around a change before making it, and who calls it; make the smallest change that reaches the goal.
- Follow the names, layers and habits of the files beside it. No second way of doing what the project already does.
- Build and run the tests that cover the change. Report the commands and what they printed.
- Say what was left undone and what you were not sure of.`,
		},
		{
			Name: "testing",
			Patterns: []string{
				`\b(unit|integration|regression) tests?\b`, `\btest suites?\b`, `\bpytest\b`, `\bgo test\b`,
			},
			NeedsStructure: true,
			Summary: `- One test shows one behaviour, by its name and by what it asserts. See it fail without the code that it is for.
- Go through what the code offers to others; leave its inside free to change.
- No test hangs on another one, on the order, the clock or the network.
- Report the command, how many tests ran, and every failure word for word.`,
		},
		{
			Name: "writing",
			Patterns: []string{
				`\bprose\b`, `\bdocumentation\b`, `\brelease notes\b`, `\bminutes\b`,
			},
			Summary: `- Write for a named reader, and begin with what that reader has to know or do.
- Check each statement about the code against the code. Leave out what you could not check, and say so.
- Short plain sentences, one thought each; the same word for the same thing.`,
		},
	}
}

// matching gives the domains that the prompt belongs to (B3). A pattern that is
// no regular expression matches nothing; the configuration has noticed it.
func matching(prompt string, all []domain) []domain {
	var found []domain
	for _, d := range all {
		for _, pattern := range d.Patterns {
			re, err := regexp.Compile("(?i)" + pattern)
			if err == nil && re.MatchString(prompt) {
				found = append(found, d)
				break
			}
		}
	}
	return found
}

// block is one part of what a brief carries.
type block struct {
	// key is what the memory knows it by, title what the reason calls it.
	key, title string
	text       string
	project    bool
	// file is the outlined file's key in the ledger, empty for other blocks.
	file string
}

// kind is the block's title without a path, for the log of decisions.
func (b block) kind() string {
	if b.file != "" {
		return "module context"
	}
	return b.title
}

// maxSummary bounds a project's text: it is somebody else's.
const maxSummary = 2000

// block gives the domain's advice (B3). Note is what has to be said besides.
func (d domain) block(note string) block {
	name := shorten(strings.Join(strings.Fields(d.Name), " "), maxField)
	text := "## " + strings.ToUpper(name) + " METHODOLOGY (applies to this task)\n"
	summary := strings.TrimSpace(d.Summary)
	key := "methodology:" + name
	if d.project {
		text += "(From this project's .ctxguard.toml.)\n"
		summary = shorten(summary, maxSummary)
		key = "project-" + key
	}
	text += summary
	if note != "" {
		text += "\n" + note
	}
	return block{key: key, title: name + " methodology", text: strings.TrimSpace(text), project: d.project}
}

func shorten(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}
