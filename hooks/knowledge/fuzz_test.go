package knowledge

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/zones"
)

// FuzzCapture: whatever a transcript holds, the end of a turn is refused only for
// files that a call in it names inside the project and outside its knowledge, and
// the refusal names them in bounded lines.
func FuzzCapture(f *testing.F) {
	files, err := filepath.Glob("../../testdata/payloads/transcript-*.jsonl")
	require.NoError(f, err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(f, err)
		if len(raw) < 24<<10 {
			f.Add(string(raw), "kb", "src/a.go")
		}
	}
	root, err := filepath.EvalSymlinks(f.TempDir())
	require.NoError(f, err)
	for _, dir := range []string{"kb", "src"} {
		require.NoError(f, os.MkdirAll(filepath.Join(root, dir), 0o700))
	}
	path := filepath.Join(root, "t.jsonl")
	now := time.Now().Add(time.Hour) // later than the folders, so that nothing was filed
	f.Fuzz(func(t *testing.T, transcript, dir, target string) {
		transcript = strings.ReplaceAll(transcript, "TARGET", strings.Trim(string(gjson.AppendJSONString(nil, target)), `"`))
		require.NoError(t, os.WriteFile(path, []byte(transcript), 0o600))
		cfg := config.Default().Capture
		cfg.Dir = dir
		c := capture{cfg: cfg}
		ev := &hooks.Event{
			Envelope: hooks.Envelope{Name: hooks.Stop, TranscriptPath: path, CWD: root}, Project: root, Now: now,
			Resolve: func() zones.Reading { return zones.Reading{Zone: zones.Unknown} },
		}
		where, err := placeOf(root, dir)
		if err != nil {
			return
		}
		_, end, err := measure(path)
		require.NoError(t, err)
		changes, err := c.changes(ev, where, round{to: end, since: now})
		require.NoError(t, err)
		for _, ch := range changes {
			full := filepath.Join(root, filepath.FromSlash(ch.path))
			require.True(t, filepath.IsLocal(filepath.FromSlash(ch.path)), ch.path)
			_, inKnowledge := below(where.knowledge, full)
			require.False(t, inKnowledge, ch.path)
			require.True(t, strings.Contains(transcript, `"tool_use"`))
		}
		if len(changes) == 0 {
			return
		}
		text := instruction(dir, pathsOf(changes), noLoss)
		require.Less(t, utf8.RuneCountInString(text), 4_000)
		require.False(t, strings.ContainsAny(text, "\x1b\x00\r"))
	})
}

// FuzzTouched: a trigger is touched when one of its phrases stands in the prompt,
// letter case aside, and a blank phrase never is.
func FuzzTouched(f *testing.F) {
	f.Fuzz(func(t *testing.T, prompt, phrase, other string) {
		triggers := []config.Trigger{{When: []string{phrase, other}, Question: "a"}, {When: []string{""}, Question: "b"}}
		found := touched(prompt, triggers)
		lower := strings.ToLower(prompt)
		want := strings.TrimSpace(phrase) != "" && strings.Contains(lower, strings.ToLower(phrase)) ||
			strings.TrimSpace(other) != "" && strings.Contains(lower, strings.ToLower(other))
		require.Equal(t, want, len(found) == 1)
		require.LessOrEqual(t, len(found), 1)
	})
}
