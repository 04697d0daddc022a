package setup

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/hooks/registry"
)

// guardGroups are the words for several guards at once.
func guardGroups() map[string][]string {
	return map[string][]string{
		"zone":      {hooks.GuardCrossing, hooks.GuardCompact, hooks.GuardGate},
		"questions": {hooks.GuardAsk, hooks.GuardPreference, hooks.GuardAnswers, hooks.GuardFallback},
		"delegate":  {hooks.GuardBrief, hooks.GuardStructure},
		"knowledge": {hooks.GuardReminders, hooks.GuardCapture},
		"all":       hooks.GuardNames(),
		"none":      {},
	}
}

// GuardGroups are the names of the groups that ParseGuards knows, in order.
func GuardGroups() []string { return slices.Sorted(maps.Keys(guardGroups())) }

// ParseGuards reads a comma list of guards and groups of guards.
func ParseGuards(list string) ([]string, error) {
	chosen := []string{}
	for word := range strings.SplitSeq(list, ",") {
		word = strings.TrimSpace(word)
		group, ok := guardGroups()[word]
		if !ok && slices.Contains(hooks.GuardNames(), word) {
			group, ok = []string{word}, true
		}
		if !ok {
			return nil, fmt.Errorf("%w: there is no guard %q; there are zone, questions, delegate, knowledge, all, none, and %s",
				ErrWords, word, strings.Join(hooks.GuardNames(), ", "))
		}
		chosen = append(chosen, group...)
	}
	return chosen, nil
}

// chooseGuards switches the chosen guards on in ctxguard.toml and all others off.
// A guard that already is as it should be is not touched.
func chooseGuards(text string, chosen []string) (string, error) {
	for _, guard := range hooks.GuardNames() {
		want := slices.Contains(chosen, guard)
		cfg, notices := config.ParseMachine([]byte(text))
		if len(notices) > 0 && notices[0].Key == "ctxguard.toml:toml" {
			return "", fmt.Errorf("%s", notices[0].Text)
		}
		cfg.Hooks.Enabled = true
		if registry.IsOn(cfg, guard) != want {
			text = setKey(text, guard, "enabled", fmt.Sprint(want))
		}
	}
	cfg, _ := config.ParseMachine([]byte(text))
	cfg.Hooks.Enabled = true
	for _, guard := range hooks.GuardNames() {
		if registry.IsOn(cfg, guard) != slices.Contains(chosen, guard) {
			return "", fmt.Errorf("[%s] is written in a way that setup cannot change", guard)
		}
	}
	return text, nil
}

// setKey sets a key in a table of a TOML text and leaves every other byte: in the
// line that has it, else in the commented line that shows its default, else in a
// new one. The caller checks the result by decoding it.
func setKey(text, table, key, value string) string {
	eol := "\n"
	if strings.Contains(text, "\r\n") {
		eol = "\r\n"
	}
	lines := strings.SplitAfter(text, "\n")
	head := slices.IndexFunc(lines, func(line string) bool { return headerOf(line) == table })
	if head < 0 {
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += eol
		}
		return text + eol + "[" + table + "]" + eol + key + " = " + value + eol
	}
	commented := -1
	for i := head + 1; i < len(lines) && headerOf(lines[i]) == ""; i++ {
		name, rest, _ := strings.Cut(lines[i], "=")
		switch strings.TrimSpace(name) {
		case key:
			lines[i] = name + "= " + value + comment(rest) + ending(lines[i])
			return strings.Join(lines, "")
		case "#" + key:
			commented = i
		}
	}
	if commented >= 0 {
		_, rest, _ := strings.Cut(lines[commented], "=")
		lines[commented] = key + " = " + value + comment(rest) + ending(lines[commented])
		return strings.Join(lines, "")
	}
	if !strings.HasSuffix(lines[head], "\n") {
		lines[head] += eol
	}
	return strings.Join(slices.Insert(lines, head+1, key+" = "+value+eol), "")
}

// headerOf is the name of the table that a line begins, "" for another line.
func headerOf(line string) string {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "[") {
		return ""
	}
	name, _, _ := strings.Cut(line[1:], "]")
	return strings.TrimSpace(name)
}

// comment is the remark behind a value that holds no # itself.
func comment(rest string) string {
	if at := strings.IndexByte(rest, '#'); at >= 0 && !strings.ContainsAny(rest[:at], `"'`) {
		return " " + strings.TrimSpace(rest[at:])
	}
	return ""
}

func ending(line string) string { return line[len(strings.TrimRight(line, "\r\n")):] }
