package setup

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks/config"
	"ctxguard/setup/settings"
)

func known(text string) Client {
	v, ok := ParseVersion(text)
	return Client{Found: true, Known: ok, Version: v}
}

func byEvent(list []settings.Registration) map[string]settings.Registration {
	m := make(map[string]settings.Registration)
	for _, r := range list {
		m[r.Event] = r
	}
	return m
}

var testProgram = Program{Path: "/b/ctxguard", Word: "/b/ctxguard"}

// S11, S12: one entry for each event that a guard needs, with matcher and timeout.
func TestRegistrationsOfTheDefaults(t *testing.T) {
	got := byEvent(Registrations(config.Default(), known("2.1.332"), testProgram))
	require.Len(t, got, 9)
	for event, r := range got {
		require.Equal(t, "/b/ctxguard hook", r.Command, event)
		require.Equal(t, 5, r.Timeout, event)
		require.Nil(t, r.Args, event)
	}
	const question = "AskUserQuestion|mcp__.*__AskUserQuestion)$"
	require.Equal(t, "^(Write|Edit|MultiEdit|NotebookEdit|Agent|Task|Workflow|"+question, got["PreToolUse"].Matcher)
	require.Equal(t, "^("+question, got["PostToolUse"].Matcher)
	require.Equal(t, "^("+question, got["PostToolUseFailure"].Matcher)
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "PostToolBatch", "PostCompact", "Stop", "SessionEnd"} {
		require.Contains(t, got, event)
		require.Empty(t, got[event].Matcher, event)
	}
}

// S14: a name that the client does not know may cost it the whole file.
func TestPostToolBatchOnlyWhereItIsKnownToBeSafe(t *testing.T) {
	for version, batches := range map[string]bool{
		"": false, "nonsense": false, "2.1.85": false, "2.1.100": false, "2.1.117": false, "2.1.118": true, "2.1.332": true,
		"2.2.0": true, "3.0.0": true, "1.9.999": false,
	} {
		got := byEvent(Registrations(config.Default(), known(version), testProgram))
		_, there := got["PostToolBatch"]
		require.Equal(t, batches, there, version)
		if !batches {
			// PostToolUse stands in, for every tool.
			require.Empty(t, got["PostToolUse"].Matcher, version)
		}
	}
}

// S11: a guard with a budget of its own is given the time.
func TestTimeoutsCoverTheBudgets(t *testing.T) {
	cfg := config.Default()
	cfg.Structure.Enabled = true
	require.Equal(t, 15, byEvent(Registrations(cfg, Client{}, testProgram))["PreToolUse"].Timeout)
	cfg.Brief.Enabled = true
	require.Equal(t, 25, byEvent(Registrations(cfg, Client{}, testProgram))["PreToolUse"].Timeout)
	require.Equal(t, 5, byEvent(Registrations(cfg, Client{}, testProgram))["SessionStart"].Timeout)
}

// S11: only what an enabled guard needs.
func TestEventsOfGuardsThatAreOff(t *testing.T) {
	cfg := config.Default()
	cfg.Answers.Enabled, cfg.Fallback.Enabled = false, false
	got := byEvent(Registrations(cfg, known("2.1.332"), testProgram))
	require.NotContains(t, got, "PostToolUse") // crossing listens at PostToolBatch
	require.NotContains(t, got, "PostToolUseFailure")
	require.Contains(t, got, "PostToolBatch")
	cfg.Crossing.Enabled = false
	got = byEvent(Registrations(cfg, Client{}, testProgram))
	require.NotContains(t, got, "PostToolUse")
	cfg.Hooks.Enabled = false
	require.Empty(t, Registrations(cfg, known("2.1.332"), testProgram))
}

// S12: names of a list are names, not patterns.
func TestToolNamesAreQuotedForTheMatcher(t *testing.T) {
	cfg := config.Default()
	cfg.Gate.Tools = []string{"mcp__a.b__c", "Write", ""}
	require.Equal(t, `^(mcp__a\.b__c|Write|Edit|MultiEdit|NotebookEdit|Agent|Task|AskUserQuestion|mcp__.*__AskUserQuestion)$`,
		byEvent(Registrations(cfg, Client{}, testProgram))["PreToolUse"].Matcher)
}

// S11: the exec form only on Windows, and only for a client that knows it.
func TestExecFormOnlyOnWindows(t *testing.T) {
	getenv := func(string) string { return "" }
	windows, ok := NewProgram("C:/Users/A B/ctxguard.exe", false, getenv, "windows")
	require.True(t, ok)
	r := Registrations(config.Default(), known("2.1.139"), windows)[0]
	require.Equal(t, "C:/Users/A B/ctxguard.exe", r.Command)
	require.Equal(t, []string{"hook"}, r.Args)
	for _, client := range []Client{{}, known("2.1.138")} {
		r := Registrations(config.Default(), client, windows)[0]
		require.Equal(t, "'C:/Users/A B/ctxguard.exe' hook", r.Command)
		require.Nil(t, r.Args)
	}
	unix, _ := NewProgram("/home/a b/ctxguard", false, getenv, "linux")
	require.Equal(t, "'/home/a b/ctxguard' hook", Registrations(config.Default(), known("2.1.332"), unix)[0].Command)
}

func TestParseVersion(t *testing.T) {
	for text, want := range map[string]Version{
		"2.1.332 (Claude Code)\n": {2, 1, 332}, "v1.2.3": {1, 2, 3}, "2.1.140-beta.1": {2, 1, 140}, "0.0.0-2026": {},
	} {
		v, ok := ParseVersion(text)
		require.True(t, ok, text)
		require.Equal(t, want, v)
	}
	for _, text := range []string{"", "2.1", "2.1.x", "claude 2.1.3", "2.1.3.4", "..", "2..1", "99999999999999999999.1.1"} {
		_, ok := ParseVersion(text)
		require.False(t, ok, text)
	}
}

func TestSetKeyLeavesEveryOtherByte(t *testing.T) {
	cases := map[string]struct{ in, out string }{
		"a line that has it":         {"[a]\nk = 1 # why\nx = 2\n", "[a]\nk = true # why\nx = 2\n"},
		"a default, commented":       {"[a]\n#k = 1\n[b]\n#k = 1\n", "[a]\nk = true\n[b]\n#k = 1\n"},
		"a live line after one":      {"[a]\n#k = 1\nk = 2\n", "[a]\n#k = 1\nk = true\n"},
		"a table without it":         {"[a]\nx = 1\n", "[a]\nk = true\nx = 1\n"},
		"a table at the end":         {"[a]", "[a]\nk = true\n"},
		"no table":                   {"x = 1", "x = 1\n\n[a]\nk = true\n"},
		"nothing":                    {"", "\n[a]\nk = true\n"},
		"CRLF":                       {"[a]\r\nk = 1\r\n", "[a]\r\nk = true\r\n"},
		"a table of a similar name":  {"[a.b]\nk = 1\n[a]\nk = 1\n", "[a.b]\nk = 1\n[a]\nk = true\n"},
		"an array of tables between": {"[a]\n[[c]]\nk = 1\n", "[a]\nk = true\n[[c]]\nk = 1\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.out, setKey(c.in, "a", "k", "true")) })
	}
}
