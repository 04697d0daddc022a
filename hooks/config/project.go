package config

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp/syntax"
	"slices"
	"strings"
)

const (
	projectFile = ".ctxguard.toml"
	notAllowed  = "cannot be set by a project's file; it is ignored"

	// maxProject is less than the person's own file may have: hooks read the file of
	// whatever project they run in, and have a second for everything.
	maxProject = 64 << 10
	// So its lists are bounded, and its patterns, of which a short one can stand for
	// a program of millions of steps: what takes longer than that second would switch
	// off the person's own guards.
	mostTexts     = 100
	mostTriggers  = 50
	mostPhrases   = 20
	mostPatterns  = 20
	longestOf     = 200
	largestRepeat = 1000
)

// ApplyProject adds what a project's .ctxguard.toml may decide to cfg: more
// reminders, more required fields and domains of a brief, more tools and
// folders of capture, one-way questions, and switching capture, brief and
// structure on. Anything else in it is noticed and changes nothing.
func ApplyProject(cfg Config, data []byte) (Config, []Notice) {
	var notices []Notice
	if len(data) > maxProject {
		text := fmt.Sprintf("%s is larger than %d KiB; nothing in it holds", projectFile, maxProject>>10)
		return cfg, []Notice{{Key: projectFile + ":size", Text: text}}
	}
	values, ok := decode(projectFile, data, &notices)
	if !ok {
		return cfg, notices
	}
	root := newTable(projectFile, values, &notices)
	each := func(name string, read func(table)) {
		if sub, ok := root.sub(name); ok {
			read(sub)
			sub.rest(notAllowed)
		}
	}
	each("reminders", func(t table) {
		readInsidePath(t, "file", &cfg.Reminders.File)
		cfg.Reminders.Triggers = append(slices.Clone(cfg.Reminders.Triggers), boundedTriggers(t)...)
	})
	each("capture", func(t table) {
		cfg.Capture.ProjectWants = true
		switchOn(t, &cfg.Capture.Enabled)
		readInsidePath(t, "dir", &cfg.Capture.Dir)
		add(t, "tools", &cfg.Capture.Tools)
		add(t, "ignore", &cfg.Capture.Ignore)
	})
	each("brief", func(t table) {
		switchOn(t, &cfg.Brief.Enabled)
		before := len(cfg.Brief.Required)
		add(t, "required", &cfg.Brief.Required)
		cfg.Brief.ProjectRequired = append([]string(nil), cfg.Brief.Required[before:]...)
		left := mostPatterns
		affordable := func(pattern string) bool {
			left--
			return left >= 0 && modest(pattern)
		}
		for _, d := range t.list("domain") {
			if domain, ok := readDomain(d, affordable); ok {
				cfg.Brief.ProjectDomains = append(cfg.Brief.ProjectDomains, domain)
			}
		}
	})
	each("structure", func(t table) { switchOn(t, &cfg.Structure.Enabled) })
	each("preference", func(t table) { addOneWay(t, &cfg.Preference) })
	root.rest(notAllowed)
	return cfg, notices
}

// switchOn lets a project switch a guard on for itself, never off.
func switchOn(t table, enabled *bool) {
	v, ok := t.take("enabled")
	if !ok {
		return
	}
	if v != true {
		t.notice("enabled", "can only be true in a project's file; it is ignored")
		return
	}
	*enabled = true
}

// add appends a project's texts to the person's; it never removes any.
func add(t table, key string, into *[]string) {
	var more []string
	t.texts(key, &more)
	if len(more) > mostTexts {
		t.notice(key, "holds more than %d texts in a project's file; the first ones count", mostTexts)
		more = more[:mostTexts]
	}
	list := slices.Clone(*into)
	for _, s := range more {
		if !contains(list, s) {
			list = append(list, s)
		}
	}
	*into = list
}

// boundedTriggers are the first of the project's triggers, and of their phrases.
func boundedTriggers(t table) []Trigger {
	triggers := readTriggers(t, true)
	if len(triggers) > mostTriggers {
		t.notice("trigger", "is there more than %d times in a project's file; the first ones count", mostTriggers)
		triggers = triggers[:mostTriggers]
	}
	for i := range triggers {
		if when := triggers[i].When; len(when) > mostPhrases {
			t.notice("trigger", "holds more than %d phrases in a project's file; the first ones count", mostPhrases)
			triggers[i].When = when[:mostPhrases]
		}
	}
	return triggers
}

// modest reports whether a pattern costs little to compile, so far as it is one.
func modest(pattern string) bool {
	if len(pattern) > longestOf {
		return false
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	return err != nil || weight(parsed) <= largestRepeat
}

// weight is how many times over the parts of a pattern stand for themselves.
func weight(re *syntax.Regexp) int {
	sum := 1
	for _, sub := range re.Sub {
		sum = min(sum+weight(sub), largestRepeat+1)
	}
	if re.Op == syntax.OpRepeat {
		sum = min(sum*max(re.Min, re.Max, 1), largestRepeat+1)
	}
	return sum
}

func addOneWay(t table, into *Preference) {
	registry, ok := t.sub("registry")
	if !ok {
		return
	}
	merged := make(map[string]Door, len(into.Registry))
	for id, door := range into.Registry {
		merged[id] = door
	}
	for _, id := range sortedKeys(registry.values) {
		door, ok := readDoor(registry, id)
		if ok && door != OneWay {
			registry.notice(id, `can only be "one-way" in a project's file; it is ignored`)
			continue
		}
		if ok {
			merged[strings.ToLower(id)] = OneWay
		}
	}
	into.Registry = merged
}

// readInsidePath reads a path that has to stay below the project's root.
func readInsidePath(t table, key string, into *string) {
	path := *into
	t.word(key, &path)
	if path == *into {
		return
	}
	if !insidePath(path) {
		t.notice(key, "is not a relative path below the project's root; %q holds", *into)
		return
	}
	*into = path
}

// insidePath reports whether path is relative, leads nowhere upwards and is not
// the root itself. Backslashes are taken for slashes on every system.
func insidePath(path string) bool {
	path = strings.ReplaceAll(path, `\`, "/")
	for _, part := range strings.Split(path, "/") {
		if part == ".." {
			return false
		}
	}
	local := filepath.FromSlash(path)
	return filepath.IsLocal(local) && filepath.Clean(local) != "."
}

// WithinProject gives the absolute path of rel below root, or false when it
// leads out of root or to root itself once every symbolic link is followed. What
// does not exist yet is judged by the nearest folder that does.
func WithinProject(root, rel string) (string, bool) {
	if root == "" || !insidePath(rel) {
		return "", false
	}
	path := filepath.Join(root, filepath.FromSlash(strings.ReplaceAll(rel, `\`, "/")))
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", false
	}
	for at := path; ; at = filepath.Dir(at) {
		resolved, err := filepath.EvalSymlinks(at)
		if os.IsNotExist(err) && at != root && at != filepath.Dir(at) {
			if _, err := os.Lstat(at); err == nil {
				return "", false // a link to nothing could be made to lead anywhere
			}
			continue
		}
		if err != nil {
			return "", false
		}
		below, err := filepath.Rel(realRoot, resolved)
		if err != nil || !filepath.IsLocal(below) || below == "." && at == path {
			return "", false
		}
		return path, true
	}
}
