package question

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
)

// Value is what a person prefers for one question (P2).
type Value string

// The preferences.
const (
	AlwaysAsk        Value = "always-ask"
	NeverAsk         Value = "never-ask"
	AskOnlyForOneWay Value = "ask-only-for-one-way"
)

// Values lists the preferences that there are.
func Values() []Value { return []Value{AlwaysAsk, NeverAsk, AskOnlyForOneWay} }

const maxPreferences = 4 << 20

// ErrNotUnderstood says that preferences.json is not in the form that P2 gives.
// It is left alone then.
var ErrNotUnderstood = errors.New("it is not understood and was left alone")

// Preferences is preferences.json:
//
//	{"global": {ID: VALUE}, "projects": {PROJECT ROOT: {ID: VALUE}}}
//
// Other keys, and values that are none of the three, are kept as they are.
type Preferences struct {
	global   map[string]json.RawMessage
	projects map[string]map[string]json.RawMessage
	others   map[string]json.RawMessage
}

// PreferencesPath is where they are kept.
func PreferencesPath(home seam.Home) string { return home.Path("preferences.json") }

// ReadPreferences reads the file; without one there are no preferences.
func ReadPreferences(home seam.Home) (Preferences, error) {
	path := PreferencesPath(home)
	raw, err := seam.ReadFile(path, maxPreferences)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(raw) == 0 {
		return Preferences{}, nil
	}
	if err != nil {
		return Preferences{}, err
	}
	p, err := decodePreferences([]byte(strings.TrimPrefix(string(raw), "\ufeff")))
	if err != nil {
		return Preferences{}, fmt.Errorf("%s: %w: %w", path, ErrNotUnderstood, err)
	}
	return p, nil
}

func decodePreferences(raw []byte) (Preferences, error) {
	var p Preferences
	if err := json.Unmarshal(raw, &p.others); err != nil {
		return Preferences{}, err
	}
	if p.others == nil {
		return Preferences{}, errors.New("it holds no JSON object")
	}
	if part, ok := p.others["global"]; ok {
		if err := json.Unmarshal(part, &p.global); err != nil {
			return Preferences{}, fmt.Errorf("global: %w", err)
		}
	}
	if part, ok := p.others["projects"]; ok {
		if err := json.Unmarshal(part, &p.projects); err != nil {
			return Preferences{}, fmt.Errorf("projects: %w", err)
		}
	}
	delete(p.others, "global")
	delete(p.others, "projects")
	return p, nil
}

func (p Preferences) encode() ([]byte, error) {
	all := make(map[string]any, len(p.others)+2)
	for key, value := range p.others {
		all[key] = value
	}
	all["global"] = p.global
	if p.global == nil {
		all["global"] = map[string]any{}
	}
	all["projects"] = p.projects
	if p.projects == nil {
		all["projects"] = map[string]any{}
	}
	raw, err := json.MarshalIndent(all, "", "  ")
	return append(raw, '\n'), err
}

// For is the preference that holds for a question in a project: the project's
// own, else that of the nearest folder above it that has one, else the global
// one; empty when there is none. A session may have been started below the
// folder that the preference was set for.
func (p Preferences) For(project, id string) Value {
	if project != "" {
		for _, dir := range foldersUp(project) {
			if v, ok := lookUp(p.projects[dir], id); ok {
				return v
			}
		}
	}
	v, _ := lookUp(p.global, id)
	return v
}

// foldersUp lists a project's folder and those above it, as it is named and as
// it is with its links followed.
func foldersUp(project string) []string {
	var dirs []string
	names := []string{filepath.Clean(project)}
	if real, err := filepath.EvalSymlinks(project); err == nil && real != names[0] {
		names = append(names, real)
	}
	for _, dir := range names {
		for ; ; dir = filepath.Dir(dir) {
			dirs = append(dirs, dir)
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return dirs
}

// lookUp finds an id whatever its letter case, and a value that is one of the
// three.
func lookUp(values map[string]json.RawMessage, id string) (Value, bool) {
	keys := []string{id}
	for key := range values {
		if key != id && strings.EqualFold(key, id) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys[1:])
	for _, key := range keys {
		var v Value
		if json.Unmarshal(values[key], &v) == nil && slices.Contains(Values(), v) {
			return v, true
		}
	}
	return "", false
}

// Set stores a preference, for one project, or for all when project is empty.
func (p *Preferences) Set(project, id string, value Value) {
	p.Clear(project, id)
	raw, _ := json.Marshal(value) // a string always has a JSON form
	if project == "" {
		if p.global == nil {
			p.global = make(map[string]json.RawMessage)
		}
		p.global[id] = raw
		return
	}
	if p.projects == nil {
		p.projects = make(map[string]map[string]json.RawMessage)
	}
	if p.projects[project] == nil {
		p.projects[project] = make(map[string]json.RawMessage)
	}
	p.projects[project][id] = raw
}

// Clear removes a preference and reports whether there was one.
func (p *Preferences) Clear(project, id string) bool {
	values := p.global
	if project != "" {
		values = p.projects[project]
	}
	found := false
	for key := range values {
		if strings.EqualFold(key, id) {
			delete(values, key)
			found = true
		}
	}
	if project != "" && len(values) == 0 {
		delete(p.projects, project)
	}
	return found
}

// Entry is one stored preference.
type Entry struct {
	// Project is the project's root, empty for a global preference.
	Project string `json:"project,omitempty"`
	ID      string `json:"id"`
	Value   Value  `json:"value"`
	// Inert says why the preference never answers a question; empty when it can.
	Inert string `json:"inert,omitempty"`
}

// Entries lists what is stored, global preferences first, with what the registry
// makes of them.
func (p Preferences) Entries(cfg config.Preference) []Entry {
	var entries []Entry
	add := func(project string, values map[string]json.RawMessage) {
		for id, raw := range values {
			var v Value
			if json.Unmarshal(raw, &v) != nil {
				v = Value(raw)
			}
			entries = append(entries, Entry{Project: project, ID: id, Value: v, Inert: inert(cfg, id, v)})
		}
	}
	add("", p.global)
	for project, values := range p.projects {
		add(project, values)
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		return strings.Compare(a.Project+"\x00"+a.ID, b.Project+"\x00"+b.ID)
	})
	return entries
}

func inert(cfg config.Preference, id string, v Value) string {
	id = strings.ToLower(id)
	switch {
	case !slices.Contains(Values(), v):
		return "it is none of always-ask, never-ask and ask-only-for-one-way"
	case !ValidID(id):
		return "no question can have this id"
	case v == AlwaysAsk:
		return ""
	case strings.Contains(id, alwaysAskedPart):
		return "ids with " + alwaysAskedPart + " in them are always asked"
	case cfg.Registry[id] == config.OneWay:
		return "the registry calls it a one-way door, and those are always asked"
	}
	return ""
}

// CheckPreference says why a preference may not be stored (P11), nil when it may.
func CheckPreference(cfg config.Preference, id string, value Value) error {
	if !ValidID(id) {
		return fmt.Errorf("%q cannot be the id of a question: letters, digits and dashes, 1 to %d of them", id, longestID)
	}
	if !slices.Contains(Values(), value) {
		return fmt.Errorf("%q is none of %s, %s and %s", value, AlwaysAsk, NeverAsk, AskOnlyForOneWay)
	}
	if why := inert(cfg, id, value); why != "" {
		return fmt.Errorf("%s cannot be %s: %s", strings.ToLower(id), value, why)
	}
	return nil
}

// ChangePreferences reads the file, changes it and puts it in its place, one
// process at a time.
func ChangePreferences(home seam.Home, change func(*Preferences)) error {
	unlock, ok := home.LockFor("preferences.json")
	if !ok {
		return fmt.Errorf("%s is in use by another process; try again", PreferencesPath(home))
	}
	defer unlock()
	p, err := ReadPreferences(home)
	if err != nil {
		return err
	}
	change(&p)
	raw, err := p.encode()
	if err != nil {
		return err
	}
	return seam.Save(PreferencesPath(home), raw)
}
