package config_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks/config"
)

// What `ctxguard init` writes changes nothing until somebody takes a # away.
func TestTheProjectsSeedChangesNothing(t *testing.T) {
	cfg, notices := config.ApplyProject(config.Default(), []byte(config.ProjectSeed))
	require.Empty(t, notices)
	require.Equal(t, config.Default(), cfg)
	require.False(t, cfg.Runs("capture"))
}

// Each key is one that a project may set, spelled right and in its table.
func TestTheProjectsSeedIsRightOnceItIsUncommented(t *testing.T) {
	all := regexp.MustCompile(`(?m)^#([a-z\[])`).ReplaceAllString(config.ProjectSeed, "$1")
	require.Len(t, regexp.MustCompile(`(?m)^[a-z_]+ = `).FindAllString(all, -1), 14)
	cfg, notices := config.ApplyProject(config.Default(), []byte(all))
	require.Empty(t, notices)
	require.True(t, cfg.Runs("capture"))
	require.True(t, cfg.Runs("brief"))
	require.True(t, cfg.Runs("structure"))
	require.Contains(t, cfg.Capture.Tools, "mcp__files__write")
	require.Contains(t, cfg.Brief.Required, "TICKET:")
	require.Len(t, cfg.Brief.ProjectDomains, 1)
	require.Len(t, cfg.Reminders.Triggers, 1)
	require.Equal(t, config.OneWay, cfg.Preference.Registry["delete-data"])
	for _, named := range strings.Fields("GOAL: FILES: CONSTRAINTS: VERIFY: Write Edit MultiEdit NotebookEdit") {
		require.Contains(t, config.ProjectSeed, named)
	}
}
