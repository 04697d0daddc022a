package config_test

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
	"ctxguard/zones"
)

type place struct {
	t      *testing.T
	home   seam.Home
	loader config.Loader
}

func newPlace(t *testing.T) place {
	t.Helper()
	home := seam.At(t.TempDir())
	return place{t, home, config.Loader{Home: home, Project: t.TempDir(), Now: time.Now()}}
}

// write puts a file that was left alone for a while.
func (p place) write(path, content string) {
	p.t.Helper()
	require.NoError(p.t, os.WriteFile(path, []byte(content), 0o600))
	old := p.loader.Now.Add(-time.Hour)
	require.NoError(p.t, os.Chtimes(path, old, old))
}

func (p place) cacheFiles() []string {
	files, err := filepath.Glob(p.home.Path("cache/*"))
	require.NoError(p.t, err)
	return files
}

func TestLoadWithoutFilesWritesNothing(t *testing.T) {
	p := newPlace(t)
	u := p.loader.Load()
	require.Equal(t, config.Default(), u.Config)
	require.Equal(t, zones.DefaultBands(), u.Bands)
	require.Empty(t, u.Notices)
	require.Empty(t, p.cacheFiles())
}

func TestLoadKeepsWhatItUnderstoodAndSeesEveryChange(t *testing.T) {
	p := newPlace(t)
	machine, bands := p.home.Path("ctxguard.toml"), p.home.Path("zones.toml")
	project := filepath.Join(p.loader.Project, ".ctxguard.toml")
	p.write(machine, "[gate]\nmode = \"blocking\"\nodd = 1\n")
	first := p.loader.Load()
	require.Equal(t, "blocking", first.Config.Gate.Mode)
	require.Len(t, first.Notices, 1)
	require.Len(t, p.cacheFiles(), 1)
	require.Equal(t, first, p.loader.Load(), "from the cache, notices included")

	p.write(bands, "[token_bands.200000]\nsmart_max_tokens = 1\nacceptable_max_tokens = 2\n")
	require.Equal(t, int64(1), p.loader.Load().Bands.Tokens[0].SmartMax)
	p.write(project, "[capture]\ndir = \"notes\"\n")
	require.Equal(t, "notes", p.loader.Load().Config.Capture.Dir)
	require.Equal(t, "notes", p.loader.Load().Config.Capture.Dir)
	other := p.loader
	other.Project = t.TempDir()
	require.Equal(t, "knowledge-base", other.Load().Config.Capture.Dir, "another project is another cache")

	require.NoError(t, os.Remove(project))
	require.Equal(t, "knowledge-base", p.loader.Load().Config.Capture.Dir)
	require.NoError(t, os.Remove(machine))
	require.NoError(t, os.Remove(bands))
	require.Equal(t, config.Default(), p.loader.Load().Config)
}

func TestLoadReadsTheCacheAndNotTheFile(t *testing.T) {
	p := newPlace(t)
	machine := p.home.Path("ctxguard.toml")
	p.write(machine, "[gate]\nmode = \"blocking\"\n")
	p.loader.Load()
	p.write(machine, "[gate]\nmode = \"blockinG\"\n") // the same size and time
	require.Equal(t, "blocking", p.loader.Load().Config.Gate.Mode)
}

// Files that say nothing but the defaults are the common case: setup seeds them
// so. Their cache is one line, and nothing of it has to be decoded.
func TestLoadOfSeededFilesDecodesNothing(t *testing.T) {
	p := newPlace(t)
	p.write(p.home.Path("ctxguard.toml"), config.Seed)
	p.write(p.home.Path("zones.toml"), zones.Seed)
	first := p.loader.Load()
	require.Equal(t, config.Default(), first.Config)
	require.Empty(t, first.Notices)
	raw, err := os.ReadFile(p.cacheFiles()[0])
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(raw), "\n"))
	require.True(t, strings.HasSuffix(string(raw), "\n"))
	require.Equal(t, first, p.loader.Load())
}

// A file that was saved a moment ago may be saved again without a new time.
func TestLoadDoesNotKeepAFileThatWasJustSaved(t *testing.T) {
	p := newPlace(t)
	require.NoError(t, os.WriteFile(p.home.Path("ctxguard.toml"), []byte("[gate]\nmode = \"blocking\"\n"), 0o600))
	require.Equal(t, "blocking", p.loader.Load().Config.Gate.Mode)
	require.Empty(t, p.cacheFiles())
}

func TestLoadSurvivesADamagedCache(t *testing.T) {
	p := newPlace(t)
	p.write(p.home.Path("ctxguard.toml"), "[gate]\nmode = \"blocking\"\n")
	p.loader.Load()
	for _, damage := range []string{"", "{", `{"Schema":0}`, `[]`, "\x00"} {
		require.NoError(t, os.WriteFile(p.cacheFiles()[0], []byte(damage), 0o600))
		require.Equal(t, "blocking", p.loader.Load().Config.Gate.Mode, damage)
	}
}

func TestFrozenLoadWritesNothing(t *testing.T) {
	p := newPlace(t)
	p.write(p.home.Path("ctxguard.toml"), "[gate]\nmode = \"blocking\"\n")
	p.loader.Frozen = true
	require.Equal(t, "blocking", p.loader.Load().Config.Gate.Mode)
	require.Empty(t, p.cacheFiles())
}

func TestLoadNoticesWhatCannotBeRead(t *testing.T) {
	p := newPlace(t)
	require.NoError(t, os.Mkdir(p.home.Path("ctxguard.toml"), 0o700))
	u := p.loader.Load()
	require.Equal(t, config.Default(), u.Config)
	require.Equal(t, "ctxguard.toml:unreadable", u.Notices[0].Key)
}

// Whoever wrote the project could have written a home that lies inside it.
func TestAHomeInsideTheProjectMakesNoCommandRun(t *testing.T) {
	project := t.TempDir()
	home := seam.At(filepath.Join(project, ".claude", "ctxguard"))
	require.NoError(t, os.MkdirAll(home.Dir(), 0o700))
	require.NoError(t, os.WriteFile(home.Path("ctxguard.toml"), []byte("[structure]\ncommand = [\"sh\", \"-c\", \"id\"]\n"), 0o600))
	u := config.Loader{Home: home, Project: project, Now: time.Now()}.Load()
	require.Empty(t, u.Config.Structure.Command)
	require.Equal(t, "ctxguard.toml:structure.command", u.Notices[0].Key)
	u = config.Loader{Home: home, Project: t.TempDir(), Now: time.Now()}.Load()
	require.Equal(t, []string{"sh", "-c", "id"}, u.Config.Structure.Command)
}

func TestFindProject(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	require.NoError(t, os.MkdirAll(deep, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, ".git"), []byte("gitdir: elsewhere\n"), 0o600))
	env := func(dir string) func(string) string {
		return func(key string) string { return map[string]string{"CLAUDE_PROJECT_DIR": dir}[key] }
	}
	require.Equal(t, root, config.FindProject(env(""), deep))
	require.Equal(t, deep, config.FindProject(env(deep), root))
	require.Equal(t, root, config.FindProject(env("relative"), deep), "a variable counts only when absolute")
	require.Empty(t, config.FindProject(env(""), "relative"))
	require.Empty(t, config.FindProject(env(""), filepath.Dir(root)))
}

func TestMirrorsAreAbsolute(t *testing.T) {
	cfg := config.Default()
	cfg.Seam.Mirror = []string{"~/m", "/abs", "relative", "~other/x", "~"}
	home := t.TempDir()
	getenv := func(key string) string {
		return map[string]string{"HOME": home, "USERPROFILE": home}[key]
	}
	require.Equal(t, []string{filepath.Join(home, "m"), "/abs", home}, cfg.Mirrors(getenv))
	require.Equal(t, []string{"/abs"}, cfg.Mirrors(func(string) string { return "" }))
}

// The cache of one shape of Understood must not be believed by a program of
// another: whoever changes the shape has to change the schema with it.
func TestCacheSchemaFollowsTheShape(t *testing.T) {
	sum := fnv.New32a()
	_, err := fmt.Fprint(sum, shapeOf(reflect.TypeFor[config.Understood]()))
	require.NoError(t, err)
	require.Equal(t, config.Schema, sum.Sum32(), "the shape has changed: give schema this value")
}

func shapeOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct:
		s := "{"
		for i := range t.NumField() {
			s += t.Field(i).Name + " " + shapeOf(t.Field(i).Type) + ";"
		}
		return s + "}"
	case reflect.Slice, reflect.Pointer:
		return t.Kind().String() + " " + shapeOf(t.Elem())
	case reflect.Map:
		return "map " + shapeOf(t.Key()) + shapeOf(t.Elem())
	}
	return t.Kind().String()
}
