package registry_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks/config"
	"ctxguard/hooks/registry"
	"ctxguard/statusline/seam"
)

// S12: what was registered will do, or what it lacks is said.
func TestWhatIsRegisteredLacks(t *testing.T) {
	cases := map[string]struct {
		then, now func(*config.Config)
		lacks     string
	}{
		"nothing has changed": {nil, nil, ""},
		"a guard that takes its time": {
			nil, func(c *config.Config) { c.Brief.Enabled = true },
			"PreToolUse is given 5 seconds, and a guard may take 20",
		},
		"another list of tools": {
			nil, func(c *config.Config) { c.Gate.Tools = append(c.Gate.Tools, "Bash") },
			"PreToolUse is registered for other tools",
		},
		"a guard that nothing called": {
			func(c *config.Config) { c.Reminders.Enabled, c.Crossing.Enabled = false, false }, nil,
			"UserPromptSubmit is not registered",
		},
		"a guard switched off":    {nil, func(c *config.Config) { c.Gate.Enabled, c.Ask.Enabled = false, false }, ""},
		"everything switched off": {nil, func(c *config.Config) { c.Hooks.Enabled = false }, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, batches := range []bool{true, false} {
				then, now := config.Default(), config.Default()
				if c.then != nil {
					c.then(&then)
				}
				if c.now != nil {
					c.now(&now)
				}
				registered := registry.Registered{Batches: batches, Entries: registry.Wanted(then, batches)}
				require.Equal(t, c.lacks, registered.Lacks(now))
			}
		})
	}
}

func TestReadBelievesNothingOdd(t *testing.T) {
	home := seam.At(t.TempDir())
	_, ok := registry.Read(home)
	require.False(t, ok)
	for _, text := range []string{"", "x", "[]", "{}", `{"registered": 5}`, `{"registered": null}`, `{"registered": {"entries": "x"}}`} {
		require.NoError(t, os.WriteFile(home.Path(registry.File), []byte(text), 0o600))
		_, ok := registry.Read(home)
		require.False(t, ok, text)
	}
	want := registry.Registered{Batches: true, Entries: registry.Wanted(config.Default(), true)}
	raw, err := json.Marshal(map[string]any{"registered": want})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(home.Path(registry.File), raw, 0o600))
	got, ok := registry.Read(home)
	require.True(t, ok)
	require.Equal(t, want, got)
}
