package main_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fuzzTargets lists the fuzz targets of the module as "package target".
func fuzzTargets(t *testing.T) []string {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	var targets []string
	require.NoError(t, fs.WalkDir(os.DirFS("../.."), ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		raw, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(file)))
		for _, m := range declared.FindAllStringSubmatch(string(raw), -1) {
			targets = append(targets, path.Dir(file)+" "+m[1])
		}
		return err
	}))
	require.NotEmpty(t, targets)
	return targets
}

// The page lists the targets that there are, each once.
func TestPageListsEveryFuzzTarget(t *testing.T) {
	page, err := os.ReadFile("../../docs/fuzzing.md")
	require.NoError(t, err)
	var listed []string
	row := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| `(Fuzz\\w+)` \\| [^|]+ \\| [^|]+ \\| ([0-9,]+) \\|$")
	for _, m := range row.FindAllStringSubmatch(string(page), -1) {
		listed = append(listed, m[1]+" "+m[2])
	}
	require.ElementsMatch(t, fuzzTargets(t), listed)
}

// Every target has a corpus, small and with names that tell what is in it, and no
// corpus is left without its target.
func TestEveryFuzzTargetHasACorpus(t *testing.T) {
	const least, most, mostBytes = 5, 40, 256 << 10
	hash := regexp.MustCompile(`^[0-9a-f]{16}$`)
	corpora := make(map[string]bool)
	for _, target := range fuzzTargets(t) {
		folder, name, _ := strings.Cut(target, " ")
		corpus := filepath.Join("../..", filepath.FromSlash(folder), "testdata", "fuzz", name)
		corpora[filepath.ToSlash(corpus)] = true
		entries, err := os.ReadDir(corpus)
		require.NoError(t, err)
		require.True(t, least <= len(entries) && len(entries) <= most, "%s has %d inputs", target, len(entries))
		size := int64(0)
		for _, entry := range entries {
			require.NotRegexp(t, hash, entry.Name(), target)
			info, err := entry.Info()
			require.NoError(t, err)
			size += info.Size()
		}
		require.LessOrEqual(t, size, int64(mostBytes), target)
	}
	require.NoError(t, filepath.WalkDir("../..", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && filepath.Base(filepath.Dir(file)) == "fuzz" {
			require.True(t, corpora[filepath.ToSlash(file)], "%s has no target", file)
		}
		return err
	}))
}
