package config_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/require"

	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
)

// requireTellable holds the notices to what may be shown to a person: one line
// each, and nothing that steers a terminal.
func requireTellable(t testing.TB, file string, notices []config.Notice) {
	t.Helper()
	for _, n := range notices {
		require.True(t, strings.HasPrefix(n.Key, file+":"), n.Key)
		for _, text := range []string{n.Key, n.Text} {
			require.False(t, strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }), "%q", text)
		}
	}
}

// decodeTree is what the decoder alone makes of the bytes; nil when they are not
// TOML, or long enough to take it long.
func decodeTree(data []byte) map[string]any {
	var tree map[string]any
	if len(data) > 4<<10 {
		return nil
	}
	if _, err := toml.Decode(strings.TrimPrefix(string(data), "\ufeff"), &tree); err != nil {
		return nil
	}
	return tree
}

func valueIn(tree map[string]any, table, key string) any {
	sub, _ := tree[table].(map[string]any)
	return sub[key]
}

func isBelow(path string) bool {
	path = strings.ReplaceAll(path, `\`, "/")
	return path != "" && !strings.HasPrefix(path, "/") && !slices.Contains(strings.Split(path, "/"), "..")
}

// FuzzParse: whatever the person's file holds, the configuration is one that the
// guards can work with, says what the decoder alone reads in the file, and survives
// the cache.
func FuzzParse(f *testing.F) {
	f.Add([]byte(config.Seed))
	f.Fuzz(func(t *testing.T, data []byte) {
		cfg, notices := config.ParseMachine(data)
		requireTellable(t, "ctxguard.toml", notices)
		require.Contains(t, []string{"advisory", "blocking"}, cfg.Gate.Mode)
		require.Contains(t, []string{"both", "operator"}, cfg.Crossing.Menu)
		require.Contains(t, []string{"auto", "deny", "fill"}, cfg.Preference.Answer)
		require.Contains(t, []string{"auto", "true", "false"}, cfg.Preference.Prose)
		require.Contains(t, []string{"session", "agent"}, cfg.Brief.Repeat)
		require.Contains(t, []string{"allow", "ask"}, cfg.Brief.Permission)
		require.Subset(t, config.Default().Statusline.Show, cfg.Statusline.Show)
		require.True(t, isBelow(cfg.Reminders.File) && isBelow(cfg.Capture.Dir))
		require.True(t, cfg.Gate.GraceCalls >= 0 && cfg.Ask.MinChars >= 0 && cfg.Structure.EditSeconds >= 1 && cfg.Structure.BriefSeconds >= 1)
		require.Empty(t, cfg.Brief.ProjectDomains)
		require.False(t, cfg.Capture.ProjectWants, "only a project wants that")
		for id := range cfg.Preference.Registry {
			require.True(t, config.ValidQuestionID(id) && id == strings.ToLower(id), id)
		}

		again, sameNotices := config.ParseMachine(data)
		require.Equal(t, cfg, again)
		require.Equal(t, notices, sameNotices, "told the same way each time")
		raw, err := json.Marshal(cfg)
		require.NoError(t, err)
		var kept config.Config
		require.NoError(t, json.Unmarshal(raw, &kept))
		require.Equal(t, cfg, kept)

		tree := decodeTree(data)
		if tree == nil || len(notices) > 0 && strings.HasSuffix(notices[0].Key, ":toml") {
			return
		}
		if enabled, ok := valueIn(tree, "hooks", "enabled").(bool); ok {
			require.Equal(t, enabled, cfg.Hooks.Enabled)
		}
		grace := config.Default().Gate.GraceCalls
		if n, ok := valueIn(tree, "gate", "grace_calls").(int64); ok && n >= 0 && n <= math.MaxInt32 {
			grace = int(n)
		}
		require.Equal(t, grace, cfg.Gate.GraceCalls)
		if router, ok := valueIn(tree, "crossing", "router").(string); ok {
			require.Equal(t, router, cfg.Crossing.Router)
		}
		for key, value := range tree {
			_, isTable := value.(map[string]any)
			known := slices.Contains([]string{"hooks", "statusline", "seam", "history", "crossing", "compact", "gate", "ask", "preference",
				"answers", "fallback", "brief", "structure", "reminders", "capture"}, key)
			if !known || !isTable {
				require.NotEmpty(t, notices, key)
			}
		}
	})
}

// FuzzProject: a project's file adds, and switches on what it may for itself.
// Whatever else it holds changes nothing.
func FuzzProject(f *testing.F) {
	f.Fuzz(func(t *testing.T, machine, project []byte) {
		base, _ := config.ParseMachine(machine)
		before, err := json.Marshal(base)
		require.NoError(t, err)
		got, notices := config.ApplyProject(base, project)
		requireTellable(t, ".ctxguard.toml", notices)
		after, err := json.Marshal(base)
		require.NoError(t, err)
		require.Equal(t, string(before), string(after), "the person's own configuration is another one")

		allowed := base
		allowed.Reminders.File, allowed.Reminders.Triggers = got.Reminders.File, got.Reminders.Triggers
		allowed.Capture = got.Capture
		allowed.Brief.Enabled, allowed.Brief.Required = got.Brief.Enabled, got.Brief.Required
		allowed.Brief.ProjectRequired, allowed.Brief.ProjectDomains = got.Brief.ProjectRequired, got.Brief.ProjectDomains
		allowed.Structure.Enabled = got.Structure.Enabled
		allowed.Preference.Registry = got.Preference.Registry
		require.Equal(t, allowed, got)

		require.True(t, got.Capture.Enabled || !base.Capture.Enabled)
		require.True(t, got.Brief.Enabled || !base.Brief.Enabled)
		require.True(t, got.Structure.Enabled || !base.Structure.Enabled)
		requireAddedTo(t, base.Capture.Tools, got.Capture.Tools)
		requireAddedTo(t, base.Capture.Ignore, got.Capture.Ignore)
		requireAddedTo(t, base.Brief.Required, got.Brief.Required)
		require.Equal(t, slices.Concat(base.Brief.Required, got.Brief.ProjectRequired), slices.Concat(got.Brief.Required), "known as the project's")
		require.True(t, isBelow(got.Reminders.File) && isBelow(got.Capture.Dir))
		own := len(base.Reminders.Triggers)
		require.Equal(t, slices.Concat(base.Reminders.Triggers), slices.Concat(got.Reminders.Triggers[:own]))
		for _, trigger := range got.Reminders.Triggers[own:] {
			require.True(t, trigger.FromProject)
		}
		for id, door := range got.Preference.Registry {
			require.True(t, door == config.OneWay || door == base.Preference.Registry[id], id)
		}
		for id := range base.Preference.Registry {
			require.Contains(t, got.Preference.Registry, id)
		}
	})
}

func requireAddedTo(t testing.TB, base, got []string) {
	t.Helper()
	require.GreaterOrEqual(t, len(got), len(base))
	require.Equal(t, slices.Concat(base), slices.Concat(got[:len(base)]))
}

// FuzzCache: a cache that is not whole, or is another's, costs time and changes
// nothing; what is believed has valid bands.
func FuzzCache(f *testing.F) {
	home := seam.At(f.TempDir())
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	machine := home.Path("ctxguard.toml")
	require.NoError(f, os.WriteFile(machine, []byte("[gate]\nmode = \"blocking\"\ngrace_calls = 3\n"), 0o600))
	require.NoError(f, os.Chtimes(machine, now.Add(-time.Hour), now.Add(-time.Hour)))
	loader := config.Loader{Home: home, Now: now}
	want := loader.Load()
	require.Equal(f, 3, want.Config.Gate.GraceCalls)
	caches, err := filepath.Glob(home.Path("cache/config-*.json"))
	require.NoError(f, err)
	require.Len(f, caches, 1)
	written, err := os.ReadFile(caches[0])
	require.NoError(f, err)
	head, body, _ := bytes.Cut(written, []byte("\n"))
	f.Add(true, body)
	loader.Frozen = true
	f.Fuzz(func(t *testing.T, headed bool, body []byte) {
		if headed {
			body = slices.Concat(head, []byte("\n"), body)
		}
		require.NoError(t, os.WriteFile(caches[0], body, 0o600))
		got := loader.Load()
		require.True(t, got.Bands.Valid())
		body, ours := bytes.CutPrefix(body, slices.Concat(head, []byte("\n")))
		var kept config.Understood
		if !ours || len(body) > 0 && (json.Unmarshal(body, &kept) != nil || !kept.Bands.Valid()) {
			require.Equal(t, want, got)
		}
	})
}

// FuzzOff: off.json says what encoding/json reads in it, or nothing is off; what
// is written can be read back; the variable names guards whatever their case.
func FuzzOff(f *testing.F) {
	home := seam.At(f.TempDir())
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	f.Fuzz(func(t *testing.T, raw []byte, variable string) {
		require.NoError(t, os.WriteFile(home.Path("off.json"), raw, 0o600))
		off, err := config.ReadOff(home)
		if err != nil {
			require.Nil(t, off)
			require.NotContains(t, err.Error(), "\n")
		}
		var file struct{ Off map[string]*string }
		if json.Unmarshal(raw, &file) == nil && err == nil {
			require.Len(t, off, len(file.Off))
			for name, text := range file.Off {
				until := time.Time{}
				if text != nil && *text != "" {
					var parseErr error
					until, parseErr = time.Parse(time.RFC3339, *text)
					require.NoError(t, parseErr)
				}
				require.Equal(t, until.IsZero() || now.Before(until), config.Off{name: off[name]}.Covers(name, now))
			}
		}
		inForce := off.InForce(now)
		for name := range off {
			_, left := inForce[name]
			require.Equal(t, config.Off{name: off[name]}.Covers(name, now), left)
		}
		if len(off) > 0 { // each writing waits for the disk
			requireKept(t, home, off)
		}

		environment := config.OffByEnvironment(func(string) string { return variable })
		gate := false
		for word := range strings.SplitSeq(variable, ",") {
			word = strings.TrimSpace(word)
			gate = gate || strings.EqualFold(word, "gate") || strings.EqualFold(word, "all")
		}
		require.Equal(t, gate, environment.Covers("gate", now))
	})
}

func requireKept(t testing.TB, home seam.Home, off config.Off) {
	t.Helper()
	require.NoError(t, config.WriteOff(home, off))
	back, err := config.ReadOff(home)
	require.NoError(t, err)
	require.Len(t, back, len(off))
	for name, until := range off {
		if until.UTC().Year() > 9999 {
			until = time.Time{}
		}
		require.WithinDuration(t, until, back[name], time.Second)
	}
}

// FuzzWithinProject: whatever path a file names, it leads below the project's
// root, also where links lead away, or nowhere; a project is found without asking
// for anything but files.
func FuzzWithinProject(f *testing.F) {
	around, err := filepath.EvalSymlinks(f.TempDir())
	require.NoError(f, err)
	root := filepath.Join(around, "project")
	require.NoError(f, os.MkdirAll(filepath.Join(root, "kb", "deep"), 0o700))
	require.NoError(f, os.MkdirAll(filepath.Join(around, "outside"), 0o700))
	links := os.Symlink(filepath.Join(around, "outside"), filepath.Join(root, "out")) == nil
	if links {
		require.NoError(f, os.Symlink(filepath.Join("..", "nowhere"), filepath.Join(root, "dangling")))
		require.NoError(f, os.Symlink("kb", filepath.Join(root, "in")))
		require.NoError(f, os.Symlink(".", filepath.Join(root, "self")))
	}
	f.Fuzz(func(t *testing.T, rel string) {
		got := config.FindProject(func(string) string { return "" }, rel)
		require.True(t, got == "" || filepath.IsAbs(got))
		path, ok := config.WithinProject(root, rel)
		if !ok {
			require.Empty(t, path)
			return
		}
		require.True(t, isBelow(rel), rel)
		for at := path; ; at = filepath.Dir(at) {
			real, err := filepath.EvalSymlinks(at)
			if err != nil {
				_, err := os.Lstat(at)
				require.Error(t, err, "a link to nothing on the way")
				continue
			}
			below, err := filepath.Rel(root, real)
			require.NoError(t, err)
			require.True(t, filepath.IsLocal(below), real)
			require.False(t, at == path && real == root, "the root itself")
			return
		}
	})
}
