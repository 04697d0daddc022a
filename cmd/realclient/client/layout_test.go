package client

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func screenOf(lines ...string) string { return strings.Join(lines, "\n") }

const rule = "────────────────────"

func TestTheInputBoxIsToldFromADialog(t *testing.T) {
	for name, c := range map[string]struct {
		screen string
		typed  string
		ok     bool
	}{
		"empty":                      {screenOf("● answer", rule, "❯\u00a0", rule, "  ⏵⏵ mode"), "", true},
		"with text":                  {screenOf("❯ an earlier prompt", rule, "❯\u00a0/compact now", rule, "  one"), "/compact now", true},
		"a dialog's chosen line":     {screenOf(rule, "  Which?", "  ❯ Yes", "    No"), "", false},
		"an earlier prompt alone":    {screenOf("❯ an earlier prompt", "", "● answer"), "", false},
		"nothing":                    {"", "", false},
		"the box without its border": {screenOf(rule, "❯ x", "  ⏵⏵ mode"), "", false},
	} {
		t.Run(name, func(t *testing.T) {
			typed, ok := Input(c.screen)
			require.Equal(t, c.ok, ok)
			require.Equal(t, c.typed, typed)
		})
	}
}

func TestStatusRowsStandBetweenTheBoxAndTheFooter(t *testing.T) {
	require.Equal(t, []string{"first", "second"},
		StatusRows(screenOf(rule, "❯ ", rule, "  first", "  second", "  ⏵⏵ mode on (shift+tab)", "  more of the client's")))
	require.Empty(t, StatusRows(screenOf(rule, "❯ ", rule, "  ⏵⏵ mode on")))
	require.Empty(t, StatusRows("nothing"))
}

func TestIdleIsAnInputBoxWithoutATurn(t *testing.T) {
	box := screenOf(rule, "❯ ", rule, "  ⏵⏵ mode on")
	require.True(t, Idle(box))
	require.False(t, Idle(box+" · esc to interrupt"))
	require.False(t, Idle("  ❯ Yes"))
}
