//go:build unix

package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/hooks/registry"
	"ctxguard/zones"
)

// TestBlocksOfTheDocumentation holds every other fenced block of the README and of
// docs to what the program takes or prints. A block of which nothing is known fails.
func TestBlocksOfTheDocumentation(t *testing.T) {
	held := make(map[string]int)
	for _, page := range pages(t) {
		for i, b := range page.blocks {
			if b.language == "sh" {
				continue
			}
			hold := holderOf(b)
			require.NotNil(t, hold, "%s: nothing checks this block:\n%s", page.name, b.text)
			held[b.language]++
			t.Run(fmt.Sprintf("%s %d", page.name, i+1), func(t *testing.T) {
				t.Parallel()
				hold(t, b.text)
			})
		}
	}
	require.Equal(t, []string{"json", "markdown", "text", "toml"}, slices.Sorted(maps.Keys(held)))
	require.GreaterOrEqual(t, held["text"], 3, "the pictures of the README")
}

func holderOf(b block) func(t *testing.T, text string) {
	for _, c := range []struct {
		language, mark string
		hold           func(t *testing.T, text string)
	}{
		{"json", `"hooks": {`, holdSettings},
		{"json", `"checks"`, holdReport},
		{"toml", "[[reminders.trigger]]", holdTOML(".ctxguard.toml")},
		{"toml", "smart_max_tokens", holdTOML("zones.toml")},
		{"toml", "", holdTOML("ctxguard.toml")},
		{"markdown", "## Blocking", holdQuestions},
		{"text", " says: ctxguard: ", holdCrossing},
		{"text", "SESSION ", holdList},
		{"text", "until auto-compaction", holdCurve},
	} {
		if b.language == c.language && strings.Contains(b.text, c.mark) {
			return c.hold
		}
	}
	return nil
}

// withClient puts a client into the machine's PATH of which only the version is ever
// asked.
func (m *machine) withClient(version string) []string {
	m.t.Helper()
	dir := m.t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\necho '%s (Claude Code)'\n", version)
	require.NoError(m.t, os.WriteFile(filepath.Join(dir, "claude"), []byte(script), 0o755))
	return m.environ("PATH=" + strings.Join([]string{dir, binaries, os.Getenv("PATH")}, string(os.PathListSeparator)))
}

// doctor is what the doctor says in that folder, and the state of one check.
func doctor(t *testing.T, environ []string, dir string) gjson.Result {
	t.Helper()
	cmd := exec.Command(filepath.Join(binaries, "ctxguard"), "doctor", "--json")
	cmd.Env, cmd.Dir = environ, dir
	out, err := cmd.Output()
	if err != nil {
		require.Equal(t, 1, exitCode(err), "%s", out)
	}
	require.True(t, gjson.ValidBytes(out), "%s", out)
	return gjson.ParseBytes(out)
}

func states(report gjson.Result, check string) string {
	return report.Get(fmt.Sprintf("checks.#(name==%q)#.state", check)).Raw
}

// Settings written by hand are what setup would have written, but for the place of
// the program, and they work as the client runs them.
func holdSettings(t *testing.T, text string) {
	byHand, bySetup := newMachine(t), newMachine(t)
	path := filepath.Join(byHand.home, ".claude", "settings.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	report := doctor(t, byHand.withClient("2.1.332"), byHand.home)
	for _, check := range []string{"settings", "status-line", "hooks"} {
		require.Equal(t, `["ok"]`, states(report, check), "%s: %s", check, report.Raw)
	}

	setup := exec.Command(filepath.Join(binaries, "ctxguard"), "setup", "--yes")
	setup.Env, setup.Dir = bySetup.withClient("2.1.332"), bySetup.home
	out, err := setup.CombinedOutput()
	require.NoError(t, err, "%s", out)
	raw, err := os.ReadFile(filepath.Join(bySetup.home, ".claude", "settings.json"))
	require.NoError(t, err)
	written := strings.ReplaceAll(string(raw), bySetup.path("bin/ctxguard"), "ctxguard")
	require.JSONEq(t, written, strings.ReplaceAll(text, " -- your-status-line", ""))

	// The status line becomes the one that is named.
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "your-status-line"), []byte("#!/bin/sh\ncat >/dev/null\nprintf 'mine'\n"), 0o755))
	payload, err := os.ReadFile("../../testdata/payloads/statusline-03-mid-session.json")
	require.NoError(t, err)
	line := exec.Command("/bin/sh", "-c", gjson.Get(text, "statusLine.command").String())
	line.Env = byHand.environ("PATH=" + strings.Join([]string{dir, binaries, os.Getenv("PATH")}, string(os.PathListSeparator)))
	line.Stdin = bytes.NewReader(payload)
	out, err = line.Output()
	require.NoError(t, err)
	require.Equal(t, "mine", string(out))
	require.FileExists(t, byHand.path("context/7905fe8d-3044-470a-afaa-2463be7e22cf.json"))
}

// The report has the keys that are shown, and no others.
func holdReport(t *testing.T, text string) {
	require.True(t, gjson.Valid(text))
	m := newMachine(t)
	settings := filepath.Join(m.home, ".claude", "settings.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(settings), 0o755))
	require.NoError(t, os.WriteFile(settings, []byte("{}"), 0o644))
	real := doctor(t, m.environ(), m.home)
	keys := func(r gjson.Result) (all []string) {
		r.ForEach(func(key, _ gjson.Result) bool { all = append(all, key.String()); return true })
		return all
	}
	shown := gjson.Parse(text)
	require.ElementsMatch(t, keys(real), keys(shown))
	require.Equal(t, real.Get("version").Raw, shown.Get("version").Raw)
	fault := real.Get(`checks.#(state=="fault")`)
	require.True(t, fault.Exists(), "in settings without ctxguard there is one")
	require.ElementsMatch(t, keys(fault), keys(shown.Get("checks.0")))
	require.NotEqual(t, "[]", states(real, shown.Get("checks.0.name").String()), "there is such a check")
}

// A file like that is understood, and one with a slip in it is not: the check is one.
func holdTOML(name string) func(*testing.T, string) {
	return func(t *testing.T, text string) {
		m := newMachine(t)
		project := filepath.Join(m.home, "project")
		require.NoError(t, os.MkdirAll(filepath.Join(project, ".git"), 0o755))
		path := m.path(name)
		if name == ".ctxguard.toml" {
			path = filepath.Join(project, name)
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		require.Equal(t, `["ok"]`, states(doctor(t, m.environ(), project), name), text)
		require.NoError(t, os.WriteFile(path, []byte("slip = 1\n"+text), 0o600))
		require.NotContains(t, states(doctor(t, m.environ(), project), name), "ok")
	}
}

// The page's questions are brought to mind as it says.
func holdQuestions(t *testing.T, text string) {
	m := newMachine(t)
	project := filepath.Join(m.home, "project")
	for name, content := range map[string]string{
		".git/HEAD": "", "knowledge-base/_questions.md": text,
		".ctxguard.toml": "[[reminders.trigger]]\nwhen = [\"dialog\"]\nquestion = \"Who owns\"\n",
	} {
		path := filepath.Join(project, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	}
	event := map[string]any{"session_id": "s", "cwd": project, "hook_event_name": "SessionStart", "source": "startup"}
	start := gjson.Get(m.hooked(event), "hookSpecificOutput.additionalContext").String()
	require.Contains(t, start, "Which directory wins, `CLAUDE_CONFIG_DIR` or the flag?")
	require.NotContains(t, start, "dialog")
	require.NotContains(t, start, "Which shell")
	event["hook_event_name"], event["prompt"] = "UserPromptSubmit", "close the Dialog first"
	require.Contains(t, gjson.Get(m.hooked(event), "hookSpecificOutput.additionalContext").String(), "Who owns the dialog?")
}

// hooked is the answer to one event.
func (m *machine) hooked(event map[string]any) string {
	m.t.Helper()
	raw, err := json.Marshal(event)
	require.NoError(m.t, err)
	cmd := exec.Command(filepath.Join(binaries, "ctxguard"), "hook")
	cmd.Env, cmd.Stdin = m.environ(), bytes.NewReader(raw)
	out, err := cmd.Output()
	require.NoError(m.t, err)
	return string(out)
}

// The picture of a session is what the program draws and says, set in the client's
// lines.
func holdCrossing(t *testing.T, text string) {
	m := newMachine(t)
	widget := filepath.Join(m.home, "widget")
	require.NoError(t, os.MkdirAll(filepath.Join(widget, ".git"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(widget, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644))
	raw, err := os.ReadFile("../../testdata/payloads/statusline-03-mid-session.json")
	require.NoError(t, err)
	var payload map[string]any
	require.NoError(t, json.Unmarshal(raw, &payload))
	payload["workspace"].(map[string]any)["current_dir"] = widget
	payload["cost"].(map[string]any)["total_cost_usd"] = 4.21
	window := payload["context_window"].(map[string]any)
	window["total_input_tokens"], window["used_percentage"] = 214_000, 21
	raw, err = json.Marshal(payload)
	require.NoError(t, err)
	line := exec.Command(filepath.Join(binaries, "ctxguard"), "statusline")
	line.Env, line.Stdin = m.environ("NO_COLOR=1"), bytes.NewReader(raw)
	drawn, err := line.Output()
	require.NoError(t, err)
	require.Contains(t, text, "\n "+strings.TrimSpace(string(drawn))+"\n")

	said := gjson.Get(m.hooked(map[string]any{"session_id": payload["session_id"], "hook_event_name": "PostToolBatch"}), "systemMessage").String()
	require.NotEmpty(t, said)
	require.Contains(t, strings.Join(strings.Fields(text), " "), "PostToolBatch says: "+said)
}

func holdList(t *testing.T, text string) {
	m := newMachine(t)
	half := 30 * time.Minute
	m.measure("7905fe8d-3044-470a-afaa-2463be7e22cf", session{payload: "03-mid-session", project: "widget", tokens: 214_060, ago: hour + half,
		history: climbing(m.now.Add(-5*hour), m.now.Add(-2*hour), 1, 60, 30_000, 214_060, 1_000_000)})
	m.measure("15c067c7-e5d8-4d6e-a032-c99251b9ec3a", session{payload: "07-over-100-percent-200k-model", project: "billing", tokens: 165_000, ago: 2*hour + half,
		compacted: 4*hour + half, history: climbing(m.now.Add(-9*hour), m.now.Add(-3*hour), 3, 30, 20_000, 165_000, 200_000)})
	m.measure("a3d1f0c2-0b7e-4b66-9a51-5f0f6c1d2e3f", session{payload: "03-mid-session", project: "api", tokens: 61_000, ago: 3*hour + half,
		history: climbing(m.now.Add(-6*hour), m.now.Add(-4*hour), 1, 20, 12_000, 61_000, 1_000_000)})
	m.measure("c0ffee00-5a5a-4c3c-8d2e-1b2c3d4e5f60", session{payload: "01-start-no-response", project: "notes", ago: 4*hour + half})
	requireShown(t, m.atSize(100, 24, []string{"NO_COLOR=1"}, "status"), text)
}

func holdCurve(t *testing.T, text string) {
	m := newMachine(t)
	day := time.Date(2026, 1, 2, 9, 0, 0, 0, time.UTC)
	const id = "15c067c7-e5d8-4d6e-a032-c99251b9ec3a"
	m.measure(id, session{payload: "03-mid-session", project: "billing", tokens: 121_000, window: 200_000, ago: hour + hour/2,
		history: slices.Concat(climbing(day, day.Add(4*hour), 1, 40, 18_000, 164_000, 200_000),
			climbing(day.Add(4*hour+10*time.Minute), day.Add(7*hour), 1, 30, 24_000, 121_000, 200_000))})
	m.compact(id, day.Add(4*hour+5*time.Minute))
	requireShown(t, m.atSize(90, 24, []string{"NO_COLOR=1"}, "status", id[:8]), text)
}

// The README's tables name what there is.
func TestTablesOfTheReadme(t *testing.T) {
	raw, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	rows := func(heading string) (cells [][]string) {
		_, section, found := strings.Cut(string(raw), "\n"+heading+"\n")
		require.True(t, found, heading)
		section, _, _ = strings.Cut(section, "\n## ")
		for line := range strings.Lines(section) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "| `") {
				var row []string
				for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
					row = append(row, strings.TrimSpace(cell))
				}
				cells = append(cells, row)
			}
		}
		return cells
	}
	bands := zones.DefaultBands()
	thousands := func(n int64) string { return fmt.Sprintf("up to %d,%03d", n/1000, n%1000) }
	percent := func(n float64) string { return fmt.Sprintf("up to %.0f %%", n) }
	table := rows("## Where a conversation stands")
	require.Equal(t, []string{"`smart`", thousands(bands.Tokens[0].SmartMax), thousands(bands.Tokens[1].SmartMax), percent(bands.SmartMaxPercent)}, table[0])
	require.Equal(t, []string{"`acceptable`", thousands(bands.Tokens[0].AcceptableMax), thousands(bands.Tokens[1].AcceptableMax), percent(bands.AcceptableMaxPercent)}, table[1])

	var named []string
	for _, row := range rows("## The guards") {
		for guard := range strings.SplitSeq(row[0], ", ") {
			guard = strings.Trim(guard, "`")
			named = append(named, guard)
			if row[2] == "on" || row[2] == "off" {
				require.Equal(t, row[2] == "on", registry.IsOn(config.Default(), guard), guard)
			}
		}
	}
	require.ElementsMatch(t, hooks.GuardNames(), named)
}

// requireShown compares as a page shows it: without blanks at the ends of lines.
func requireShown(t *testing.T, raw, text string) {
	t.Helper()
	var lines []string
	for line := range strings.Lines(raw) {
		lines = append(lines, strings.TrimRight(line, " \r\n"))
	}
	require.Equal(t, strings.Join(lines, "\n")+"\n", text)
}
