package registry_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/hooks/registry"
	"ctxguard/statusline/seam"
)

// FuzzRegistered: whatever setup.json holds, it is what encoding/json reads in it
// or nothing; what it lacks is said in one line; and whatever tools are
// configured, the matcher is a pattern that matches each of them, and the entries
// that are wanted lack nothing.
func FuzzRegistered(f *testing.F) {
	home := seam.At(f.TempDir())
	f.Fuzz(func(t *testing.T, raw []byte, tool string, batches bool) {
		require.NoError(t, os.WriteFile(home.Path(registry.File), raw, 0o600))
		cfg := config.Default()
		cfg.Gate.Tools = append(cfg.Gate.Tools, tool)
		got, known := registry.Read(home)
		var file struct {
			Registered *registry.Registered `json:"registered"`
		}
		require.Equal(t, json.Unmarshal(raw, &file) == nil && file.Registered != nil, known)
		if known {
			require.Equal(t, *file.Registered, got)
		}
		require.NotContains(t, got.Lacks(cfg), "\n")

		wanted := registry.Wanted(cfg, batches)
		require.Empty(t, registry.Registered{Batches: batches, Entries: wanted}.Lacks(cfg))
		for _, e := range wanted {
			_, ours := hooks.RowOf(hooks.EventName(e.Event))
			require.True(t, ours, e.Event)
			require.Positive(t, e.Timeout)
			if e.Event != string(hooks.PreToolUse) || strings.ToValidUTF8(tool, "") != tool {
				continue
			}
			pattern, err := regexp.Compile(e.Matcher)
			require.NoError(t, err)
			for _, name := range []string{tool, "Write", "AskUserQuestion", "mcp__x__AskUserQuestion"} {
				require.True(t, name == "" || pattern.MatchString(name), "%q on %q", e.Matcher, name)
			}
			require.False(t, pattern.MatchString(tool+"Read") && tool+"Read" != tool && !strings.Contains(tool, "AskUserQuestion"))
		}
	})
}
