package statusline

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"ctxguard/statusline/seam"
)

func requireText(t testing.TB, line string) {
	t.Helper()
	require.False(t, strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }), "%q", line)
}

// FuzzPayloadLine: whatever the client sends and the terminal's width is said to
// be, the line is one line, fits, steers nothing, and colours take no room in it.
func FuzzPayloadLine(f *testing.F) {
	files, err := filepath.Glob("../testdata/payloads/statusline-*.json")
	require.NoError(f, err)
	for i, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(string(raw), strconv.Itoa(20*i))
	}
	f.Fuzz(func(t *testing.T, payload, width string) {
		if strings.Contains(payload, "current_dir") && gjson.Valid(payload) {
			// Folders of this machine would make the line another one elsewhere.
			dir := gjson.Get(payload, "workspace.current_dir").String()
			if filepath.IsAbs(dir) && len(dir) > 1 {
				if _, err := os.Lstat(dir); err == nil {
					return
				}
			}
		}
		requireDrawn(t, payload, width)
	})
}

func requireDrawn(t testing.TB, payload, width string) {
	t.Helper()
	line := lineOf(t, payload, nil, map[string]string{"NO_COLOR": "1", "COLUMNS": width})
	requireText(t, line)
	columns, _ := strconv.Atoi(width)
	if columns > 0 {
		require.LessOrEqual(t, uniseg.StringWidth(line), columns, "%q", line)
	}
	require.Less(t, len(line), 8<<10)
	require.Equal(t, line, withoutColour(lineOf(t, payload, nil, map[string]string{"COLUMNS": width})))
	raw := []byte(strings.TrimPrefix(payload, byteOrderMark))
	if seam.ValidJSON(raw) && gjson.ParseBytes(raw).IsObject() && (columns <= 0 || columns >= len("100% acceptable")) {
		require.Regexp(t, "smart|acceptable|dumb|unknown", line)
	}
}

// FuzzNames: names from the client, the disk and the repository steer nothing and
// are never wider than the terminal.
func FuzzNames(f *testing.F) {
	f.Fuzz(func(t *testing.T, model, dir string, percent uint8, columns uint16) {
		requireDrawn(t, filled(int(percent), model, "/nowhere/"+strings.ReplaceAll(dir, "\x00", "")), fmt.Sprint(columns))
		for _, name := range []string{named(model), named(dir)} {
			requireText(t, name)
			require.LessOrEqual(t, uniseg.StringWidth(name), maxName)
		}
		require.LessOrEqual(t, uniseg.StringWidth(cut(model, int(columns))), int(columns))
		require.True(t, strings.HasPrefix(model, cut(model, int(columns))))
	})
}

// FuzzBranch: what is told of a repository is the name in the first line of its
// HEAD, or the beginning of a commit; a .git file leads to an absolute folder or
// nowhere.
func FuzzBranch(f *testing.F) {
	dir := f.TempDir()
	require.NoError(f, os.MkdirAll(filepath.Join(dir, "repository", ".git"), 0o700))
	require.NoError(f, os.MkdirAll(filepath.Join(dir, "worktree"), 0o700))
	require.NoError(f, os.WriteFile(filepath.Join(dir, "worktree", ".git"), []byte("gitdir: ../repository/.git\n"), 0o600))
	f.Fuzz(func(t *testing.T, head, file string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "repository", ".git", "HEAD"), []byte(head), 0o600))
		branch := branchOf(filepath.Join(dir, "repository"))
		require.Equal(t, branch, branchOf(filepath.Join(dir, "worktree")), "by the .git file")
		require.Equal(t, branch, branchOf(filepath.Join(dir, "repository", "below")), "from a folder below")
		requireText(t, named(branch))
		if len(head) > maxGitFile {
			require.Empty(t, branch)
			return
		}
		require.NotContains(t, branch, "\n")
		require.NotEqual(t, ".invalid", branch)
		first, _, _ := strings.Cut(strings.TrimSpace(head), "\n")
		first = strings.TrimSpace(first)
		if rest, ok := strings.CutPrefix(first, "ref:"); ok {
			require.True(t, branch == "" || strings.HasSuffix(rest, branch))
		} else {
			require.True(t, branch == "" || len(branch) == shortCommit && strings.HasPrefix(first, branch))
		}
		named, ok := worktreeFolder(dir, file)
		require.Equal(t, ok, named != "")
		require.True(t, !ok || filepath.IsAbs(named), named)
	})
}
