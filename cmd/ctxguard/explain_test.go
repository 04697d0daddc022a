package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExplainEveryRecordedPayload runs `ctxguard explain` on all that the real
// client sent and compares with testdata/explain. Each runs twice: in an empty
// home, and in one where the session stands in the dumb zone under a blocking
// gate. Nothing may be written by it.
func TestExplainEveryRecordedPayload(t *testing.T) {
	files, err := filepath.Glob("../../testdata/payloads/*.json")
	require.NoError(t, err)
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "env-") || strings.HasPrefix(name, "request-tail") {
			continue // notes on the environment and on requests: no input of ours
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			text := "--- an empty home ---\n" + explain(t, home, file)
			require.Empty(t, filesBelow(t, home))
			prepare(t, home, file)
			before := filesBelow(t, home)
			text += "--- a dumb conversation, the gate blocking ---\n" + explain(t, home, file)
			require.Equal(t, before, filesBelow(t, home))
			golden := filepath.Join("testdata", "explain", strings.TrimSuffix(name, ".json")+".golden")
			if *update {
				require.NoError(t, os.MkdirAll(filepath.Dir(golden), 0o755))
				require.NoError(t, os.WriteFile(golden, []byte(text), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), text)
		})
	}
}

func explain(t *testing.T, home, file string) string {
	t.Helper()
	cmd := exec.Command(filepath.Join(binaries, "ctxguard"), "explain", file)
	cmd.Env = []string{"CTXGUARD_HOME=" + home, "HOME=" + home, "TZ=UTC"}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	text := strings.ReplaceAll(string(out), home, "HOME")
	text = regexp.MustCompile(`captured at \S+, \d+s old`).ReplaceAllString(text, "captured at TIME, AGE")
	return regexp.MustCompile(`since \d{4}-\S+`).ReplaceAllString(text, "since TIME")
}

// prepare gives the file's session a snapshot in the dumb zone.
func prepare(t *testing.T, home, file string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	id := regexp.MustCompile(`"session_id": "([^"]+)"`).FindSubmatch(raw)
	require.NotNil(t, id, file)
	require.NoError(t, os.WriteFile(filepath.Join(home, "ctxguard.toml"), []byte("[gate]\nmode = \"blocking\"\ngrace_calls = 0\n"), 0o600))
	line, err := os.ReadFile("../../testdata/payloads/statusline-03-mid-session.json")
	require.NoError(t, err)
	full := strings.NewReplacer(
		"7905fe8d-3044-470a-afaa-2463be7e22cf", string(id[1]),
		`"total_input_tokens": 60720`, `"total_input_tokens": 420000`,
		`"used_percentage": 6`, `"used_percentage": 42`,
	).Replace(string(line))
	cmd := exec.Command(filepath.Join(binaries, "ctxguard"), "statusline", "--", "true")
	cmd.Stdin = strings.NewReader(full)
	cmd.Env = []string{"CTXGUARD_HOME=" + home, "HOME=" + home, "PATH=" + os.Getenv("PATH")}
	require.NoError(t, cmd.Run())
}

// filesBelow gives every file with its content.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		files[path] = string(raw)
		return err
	}))
	return files
}
