// Package questions reads a project's questions file: a page of Markdown whose
// headings name sections and whose list items are the questions.
//
// It knows the file and the triggers that name questions in it; when which of
// them is said to whom belongs to the guards of package knowledge.
package questions

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
)

const (
	// maxFile bounds the questions file, in bytes: nobody keeps a megabyte of open
	// questions.
	maxFile = 1 << 20
	// longest bounds one question, in characters.
	longest = 1000
)

var (
	// ErrLeadsOut says that the file, or a link on the way to it, lies outside of
	// the project.
	ErrLeadsOut = errors.New("the questions file is not inside the project")
	// ErrNotText says that the file holds something other than UTF-8 text.
	ErrNotText = errors.New("the questions file is not text")
)

// Question is one item of the questions file.
type Question struct {
	// Section is the first word of the heading above it, in lower case; "" above
	// the first heading.
	Section string
	// Text is the item with its continuation lines, in one line.
	Text string
}

// Read reads the questions file, which is named relative to the project's root.
// A file that does not exist is fs.ErrNotExist.
func Read(project, file string) ([]Question, error) {
	path, ok := config.WithinProject(project, file)
	if !ok {
		return nil, ErrLeadsOut
	}
	raw, err := seam.ReadFile(path, maxFile)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(raw) || bytes.IndexByte(raw, 0) >= 0 {
		return nil, ErrNotText
	}
	return Parse(string(raw)), nil
}

// InSections are the questions of those sections, in the file's order.
func InSections(all []Question, sections []string) []Question {
	wanted := make([]string, 0, len(sections))
	for _, s := range sections {
		if word := firstWord(s); word != "" {
			wanted = append(wanted, word)
		}
	}
	var chosen []Question
	for _, q := range all {
		if slices.Contains(wanted, q.Section) {
			chosen = append(chosen, q)
		}
	}
	return chosen
}

// Triggered are the questions that those triggers name: in the order of the
// triggers, then of the lines, none twice (Q4).
func Triggered(all []Question, triggers []config.Trigger) []Question {
	var chosen []Question
	for _, t := range triggers {
		for _, q := range all {
			if matches(t, q) && !slices.ContainsFunc(chosen, func(c Question) bool { return c.Text == q.Text }) {
				chosen = append(chosen, q)
			}
		}
	}
	return chosen
}

func matches(t config.Trigger, q Question) bool {
	return t.Question != "" && strings.Contains(q.Text, t.Question)
}

// Dead are the triggers that match no question of the project with that root
// (Q5): what they are for was answered, renamed or moved. A project without a
// questions file is fs.ErrNotExist.
func Dead(cfg config.Reminders, project string) ([]config.Trigger, error) {
	all, err := Read(project, cfg.File)
	if err != nil {
		return nil, err
	}
	all = InSections(all, cfg.OnPrompt)
	var dead []config.Trigger
	for _, t := range cfg.Triggers {
		if !slices.ContainsFunc(all, func(q Question) bool { return matches(t, q) }) {
			dead = append(dead, t)
		}
	}
	return dead, nil
}

// OneLine makes text of a project fit to stand in a sentence of ours: no line
// ends and no characters that steer a terminal or hide, blanks joined, at most
// most characters.
func OneLine(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\ufeff':
			return -1
		}
		return r
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	count := 0
	for i := range text {
		if count == most {
			return text[:i] + "…"
		}
		count++
	}
	return text
}
