package hooks_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks"
)

// docs/hooks.md shows the table of events as it is in the code.
func TestTheDocumentedTableIsTheTable(t *testing.T) {
	raw, err := os.ReadFile("../docs/hooks.md")
	require.NoError(t, err)
	yes := func(b bool) string {
		if b {
			return "yes"
		}
		return "–"
	}
	dash := func(s string) string {
		if s == "" {
			return "–"
		}
		return s
	}
	var want []string
	for _, r := range hooks.Table() {
		want = append(want, "| "+strings.Join([]string{
			string(r.Event), dash(string(r.Tools)), dash(strings.Join(r.Guards, ", ")),
			yes(r.Context), yes(r.Operator), yes(r.Deny), yes(r.Block),
		}, " | ")+" |")
	}
	_, table, ok := strings.Cut(string(raw), "|---|---|---|---|---|---|---|\n")
	require.True(t, ok)
	rows, _, _ := strings.Cut(table, "\n\n")
	require.Equal(t, want, strings.Split(strings.TrimSpace(rows), "\n"))
}

func TestQuestionToolsByTheirNames(t *testing.T) {
	for name, want := range map[string]bool{
		"AskUserQuestion": true, "mcp__conductor__AskUserQuestion": true, "mcp__a__b__AskUserQuestion": true,
		"askuserquestion": false, "AskUserQuestions": false, "mcp____AskUserQuestion": false, "mcp__AskUserQuestion": false,
		"xmcp__a__AskUserQuestion": false, "Bash": false, "": false,
	} {
		require.Equal(t, want, hooks.IsQuestionTool(name), name)
	}
}
