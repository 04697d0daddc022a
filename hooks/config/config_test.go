package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
)

func keys(notices []config.Notice) []string {
	var list []string
	for _, n := range notices {
		list = append(list, n.Key)
	}
	return list
}

func TestBrokenFilesGiveDefaultsAndNotices(t *testing.T) {
	cases := map[string]struct {
		toml string
		want []string
	}{
		"an empty file":              {"", nil},
		"a byte order mark and CRLF": {"\ufeff[gate]\r\ngrace_calls = 10\r\n", nil},
		"no TOML at all":             {"{ not toml", []string{"ctxguard.toml:toml"}},
		"binary":                     {"\x00\xff\xfe", []string{"ctxguard.toml:toml"}},
		"the same key twice":         {"[gate]\nmode = \"advisory\"\nmode = \"blocking\"", []string{"ctxguard.toml:toml"}},
		"an unknown table":           {"[gates]\nmode = \"blocking\"", []string{"ctxguard.toml:gates"}},
		"an unknown key":             {"[gate]\nmodes = \"blocking\"", []string{"ctxguard.toml:gate.modes"}},
		"a table that is a number":   {"gate = 7", []string{"ctxguard.toml:gate"}},
		"a switch that is a text":    {"[crossing]\nenabled = \"no\"", []string{"ctxguard.toml:crossing.enabled"}},
		"a word that is not offered": {"[crossing]\nmenu = \"model\"", []string{"ctxguard.toml:crossing.menu"}},
		"a list that holds numbers":  {"[gate]\ntools = [1, 2]", []string{"ctxguard.toml:gate.tools"}},
		"G5: a fraction":             {"[gate]\ngrace_calls = 2.5", []string{"ctxguard.toml:gate.grace_calls"}},
		"G5: less than nothing":      {"[gate]\ngrace_calls = -1", []string{"ctxguard.toml:gate.grace_calls"}},
		"G5: more than a number":     {"[gate]\ngrace_calls = 99999999999", []string{"ctxguard.toml:gate.grace_calls"}},
		"A11: not a whole number":    {"[ask]\nmin_chars = \"200\"", []string{"ctxguard.toml:ask.min_chars"}},
		"P3: an odd door":            {"[preference.registry.\"release\"]\ndoor = \"trap\"", []string{"ctxguard.toml:preference.registry.release.door"}},
		"P1: an odd id":              {"[preference.registry.\"a b\"]\ndoor = \"one-way\"", []string{"ctxguard.toml:preference.registry.\"a b\""}},
		"a path that climbs":         {"[capture]\ndir = \"../notes\"", []string{"ctxguard.toml:capture.dir"}},
		"an absolute path":           {"[reminders]\nfile = \"/etc/passwd\"", []string{"ctxguard.toml:reminders.file"}},
		"a domain without patterns":  {"[[brief.domain]]\nname = \"x\"", []string{"ctxguard.toml:brief.domain.name"}},
		"a pattern that is none":     {"[[brief.domain]]\nname = \"x\"\npatterns = [\"(\"]", []string{"ctxguard.toml:brief.domain.patterns"}},
		"a part that cannot be shown": {"[statusline]\nshow = [\"model\", \"bar\", \"moon\", \"tokens\", \"zone\", \"dir\", \"branch\", \"cost\"]",
			[]string{"ctxguard.toml:statusline.show"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			cfg, notices := config.ParseMachine([]byte(c.toml))
			require.Equal(t, c.want, keys(notices))
			want := config.Default()
			if cfg.Preference.Registry != nil {
				require.Empty(t, cfg.Preference.Registry)
				cfg.Preference.Registry = nil
			}
			require.Equal(t, want, cfg, "one wrong key costs nothing but itself")
			for _, n := range notices {
				require.True(t, strings.HasPrefix(n.Text, "ctxguard.toml"), n.Text)
				require.NotContains(t, n.Text, "\n")
			}
		})
	}
}

func TestOneWrongKeyDoesNotCostTheOthers(t *testing.T) {
	cfg, notices := config.ParseMachine([]byte("[gate]\nmode = \"blocking\"\ngrace_calls = \"few\"\n[crossing]\nmenu = \"operator\"\n"))
	require.Equal(t, []string{"ctxguard.toml:gate.grace_calls"}, keys(notices))
	require.Equal(t, "blocking", cfg.Gate.Mode)
	require.Equal(t, "operator", cfg.Crossing.Menu)
	require.Equal(t, 10, cfg.Gate.GraceCalls)
}

func TestGateModeFollowsG1(t *testing.T) {
	for toml, want := range map[string]string{
		`mode = "advisory"`: "advisory", `mode = "blocking"`: "blocking",
		`mode = "enforcing"`: "blocking", `mode = "BLOCKING"`: "advisory", `mode = 1`: "advisory", ``: "advisory",
	} {
		cfg, notices := config.ParseMachine([]byte("[gate]\n" + toml))
		require.Equal(t, want, cfg.Gate.Mode, toml)
		quiet := toml == "" || toml == `mode = "advisory"` || toml == `mode = "blocking"`
		require.Equal(t, quiet, len(notices) == 0, toml)
	}
}

func TestProjectMayDoWhatTheDesignAllows(t *testing.T) {
	cfg, notices := config.ApplyProject(config.Default(), []byte(`
[reminders]
file = "docs/questions.md"
[[reminders.trigger]]
when = ["deploy"]
question = "staging"
[capture]
dir = "notes"
tools = ["Bash"]
ignore = ["tmp/"]
[brief]
enabled = true
required = ["RISK:"]
[[brief.domain]]
name = "firmware"
patterns = ['\bflash\b']
[structure]
enabled = true
[preference.registry."drop-table"]
door = "one-way"
`))
	require.Empty(t, notices)
	require.Equal(t, "docs/questions.md", cfg.Reminders.File)
	require.Equal(t, []config.Trigger{{FromProject: true, When: []string{"deploy"}, Question: "staging"}}, cfg.Reminders.Triggers)
	require.True(t, cfg.Capture.ProjectWants)
	require.Equal(t, "notes", cfg.Capture.Dir)
	require.Equal(t, append(config.Default().Capture.Tools, "Bash"), cfg.Capture.Tools, "added, never removed")
	require.Equal(t, []string{"agents/", "tmp/"}, cfg.Capture.Ignore)
	require.True(t, cfg.Brief.Enabled)
	require.Equal(t, append(config.Default().Brief.Required, "RISK:"), cfg.Brief.Required)
	require.Equal(t, []string{"RISK:"}, cfg.Brief.ProjectRequired)
	require.Len(t, cfg.Brief.ProjectDomains, 1)
	require.Nil(t, cfg.Brief.Domains)
	require.True(t, cfg.Structure.Enabled)
	require.Equal(t, config.OneWay, cfg.Preference.Registry["drop-table"])
}

// Every key of the machine's file that a project's file may not set changes
// nothing there and is noticed.
func TestProjectMayDoNothingElse(t *testing.T) {
	forbidden := map[string]string{
		"hooks":                            "[hooks]\nenabled = false",
		"statusline":                       "[statusline]\nshow = [\"model\"]",
		"seam":                             "[seam]\nmirror = [\"/tmp\"]",
		"history":                          "[history]\nenabled = false",
		"crossing":                         "[crossing]\nenabled = false",
		"compact":                          "[compact]\ncounts_as_dumb = false",
		"gate":                             "[gate]\nmode = \"blocking\"",
		"ask":                              "[ask]\nmin_chars = 0",
		"preference.enabled":               "[preference]\nenabled = false",
		"preference.answer":                "[preference]\nanswer = \"fill\"",
		"preference.prose":                 "[preference]\nprose = true",
		"preference.registry.release":      "[preference.registry.\"release\"]\ndoor = \"two-way\"",
		"answers":                          "[answers]\nenabled = false",
		"fallback":                         "[fallback]\nenabled = false",
		"brief.enabled":                    "[brief]\nenabled = false",
		"brief.repeat":                     "[brief]\nrepeat = \"agent\"",
		"brief.permission":                 "[brief]\npermission = \"allow\"",
		"structure.enabled":                "[structure]\nenabled = false",
		"structure.command":                "[structure]\ncommand = [\"sh\", \"-c\", \"id\"]",
		"structure.extensions":             "[structure]\nextensions = [\".py\"]",
		"structure.edit_seconds":           "[structure]\nedit_seconds = 600",
		"structure.brief_seconds":          "[structure]\nbrief_seconds = 600",
		"reminders.enabled":                "[reminders]\nenabled = false",
		"reminders.at_start":               "[reminders]\nat_start = [\"answered\"]",
		"reminders.on_prompt":              "[reminders]\non_prompt = [\"answered\"]",
		"reminders.file (climbs)":          "[reminders]\nfile = \"a/../../secret.md\"",
		"reminders.file (absolute)":        "[reminders]\nfile = \"/etc/passwd\"",
		"reminders.file (backslash)":       "[reminders]\nfile = '..\\secret.md'",
		"reminders.file (the root itself)": "[reminders]\nfile = \".\"",
		"zones":                            "smart_max_used_percentage = 99",
	}
	for name, toml := range forbidden {
		t.Run(name, func(t *testing.T) {
			cfg, notices := config.ApplyProject(config.Default(), []byte(toml))
			require.Len(t, notices, 1)
			require.True(t, strings.HasPrefix(notices[0].Text, ".ctxguard.toml: "), notices[0].Text)
			if len(cfg.Preference.Registry) == 0 {
				cfg.Preference.Registry = nil
			}
			require.Equal(t, config.Default(), cfg)
		})
	}
	t.Run("capture.enabled", func(t *testing.T) {
		cfg, notices := config.ApplyProject(config.Default(), []byte("[capture]\nenabled = false"))
		require.Len(t, notices, 1)
		require.True(t, cfg.Capture.Enabled)
	})
}

// What a project adds to the person's own lists must not change the person's.
func TestProjectDoesNotWriteIntoTheMachinesLists(t *testing.T) {
	machine := config.Default()
	machine.Capture.Tools = append(make([]string, 0, 8), "Write")
	_, notices := config.ApplyProject(machine, []byte("[capture]\ntools = [\"Bash\"]"))
	require.Empty(t, notices)
	require.Equal(t, []string{"Write"}, machine.Capture.Tools)
	require.Equal(t, "", machine.Capture.Tools[:2][1])
}

func TestWithinProjectFollowsLinks(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "notes"), 0o755))
	require.NoError(t, os.Symlink(outside, filepath.Join(root, "away")))
	require.NoError(t, os.Symlink(filepath.Join(root, "notes"), filepath.Join(root, "inside")))
	require.NoError(t, os.Symlink(root, filepath.Join(root, "self")))
	require.NoError(t, os.Symlink(filepath.Join(root, "nowhere"), filepath.Join(root, "dangling")))
	for rel, want := range map[string]bool{
		"notes": true, "notes/new/deep.md": true, "inside/a.md": true, "new": true, `notes\a.md`: true,
		"away": false, "away/a.md": false, "self": false, "dangling": false, "dangling/a.md": false,
		"..": false, ".": false, "": false, "notes/..": false, "/etc": false, `..\x`: false,
	} {
		path, ok := config.WithinProject(root, rel)
		require.Equal(t, want, ok, rel)
		if ok {
			require.True(t, filepath.IsAbs(path))
		}
	}
	_, ok := config.WithinProject("", "notes")
	require.False(t, ok)
}

func TestEveryGuardOfTheTableHasASwitch(t *testing.T) {
	cfg := config.Default()
	cfg.Brief.Enabled, cfg.Structure.Enabled, cfg.Capture.ProjectWants = true, true, true
	for _, guard := range hooks.GuardNames() {
		require.True(t, cfg.Runs(guard), guard)
	}
	cfg.Hooks.Enabled = false
	for _, guard := range hooks.GuardNames() {
		require.False(t, cfg.Runs(guard), guard)
	}
	require.False(t, config.Default().Runs("no-such-guard"))
}

func TestOffCoversUntilItsEnd(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	off := config.Off{"gate": now.Add(time.Minute), "ask": {}}
	require.True(t, off.Covers("gate", now))
	require.False(t, off.Covers("gate", now.Add(time.Minute)))
	require.True(t, off.Covers("ask", now.AddDate(9, 0, 0)))
	require.False(t, off.Covers("crossing", now))
	require.True(t, config.Off{config.All: {}}.Covers("crossing", now))
	getenv := func(value string) func(string) string {
		return func(key string) string { return map[string]string{"CTXGUARD_OFF": value}[key] }
	}
	require.True(t, config.OffByEnvironment(getenv("all")).Covers("gate", now))
	require.True(t, config.OffByEnvironment(getenv("ask, GATE")).Covers("gate", now))
	require.False(t, config.OffByEnvironment(getenv("ask,gates")).Covers("gate", now))
	require.False(t, config.OffByEnvironment(getenv("")).Covers("gate", now))
}

// A project's file that would take the decoder minutes is noticed at once, and so
// is one that is larger than any person would write.
func TestAProjectsFileCannotTakeTheHooksTime(t *testing.T) {
	for name, c := range map[string]struct{ text, notice string }{
		"nested tables": {"a = " + strings.Repeat("{b=", 20_000), "nested too deep"},
		"nested lists":  {"a = " + strings.Repeat("[", 60_000), "nested too deep"},
		"a long key":    {strings.Repeat("a.", 30_000) + "a = 1", "nested too deep"},
		"a large file":  {"[capture]\n# " + strings.Repeat("x", 64<<10), "larger than 64 KiB"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg, notices := config.ApplyProject(config.Default(), []byte(c.text))
			require.Equal(t, config.Default(), cfg)
			require.Len(t, notices, 1)
			require.Contains(t, notices[0].Text, c.notice)
		})
	}
	// Understanding a pattern must not take what compiling it takes.
	domain := "[[brief.domain]]\nname = 'a'\npatterns = ['(\\pL{500}\\pL{500})', '(a{1001})']\n"
	_, notices := config.ApplyProject(config.Default(), []byte(strings.Repeat(domain, 800)))
	require.Len(t, notices, 21, "each of them is one, and only so many are kept")
}

// What stands in a project's file is told in one line that steers no terminal.
func TestKeysAreQuotedInNotices(t *testing.T) {
	_, notices := config.ApplyProject(config.Default(), []byte("\"a\\u001b[31m\\nb\" = 1\n[capture]\n\"\" = 2\n'"+strings.Repeat("k", 99)+"' = 3"))
	require.Equal(t, []config.Notice{
		{`.ctxguard.toml:capture.""`, `.ctxguard.toml: capture."" cannot be set by a project's file; it is ignored`},
		{`.ctxguard.toml:capture."` + strings.Repeat("k", 64) + `"`, `.ctxguard.toml: capture."` + strings.Repeat("k", 64) + `" cannot be set by a project's file; it is ignored`},
		{`.ctxguard.toml:"a\x1b[31m\nb"`, `.ctxguard.toml: "a\x1b[31m\nb" cannot be set by a project's file; it is ignored`},
	}, notices)
}

// An end that a file may name in its own hour, but not in UTC, is no end.
func TestAnEndBeyondTheYearsIsNone(t *testing.T) {
	home := seam.At(t.TempDir())
	end, err := time.Parse(time.RFC3339, "9999-12-31T23:59:59-10:00")
	require.NoError(t, err)
	require.NoError(t, config.WriteOff(home, config.Off{"gate": end}))
	off, err := config.ReadOff(home)
	require.NoError(t, err)
	require.True(t, off.Covers("gate", time.Date(2500, 1, 1, 0, 0, 0, 0, time.UTC)))
}
