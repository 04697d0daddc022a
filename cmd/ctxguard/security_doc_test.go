package main_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestThePageOfSecurity holds docs/security.md to its proofs: every row of its
// tables names at least one test or script, but for what no test can show, and all
// that it names exist.
func TestThePageOfSecurity(t *testing.T) {
	raw, err := os.ReadFile("../../docs/security.md")
	require.NoError(t, err)
	cited := regexp.MustCompile("`(Test[A-Za-z0-9_]+|script/[a-z_]+\\.txtar)`")
	tests := testNames(t)
	rows, proofs := 0, 0
	for line := range strings.Lines(string(raw)) {
		names := cited.FindAllStringSubmatch(line, -1)
		for _, name := range names {
			proofs++
			if script, ok := strings.CutPrefix(name[1], "script/"); ok {
				require.FileExists(t, filepath.Join("testdata/script", script))
				continue
			}
			require.True(t, tests[name[1]], "there is no %s", name[1])
		}
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if !strings.HasPrefix(line, "| ") || cells[0] == "| attempt" {
			continue
		}
		rows++
		require.Len(t, cells, 3, line)
		if len(names) == 0 {
			require.Equal(t, "– |", cells[2], line)
			require.Contains(t, cells[1], "not protected", "what no test shows is said not to be protected: %s", line)
		}
	}
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	require.Contains(t, string(readme), "(docs/security.md)", "the page can be found")
	require.Greater(t, rows, 40, "the tables are understood")
	require.Greater(t, proofs, rows)
}

// testNames are the tests of every package of the module.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9_]+)\(t \*testing\.T\)`)
	names := make(map[string]bool)
	require.NoError(t, filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		raw, err := os.ReadFile(path)
		for _, name := range declared.FindAllSubmatch(raw, -1) {
			names[string(name[1])] = true
		}
		return err
	}))
	return names
}
