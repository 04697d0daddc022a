package outline

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// T5: a render is kept by the file's content: the second needs no helper, and a
// changed file is read anew.
func TestShapeIsKeptByContent(t *testing.T) {
	needs(t, "python3")
	root := projectOf(t, map[string]string{"a.py": "class First: pass\n"})
	req := request(t, root, "a.py")
	require.Contains(t, renderSoon(t, req).Text, "class First")

	// What is kept is used: it can be told from what is read.
	for _, path := range cached(t, req.Home, "shape-") {
		require.NoError(t, os.WriteFile(path, []byte(`{"language":"Python","symbols":[{"kind":"type","name":"Kept","signature":"class Kept","line":1}]}`), 0o600))
	}
	require.Contains(t, renderSoon(t, req).Text, "class Kept")

	require.NoError(t, os.WriteFile(req.Path, []byte("class Second: pass\n"), 0o644))
	require.Contains(t, renderSoon(t, req).Text, "class Second")
}

func cached(t *testing.T, home, prefix string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(home, "cache", "outline", prefix+"*"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	return paths
}

// A cache that is torn, replaced by a folder or may not be written costs time and
// nothing else.
func TestBrokenCache(t *testing.T) {
	root := projectOf(t, map[string]string{"a.rb": "class A\nend\n", "b.rb": "require_relative 'a'\n"})
	req := withoutHelpers(t, root, "a.rb")
	want := renderSoon(t, req).Text
	require.Contains(t, want, "b.rb")
	for what, spoil := range map[string]func(path string){
		"empty": func(path string) { require.NoError(t, os.WriteFile(path, nil, 0o600)) },
		"nonsense": func(path string) {
			require.NoError(t, os.WriteFile(path, []byte("ctxguard imports 1 9\nx\ty\tz\n"), 0o600))
		},
		"a folder": func(path string) { require.NoError(t, os.Mkdir(path, 0o700)) },
	} {
		for _, path := range cached(t, req.Home, "") {
			require.NoError(t, os.RemoveAll(path))
			spoil(path)
		}
		require.Equal(t, want, renderSoon(t, req).Text, what)
	}
	require.NoError(t, os.RemoveAll(req.Home))
	require.NoError(t, os.WriteFile(req.Home, nil, 0o600))
	require.Equal(t, want, renderSoon(t, req).Text, "no home at all")
}

// The kept imports follow the project: files that change, come and go, even
// within the clock's grain.
func TestIndexFollowsTheProject(t *testing.T) {
	root := projectOf(t, map[string]string{"a.rb": "class A\nend\n", "b.rb": "require_relative 'a'\n", "c.rb": "x = 1\n"})
	req := withoutHelpers(t, root, "a.rb")
	importers := func() []string { return renderSoon(t, req).Outline.Importers.Paths }
	require.Equal(t, []string{"b.rb"}, importers())

	old := time.Now().Add(-time.Hour)
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	write("c.rb", "require_relative 'a'\n")
	require.Equal(t, []string{"b.rb", "c.rb"}, importers())
	// Same size, same time, another content, right after it was read.
	info, err := os.Stat(filepath.Join(root, "c.rb"))
	require.NoError(t, err)
	write("c.rb", "require_relative 'z'\n")
	require.NoError(t, os.Chtimes(filepath.Join(root, "c.rb"), info.ModTime(), info.ModTime()))
	require.Equal(t, []string{"b.rb"}, importers())

	require.NoError(t, os.Remove(filepath.Join(root, "b.rb")))
	require.Empty(t, importers())

	// A settled file is not read again.
	write("d.rb", "require_relative 'a'\n")
	require.NoError(t, os.Chtimes(filepath.Join(root, "d.rb"), old, old))
	require.Equal(t, []string{"d.rb"}, importers())
	write("d.rb", "require_relative 'y'\n")
	require.NoError(t, os.Chtimes(filepath.Join(root, "d.rb"), old, old))
	require.Equal(t, []string{"d.rb"}, importers(), "known by size and time")
}

// The cache does not grow for ever.
func TestCacheIsTrimmed(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "cache", "outline")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	for i := range keptShapes + 1 {
		path := cachePath(home, "shape", strconv.Itoa(i))
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		at := time.Unix(int64(i)*60, 0)
		require.NoError(t, os.Chtimes(path, at, at))
	}
	// A folder that serves other things too keeps them.
	photo := filepath.Join(dir, "holiday-1.jpg")
	require.NoError(t, os.WriteFile(photo, nil, 0o600))
	require.NoError(t, os.Chtimes(photo, time.Unix(1, 0), time.Unix(1, 0)))
	newest := cachePath(home, "shape", "newest")
	keep(newest, Shape{Language: "Go"})
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, trimmedTo+1)
	require.FileExists(t, photo)
	require.FileExists(t, newest)
}

// An event that is only explained changes no file.
func TestFrozenWritesNothing(t *testing.T) {
	root := projectOf(t, map[string]string{"a.rb": "class A\nend\n", "b.rb": "require_relative 'a'\n"})
	req := withoutHelpers(t, root, "a.rb")
	req.Frozen = true
	require.Equal(t, Rendered, renderSoon(t, req).State)
	require.NoDirExists(t, req.Home)
}
