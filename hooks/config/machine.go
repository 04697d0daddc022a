package config

import (
	"errors"
	"regexp/syntax"
	"strings"

	"github.com/BurntSushi/toml"

	"ctxguard/zones/boundedtoml"
)

const (
	machineFile = "ctxguard.toml"
	unknownKey  = "is not a key that ctxguard knows; it is ignored"
)

// ParseMachine reads the bytes of ctxguard.toml over the defaults. A file that
// is not TOML gives the defaults and one notice.
func ParseMachine(data []byte) (Config, []Notice) {
	cfg := Default()
	var notices []Notice
	values, ok := decode(machineFile, data, &notices)
	if !ok {
		return cfg, notices
	}
	root := newTable(machineFile, values, &notices)
	each := func(name string, read func(table)) {
		if sub, ok := root.sub(name); ok {
			read(sub)
			sub.rest(unknownKey)
		}
	}
	each("hooks", func(t table) { t.boolean("enabled", &cfg.Hooks.Enabled) })
	each("statusline", func(t table) { readShow(t, &cfg.Statusline) })
	each("seam", func(t table) { t.texts("mirror", &cfg.Seam.Mirror) })
	each("history", func(t table) { t.boolean("enabled", &cfg.History.Enabled) })
	each("crossing", func(t table) {
		t.boolean("enabled", &cfg.Crossing.Enabled)
		t.word("menu", &cfg.Crossing.Menu, "both", "operator")
		t.word("router", &cfg.Crossing.Router)
	})
	each("compact", func(t table) {
		t.boolean("enabled", &cfg.Compact.Enabled)
		t.boolean("counts_as_dumb", &cfg.Compact.CountsAsDumb)
	})
	each("gate", func(t table) { readGate(t, &cfg.Gate) })
	each("ask", func(t table) {
		t.boolean("enabled", &cfg.Ask.Enabled)
		t.whole("min_chars", &cfg.Ask.MinChars, 0)
	})
	each("preference", func(t table) { readPreference(t, &cfg.Preference) })
	each("answers", func(t table) { t.boolean("enabled", &cfg.Answers.Enabled) })
	each("fallback", func(t table) { t.boolean("enabled", &cfg.Fallback.Enabled) })
	each("brief", func(t table) { readBrief(t, &cfg.Brief) })
	each("structure", func(t table) { readStructure(t, &cfg.Structure) })
	each("reminders", func(t table) { readReminders(t, &cfg.Reminders) })
	each("capture", func(t table) {
		t.boolean("enabled", &cfg.Capture.Enabled)
		readInsidePath(t, "dir", &cfg.Capture.Dir)
		t.texts("ignore", &cfg.Capture.Ignore)
		t.texts("tools", &cfg.Capture.Tools)
	})
	root.rest(unknownKey)
	return cfg, notices
}

// decode turns TOML into a tree. A byte order mark is survived.
func decode(file string, data []byte, notices *[]Notice) (map[string]any, bool) {
	var values map[string]any
	_, err := boundedtoml.Decode(string(data), &values)
	if err == nil {
		return values, true
	}
	text := file + ": " + err.Error()
	if at := new(toml.ParseError); errors.As(err, at) {
		text = file + ": " + strings.TrimPrefix(at.Error(), "toml: ")
	}
	*notices = append(*notices, Notice{Key: file + ":toml", Text: escaped(text) + "; the defaults hold for all of it"})
	return nil, false
}

func readShow(t table, into *Statusline) {
	show := into.Show
	t.texts("show", &show)
	known := Default().Statusline.Show
	kept := make([]string, 0, len(show))
	for _, part := range show {
		if !contains(known, part) {
			t.notice("show", "names %q, which is none of %s; it is left out", part, strings.Join(known, ", "))
			continue
		}
		kept = append(kept, part)
	}
	into.Show = kept
}

func contains(list []string, s string) bool {
	for _, item := range list {
		if item == s {
			return true
		}
	}
	return false
}

// readGate follows G1 for the mode and G5 for the grace.
func readGate(t table, into *Gate) {
	t.boolean("enabled", &into.Enabled)
	t.whole("grace_calls", &into.GraceCalls, 0)
	t.texts("tools", &into.Tools)
	t.texts("exempt_paths", &into.ExemptPaths)
	v, ok := t.take("mode")
	if !ok {
		return
	}
	switch mode, _ := v.(string); mode {
	case "advisory", "blocking":
		into.Mode = mode
	case "enforcing":
		into.Mode = "blocking"
		t.notice("mode", `"enforcing" is read as "blocking"`)
	default:
		into.Mode = "advisory"
		t.notice("mode", `is neither "advisory" nor "blocking"; the gate is advisory and does nothing`)
	}
}

func readPreference(t table, into *Preference) {
	t.boolean("enabled", &into.Enabled)
	t.word("answer", &into.Answer, "auto", "deny", "fill")
	readProse(t, into)
	registry, ok := t.sub("registry")
	if !ok {
		return
	}
	into.Registry = make(map[string]Door)
	for _, id := range sortedKeys(registry.values) {
		if door, ok := readDoor(registry, id); ok {
			into.Registry[strings.ToLower(id)] = door
		}
	}
}

// readProse takes true, false or "auto", as the file spells them.
func readProse(t table, into *Preference) {
	v, ok := t.take("prose")
	if !ok {
		return
	}
	switch v {
	case true, "true":
		into.Prose = "true"
	case false, "false":
		into.Prose = "false"
	case "auto":
		into.Prose = "auto"
	default:
		t.notice("prose", `is none of true, false, "auto"; %q holds`, into.Prose)
	}
}

func readDoor(registry table, id string) (Door, bool) {
	entry, ok := registry.sub(id)
	if !ok {
		return "", false
	}
	if !ValidQuestionID(id) {
		registry.notice(id, "is not an id of letters, digits and dashes; it is ignored")
		return "", false
	}
	var door string
	entry.word("door", &door, string(OneWay), string(TwoWay))
	entry.rest(unknownKey)
	return Door(door), door != ""
}

// ValidQuestionID reports whether id has the form of P1: letters, digits and
// dashes, 1 to 64.
func ValidQuestionID(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for _, c := range id {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

func readBrief(t table, into *Brief) {
	t.boolean("enabled", &into.Enabled)
	t.texts("required", &into.Required)
	t.word("repeat", &into.Repeat, "session", "agent")
	t.word("permission", &into.Permission, "allow", "ask")
	for _, d := range t.list("domain") {
		if domain, ok := readDomain(d, anyPattern); ok {
			into.Domains = append(into.Domains, domain)
		}
	}
}

// anyPattern lets the person's own file cost them what it wants.
func anyPattern(string) bool { return true }

func readDomain(t table, affordable func(pattern string) bool) (Domain, bool) {
	var d Domain
	t.word("name", &d.Name)
	t.texts("patterns", &d.Patterns)
	t.word("summary", &d.Summary)
	t.boolean("needs_structure", &d.NeedsStructure)
	t.rest(unknownKey)
	if strings.TrimSpace(d.Name) == "" || len(d.Patterns) == 0 {
		t.notice("name", "or patterns is missing; this domain is left out")
		return Domain{}, false
	}
	for _, pattern := range d.Patterns {
		if !affordable(pattern) {
			t.notice("patterns", "of %q are too long, too many or repeat too much; this domain is left out", d.Name)
			return Domain{}, false
		}
		// Understood, not compiled: that may take long, and is for those who match.
		if _, err := syntax.Parse("(?i)"+pattern, syntax.Perl); err != nil {
			t.notice("patterns", "of %q holds %q, which is no regular expression; this domain is left out", d.Name, pattern)
			return Domain{}, false
		}
	}
	return d, true
}

func readStructure(t table, into *Structure) {
	t.boolean("enabled", &into.Enabled)
	t.texts("command", &into.Command)
	t.texts("extensions", &into.Extensions)
	t.whole("edit_seconds", &into.EditSeconds, 1)
	t.whole("brief_seconds", &into.BriefSeconds, 1)
}

func readReminders(t table, into *Reminders) {
	t.boolean("enabled", &into.Enabled)
	readInsidePath(t, "file", &into.File)
	t.texts("at_start", &into.AtStart)
	t.texts("on_prompt", &into.OnPrompt)
	into.Triggers = append(into.Triggers, readTriggers(t, false)...)
}

func readTriggers(t table, fromProject bool) []Trigger {
	var triggers []Trigger
	for _, entry := range t.list("trigger") {
		trigger := Trigger{FromProject: fromProject}
		entry.texts("when", &trigger.When)
		entry.word("question", &trigger.Question)
		entry.rest(unknownKey)
		if len(trigger.When) == 0 || trigger.Question == "" {
			entry.notice("when", "or question is missing; this trigger is left out")
			continue
		}
		triggers = append(triggers, trigger)
	}
	return triggers
}
