package seam_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ctxguard/statusline/seam"
)

// put makes a file that was last changed at that moment.
func put(t *testing.T, path string, at time.Time) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte("x"), 0o600))
	require.NoError(t, os.Chtimes(path, at, at))
	return path
}

// numbered is an id in the client's form.
func numbered(i int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", i) }

func TestPruneTakesWholeSessionsThatNobodyTouched(t *testing.T) {
	home := seam.At(t.TempDir())
	now := time.Now()
	old, young := now.Add(-15*24*time.Hour), now.Add(-13*24*time.Hour)
	gone := []string{
		put(t, home.Path("context/"+numbered(1)+".json"), old), put(t, home.Path("context/"+numbered(1)+".compacted"), old),
		put(t, home.Path("history/"+numbered(1)+".jsonl"), old), put(t, home.Path("history/"+numbered(1)+".jsonl.1"), old), put(t, home.Path("state/"+numbered(1)+".json"), old),
		put(t, home.Path("context/.ctxguard-tmp-1"), now.Add(-2*time.Hour)), put(t, home.Path("cache/.ctxguard-tmp-2"), now.Add(-2*time.Hour)),
	}
	kept := []string{
		// One young file keeps a session's old ones.
		put(t, home.Path("context/"+numbered(2)+".json"), old), put(t, home.Path("context/"+numbered(2)+".compacted"), old), put(t, home.Path("state/"+numbered(2)+".json"), young),
		put(t, home.Path("context/"+numbered(3)+".json"), young),
		put(t, home.Path("context/.ctxguard-tmp-3"), now.Add(-30*time.Minute)),
		// Names that the seam does not give are somebody else's.
		put(t, home.Path("context/notes.txt"), old), put(t, home.Path("context/a b.json"), old), put(t, home.Path("history/old.json"), old),
		// So are those of what was no session, in a home that serves other things too.
		put(t, home.Path("context/package.json"), old), put(t, home.Path("state/package.json"), old), put(t, home.Path("history/notes.jsonl"), old),
		put(t, home.Path("zones.toml"), old), put(t, home.Path("answers.jsonl"), old), put(t, home.Path("backups/old.json"), old),
	}
	require.NoError(t, os.Mkdir(home.Path("context/folder.json"), 0o700))
	home.Prune(now)
	for _, path := range gone {
		require.NoFileExists(t, path)
	}
	for _, path := range kept {
		require.FileExists(t, path)
	}
	require.DirExists(t, home.Path("context/folder.json"))
}

func TestPruneTakesAtMostFiveHundredAtATime(t *testing.T) {
	home := seam.At(t.TempDir())
	now := time.Now()
	for i := range 700 {
		put(t, home.Path("context/"+numbered(i)+".json"), now.Add(-20*24*time.Hour))
	}
	left := func() int {
		files, err := filepath.Glob(home.Path("context/*.json"))
		require.NoError(t, err)
		return len(files)
	}
	home.Prune(now)
	require.Equal(t, 200, left())
	home.Prune(now)
	require.Equal(t, 0, left())
}

func TestPruneDue(t *testing.T) {
	home := seam.At(t.TempDir())
	now := time.Now()
	require.True(t, home.PruneDue(now), "nothing has ever pruned")
	home.Prune(now)
	require.False(t, home.PruneDue(now.Add(23*time.Hour)))
	require.True(t, home.PruneDue(now.Add(24*time.Hour)))
	require.True(t, home.PruneDue(now.Add(-time.Hour)), "a stamp from the future counts for nothing")
}

func TestSeenIsTouchedOnceAnHour(t *testing.T) {
	home := seam.At(t.TempDir())
	now := time.Now().Truncate(time.Second)
	_, ok := home.LastSeen("Stop")
	require.False(t, ok)
	for minutes, want := range map[int]int{0: 0} {
		home.Seen("Stop", now.Add(time.Duration(minutes)*time.Minute))
		at, ok := home.LastSeen("Stop")
		require.True(t, ok)
		require.Equal(t, now.Add(time.Duration(want)*time.Minute), at)
	}
	home.Seen("Stop", now.Add(59*time.Minute))
	at, _ := home.LastSeen("Stop")
	require.Equal(t, now, at)
	home.Seen("Stop", now.Add(60*time.Minute))
	at, _ = home.LastSeen("Stop")
	require.Equal(t, now.Add(time.Hour), at)
}

func TestNewest(t *testing.T) {
	home := seam.At(t.TempDir())
	require.Empty(t, home.Newest(3))
	now := time.Now()
	for i := range 5 {
		put(t, home.Path("context/"+numbered(i)+".json"), now.Add(time.Duration(-i)*time.Minute))
	}
	put(t, home.Path("context/s9.compacted"), now)
	put(t, home.Path("context/not valid.json"), now)
	var ids []string
	for _, session := range home.Newest(3) {
		ids = append(ids, session.ID())
	}
	require.Equal(t, []string{numbered(0), numbered(1), numbered(2)}, ids)
}
