package config_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks/config"
)

// S16: what is seeded changes nothing, and shows the defaults as they are.
func TestTheSeedShowsTheDefaults(t *testing.T) {
	cfg, notices := config.ParseMachine([]byte(config.Seed))
	require.Empty(t, notices)
	require.Equal(t, config.Default(), cfg)

	key := regexp.MustCompile(`(?m)^#([a-z_]+ = )`)
	all := key.ReplaceAllString(config.Seed, "$1")
	require.Len(t, key.FindAllString(config.Seed, -1), 36)
	cfg, notices = config.ParseMachine([]byte(all))
	require.Empty(t, notices)
	require.Empty(t, cfg.Seam.Mirror)
	cfg.Seam.Mirror = nil
	require.Equal(t, config.Default(), cfg)

	// The examples are right too, once each is put in its place.
	example := regexp.MustCompile(`(?m)^#   `)
	cfg, notices = config.ParseMachine([]byte(example.ReplaceAllString(all, "")))
	require.Empty(t, notices)
	require.Equal(t, config.TwoWay, cfg.Preference.Registry["release-window"])
	require.Len(t, cfg.Brief.Domains, 1)
	require.Len(t, cfg.Reminders.Triggers, 1)
	require.Equal(t, []string{"prog", "{path}"}, cfg.Structure.Command)
}

// Each default is shown as another value would be read: a key that the seed spells
// wrong would pass the test above.
func TestTheSeedSpellsEveryKeyRight(t *testing.T) {
	for line := range strings.Lines(config.Seed) {
		if !strings.HasPrefix(line, "#") || strings.HasPrefix(line, "# ") || line == "#\n" {
			continue
		}
		_, notices := config.ParseMachine([]byte(strings.Replace(config.Seed, line, line[1:], 1)))
		require.Empty(t, notices, line)
	}
}
