//go:build linux

package main_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"
)

// stage is a person's machine that faults are let loose on.
type stage struct {
	t    *testing.T
	dir  string // HOME
	home string // ctxguard's
	mark string // in the environment of every process that was started here
	env  []string
	turn int
	// after is what a setup without faults makes of the settings, unknowing what it
	// makes of them without a snapshot.
	after, unknowing string
	// doing is what is tried, for the message of a failure.
	doing string
	// mute is set where the fault may be that a message cannot be printed.
	mute bool
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, dir: t.TempDir()}
	s.mark = "STAGE=" + s.dir + "."
	s.home = filepath.Join(s.dir, ".claude", "ctxguard")
	s.env = []string{"HOME=" + s.dir, "PATH=/usr/bin:/bin", "TMPDIR=" + filepath.Join(s.dir, "tmp"), s.mark}
	s.build()
	return s
}

// build puts on the stage what a session in the middle of the dumb zone has.
func (s *stage) build() {
	s.t.Helper()
	s.write(".claude/settings.json", settingsBefore)
	s.write("transcript.jsonl", dismissed)
	require.NoError(s.t, os.MkdirAll(filepath.Join(s.dir, "tmp"), 0o700))
	s.snapshot(time.Now())
}

const settingsBefore = `{
  "model": "opus",
  "statusLine": {"type": "command", "command": "cat"},
  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}
}
`

// clear takes everything of ctxguard's from the stage and builds it again.
func (s *stage) clear() {
	s.t.Helper()
	require.NoError(s.t, os.RemoveAll(filepath.Join(s.dir, ".claude")))
	s.build()
}

// dismissed is a conversation in which the person left the recorded question: the
// same question again is held back (A6), without a wait for what the client has
// yet to write.
const dismissed = `{"type":"user","message":{"content":"make the button"}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a","name":"AskUserQuestion","input":{"questions":[{"question":"Which colour do you want?","options":[{"label":"Red"},{"label":"Blue"}]}]}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","is_error":true,"content":"The user doesn't want to proceed with this tool use."}]}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"b","name":"Bash","input":{}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"b","content":"ok"}]}}
`

func (s *stage) write(below, text string) {
	s.t.Helper()
	path := filepath.Join(s.dir, below)
	require.NoError(s.t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(s.t, os.WriteFile(path, []byte(text), 0o600))
}

// snapshot puts a snapshot of the dumb zone on the stage, captured at that moment.
func (s *stage) snapshot(at time.Time) {
	s.t.Helper()
	path := snapshotOf(s.home)
	require.NoError(s.t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(s.t, os.WriteFile(path, []byte(`{"captured_at":"`+at.UTC().Format("2006-01-02T15:04:05Z")+`","session_id":"`+sessionID+
		`","cli_version":"2.1.332","context_window":{"total_input_tokens":450000,"total_output_tokens":10,"context_window_size":1000000,`+
		`"current_usage":{"input_tokens":1},"used_percentage":45}}`+"\n"), 0o600))
	require.NoError(s.t, os.Chtimes(path, at, at))
}

// command is ctxguard with those words and that input.
func (s *stage) command(stdin []byte, words ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(binaries, "ctxguard"), words...)
	cmd.Dir, cmd.Env, cmd.Stdin = s.dir, s.env, bytes.NewReader(stdin)
	return cmd
}

// line is the shim around a command that repeats its input and ends with 5, with
// a payload that no snapshot has yet.
func (s *stage) line() (cmd *exec.Cmd, payload []byte) {
	s.turn++
	payload = bytes.ReplaceAll(recorded(s.t, "statusline-03-mid-session.json"), []byte("60720"), []byte(strconv.Itoa(460_000+s.turn)))
	return s.command(payload, "statusline", "--", "env", "-C", "/", "sh", "-c", "cat; exit 5"), payload
}

// prompt is the hook of a prompt, where crossing has something to say.
func (s *stage) prompt() *exec.Cmd {
	return s.command(recorded(s.t, "hook-UserPromptSubmit.json"), "hook")
}

// question is the hook of a question that the guard ask holds back, with exit 2.
func (s *stage) question() *exec.Cmd {
	payload := recorded(s.t, "hook-PreToolUse.AskUserQuestion.json")
	transcript := gjson.GetBytes(payload, "transcript_path").Str
	payload = bytes.ReplaceAll(payload, []byte(transcript), []byte(filepath.Join(s.dir, "transcript.jsonl")))
	return s.command(payload, "hook")
}

func (s *stage) ended(cmd *exec.Cmd) ending {
	s.t.Helper()
	e := ended(s.t, cmd)
	e.doing = s.doing
	return e
}

func (s *stage) zone() *exec.Cmd { return s.command(nil, "zone", sessionID) }

func (s *stage) setup(more ...string) *exec.Cmd {
	return s.command(nil, append([]string{"setup", "--yes"}, more...)...)
}

func (s *stage) settings() string {
	raw, err := os.ReadFile(filepath.Join(s.dir, ".claude", "settings.json"))
	require.NoError(s.t, err)
	return string(raw)
}

// wholeAfter holds what is left behind once the fault is gone: nothing torn, no
// temporary file that a later prune leaves, no process, and a session that goes on.
func (s *stage) wholeAfter() {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return len(leftRunning(s.mark)) == 0 }, 20*time.Second, 10*time.Millisecond, "still running: %s", leftRunning(s.mark))
	s.nothingTorn()
	cmd, payload := s.line()
	s.unharmed(s.ended(cmd), payload)
	s.isCaptured(payload)
	require.Equal(s.t, "dumb", s.zoneWord(s.ended(s.zone())))
	s.noTemporaries()
}

// nothingTorn reads every file of the home as its readers do.
func (s *stage) nothingTorn() {
	s.t.Helper()
	for _, pattern := range []string{"context/*", "state/*.json", "off.json", "setup.json"} {
		files, err := filepath.Glob(filepath.Join(s.home, pattern))
		require.NoError(s.t, err)
		for _, path := range files {
			raw, err := os.ReadFile(path)
			require.NoError(s.t, err)
			// A file of no bytes reads as none (DESIGN section 3).
			require.True(s.t, len(raw) == 0 || json.Valid(raw), "%s: %q", path, raw)
		}
	}
	for _, pattern := range []string{"history/*", "decisions.jsonl", "owed.jsonl", "answers.jsonl"} {
		files, err := filepath.Glob(filepath.Join(s.home, pattern))
		require.NoError(s.t, err)
		for _, path := range files {
			raw, err := os.ReadFile(path)
			require.NoError(s.t, err)
			for line := range strings.Lines(string(raw)) {
				require.True(s.t, json.Valid([]byte(line)) && strings.HasSuffix(line, "\n"), "%s: %q", path, line)
			}
		}
	}
}

// noTemporaries makes what is left old enough and lets a session end, which
// prunes.
func (s *stage) noTemporaries() {
	s.t.Helper()
	old := time.Now().Add(-2 * time.Hour)
	for _, path := range s.temporaries() {
		require.NoError(s.t, os.Chtimes(path, old, old))
	}
	e := s.ended(s.command(recorded(s.t, "hook-SessionEnd.exit.json"), "hook"))
	require.Zero(s.t, e.code, e)
	require.Empty(s.t, s.temporaries(), "a prune leaves nothing")
}

// temporaries is every file below HOME that is none of those that ctxguard says
// it keeps (DESIGN section 3), or that were there before.
func (s *stage) temporaries() []string {
	var left []string
	require.NoError(s.t, filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !s.isKept(path) {
			left = append(left, path)
		}
		return err
	}))
	return left
}

func (s *stage) isKept(path string) bool {
	below, err := filepath.Rel(s.dir, path)
	require.NoError(s.t, err)
	for _, pattern := range []string{
		"transcript.jsonl", "tmp/*", "tmp/*/*", "tmp/*/*/*", ".claude/settings.json",
		".claude/ctxguard/context/[0-9a-z]*.json", ".claude/ctxguard/history/*.jsonl", ".claude/ctxguard/state/*.json",
		".claude/ctxguard/seen/[A-Za-z]*", ".claude/ctxguard/cache/[a-z]*", ".claude/ctxguard/locks/[0-9a-z]*", ".claude/ctxguard/[a-z]*.toml",
		".claude/ctxguard/setup.json", ".claude/ctxguard/README", ".claude/ctxguard/ctxguard.log", ".claude/ctxguard/[a-z]*.jsonl",
		".claude/ctxguard/bin/ctxguard", ".claude/ctxguard/backups/settings-*Z.json", ".claude/ctxguard/backups/settings-*Z-0?.json",
	} {
		if ok, err := filepath.Match(pattern, below); err != nil || ok {
			require.NoError(s.t, err)
			return true
		}
	}
	return false
}
