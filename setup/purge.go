package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ctxguard/hooks"
	"ctxguard/statusline/seam"
)

// purge removes what ctxguard keeps, and the home when nothing else is in it. A
// variable may have named a folder that the person uses for other things, with a bin
// and a README of its own: so no folder is removed with whatever is in it, only
// files of ours, and then what is empty.
func purge(sys System, home seam.Home) error {
	for _, kept := range keptIn(home) {
		if err := kept.remove(home); err != nil {
			return fmt.Errorf("--purge: %w", err)
		}
	}
	if left, err := os.ReadDir(home.Dir()); err == nil && len(left) > 0 {
		fmt.Fprintf(sys.Stdout, "%s stays, because %s is not ctxguard's.\n", home.Dir(), left[0].Name())
		return nil
	}
	if err := os.Remove(home.Dir()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--purge: %w", err)
	}
	fmt.Fprintln(sys.Stdout, "Done. Nothing of ctxguard is left.")
	return nil
}

// kept is what ctxguard keeps in one folder of the home.
type kept struct {
	folder string
	ours   func(name string) bool
}

// keptIn lists folders before those that they lie in. The sessions are told by what
// is in context, which therefore comes last of the three.
func keptIn(home seam.Home) []kept {
	session := func(suffixes ...string) func(string) bool {
		return func(name string) bool {
			for _, suffix := range suffixes {
				if id, ok := strings.CutSuffix(name, suffix); ok && home.Knows(id) {
					return true
				}
			}
			return false
		}
	}
	return []kept{
		{"history", session(".jsonl", ".jsonl.1")},
		{"state", session(".json")},
		{"context", session(".json", ".compacted")},
		{"cache/outline", func(name string) bool {
			kind, sum, ok := strings.Cut(name, "-")
			return ok && slices.Contains([]string{"shape", "render", "imports", "warming"}, kind) && isHex(sum, 32)
		}},
		{"cache", func(name string) bool {
			sum, ok := strings.CutPrefix(strings.TrimSuffix(name, ".json"), "config-")
			return name == "pruned" || ok && isHex(sum, len(sum))
		}},
		{"seen", func(name string) bool {
			_, ok := hooks.RowOf(hooks.EventName(name))
			return ok || name == "gate-mode"
		}},
		{"locks", func(name string) bool { return name == "setup" || isHex(name, 2) }},
		{backupDir, func(name string) bool {
			return strings.HasPrefix(name, "settings-") && strings.HasSuffix(name, ".json") ||
				strings.HasPrefix(name, "rules-") && strings.HasSuffix(name, ".md")
		}},
		{"bin", func(name string) bool {
			return slices.Contains([]string{"ctxguard", "ctxguard.exe", "ctxguard.exe.old", "ctxguard.exe.older"}, name)
		}},
		{".", func(name string) bool { return oursAtTheTop(home, name) }},
	}
}

// remove takes away the regular files that are ours, and the folder when nothing is
// left in it. A link in the folder's place is taken away, and what it leads to stays.
func (k kept) remove(home seam.Home) error {
	dir := home.Path(k.folder)
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0 && k.folder != ".":
		return os.Remove(dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	left := 0
	for _, e := range entries {
		if !e.IsDir() && (k.ours(e.Name()) || strings.HasPrefix(e.Name(), ".ctxguard-tmp-")) {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		left++
	}
	if left > 0 || k.folder == "." {
		return nil
	}
	return os.Remove(dir)
}

// oursAtTheTop knows our files by their names, and by what is in them where others
// use such a name too.
func oursAtTheTop(home seam.Home, name string) bool {
	holds := func(test func(raw []byte) bool) bool {
		raw, err := seam.ReadFile(home.Path(name), maxSettings)
		return err == nil && test(raw)
	}
	switch name {
	case "zones.toml", "ctxguard.toml", "answers.jsonl", "answers.jsonl.1", "decisions.jsonl", "decisions.jsonl.1",
		"owed.jsonl", "owed.jsonl.told", "ctxguard.log", "ctxguard.log.1":
		return true
	case "README":
		return holds(func(raw []byte) bool { return bytes.HasPrefix(raw, []byte(readme[:strings.IndexByte(readme, ':')])) })
	case "setup.json":
		return holds(func(raw []byte) bool { return hasKeys(raw, "version", "files") })
	case "off.json":
		return holds(func(raw []byte) bool { return hasKeys(raw, "off") })
	case "preferences.json":
		return holds(func(raw []byte) bool { return hasKeys(raw, "global", "projects") })
	}
	return false
}

// hasKeys reports whether raw is an object that has all of these keys.
func hasKeys(raw []byte, keys ...string) bool {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		return false
	}
	for _, key := range keys {
		if _, ok := object[key]; !ok {
			return false
		}
	}
	return true
}

func isHex(s string, length int) bool {
	return len(s) == length && length > 0 && strings.Trim(s, "0123456789abcdef") == ""
}
