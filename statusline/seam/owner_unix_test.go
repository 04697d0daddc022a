//go:build unix

package seam_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ctxguard/statusline/seam"
)

// In a home that was left open another account can put a link in the place of a
// file: what it leads to stays as it is.
func TestLinksOfOthersAreNotFollowed(t *testing.T) {
	if os.Getuid() != 0 {
		t.Log("only root can make another's link; as anybody else there is nothing to refuse")
		return
	}
	home, victim := seam.At(t.TempDir()), filepath.Join(t.TempDir(), "victim")
	require.NoError(t, os.WriteFile(victim, []byte("mine"), 0o600))
	session, _ := home.Session(id)
	for _, path := range []string{session.SnapshotPath(), session.HistoryPath(), home.Path("zones.toml"), home.Path("ctxguard.log")} {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.Symlink(victim, path))
		require.NoError(t, os.Lchown(path, 12345, 12345))
	}
	require.ErrorIs(t, home.Capture(payload(t, 7), time.Now(), keepAll), seam.ErrForeignLink)
	require.ErrorIs(t, seam.Save(home.Path("zones.toml"), []byte("new")), seam.ErrForeignLink)
	require.ErrorIs(t, home.Append(home.Path("ctxguard.log"), []byte("line")), seam.ErrForeignLink)
	raw, err := os.ReadFile(victim)
	require.NoError(t, err)
	require.Equal(t, "mine", string(raw))
}

// What took a file's place after it was looked at is not waited for.
func TestAPipeThatComesLaterIsNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	path, stop := filepath.Join(dir, "file"), make(chan struct{})
	require.NoError(t, os.WriteFile(filepath.Join(dir, "regular"), []byte("text"), 0o600))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	swapped := make(chan struct{})
	go func() {
		defer close(swapped)
		for {
			for _, name := range []string{"regular", "pipe"} {
				select {
				case <-stop:
					return
				default:
					_ = os.Link(filepath.Join(dir, name), path+".new")
					_ = os.Rename(path+".new", path)
				}
			}
		}
	}()
	texts, pipes := 0, 0
	for limit := time.Now().Add(time.Minute); texts < 300 || pipes < 300; {
		require.True(t, time.Now().Before(limit), "%d texts and %d pipes", texts, pipes)
		raw, err := seam.ReadFile(path, 1<<10)
		switch {
		case err == nil:
			require.Equal(t, "text", string(raw))
			texts++
		case errors.Is(err, seam.ErrNotRegular):
			pipes++
		}
	}
	close(stop)
	<-swapped
}

func TestALineOfTheLogIsBounded(t *testing.T) {
	home := seam.At(t.TempDir())
	for range 3 {
		home.Log(time.Now(), "a path: \x1b[2J\u009b2J\u202e/"+strings.Repeat("long/", 5000))
	}
	raw, err := os.ReadFile(home.Path("ctxguard.log"))
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(raw), "\n"), "once: it is found again")
	require.Less(t, len(raw), 1100)
	require.NotContains(t, string(raw), "\x1b")
	require.NotContains(t, string(raw), "\u202e")
}

// Nothing is removed from a folder that somebody else's link leads to; a session of
// any other id is removed once its snapshot says that it was one.
func TestPruneRemovesNothingThroughLinksOfOthers(t *testing.T) {
	home, elsewhere, now := seam.At(t.TempDir()), t.TempDir(), time.Now()
	old := now.Add(-20 * 24 * time.Hour)
	odd := put(t, home.Path("history/odd.jsonl"), old)
	raw := []byte(`{"captured_at":"2026-01-02T03:04:05Z","session_id":"odd"}`)
	require.NoError(t, os.WriteFile(put(t, home.Path("context/odd.json"), old), raw, 0o600))
	require.NoError(t, os.Chtimes(home.Path("context/odd.json"), old, old))
	require.NoError(t, home.Prune(now))
	require.NoFileExists(t, odd)
	if os.Getuid() != 0 {
		t.Log("only root can make another's link")
		return
	}
	theirs := put(t, filepath.Join(elsewhere, numbered(1)+".json"), old)
	require.NoError(t, os.Symlink(elsewhere, home.Path("state")))
	require.NoError(t, os.Lchown(home.Path("state"), 12345, 12345))
	require.NoError(t, home.Prune(now))
	require.FileExists(t, theirs)
}
