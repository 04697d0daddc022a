package dispatch

import (
	"slices"
	"strconv"
	"strings"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/hooks/registry"
)

// noticesSection keeps the keys of the notices that a session was told.
const noticesSection = "notices"

const mostNotices = 5

// notices tells the operator, once in a session and only where a prompt or a
// start makes them look, what in their files was not understood.
func (e *engine) notices(ev *hooks.Event) []hooks.Part {
	if ev.Name != hooks.SessionStart && ev.Name != hooks.UserPromptSubmit {
		return nil
	}
	pending := e.pendingNotices(ev)
	if len(pending) == 0 || !ev.HasSession || !e.understood.Config.Hooks.Enabled || ev.InSubagent() {
		return nil
	}
	if environment := config.OffByEnvironment(e.sys.Getenv); environment.Covers(config.All, e.sys.Now) {
		return nil
	}
	if len(untold(e.memory(ev), pending)) == 0 {
		return nil
	}
	answer := e.commit(noticesSection, ev, func(mem *hooks.Memory) hooks.Answer {
		news := untold(mem, pending)
		var told []string
		mem.Recall(noticesSection, &told)
		for _, n := range news {
			told = append(told, n.Key)
		}
		if err := mem.Remember(noticesSection, told); err != nil {
			return hooks.Answer{Why: err.Error()}
		}
		return hooks.Answer{Operator: tellNotices(news)}
	})
	if answer.Operator == "" {
		return nil
	}
	return []hooks.Part{{Guard: noticesSection, Answer: answer}}
}

// pendingNotices are those of the configuration, and at a session's start that the
// settings do not call every guard that is on (S12).
func (e *engine) pendingNotices(ev *hooks.Event) []config.Notice {
	pending := e.understood.Notices
	if ev.Name != hooks.SessionStart {
		return pending
	}
	registered, known := registry.Read(e.home)
	if !known {
		return pending
	}
	if lack := registered.Lacks(e.understood.Config); lack != "" {
		text := "Claude Code's settings do not fit the configuration: " + lack + "; `ctxguard setup` brings them together"
		if lack = registered.Lacks(e.machine()); lack == "" {
			text += ", once the guard is switched on in ctxguard.toml as well"
		}
		pending = append(slices.Clip(pending), config.Notice{Key: "registration", Text: text})
	}
	return pending
}

// machine is what the person's own file says, without the project's.
func (e *engine) machine() config.Config {
	return config.Loader{Home: e.home, Now: e.sys.Now, Frozen: true}.Load().Config
}

func untold(mem *hooks.Memory, notices []config.Notice) []config.Notice {
	var told []string
	mem.Recall(noticesSection, &told)
	return slices.DeleteFunc(slices.Clone(notices), func(n config.Notice) bool {
		return slices.Contains(told, n.Key)
	})
}

func tellNotices(notices []config.Notice) string {
	if len(notices) == 0 {
		return ""
	}
	lines := []string{"ctxguard noticed in the configuration (`ctxguard doctor` checks all of it):"}
	for _, n := range notices[:min(len(notices), mostNotices)] {
		lines = append(lines, "- "+n.Text)
	}
	if more := len(notices) - mostNotices; more > 0 {
		lines = append(lines, "- "+strconv.Itoa(more)+" more")
	}
	return strings.Join(lines, "\n")
}
