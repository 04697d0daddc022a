package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"time"

	"ctxguard/statusline/printable"
	"ctxguard/statusline/seam"
	"ctxguard/zones"
)

const (
	maxTOML  = 1 << 20
	maxCache = 4 << 20

	// schema is part of every cache file, so that a newer program never believes
	// an older one's cache. It is a sum over the shape of Understood; a test tells
	// when it has to change.
	schema uint32 = 0xb8da8848

	// settle is how long a file must have been left alone before its size and
	// time are trusted to tell its content: an editor may save twice within one
	// tick of the file system's clock.
	settle = 2 * time.Second
)

// Understood is everything that the files of a person and a project say.
type Understood struct {
	Config  Config
	Bands   zones.Bands
	Notices []Notice
}

// Loader finds and reads the configuration.
type Loader struct {
	Home seam.Home
	// Project is the project's root, "" for none.
	Project string
	Now     time.Time
	// Frozen keeps the loader from writing its cache.
	Frozen bool
}

// source is one file that the configuration is made of, as it was when it was
// read. Size -1 says that there was none.
type source struct {
	Path     string
	Size     int64
	Modified int64 // nanoseconds
}

// Load gives the understood configuration. It never fails: what cannot be read
// or understood gives the defaults and a notice.
func (l Loader) Load() Understood {
	sources := l.sources()
	if !anyPresent(sources) {
		return defaults()
	}
	if understood, ok := l.recall(sources); ok {
		return l.dropCommandOfOthers(understood)
	}
	understood := l.parse(sources)
	if !l.Frozen && l.settled(sources) {
		l.keep(sources, understood)
	}
	return l.dropCommandOfOthers(understood)
}

func (l Loader) sources() []source {
	paths := []string{l.Home.Path(machineFile), l.Home.Path("zones.toml")}
	if l.Project != "" {
		paths = append(paths, filepath.Join(l.Project, projectFile))
	}
	sources := make([]source, 0, len(paths))
	for _, path := range paths {
		sources = append(sources, statSource(path))
	}
	return sources
}

func statSource(path string) source {
	info, err := os.Stat(path)
	if err != nil {
		return source{Path: path, Size: -1}
	}
	return source{Path: path, Size: info.Size(), Modified: info.ModTime().UnixNano()}
}

func anyPresent(sources []source) bool {
	for _, s := range sources {
		if s.Size >= 0 {
			return true
		}
	}
	return false
}

func (l Loader) settled(sources []source) bool {
	for _, s := range sources {
		if s.Size >= 0 && l.Now.Sub(time.Unix(0, s.Modified)) < settle {
			return false
		}
	}
	return true
}

// cachePath is one file for each project, so that two projects do not take
// turns in throwing the other's away.
func (l Loader) cachePath() string {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(l.Project))
	return l.Home.Path("cache/config-" + strconv.FormatUint(sum.Sum64(), 16) + ".json")
}

// A cache file is a line that tells what it was made from, and then the
// understood form as JSON; nothing where that is the defaults, as it is for
// everybody who changed nothing. Decoding costs a third of a start, comparing a
// line costs nothing.

// cacheHead is the first line: the schema, and each file as it was when read.
func cacheHead(sources []source) []byte {
	head := strconv.AppendUint(nil, uint64(schema), 16)
	for _, s := range sources {
		head = append(head, ' ')
		head = strconv.AppendQuote(head, s.Path)
		head = append(strconv.AppendInt(append(head, ' '), s.Size, 10), ' ')
		head = strconv.AppendInt(head, s.Modified, 10)
	}
	return append(head, '\n')
}

func (l Loader) recall(sources []source) (Understood, bool) {
	raw, err := seam.ReadFile(l.cachePath(), maxCache)
	if err != nil {
		return Understood{}, false
	}
	body, ours := bytes.CutPrefix(raw, cacheHead(sources))
	if !ours {
		return Understood{}, false
	}
	if len(body) == 0 {
		return defaults(), true
	}
	var u Understood
	if json.Unmarshal(body, &u) != nil || !u.Bands.Valid() {
		return Understood{}, false
	}
	return u, true
}

// keep writes the cache. A home that cannot be written costs time, nothing else.
func (l Loader) keep(sources []source, u Understood) {
	raw := cacheHead(sources)
	if !reflect.DeepEqual(u, defaults()) {
		body, err := json.Marshal(u)
		if err != nil {
			return
		}
		raw = append(raw, body...)
	}
	_ = seam.Replace(l.cachePath(), raw)
}

func defaults() Understood { return Understood{Config: Default(), Bands: zones.DefaultBands()} }

func (l Loader) parse(sources []source) Understood {
	u := defaults()
	if data, ok := u.read(sources[0]); ok {
		cfg, notices := ParseMachine(data)
		u.Config, u.Notices = cfg, append(u.Notices, notices...)
	}
	if data, ok := u.read(sources[1]); ok {
		bands, notices := zones.ParseBands(data)
		u.Bands = bands
		for _, n := range notices {
			u.Notices = append(u.Notices, Notice{Key: "zones.toml:" + n.Key, Text: n.Text})
		}
	}
	if l.Project == "" {
		return u
	}
	l.dropCommandOfProject(&u)
	if data, ok := u.read(sources[2]); ok {
		cfg, notices := ApplyProject(u.Config, data)
		u.Config, u.Notices = cfg, append(u.Notices, notices...)
	}
	return u
}

// read gives the file's bytes, or notices why it cannot be read.
func (u *Understood) read(s source) ([]byte, bool) {
	if s.Size < 0 {
		return nil, false
	}
	data, err := seam.ReadFile(s.Path, maxTOML)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	if err != nil {
		name := filepath.Base(s.Path)
		u.Notices = append(u.Notices, Notice{
			Key:  name + ":unreadable",
			Text: name + " cannot be read (" + err.Error() + "); the defaults hold for all of it",
		})
		return nil, false
	}
	return data, true
}

// dropCommandOfProject keeps a home that lies inside a project from making a
// command run: whoever wrote the project could have written that home.
func (l Loader) dropCommandOfProject(u *Understood) {
	if len(u.Config.Structure.Command) == 0 || !within(l.Project, l.Home.Dir()) {
		return
	}
	u.Config.Structure.Command = nil
	u.Notices = append(u.Notices, Notice{
		Key:  machineFile + ":structure.command",
		Text: machineFile + ": structure.command is ignored, because the home " + l.Home.Dir() + " lies inside this project",
	})
}

// dropCommandOfOthers keeps another account from making a command run: it is looked
// at each time, since who may write to a file can change without the file.
func (l Loader) dropCommandOfOthers(u Understood) Understood {
	if len(u.Config.Structure.Command) == 0 {
		return u
	}
	home := l.Home.Dir()
	for _, path := range []string{filepath.Dir(home), home, l.Home.Path(machineFile), l.Home.Path("cache"), l.cachePath()} {
		info, err := os.Stat(path)
		if err != nil || !seam.OpenToOthers(info) {
			continue
		}
		u.Config.Structure.Command = nil
		u.Notices = append(slices.Clip(u.Notices), Notice{
			Key:  machineFile + ":structure.command",
			Text: printable.Line(machineFile + ": structure.command is ignored, because others can write to " + path + ", or it is theirs"),
		})
		return u
	}
	return u
}

func within(root, path string) bool {
	for _, p := range []*string{&root, &path} {
		if resolved, err := filepath.EvalSymlinks(*p); err == nil {
			*p = resolved
		}
	}
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// FindProject is the root of the project: CLAUDE_PROJECT_DIR when absolute,
// else the nearest folder at or above cwd that holds .git, a folder or a file.
// It is empty when there is neither. Git is not run.
func FindProject(getenv func(string) string, cwd string) string {
	if dir := getenv("CLAUDE_PROJECT_DIR"); filepath.IsAbs(dir) {
		return filepath.Clean(dir)
	}
	if !filepath.IsAbs(cwd) {
		return ""
	}
	for dir := filepath.Clean(cwd); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// Mirrors are the directories of [seam] mirror as absolute paths; a leading ~ is
// the user's home directory. Relative ones are left out.
func (c Config) Mirrors(getenv func(string) string) []string {
	var dirs []string
	for _, dir := range c.Seam.Mirror {
		if rest, ok := cutTilde(dir); ok {
			home, known := seam.UserHome(getenv)
			if !known {
				continue
			}
			dir = filepath.Join(home, rest)
		}
		if filepath.IsAbs(dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

func cutTilde(path string) (string, bool) {
	if path == "~" {
		return "", true
	}
	if len(path) > 1 && path[0] == '~' && os.IsPathSeparator(path[1]) || len(path) > 1 && path[:2] == "~/" {
		return path[2:], true
	}
	return "", false
}
