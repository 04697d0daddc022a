package delegate

import (
	"regexp"
	"slices"
	"strings"

	"ctxguard/hooks/config"
)

// markerLine begins what an extended brief carries; a brief that has it already
// is passed on as it is (B1).
const (
	markerLine = "=== WORKFLOW METHODOLOGY"
	opening    = markerLine + " — CARRIED INTO THIS TASK ==="
	closing    = "=== END CARRIED CONTEXT ==="
)

func redelegated(prompt string) bool {
	for line := range strings.Lines(prompt) {
		if strings.HasPrefix(strings.TrimSpace(line), markerLine) {
			return true
		}
	}
	return false
}

// maxField bounds the name of a required field: longer ones are not names.
const maxField = 60

// field is one required part of a brief.
type field struct {
	name    string // upper or lower case as configured, with its colon
	find    *regexp.Regexp
	project bool
}

// fields gives the required fields, with how to find them: any letter case, with
// marks of emphasis around the name or the colon (B2).
func fields(cfg config.Brief) []field {
	var list []field
	for _, name := range cfg.Required {
		if f, ok := newField(name); ok {
			f.project = slices.Contains(cfg.ProjectRequired, name)
			list = append(list, f)
		}
	}
	return list
}

func newField(name string) (field, bool) {
	words := strings.Fields(strings.TrimSuffix(strings.TrimSpace(name), ":"))
	bare := strings.Join(words, " ")
	if bare == "" || len(bare) > maxField || strings.ContainsFunc(bare, func(r rune) bool { return r < ' ' }) {
		return field{}, false
	}
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	find, err := regexp.Compile(`(?i)` + strings.Join(words, `\s+`) + `[*_]*\s?[*_]*:`)
	if err != nil {
		return field{}, false
	}
	return field{name: bare + ":", find: find}, true
}

// missing gives the required fields that the prompt does not have, in order.
func missing(prompt string, required []field) []field {
	var gone []field
	for _, f := range required {
		if !f.find.MatchString(prompt) {
			gone = append(gone, f)
		}
	}
	return gone
}

// denial tells the model what is missing and gives the template (B2).
func denial(gone, required []field) string {
	var b strings.Builder
	b.WriteString("This brief has no " + fieldNames(gone) + ". A subagent starts with nothing of this conversation: what the brief does not say, it does not know. ")
	b.WriteString("Next: send the same call again with a prompt that has every field of this template, in any order:\n\n")
	for _, f := range required {
		b.WriteString(f.name + " " + hint(f) + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func fieldNames(list []field) string {
	names := make([]string, len(list))
	for i, f := range list {
		names[i] = f.name
	}
	return strings.Join(names, ", ")
}

func hint(f field) string {
	if f.project {
		return "(asked for by this project's .ctxguard.toml)"
	}
	switch strings.ToUpper(f.name) {
	case "GOAL:":
		return "what is to be true afterwards, and why it is wanted"
	case "FILES:":
		return "the paths to read and to change, from the project's root"
	case "CONSTRAINTS:":
		return "what must stay as it is, what was decided already, what not to do"
	case "DONE WHEN:":
		return "how to tell that the work is finished"
	case "VERIFY:":
		return "the commands that show it, and what they are to print"
	}
	return "…"
}
