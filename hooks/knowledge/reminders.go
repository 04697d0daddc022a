package knowledge

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/hooks/knowledge/questions"
)

// notification is how a prompt begins that the client wrote itself, when a
// background task ended (facts 0.18).
const notification = "<task-notification>"

// reminders brings the project's questions to mind. It never decides and
// remembers nothing (Q1).
type reminders struct {
	cfg     config.Reminders
	project string
}

// needsPayload reports whether the prompt's text has to be known: not without
// something to look for in it, and something to say then.
func (r reminders) needsPayload(e hooks.Envelope) bool {
	if e.Name != hooks.UserPromptSubmit || len(r.cfg.Triggers) == 0 {
		return false
	}
	path, ok := config.WithinProject(r.project, r.cfg.File)
	if !ok {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func (r reminders) decide(ev *hooks.Event, _ *hooks.Memory) (hooks.Answer, hooks.Change) {
	switch {
	case r.project == "":
		return silent("Q2", "there is no project"), nil
	case ev.Name == hooks.SessionStart:
		return r.atStart(ev), nil
	case ev.Name == hooks.UserPromptSubmit:
		return r.onPrompt(ev), nil
	}
	return silent("Q1", "neither a start nor a prompt"), nil
}

func (r reminders) atStart(ev *hooks.Event) hooks.Answer {
	if ev.Source == "compact" {
		return silent("Q3", "after a compaction nothing is said")
	}
	all, err := questions.Read(r.project, r.cfg.File)
	if err != nil {
		return r.unread(err)
	}
	chosen := questions.InSections(all, r.cfg.AtStart)
	if len(chosen) == 0 {
		return silent("Q3", "no question stands in the sections of at_start")
	}
	return hooks.Answer{Context: startText(r.cfg.File, r.cfg.AtStart, chosen), Rule: "Q3", Why: counted(len(chosen), "question")}
}

func (r reminders) onPrompt(ev *hooks.Event) hooks.Answer {
	if len(r.cfg.Triggers) == 0 {
		return silent("Q4", "there are no triggers")
	}
	prompt := gjson.GetBytes(ev.Payload, "prompt")
	if prompt.Type != gjson.String {
		return silent("Q4", "there is no prompt to look at")
	}
	if strings.HasPrefix(prompt.Str, notification) {
		return silent("Q4", "the prompt is the client's own")
	}
	triggers := touched(prompt.Str, r.cfg.Triggers)
	if len(triggers) == 0 {
		return silent("Q4", "no trigger's phrase is in the prompt")
	}
	all, err := questions.Read(r.project, r.cfg.File)
	if err != nil {
		return r.unread(err)
	}
	chosen := questions.Triggered(questions.InSections(all, r.cfg.OnPrompt), triggers)
	if len(chosen) == 0 {
		return silent("Q5", "the triggers match no question in the sections of on_prompt")
	}
	return hooks.Answer{Context: promptText(r.cfg.File, chosen), Rule: "Q4", Why: counted(len(chosen), "question")}
}

// unread is silence about a questions file that could not be read. That there is
// none is nothing to log.
func (r reminders) unread(err error) hooks.Answer {
	if errors.Is(err, fs.ErrNotExist) {
		return silent("Q2", "there is no questions file")
	}
	answer := silent("Q1", "the questions file cannot be read")
	answer.Effect = func() error { return err }
	return answer
}

// touched are the triggers one of whose phrases is in the prompt, in their order.
func touched(prompt string, triggers []config.Trigger) []config.Trigger {
	prompt = strings.ToLower(prompt)
	var found []config.Trigger
	for _, t := range triggers {
		if slices.ContainsFunc(t.When, func(phrase string) bool {
			// A phrase of nothing would be in every prompt.
			return strings.TrimSpace(phrase) != "" && strings.Contains(prompt, strings.ToLower(phrase))
		}) {
			found = append(found, t)
		}
	}
	return found
}
