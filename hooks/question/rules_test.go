package question

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks/config"
)

func TestRules_R1(t *testing.T) {
	golden(t, "rules", Rules(config.Default()))
	cfg := config.Default()
	cfg.Brief.Enabled, cfg.Capture.ProjectWants = true, true
	cfg.Ask.MinChars = 0
	golden(t, "rules-with-brief-and-capture", Rules(cfg))
	none := config.Default()
	none.Ask.Enabled, none.Preference.Enabled = false, false
	require.NotContains(t, Rules(none), "## Questions")
	require.NotContains(t, Rules(none), MarkerForm)
}

// The page speaks of the phrases and numbers that the guards go by.
func TestRulesAreMadeOfWhatTheGuardsGoBy_R1(t *testing.T) {
	page := Rules(config.Default())
	for _, phrase := range []string{"given [the] above", "in light of the above", "200 characters", MarkerForm, recommendedMark} {
		require.Contains(t, page, phrase)
	}
}
