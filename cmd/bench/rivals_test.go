package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// eachRival runs a test for each rival that can run here.
func eachRival(t *testing.T, test func(t *testing.T, rival contestant)) {
	forEach(t, test, map[string]contestant{"shell": contestants.shell, "python": contestants.python})
}

// eachContestant runs a test for ctxguard, too: what is expected of the rivals is
// what it does.
func eachContestant(t *testing.T, test func(t *testing.T, c contestant)) {
	forEach(t, test, map[string]contestant{"ctxguard": contestants.ours, "shell": contestants.shell, "python": contestants.python})
}

func forEach(t *testing.T, test func(t *testing.T, c contestant), which map[string]contestant) {
	for name, c := range which {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.absent != "" && os.Getenv("CI") == "true" {
				t.Fatalf("%s, and under CI=true everything has to be tried", c.absent)
			}
			if c.absent != "" {
				t.Skip(c.absent)
			}
			test(t, c)
		})
	}
}

// outcome is what a run of a contestant came to.
type outcome struct {
	stdout, stderr string
	code           int
}

func try(t *testing.T, c contestant, home string, work task) outcome {
	t.Helper()
	j := c.job(work, home)
	cmd := exec.CommandContext(t.Context(), j.argv[0], j.argv[1:]...)
	cmd.Env = j.environ()
	cmd.Stdin = bytes.NewReader(j.stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

func around(command ...string) task {
	return task{words: append([]string{"statusline", "--"}, command...), script: append([]string{"shim"}, command...)}
}

func payloads(t *testing.T, pattern string) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../../testdata/payloads", pattern))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	all := map[string][]byte{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		all[filepath.Base(file)] = raw
	}
	return all
}

// snapshotIn is the one snapshot of a home, without the time, and that.
func snapshotIn(t *testing.T, home string) (snapshot map[string]any, captured string) {
	t.Helper()
	files, err := os.ReadDir(filepath.Join(home, "context"))
	require.NoError(t, err)
	require.Len(t, files, 1, "one snapshot and no temporary file")
	raw, err := os.ReadFile(filepath.Join(home, "context", files[0].Name()))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &snapshot))
	require.Equal(t, snapshot["session_id"].(string)+".json", files[0].Name())
	captured = snapshot["captured_at"].(string)
	delete(snapshot, "captured_at")
	return snapshot, captured
}

func TestRivalsPassThePayloadOnAndKeepTheSameSnapshot(t *testing.T) {
	lines := payloads(t, "statusline-*.json")
	eachRival(t, func(t *testing.T, rival contestant) {
		for name, line := range lines {
			work := around("cat")
			work.stdin = line
			mine, theirs := t.TempDir(), t.TempDir()
			require.Equal(t, outcome{stdout: string(line)}, try(t, contestants.ours, mine, work), name)
			require.Equal(t, outcome{stdout: string(line)}, try(t, rival, theirs, work), name)
			want, _ := snapshotIn(t, mine)
			got, captured := snapshotIn(t, theirs)
			require.Equal(t, want, got, name)
			when, err := time.Parse("2006-01-02T15:04:05Z", captured)
			require.NoError(t, err, name)
			require.WithinDuration(t, time.Now(), when, time.Minute, name)
		}
	})
}

func TestRivalsSurviveWhatIsNoPayload(t *testing.T) {
	eachRival(t, func(t *testing.T, rival contestant) {
		for _, line := range []string{"", "not json\n\n", "[1]", `{"session_id":"../x"}`, `{"session_id":7}`, `{"version":"2.1.332"}`} {
			home := t.TempDir()
			work := around("cat")
			work.stdin = []byte(line)
			require.Equal(t, line, try(t, rival, home, work).stdout)
			require.NoFileExists(t, filepath.Join(home, "x.json"))
			require.NoDirExists(t, filepath.Join(home, "context"), line)
		}
		require.Equal(t, 3, try(t, rival, t.TempDir(), around("bash", "-c", "exit 3")).code, "the command's own exit code")
	})
}

// bent is the snapshot of the mid-session payload with one thing changed.
func bent(t *testing.T, captured time.Time, change func(snapshot, window map[string]any)) []byte {
	t.Helper()
	var payload map[string]any
	require.NoError(t, json.Unmarshal(contestants.line, &payload))
	window := payload["context_window"].(map[string]any)
	snapshot := map[string]any{
		"captured_at":    captured.UTC().Format("2006-01-02T15:04:05Z"),
		"session_id":     session,
		"cli_version":    payload["version"],
		"context_window": window,
		"client":         map[string]any{"model": payload["model"]},
	}
	change(snapshot, window)
	raw, err := json.Marshal(snapshot)
	require.NoError(t, err)
	return raw
}

func keep(home string, snapshot []byte) error {
	folder := filepath.Join(home, "context")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, session+".json"), snapshot, 0o600)
}

// tokens sets the occupancy and the window, percent what the client says of them.
func tokens(input, output, size, percent any) func(_, window map[string]any) {
	return func(_, window map[string]any) {
		window["total_input_tokens"], window["total_output_tokens"] = input, output
		window["context_window_size"], window["used_percentage"] = size, percent
	}
}

// Z: the zone that ctxguard tells is the one that the rivals tell.
func TestRivalsTellTheSameZone(t *testing.T) {
	const million = 1_000_000
	cases := map[string]struct {
		change func(snapshot, window map[string]any)
		want   string
	}{
		"as recorded":                {func(_, _ map[string]any) {}, "smart"},
		"on the edge of smart":       {tokens(199_000, 1000, million, 20), "smart"},
		"past it":                    {tokens(199_000, 1001, million, 20), "acceptable"},
		"on the edge of acceptable":  {tokens(399_000, 1000, million, 40), "acceptable"},
		"past the second":            {tokens(400_000, 1, million, 40), "dumb"},
		"a window of 200,000":        {tokens(150_000, 0, 200_000, 50), "acceptable"},
		"the percentage is worse":    {tokens(20_000, 0, 200_000, 76), "dumb"},
		"the tokens are worse":       {tokens(170_000, 0, 200_000, 50), "dumb"},
		"a window below every class": {tokens(60_000, 0, 100_000, 60), "acceptable"},
		"no percentage":              {tokens(300_000, 0, million, nil), "acceptable"},
		"a percentage out of range":  {tokens(300_000, 0, million, 101), "acceptable"},
		"a pegged percentage":        {tokens(230_000, 0, 200_000, 100), "unknown"},
		"no totals":                  {tokens(nil, nil, million, 51), "acceptable"},
		"nothing to compute":         {tokens(nil, nil, million, nil), "unknown"},
		"a negative total":           {tokens(-1, 0, million, 10), "smart"},
		"zeros after a compaction":   {func(_, w map[string]any) { w["current_usage"] = map[string]any{"input_tokens": 0} }, "unknown"},
		"no usage":                   {func(_, w map[string]any) { w["current_usage"] = nil }, "unknown"},
		"usage without a number":     {func(_, w map[string]any) { w["current_usage"] = map[string]any{} }, "unknown"},
		"another session's":          {func(s, _ map[string]any) { s["session_id"] = "other" }, "unknown"},
		"no time":                    {func(s, _ map[string]any) { delete(s, "captured_at") }, "unknown"},
		"a time with a fraction":     {func(s, _ map[string]any) { s["captured_at"] = "2026-12-01T09:59:55.5Z" }, "unknown"},
		"no window":                  {func(s, _ map[string]any) { s["context_window"] = nil }, "unknown"},
		"an old client, whose sums are of the session": {func(s, w map[string]any) {
			s["cli_version"] = "2.1.131"
			tokens(900_000, 0, million, 20)(s, w)
		}, "smart"},
		"a newer client by numbers, not by letters": {func(s, w map[string]any) {
			s["cli_version"] = "2.10.0"
			tokens(300_000, 0, million, 20)(s, w)
		}, "acceptable"},
		"a model of a million that reports 200,000": {func(s, w map[string]any) {
			s["client"] = map[string]any{"model": map[string]any{"id": "claude-opus-5-5[1m]"}}
			tokens(190_000, 0, 200_000, 95)(s, w)
		}, "smart"},
	}
	ask := contestants.zone()
	check := func(t *testing.T, c contestant, home, name, want string) {
		t.Helper()
		require.Equal(t, outcome{stdout: want + "\n"}, try(t, c, home, ask), name)
	}
	eachContestant(t, func(t *testing.T, tells contestant) {
		for name, c := range cases {
			home := t.TempDir()
			require.NoError(t, keep(home, bent(t, time.Now(), c.change)))
			check(t, tells, home, name, c.want)
		}
		for age, want := range map[time.Duration]string{
			9 * time.Minute: "smart", 11 * time.Minute: "unknown", -30 * time.Second: "smart", -5 * time.Minute: "unknown",
		} {
			home := t.TempDir()
			require.NoError(t, keep(home, bent(t, time.Now().Add(-age), func(_, _ map[string]any) {})))
			check(t, tells, home, age.String(), want)
		}
		home := t.TempDir()
		check(t, tells, home, "no snapshot", "unknown")
		require.NoError(t, keep(home, []byte(`{"session_id":`)))
		check(t, tells, home, "broken", "unknown")
	})
}

// X1 to X3: what is said of a session as it goes along.
func TestRivalsSayOnceThatAZoneIsWorse(t *testing.T) {
	prompt := contestants.silentHook("UserPromptSubmit", "prompt", 1000)
	batch := contestants.silentHook("PostToolBatch", "tool_calls", 200_000)
	inSubagent := prompt
	inSubagent.stdin = bytes.Replace(prompt.stdin, []byte("{"), []byte(`{"agent_id":"sub",`), 1)
	other := prompt
	other.stdin = bytes.Replace(prompt.stdin, []byte("UserPromptSubmit"), []byte("Stop"), 1)
	steps := []struct {
		occupancy int
		event     task
		says      string
	}{
		{100_000, prompt, ""}, {300_000, inSubagent, ""}, {300_000, prompt, "acceptable"}, {300_000, prompt, ""}, {300_000, batch, ""},
		{500_000, batch, "dumb"}, {500_000, prompt, ""}, {300_000, prompt, ""}, {500_000, batch, ""},
		{100_000, prompt, ""}, {500_000, other, ""}, {500_000, prompt, "dumb"}, {500_000, prompt, ""},
	}
	eachContestant(t, func(t *testing.T, c contestant) {
		home := t.TempDir()
		for i, s := range steps {
			require.NoError(t, keep(home, bent(t, time.Now(), tokens(s.occupancy, 0, 1_000_000, s.occupancy/10_000))))
			out := try(t, c, home, s.event)
			require.Equal(t, outcome{stdout: out.stdout}, out, "step %d", i+1)
			if s.says == "" {
				require.Empty(t, out.stdout, "step %d", i+1)
				continue
			}
			var said struct {
				Specific struct {
					Event   string `json:"hookEventName"`
					Context string `json:"additionalContext"`
				} `json:"hookSpecificOutput"`
				Message string `json:"systemMessage"`
			}
			require.NoError(t, json.Unmarshal([]byte(out.stdout), &said), "step %d: %s", i+1, out.stdout)
			require.Contains(t, string(s.event.stdin[:400]), `"hook_event_name":"`+said.Specific.Event+`"`)
			require.Contains(t, said.Specific.Context, s.says)
			require.Contains(t, said.Message, s.says)
		}
		broken := prompt
		broken.stdin = []byte("not json")
		require.Equal(t, outcome{}, try(t, c, t.TempDir(), broken))
		require.Equal(t, outcome{}, try(t, c, t.TempDir(), prompt), "no snapshot")
	})
}

// The row of changed numbers is one of a shim that has something to write.
func TestAfterAResponseTheShimWrites(t *testing.T) {
	eachContestant(t, func(t *testing.T, c contestant) {
		c.home = t.TempDir()
		j := c.afterResponse(contestants.shim())
		require.NoError(t, j.before(t.Context()))
		earlier, _ := snapshotIn(t, c.home)
		require.EqualValues(t, 60_700, earlier["context_window"].(map[string]any)["total_input_tokens"])
		_, err := j.rehearse(t.Context())
		require.NoError(t, err)
		now, _ := snapshotIn(t, c.home)
		require.EqualValues(t, 60_720, now["context_window"].(map[string]any)["total_input_tokens"])
	})
}

// What the rows measure is what is checked above: in the bench's own homes.
func TestEveryContestantDoesTheWorkOfTheRows(t *testing.T) {
	b := *contestants
	dir := t.TempDir()
	for _, c := range []*contestant{&b.ours, &b.shell, &b.python} {
		c.home, c.crowded = filepath.Join(dir, "home"+c.ending), filepath.Join(dir, "crowded"+c.ending)
	}
	require.NoError(t, b.fillHomes(t.Context(), 3))
	for _, c := range b.present() {
		files, err := os.ReadDir(filepath.Join(c.crowded, "context"))
		require.NoError(t, err)
		require.Len(t, files, 4)
	}
	for _, r := range rows() {
		if strings.Contains(r.work, "0 MB") {
			continue // its transcript is large; the row of 50 kB does the same
		}
		result, err := r.measure(t.Context(), &b)
		require.NoError(t, err, r.work)
		for _, of := range b.columns(&result) {
			require.Equal(t, of.contestant.absent == "", of.cell.value > 0, r.work)
			require.Equal(t, of.contestant.absent, of.cell.missing, r.work)
		}
	}
}
