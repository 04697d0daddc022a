package statusline_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"

	"ctxguard/statusline"
)

// drawn is the line for a payload, with those variables.
func drawn(t *testing.T, payload []byte, env map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "payload")
	require.NoError(t, os.WriteFile(path, payload, 0o600))
	stdin, err := os.Open(path)
	require.NoError(t, err)
	defer stdin.Close()
	var out bytes.Buffer
	code := statusline.Run(statusline.Process{
		Getenv:  func(name string) string { return env[name] },
		Started: time.Now(),
		Stdin:   stdin, Stdout: &out, Stderr: &out,
	})
	require.Zero(t, code)
	return strings.TrimSuffix(out.String(), "\n")
}

func midSession(t *testing.T) []byte {
	t.Helper()
	raw, err := os.ReadFile("../testdata/payloads/statusline-03-mid-session.json")
	require.NoError(t, err)
	return raw
}

var noColour = map[string]string{"NO_COLOR": "1"}

func with(t *testing.T, old, value string) []byte {
	t.Helper()
	raw := midSession(t)
	require.Contains(t, string(raw), old)
	return bytes.ReplaceAll(raw, []byte(old), []byte(value))
}

func TestLinesOfTheRecordedPayloads(t *testing.T) {
	for name, want := range map[string]string{
		"01-start-no-response":           "Opus 5.5  ░░░░░░░░░░  unknown  widget",
		"03-mid-session":                 "Opus 5.5  ▋░░░░░░░░░  61k/1M  6% smart  widget  $0.05",
		"04-after-compact-zeros":         "Opus 5.5  ░░░░░░░░░░  unknown  widget  $0.34",
		"07-over-100-percent-200k-model": "Sonnet 4.5  ██████████  230k/200k  unknown  widget  $0.20",
		"08-resumed":                     "Opus 5.5  ▌░░░░░░░░░  47k/1M  5% smart  widget  $0.02",
		"05-after-compact-next-response": "Opus 5.5  ░░░░░░░░░░  120/1M  0% smart  widget  $0.34",
	} {
		raw, err := os.ReadFile("../testdata/payloads/statusline-" + name + ".json")
		require.NoError(t, err)
		require.Equal(t, want, drawn(t, raw, noColour), name)
	}
}

func TestTheLineFitsAnyWidth(t *testing.T) {
	colours := regexp.MustCompile("\x1b\\[[0-9;]*m")
	payloads, err := filepath.Glob("../testdata/payloads/statusline-*.json")
	require.NoError(t, err)
	require.NotEmpty(t, payloads)
	for _, file := range payloads {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		raw = bytes.ReplaceAll(raw, []byte(`"display_name": "Opus 5.5"`), []byte(`"display_name": "作品 Opus 5.5 (1M context) 👩‍👩‍👧"`))
		for columns := 1; columns <= 200; columns += 1 + columns/20 {
			line := drawn(t, raw, map[string]string{"COLUMNS": fmt.Sprint(columns)})
			require.LessOrEqual(t, uniseg.StringWidth(colours.ReplaceAllString(line, "")), columns, "%q", line)
		}
	}
	narrow := drawn(t, with(t, "Opus 5.5", "Opus 5.5 (1M context)"), map[string]string{"COLUMNS": "20", "NO_COLOR": "1"})
	require.Equal(t, "Opus 5.5…  6% smart", narrow, "the zone is the last to go")
	require.Equal(t, "6% smart", drawn(t, midSession(t), map[string]string{"COLUMNS": "10", "NO_COLOR": "1"}))
}

func TestNamesCannotMoveTheCursor(t *testing.T) {
	hostile := `\u001b[2J\u001b]8;;http://x\u0007a\u202eb\r\nc\u009b1m\u0000`
	line := drawn(t, with(t, "Opus 5.5", hostile), noColour)
	require.Regexp(t, `^\[2J\]8;;http://xabc1m  `, line)
	require.NotContains(t, drawn(t, midSession(t), noColour), "\x1b")
	require.Contains(t, drawn(t, midSession(t), nil), "\x1b[38;5;29m6% smart\x1b[0m")
}

func TestTheBranchIsReadFromTheProject(t *testing.T) {
	put := func(t *testing.T, path, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"a folder":               {map[string]string{"in/.git/HEAD": "ref: refs/heads/topic/a\n"}, "⎇ topic/a"},
		"detached":               {map[string]string{"in/.git/HEAD": "0123456789abcdef0123456789abcdef01234567\n"}, "⎇ 0123456"},
		"a worktree":             {map[string]string{"in/.git": "gitdir: ../wt\n", "wt/HEAD": "ref: refs/heads/tree\n"}, "⎇ tree"},
		"control characters":     {map[string]string{"in/.git/HEAD": "ref: refs/heads/a\x1b[31mb\n"}, "⎇ a[31mb"},
		"a folder further out":   {map[string]string{".git/HEAD": "ref: refs/heads/outer\n"}, "⎇ outer"},
		"a HEAD that is huge":    {map[string]string{"in/.git/HEAD": strings.Repeat("x", 1<<20), ".git/HEAD": "ref: refs/heads/outer\n"}, ""},
		"a hostile .git file":    {map[string]string{"in/.git": "gitdir", ".git/HEAD": "ref: refs/heads/outer\n"}, ""},
		"a gitdir with a device": {map[string]string{"in/.git": "gitdir: /dev/fd\n", ".git/HEAD": ""}, ""},
		"references elsewhere":   {map[string]string{"in/.git/HEAD": "ref: refs/heads/.invalid\n"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(dir, "in"), 0o700))
			for path, text := range c.files {
				put(t, filepath.Join(dir, path), text)
			}
			line := drawn(t, with(t, "/home/dev/src/widget", filepath.ToSlash(filepath.Join(dir, "in"))), noColour)
			if c.want == "" {
				require.NotContains(t, line, "⎇")
				return
			}
			require.Contains(t, line, "  "+c.want+"  ")
		})
	}
}
