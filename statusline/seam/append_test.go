package seam_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ctxguard/statusline/seam"
)

// fillTo16MiB leaves a file that is a few lines short of its rotation.
func fillTo16MiB(t *testing.T, path string, short int) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, append(bytes.Repeat([]byte("x"), 16<<20-short-1), '\n'), 0o600))
}

func TestRotationUnderParallelAppendsLosesNothing(t *testing.T) {
	home := seam.At(t.TempDir())
	path := home.Path("answers.jsonl")
	fillTo16MiB(t, path, 500)
	const writers, each = 16, 50
	var running sync.WaitGroup
	for w := range writers {
		running.Go(func() {
			for i := range each {
				if err := home.Append(path, fmt.Appendf(nil, `{"writer":%d,"line":%d}`, w, i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	running.Wait()
	older, err := os.ReadFile(path + ".1")
	require.NoError(t, err)
	newer, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Less(t, len(newer), 1<<20, "it was rotated once")
	found := make(map[string]int)
	for line := range bytes.SplitSeq(append(older, newer...), []byte("\n")) {
		found[string(line)]++
	}
	for w := range writers {
		for i := range each {
			require.Equal(t, 1, found[fmt.Sprintf(`{"writer":%d,"line":%d}`, w, i)])
		}
	}
}

func TestRotationMovesWhatALinkLeadsTo(t *testing.T) {
	home, elsewhere := seam.At(t.TempDir()), t.TempDir()
	target := filepath.Join(elsewhere, "log")
	fillTo16MiB(t, target, 0)
	path := home.Path("answers.jsonl")
	require.NoError(t, os.Symlink(target, path))
	require.NoError(t, home.Append(path, []byte("line")))
	info, err := os.Lstat(path)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&fs.ModeSymlink, "the link stays")
	raw, err := os.ReadFile(target)
	require.NoError(t, err)
	require.Equal(t, "line\n", string(raw))
	require.FileExists(t, target+".1")
}

func TestPruneTakesWhatAKillLeftInAMirror(t *testing.T) {
	home, mirror, now := seam.At(t.TempDir()), t.TempDir(), time.Now()
	old := put(t, filepath.Join(mirror, ".ctxguard-tmp-1"), now.Add(-2*time.Hour))
	young := put(t, filepath.Join(mirror, ".ctxguard-tmp-2"), now)
	foreign := put(t, filepath.Join(mirror, "old.json"), now.Add(-1000*time.Hour))
	require.NoError(t, home.Prune(now, mirror))
	require.NoFileExists(t, old)
	require.FileExists(t, young)
	require.FileExists(t, foreign)
}

// Setup writes to bin and backups, and a kill may leave something there too.
func TestPruneTakesWhatAKillLeftAnywhereInTheHome(t *testing.T) {
	home, now := seam.At(t.TempDir()), time.Now()
	var left []string
	for _, folder := range []string{"context", "history", "state", "cache", "seen", "bin", "backups", "."} {
		left = append(left, put(t, home.Path(folder+"/.ctxguard-tmp-1"), now.Add(-2*time.Hour)))
	}
	require.NoError(t, home.Prune(now))
	for _, path := range left {
		require.NoFileExists(t, path)
	}
}

func TestSaveKeepsTheModeAndLeavesNothingBeside(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"open": 0o644, "private": 0o600, "read-only": 0o400} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, nil, mode))
		require.NoError(t, seam.Save(path, []byte("new")))
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode().Perm())
	}
	require.NoError(t, seam.Save(filepath.Join(dir, "fresh"), []byte("new")))
	info, err := os.Stat(filepath.Join(dir, "fresh"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 4)
}

func TestPruneThatCannotBeNotedRemovesNothing(t *testing.T) {
	home, now := seam.At(t.TempDir()), time.Now()
	session, _ := home.Session(id)
	old := put(t, session.SnapshotPath(), now.Add(-1000*time.Hour))
	require.NoError(t, os.WriteFile(home.Path("cache"), nil, 0o600))
	require.Error(t, home.Prune(now))
	require.FileExists(t, old)
}

func TestPruneAmongTenThousandSessions(t *testing.T) {
	home, now := seam.At(t.TempDir()), time.Now()
	require.NoError(t, os.MkdirAll(home.Path("context"), 0o700))
	for i := range 10_000 {
		require.NoError(t, os.WriteFile(home.Path(fmt.Sprintf("context/s%d.json", i)), nil, 0o600))
	}
	old := put(t, home.Path("context/"+numbered(1)+".json"), now.Add(-15*24*time.Hour))
	require.NoError(t, home.Prune(now))
	require.NoFileExists(t, old)
	entries, err := os.ReadDir(home.Path("context"))
	require.NoError(t, err)
	require.Len(t, entries, 10_000)
}

func TestLinesAreReadWithTheOlderGeneration(t *testing.T) {
	home := seam.At(t.TempDir())
	lines, err := home.Lines("answers.jsonl")
	require.NoError(t, err)
	require.Empty(t, lines)

	path := home.Path("answers.jsonl")
	require.NoError(t, os.WriteFile(path+".1", []byte("oldest\nolder\n"), 0o600))
	lines, err = home.Lines("answers.jsonl")
	require.NoError(t, err)
	require.Equal(t, "oldest older ", string(bytes.Join(lines, []byte(" "))), "without a newer one, too")

	require.NoError(t, os.WriteFile(path, []byte("newest\n"), 0o600))
	lines, err = home.Lines("answers.jsonl")
	require.NoError(t, err)
	require.Equal(t, "oldest older  newest ", string(bytes.Join(lines, []byte(" "))))

	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Mkdir(path, 0o700))
	_, err = home.Lines("answers.jsonl")
	require.ErrorIs(t, err, seam.ErrNotRegular)
}

func TestALineIsNotLostWhenTheFileCannotBeRotated(t *testing.T) {
	home := seam.At(t.TempDir())
	path := home.Path("answers.jsonl")
	fillTo16MiB(t, path, 0)
	require.NoError(t, os.MkdirAll(filepath.Join(path+".1", "in the way"), 0o700))
	require.Error(t, home.Append(path, []byte("kept")), "and it is said")
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, bytes.HasSuffix(raw, []byte("x\nkept\n")))

	require.NoError(t, os.Truncate(path, 20<<20))
	require.Error(t, home.Append(path, []byte("no more")))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.EqualValues(t, 20<<20, info.Size(), "it does not grow for ever")
}
