package zoneguard

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
)

// FuzzMatchGlob: a glob of exempt_paths matches what the regular expression matches
// in which each star is any run of characters.
func FuzzMatchGlob(f *testing.F) {
	f.Fuzz(func(t *testing.T, glob, s string) {
		if !utf8.ValidString(glob) || !utf8.ValidString(s) || len(glob) > 200 || len(s) > 1000 {
			return
		}
		pattern := strings.ReplaceAll(regexp.QuoteMeta(glob), `\*`, ".*")
		want := regexp.MustCompile(`(?s)\A(?:` + pattern + `)\z`).MatchString(s)
		require.Equal(t, want, matchGlob(glob, s))
	})
}

// FuzzExempt: a target is exempt by the place that it leads to, however it is
// written, and by nothing else in the call (G4).
func FuzzExempt(f *testing.F) {
	f.Fuzz(func(t *testing.T, target, content, glob string) {
		if !utf8.ValidString(target + content) {
			return
		}
		g := gate{cfg: config.Default().Gate}
		event := func(tool, path string) *hooks.Event {
			payload, err := json.Marshal(map[string]any{"tool_input": map[string]any{"file_path": path, "notebook_path": path, "content": content}})
			require.NoError(t, err)
			return &hooks.Event{Envelope: hooks.Envelope{Name: hooks.PreToolUse, ToolName: tool, CWD: "/home/person/handoff-project/src"}, Payload: payload, Project: "/home/person/handoff-project"}
		}
		relative := relativeTarget("/home/person/handoff-project", "/home/person/handoff-project/src", target)
		require.NotContains(t, relative, "/../")
		require.NotContains(t, relative, `\`)
		exempt := g.exempt(event("Write", target))
		require.Equal(t, target != "" && strings.Contains(strings.ToLower(relative), "handoff"), exempt, relative)
		require.Equal(t, exempt, g.exempt(event("NotebookEdit", target)))
		require.False(t, g.exempt(event("Agent", target)), "nothing but files is exempt")
		g.cfg.ExemptPaths = []string{glob}
		if g.exempt(event("Edit", target)) {
			require.True(t, matchGlob(strings.ToLower(slashed(glob)), strings.ToLower(relative)))
		}
		g.cfg.ExemptPaths = nil
		require.False(t, g.exempt(event("Write", target)))
	})
}

// FuzzSettings: of the person's settings a plugin counts as there when encoding/json
// reads that it is enabled, or its folder is in the client's cache; no name of a
// plugin leads out of that.
func FuzzSettings(f *testing.F) {
	dir := f.TempDir()
	require.NoError(f, os.MkdirAll(filepath.Join(dir, "plugins", "cache", "market", "session-flow"), 0o700))
	require.NoError(f, os.MkdirAll(filepath.Join(dir, "plugins", "elsewhere"), 0o700))
	path := filepath.Join(dir, "settings.json")
	f.Fuzz(func(t *testing.T, raw []byte, router string) {
		require.NoError(t, os.WriteFile(path, raw, 0o600))
		around := lookAround(func(key string) string { return map[string]string{"CLAUDE_CONFIG_DIR": dir}[key] }, router)
		plugin, _, _ := strings.Cut(router, ":")
		require.Equal(t, json.Valid(raw), around.settings != nil || len(raw) == 0 && json.Valid(raw))
		var file struct {
			Enabled map[string]any `json:"enabledPlugins"`
		}
		enabled := false
		if json.Unmarshal(raw, &file) == nil {
			for key, value := range file.Enabled {
				name, _, _ := strings.Cut(key, "@")
				enabled = enabled || name == plugin && value == true
			}
		}
		inCache := plugin == "session-flow" || plugin == "market"
		if around.router && !enabled && !inCache {
			// encoding/json reads the last of two keys, and mends broken text.
			require.True(t, strings.Count(string(raw), "enabledPlugins") > 1 || !utf8.Valid(raw) || strings.Contains(string(raw), `\u`) ||
				strings.Count(string(raw), plugin) > 1, "%q is not there", plugin)
		}
		if inCache {
			require.True(t, around.router)
		}
	})
}

// Brackets nested absurdly deep are not settings, and cost no hook its second.
func TestSettingsNestedTooDeepAreNone(t *testing.T) {
	dir := t.TempDir()
	deep := strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "settings.json"), []byte(deep), 0o600))
	around := lookAround(func(key string) string { return map[string]string{"CLAUDE_CONFIG_DIR": dir}[key] }, "x:y")
	require.Nil(t, around.settings)
}
