package statusline

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
	"ctxguard/zones"
)

var update = flag.Bool("update", false, "write the golden lines")

// lineOf draws the line of a payload as the shim does, from its snapshot.
func lineOf(t testing.TB, payload string, show []string, env map[string]string) string {
	t.Helper()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var snapshot *seam.Snapshot
	if p, err := seam.DecodePayload([]byte(payload)); err == nil {
		taken := p.Snapshot(now)
		snapshot = &taken
	}
	understood := config.Understood{Config: config.Default(), Bands: zones.DefaultBands()}
	if show != nil {
		understood.Config.Statusline.Show = show
	}
	process := Process{Getenv: func(key string) string { return env[key] }, Started: now}
	return drawLine(process, []byte(payload), snapshot, understood)
}

// filled is a payload whose window of 200000 tokens is that full, in a folder.
func filled(percent int, model, dir string) string {
	return fmt.Sprintf(`{"session_id":"s","version":"2.1.332","model":{"display_name":%s},"workspace":{"current_dir":%s},`+
		`"cost":{"total_cost_usd":12.345},"context_window":{"total_input_tokens":%d,"total_output_tokens":0,"context_window_size":200000,`+
		`"current_usage":{"input_tokens":1},"used_percentage":%d}}`, quoted(model), quoted(dir), percent*2000, percent)
}

func quoted(s string) []byte { return gjson.AppendJSONString(nil, s) }

// project is a folder of that name whose HEAD reads like that.
func project(t testing.TB, name, head string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ".git"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte(head), 0o600))
	return dir
}

var noColour = map[string]string{"NO_COLOR": "1"}

// The golden file has a line for each recorded payload, in colour and without.
func TestLineOfEveryRecordedPayload(t *testing.T) {
	files, err := filepath.Glob("../testdata/payloads/statusline-*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var got strings.Builder
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		fmt.Fprintf(&got, "%s\n  %s\n  %+q\n", filepath.Base(file),
			lineOf(t, string(raw), nil, noColour), lineOf(t, string(raw), nil, nil))
	}
	if *update {
		require.NoError(t, os.WriteFile("testdata/lines.golden", []byte(got.String()), 0o644))
	}
	want, err := os.ReadFile("testdata/lines.golden")
	require.NoError(t, err)
	require.Equal(t, string(want), got.String())
}

func TestLine(t *testing.T) {
	dir := project(t, "widget", "ref: refs/heads/topic/x\n")
	for name, c := range map[string]struct {
		payload string
		show    []string
		columns string
		want    string
	}{
		"nothing used":                           {payload: filled(0, "Opus", dir), want: "Opus  ░░░░░░░░░░  0/200k  0% smart  widget  ⎇ topic/x  $12.35"},
		"one per cent":                           {payload: filled(1, "Opus", dir), want: "Opus  ▏░░░░░░░░░  2k/200k  1% smart  widget  ⎇ topic/x  $12.35"},
		"the middle zone":                        {payload: filled(60, "Opus", dir), want: "Opus  ██████░░░░  120k/200k  60% acceptable  widget  ⎇ topic/x  $12.35"},
		"full":                                   {payload: filled(100, "Opus", dir), want: "Opus  ██████████  200k/200k  100% dumb  widget  ⎇ topic/x  $12.35"},
		"a chosen order":                         {payload: filled(60, "Opus", dir), show: []string{"zone", "model"}, want: "60% acceptable  Opus"},
		"unknown names":                          {payload: filled(60, "Opus", dir), show: []string{"weather", "zone"}, want: "60% acceptable"},
		"nothing to show":                        {payload: filled(60, "Opus", dir), show: []string{}, want: ""},
		"no model":                               {payload: `{"session_id":"s"}`, want: "░░░░░░░░░░  unknown"},
		"numbers as model":                       {payload: `{"session_id":"s","model":{"display_name":7,"id":"opus"}}`, want: "opus  ░░░░░░░░░░  unknown"},
		"a sum that would be rounded to nothing": {payload: `{"cost":{"total_cost_usd":0.0049}}`, want: "░░░░░░░░░░  unknown"},
		"a sum that is nonsense":                 {payload: `{"cost":{"total_cost_usd":1e308}}`, want: "░░░░░░░░░░  unknown"},
		"a sum that is text":                     {payload: `{"cost":{"total_cost_usd":"5"}}`, want: "░░░░░░░░░░  unknown"},
		"a relative folder":                      {payload: `{"workspace":{"current_dir":"../x"}}`, want: "░░░░░░░░░░  unknown"},
		"a long name":                            {payload: filled(60, strings.Repeat("m", 60), ""), show: []string{"model"}, want: strings.Repeat("m", 39) + "…"},
		"a name of marks without width":          {payload: filled(60, "a"+strings.Repeat("\u0301", 9000), ""), show: []string{"model"}, want: "a" + strings.Repeat("\u0301", 511)},
		"not JSON":                               {payload: "x", want: "ctxguard: no data from the client"},
		"not an object":                          {payload: "[1]", want: "ctxguard: no data from the client"},
		"nothing, in few columns":                {payload: "", columns: "8", want: "ctxguard"},
		"a byte order mark":                      {payload: "\ufeff" + filled(60, "Opus", "/"), show: []string{"model"}, want: "Opus"},
		"the zone outlives the model":            {payload: filled(60, "A model with a long name", dir), columns: "24", want: "A model…  60% acceptable"},
		"the zone alone":                         {payload: filled(60, "A model with a long name", dir), columns: "15", want: "60% acceptable"},
		"less than the zone":                     {payload: filled(60, "Opus", dir), columns: "6", want: "60% ac"},
		"columns that are no number":             {payload: filled(60, "Opus", ""), columns: "many", want: "Opus  ██████░░░░  120k/200k  60% acceptable  $12.35"},
	} {
		t.Run(name, func(t *testing.T) {
			env := map[string]string{"NO_COLOR": "1", "COLUMNS": c.columns}
			require.Equal(t, c.want, lineOf(t, c.payload, c.show, env))
		})
	}
}

// cells is an independent measure of the characters that occur here: all take
// one cell but those of the far east, which take two.
func cells(line string) int {
	n := 0
	for _, r := range line {
		n++
		if r >= 0x1100 && r < 0x2000 || r >= 0x3000 && r < 0xE000 {
			n++
		}
	}
	return n
}

func TestLineFitsEveryWidth(t *testing.T) {
	lines := map[string]string{
		"short names": filled(60, "Opus 5.5", project(t, "widget", "ref: refs/heads/main")),
		"long names":  filled(100, "Opus 5.5 with a very long name indeed", project(t, strings.Repeat("dir", 30), "ref: refs/heads/"+strings.Repeat("branch", 30))),
		"wide names":  filled(5, "模型名称", project(t, "目录目录", "ref: refs/heads/分支分支分支")),
		"nothing":     "",
	}
	for name, payload := range lines {
		widest := 0
		for columns := 1; columns <= 200; columns++ {
			line := lineOf(t, payload, nil, map[string]string{"NO_COLOR": "1", "COLUMNS": fmt.Sprint(columns)})
			require.LessOrEqual(t, cells(line), columns, "%s: %q", name, line)
			require.NotEmpty(t, line, name)
			require.GreaterOrEqual(t, cells(line), widest-36, "%s: more room never shows much less: %q", name, line)
			widest = max(widest, cells(line))
			coloured := lineOf(t, payload, nil, map[string]string{"COLUMNS": fmt.Sprint(columns)})
			require.Equal(t, line, withoutColour(coloured), "colours take no room")
		}
	}
}

func withoutColour(line string) string {
	return strings.NewReplacer(smartColour, "", acceptableColour, "", dumbColour, "", bold, "", dim, "", reset, "").Replace(line)
}

// Names come from the client, the disk and the repository. None of them moves
// the cursor, changes a colour or turns the direction of writing.
func TestNamesCannotSteerTheTerminal(t *testing.T) {
	hostile := "a\x1b[31m\x1b]0;t\x07\r\n\tb\u202e\u2066\u200b\u0085\u2028c"
	dir := project(t, "\x1b[2Jd\u202er", "ref: refs/heads/"+hostile)
	line := lineOf(t, filled(60, hostile, dir), nil, noColour)
	require.Equal(t, "a[31m]0;tbc  ██████░░░░  120k/200k  60% acceptable  [2Jdr  ⎇ a[31m]0;t  $12.35", line,
		"what is left is text, and HEAD has one line")
	require.NotContains(t, lineOf(t, "{\"model\":{\"display_name\":\"\xff\xfe\"}}", nil, noColour), "\xff")
}

func TestBranch(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
	for name, c := range map[string]struct{ head, want string }{
		"a branch":              {"ref: refs/heads/main\n", "main"},
		"with slashes":          {"ref: refs/heads/a/b", "a/b"},
		"not below heads":       {"ref: refs/remotes/o/x", "refs/remotes/o/x"},
		"a detached commit":     {commit + "\n", "0123456"},
		"a second line":         {"ref: refs/heads/main\nref: refs/heads/other\n", "main"},
		"CRLF":                  {"ref: refs/heads/main\r\n", "main"},
		"kept somewhere else":   {"ref: refs/heads/.invalid\n", ""},
		"nothing":               {"", ""},
		"something else":        {"root:x:0:0:root", ""},
		"huge":                  {"ref: refs/heads/" + strings.Repeat("x", 1<<20), ""},
		"six digits are no one": {"012345", ""},
	} {
		require.Equal(t, c.want, branchOf(project(t, "p", c.head)), name)
	}

	outer := project(t, "outer", "ref: refs/heads/outer")
	deep := filepath.Join(outer, "a", "b")
	require.NoError(t, os.MkdirAll(deep, 0o700))
	require.Equal(t, "outer", branchOf(deep), "from a folder below")

	// A worktree's .git is a file that names a folder, absolute or relative.
	for file, want := range map[string]string{
		"gitdir: ../.git/worktrees/w\n":                                   "tree",
		"gitdir: " + filepath.Join(outer, ".git", "worktrees", "w"):       "tree",
		"gitdir: /no/such/folder":                                         "outer",
		"gitdir: /dev":                                                    "outer",
		"something else":                                                  "",
		"gitdir: " + strings.Repeat("../", 40) + "etc":                    "outer",
		"gitdir: ../.git/worktrees/w" + strings.Repeat(" \n", maxGitFile): "",
	} {
		worktree := filepath.Join(outer, "w")
		git := filepath.Join(outer, ".git", "worktrees", "w")
		require.NoError(t, os.MkdirAll(git, 0o700))
		require.NoError(t, os.MkdirAll(worktree, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(git, "HEAD"), []byte("ref: refs/heads/tree"), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(worktree, ".git"), []byte(file), 0o600))
		require.Equal(t, want, branchOf(worktree), "%.60q", file)
	}
}
