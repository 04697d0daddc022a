package knowledge

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ctxguard/hooks/config"
)

// mostFiled bounds how many entries of the knowledge folder are looked at.
const mostFiled = 50_000

// tick is how far a file's time may lie behind the clock that told when a round
// began: systems stamp files by a clock that moves in steps.
const tick = 20 * time.Millisecond

// writtenAfter reports whether the file was changed later than that.
func writtenAfter(info fs.FileInfo, at time.Time) bool { return info.ModTime().Add(tick).After(at) }

// place is where a project and its knowledge are, with every link followed.
type place struct {
	project   string
	knowledge string
}

func placeOf(project, dir string) (place, error) {
	path, ok := config.WithinProject(project, dir)
	if !ok {
		return place{}, errNoFolder
	}
	info, err := os.Stat(path)
	if err != nil {
		return place{}, err
	}
	if !info.IsDir() {
		return place{}, fmt.Errorf("%s is no folder", path)
	}
	return place{project: followed(project), knowledge: followed(path)}, nil
}

// counts gives a call's target relative to the project, or false when it is no
// change of the project: outside of it, or in its knowledge folder (C4). A
// relative target is taken from the first of the folders that is absolute.
func (p place) counts(target string, folders ...string) (string, bool) {
	if !filepath.IsAbs(target) {
		target = filepath.Join(firstAbsolute(folders, p.project), target)
	}
	target = followed(filepath.Clean(target))
	if _, inside := below(p.knowledge, target); inside {
		return "", false
	}
	path, inside := below(p.project, target)
	return filepath.ToSlash(path), inside && path != "."
}

func firstAbsolute(folders []string, otherwise string) string {
	for _, f := range folders {
		if filepath.IsAbs(f) {
			return f
		}
	}
	return otherwise
}

func below(root, path string) (string, bool) {
	rel, err := filepath.Rel(root, path)
	return rel, err == nil && filepath.IsLocal(rel)
}

// followed is the path with its links followed, as far as it exists.
func followed(path string) string {
	rest := ""
	for at := path; ; at = filepath.Dir(at) {
		if resolved, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(resolved, rest)
		}
		if at == filepath.Dir(at) {
			return path
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

var (
	errFound    = errors.New("found")
	errNoFolder = errors.New("the knowledge folder is not inside the project")
)

// filedSince reports whether a file of the knowledge folder was changed later
// than that, whoever did it (C5). Folders to ignore are named relative to it.
func (p place) filedSince(began time.Time, ignore []string) (bool, error) {
	skip := make(map[string]bool, len(ignore))
	for _, folder := range ignore {
		skip[filepath.Clean(filepath.FromSlash(strings.ReplaceAll(folder, `\`, "/")))] = true
	}
	seen := 0
	err := filepath.WalkDir(p.knowledge, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if seen++; seen > mostFiled {
			return fmt.Errorf("%s holds more than %d files", p.knowledge, mostFiled)
		}
		if entry.IsDir() {
			if rel, inside := below(p.knowledge, path); inside && skip[rel] && rel != "." {
				return fs.SkipDir
			}
			return nil
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed while we looked
		}
		if err != nil {
			return err
		}
		if writtenAfter(info, began) {
			return errFound
		}
		return nil
	})
	if errors.Is(err, errFound) {
		return true, nil
	}
	return false, err
}

// ignoreEnd is the error of a folder that could not be listed; the end of an
// empty one is none.
func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
