//go:build unix

package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// machine is a home with sessions of every kind. All were measured hours ago and are
// still current, since their transcripts are as old: so ages read the same for
// the minutes that a test may take.
type machine struct {
	t    *testing.T
	home string
	now  time.Time
}

const hour = time.Hour

func newMachine(t *testing.T) *machine {
	t.Helper()
	return &machine{t: t, home: t.TempDir(), now: time.Now().Truncate(time.Second)}
}

// environ is a person's, at a terminal that knows its own size.
func (m *machine) environ(more ...string) []string {
	return append([]string{
		"HOME=" + m.home, "TZ=UTC", "LANG=C.UTF-8", "TERM=xterm-256color",
		"PATH=" + binaries + string(os.PathListSeparator) + os.Getenv("PATH"),
	}, more...)
}

func (m *machine) path(below string) string {
	return filepath.Join(m.home, ".claude", "ctxguard", filepath.FromSlash(below))
}

// session is what is special about one.
type session struct {
	payload string // of testdata/payloads/statusline-….json
	project string
	model   string
	tokens  int // 0 for what was recorded
	window  int
	ago     time.Duration
	// stale has no transcript that shows the snapshot to be current.
	stale     bool
	compacted time.Duration
	history   []point
}

type point struct {
	Time   string `json:"time"`
	Tokens int    `json:"tokens"`
	Window int    `json:"window"`
}

// measure feeds the recorded payload to the program and lets the time go by.
func (m *machine) measure(id string, s session) {
	m.t.Helper()
	raw, err := os.ReadFile("../../testdata/payloads/statusline-" + s.payload + ".json")
	require.NoError(m.t, err)
	var payload map[string]any
	require.NoError(m.t, json.Unmarshal(raw, &payload))
	payload["session_id"] = id
	transcript := filepath.Join(m.home, id+".jsonl")
	payload["transcript_path"] = transcript
	window := payload["context_window"].(map[string]any)
	if s.window > 0 {
		window["context_window_size"] = s.window
	}
	if s.tokens > 0 {
		window["total_input_tokens"], window["total_output_tokens"] = s.tokens, 0
		window["used_percentage"] = min(100, s.tokens*100/int(number(window["context_window_size"])))
	}
	payload["workspace"].(map[string]any)["project_dir"] = "/home/dev/src/" + s.project
	switch s.model {
	case "":
	case "none":
		delete(payload, "model")
	default:
		payload["model"].(map[string]any)["display_name"] = s.model
	}
	raw, err = json.Marshal(payload)
	require.NoError(m.t, err)
	shim := exec.Command(filepath.Join(binaries, "ctxguard"), "statusline", "--", "true")
	shim.Env, shim.Stdin = m.environ(), bytes.NewReader(raw)
	out, err := shim.CombinedOutput()
	require.NoError(m.t, err, "%s", out)

	at := m.now.Add(-s.ago)
	m.rewrite("context/"+id+".json", "captured_at", at.UTC().Format("2006-01-02T15:04:05Z"), at)
	if !s.stale {
		require.NoError(m.t, os.WriteFile(transcript, nil, 0o600))
		require.NoError(m.t, os.Chtimes(transcript, at, at))
	}
	if s.compacted > 0 {
		m.compact(id, m.now.Add(-s.compacted))
	}
	if s.history != nil {
		var lines bytes.Buffer
		for _, p := range s.history {
			require.NoError(m.t, json.NewEncoder(&lines).Encode(p))
		}
		require.NoError(m.t, os.WriteFile(m.path("history/"+id+".jsonl"), lines.Bytes(), 0o600))
	}
}

func number(v any) float64 {
	switch n := v.(type) {
	case float64:
		return n
	case int:
		return float64(n)
	}
	return 0
}

// compact tells the program of a compaction at that time.
func (m *machine) compact(id string, at time.Time) {
	m.t.Helper()
	raw, err := os.ReadFile("../../testdata/payloads/hook-PostCompact.auto.json")
	require.NoError(m.t, err)
	var event map[string]any
	require.NoError(m.t, json.Unmarshal(raw, &event))
	event["session_id"] = id
	raw, err = json.Marshal(event)
	require.NoError(m.t, err)
	hook := exec.Command(filepath.Join(binaries, "ctxguard"), "hook")
	hook.Env, hook.Stdin = m.environ(), bytes.NewReader(raw)
	out, err := hook.CombinedOutput()
	require.NoError(m.t, err, "%s", out)
	m.rewrite("context/"+id+".compacted", "compacted_at", at.UTC().Format("2006-01-02T15:04:05.000Z"), at)
}

// rewrite sets a time in one of the program's files, and the file's own.
func (m *machine) rewrite(below, key, value string, at time.Time) {
	m.t.Helper()
	raw, err := os.ReadFile(m.path(below))
	require.NoError(m.t, err)
	var file map[string]any
	require.NoError(m.t, json.Unmarshal(raw, &file))
	require.Contains(m.t, file, key)
	file[key] = value
	raw, err = json.Marshal(file)
	require.NoError(m.t, err)
	require.NoError(m.t, os.WriteFile(m.path(below), raw, 0o600))
	require.NoError(m.t, os.Chtimes(m.path(below), at, at))
}

// climbing is a history that rises evenly, each time from low to high again.
func climbing(from, to time.Time, times, n, low, high, window int) []point {
	var points []point
	for i := range times * n {
		at := from.Add(time.Duration(float64(to.Sub(from)) * float64(i) / float64(times*n-1)))
		tokens := low + (high-low)*(i%n)/(n-1)
		points = append(points, point{at.UTC().Format("2006-01-02T15:04:05Z"), tokens, window})
	}
	return points
}

const (
	sawtooth = "33cc0000-1111-4222-8333-444455556666"
	steady   = "22bb0000-1111-4222-8333-444455556666"
	blank    = "44dd0000-1111-4222-8333-444455556666"
	fresh    = "55ee0000-1111-4222-8333-444455556666"
)

// everyKind fills the home.
func everyKind(t *testing.T) *machine {
	t.Helper()
	m := newMachine(t)
	day := time.Date(2026, 1, 2, 9, 0, 0, 0, time.UTC)
	half := 30 * time.Minute
	ago := func(hours int) time.Duration { return time.Duration(hours)*hour + half }
	m.measure("7905fe8d-1111-4222-8333-444455556666", session{payload: "03-mid-session", project: "widget", tokens: 214_060, ago: ago(1)})
	m.measure(steady, session{payload: "03-mid-session", project: "a-very-long-directory-name-that-does-not-end-soon",
		model: "Opus 5.5 (1M context)", tokens: 612_000, ago: ago(2), history: climbing(day, day.Add(7*hour), 1, 60, 30_000, 612_000, 1_000_000)})
	m.measure(sawtooth, session{payload: "07-over-100-percent-200k-model", project: "billing", tokens: 121_000, ago: ago(3),
		compacted: ago(11), history: climbing(m.now.Add(-ago(35)), m.now.Add(-ago(3)), 4, 30, 20_000, 165_000, 200_000)})
	m.measure(blank, session{payload: "04-after-compact-zeros", project: "设计文档与代码审查", ago: ago(4), compacted: ago(5),
		history: climbing(day, day.Add(time.Hour), 1, 20, 30_000, 700_000, 1_000_000)})
	m.measure(fresh, session{payload: "01-start-no-response", project: "🚀rocket👩\u200d👩\u200d👧", ago: ago(6)})
	m.measure("66ff0000-1111-4222-8333-444455556666", session{payload: "03-mid-session", project: "yesterday", tokens: 330_000, ago: ago(7), stale: true})
	m.measure("77000000-1111-4222-8333-444455556666", session{payload: "07-over-100-percent-200k-model", tokens: 152_000,
		project: "evil\x1b[31m\x07\u202ename\r\n\t\u009b1m", model: "\x1b]0;x\x07M", ago: ago(8)})
	m.measure("88000000-1111-4222-8333-444455556666", session{payload: "03-mid-session", project: "nomodel", model: "none", tokens: 45_000, ago: ago(9)})
	m.measure("99000000-1111-4222-8333-444455556666", session{payload: "07-over-100-percent-200k-model", project: "pegged", ago: ago(10)})
	m.measure("aa110000-1111-4222-8333-444455556666", session{payload: "03-mid-session", project: "日本語プロジェクト名前がとても長い",
		model: "クロード", tokens: 420_000, ago: ago(12), compacted: ago(13)})
	m.measure("short", session{payload: "03-mid-session", project: "e\u0301combined❤\ufe0f", tokens: 90_000, window: 200_000, ago: ago(14)})
	return m
}

// many adds sessions beside one another, copies of one that was measured.
func (m *machine) many(n int) {
	m.t.Helper()
	m.measure("copied", session{payload: "03-mid-session", project: "copied", ago: 50 * hour})
	raw, err := os.ReadFile(m.path("context/copied.json"))
	require.NoError(m.t, err)
	for i := range n - 1 {
		id := fmt.Sprintf("%08x-copy", i)
		copied := strings.ReplaceAll(string(raw), `"copied"`, `"`+id+`"`)
		require.NoError(m.t, os.WriteFile(m.path("context/"+id+".json"), []byte(copied), 0o600))
	}
}
