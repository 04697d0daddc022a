// Package knowledge holds the guards that keep what a project knows alive:
// reminders brings its open questions to mind, at the start of a session and
// when a prompt touches one; capture refuses, once, the end of a turn that
// changed files and recorded nothing.
//
// It reads the project's questions and knowledge folder, always through
// config.WithinProject, and writes nothing at all. How a transcript is read
// belongs to package transcript, which guards run to package config.
package knowledge

import (
	"ctxguard/hooks"
	"ctxguard/hooks/config"
)

// Guards gives this page's guards, by the configuration, for the project with
// that root; "" is no project, where both are silent.
func Guards(cfg config.Config, project string) []hooks.Guard {
	reminders := reminders{cfg: cfg.Reminders, project: project}
	return []hooks.Guard{
		{Name: hooks.GuardReminders, NeedsPayload: reminders.needsPayload, Decide: reminders.decide},
		{Name: hooks.GuardCapture, NeedsPayload: isStop, Decide: capture{cfg.Capture}.decide},
	}
}

func isStop(e hooks.Envelope) bool { return e.Name == hooks.Stop }

// silent is an answer that says nothing but why, for who wants it explained.
func silent(rule, why string) hooks.Answer { return hooks.Answer{Rule: rule, Why: why} }
