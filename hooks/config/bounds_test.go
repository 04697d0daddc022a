package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// DESIGN section 7: a project's file may add, never take away; so what it adds may
// not cost the second that all guards have together.
func TestWhatAProjectAddsIsBounded(t *testing.T) {
	var many []string
	for i := range 3000 {
		many = append(many, fmt.Sprintf("%q", fmt.Sprint("t", i)))
	}
	list := strings.Join(many, ",")
	cfg, notices := ApplyProject(Default(), []byte("[capture]\ntools = ["+list+"]\nignore = ["+list+"]\n"))
	require.Len(t, cfg.Capture.Tools, len(Default().Capture.Tools)+mostTexts)
	require.Len(t, cfg.Capture.Ignore, len(Default().Capture.Ignore)+mostTexts)
	require.Len(t, notices, 2)

	cfg, notices = ApplyProject(Default(), []byte("[brief]\nrequired = ["+list+"]\n"))
	require.Len(t, cfg.Brief.ProjectRequired, mostTexts)
	require.Len(t, notices, 1)

	cfg, notices = ApplyProject(Default(), []byte(strings.Repeat("[[reminders.trigger]]\nwhen = ["+list[:400]+"\"]\nquestion = \"q\"\n", 60)))
	require.Len(t, cfg.Reminders.Triggers, mostTriggers)
	require.Len(t, cfg.Reminders.Triggers[0].When, mostPhrases)
	require.Len(t, notices, mostNotices+1)
}

func TestAProjectsPatternsCostLittle(t *testing.T) {
	domain := func(patterns ...string) string {
		return "[[brief.domain]]\nname = \"d\"\npatterns = ['" + strings.Join(patterns, "', '") + "']\n"
	}
	for pattern, taken := range map[string]bool{
		`\b(implement|refactor)\b`:      true,
		`[a-z]{3,20}`:                   true,
		`\pL{1000}`:                     false,
		`(x{30}){33}`:                   false,
		`(((x{9}){9}){9})`:              false,
		strings.Repeat(`x{100}`, 11):    false,
		`x{5,}`:                         true,
		strings.Repeat("a", longestOf):  true,
		strings.Repeat("ab", longestOf): false,
	} {
		cfg, notices := ApplyProject(Default(), []byte(domain(pattern)))
		require.Equal(t, taken, len(cfg.Brief.ProjectDomains) == 1, pattern)
		require.Equal(t, taken, len(notices) == 0, pattern)
		// The person's own file may cost them what it wants.
		cfg, _ = ParseMachine([]byte(domain(pattern)))
		require.Len(t, cfg.Brief.Domains, 1, pattern)
	}
	cfg, _ := ApplyProject(Default(), []byte(strings.Repeat(domain("x"), 30)))
	require.Len(t, cfg.Brief.ProjectDomains, mostPatterns)
}

func TestNoticesAreBoundedAndPrintable(t *testing.T) {
	_, notices := ApplyProject(Default(), []byte("\"a\\u001b[31m\\u202e"+strings.Repeat("x", 5000)+"\" = 1\n"+strings.Repeat("[[reminders.trigger]]\n", 500)))
	require.Len(t, notices, mostNotices+1)
	for _, n := range notices {
		require.LessOrEqual(t, len([]rune(n.Text)), 500)
		require.NotContains(t, n.Text, "\x1b")
		require.NotContains(t, n.Text, "\u202e")
	}
	require.Contains(t, notices[mostNotices].Text, "more is wrong")
}
