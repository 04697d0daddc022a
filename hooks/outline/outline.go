// Package outline gives the shape of one source file: its types, functions and
// methods, what it takes from its project, who in the project imports it and
// which tests name it; or, for a file that is not there yet, what the files
// beside it make public.
//
// It knows nothing of hooks, sessions or zones. It reads regular files inside
// the project only, and it starts at most one small helper at a time (python3,
// ctags, or the person's own command), shut off from the project as rule T9
// says; git is never started. Everything that it reads is untrusted: it is
// bounded, never executed, and never chooses a path outside of the home.
package outline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Request says which file to render and how.
type Request struct {
	// Project is the absolute root of the project. Nothing outside of it is read.
	Project string
	// Path is the absolute path of the file, which need not exist.
	Path string
	// Home is the absolute folder of ctxguard: helpers run there, and what was
	// understood is kept in its cache.
	Home string
	// Getenv is the environment from which helpers get PATH, HOME, LANG and the
	// temporary folder.
	Getenv func(string) string
	// MaxChars bounds Text, counted in bytes, which is never less than what the
	// client counts; 0 is no bound.
	MaxChars int
	// Command renders instead of the built-in renderers for the Extensions (T8);
	// "{path}" in it stands for the file. No extensions means all files.
	Command    []string
	Extensions []string
	// Frozen keeps every file as it is: nothing is cached.
	Frozen bool
}

// State is how a render ended. Too slow and nothing to say are different (T5).
type State string

const (
	// Rendered: Text is the outline.
	Rendered State = "rendered"
	// NothingToSay: no language that is known, or a file with nothing in it.
	NothingToSay State = "nothing"
	// Unavailable: there may be something to say, but it could not be had. Text
	// is the notice that says so.
	Unavailable State = "unavailable"
)

// Result is what became of a Request; its JSON is what `outline --json` prints.
type Result struct {
	Version int   `json:"version"` // 1
	State   State `json:"state"`
	// Path is the file's path with every link resolved: two spellings of one
	// file have one Path (T2).
	Path string `json:"path"`
	// Reason says in a few words why a state is not Rendered.
	Reason string `json:"reason,omitempty"`
	// Text is what the model is shown: an outline or a notice.
	Text string `json:"text,omitempty"`
	// Outline is nil unless a built-in renderer made it.
	Outline *Outline `json:"outline,omitempty"`
	// Retry says that a render with more time may succeed.
	Retry bool `json:"retry,omitempty"`
	// NoCommand says that the configured command does not exist.
	NoCommand bool `json:"no_command,omitempty"`
}

const (
	// maxSource bounds a file that is rendered: nobody writes larger ones by hand.
	maxSource = 4 << 20

	formatVersion = 1
)

// Render gives the outline of the file within the context's deadline.
func Render(ctx context.Context, req Request) Result {
	began := time.Now()
	r := render(ctx, req)
	if r.State != NothingToSay && ctx.Err() != nil {
		r = Result{State: Unavailable, Path: r.Path, Reason: "not ready in time", Retry: true}
		if deadline, ok := ctx.Deadline(); ok {
			r.Reason = "not ready within " + seconds(deadline.Sub(began))
		}
	}
	r.Version = formatVersion
	if r.State == Unavailable {
		r.Text = notice(req.Path, r)
	}
	return r
}

func render(ctx context.Context, req Request) Result {
	file, err := locate(req.Project, req.Path)
	if err != nil {
		return Result{State: NothingToSay, Path: req.Path, Reason: err.Error()}
	}
	r := Result{Path: file.path}
	if _, err := languageOf(file.path); err != nil && !req.commanded(file.path) {
		r.State, r.Reason = NothingToSay, err.Error()
		return r
	}
	if !file.exists {
		return newFile(ctx, req, file)
	}
	src, err := readSource(file.path)
	if err != nil {
		r.State, r.Reason = Unavailable, err.Error()
		return r
	}
	if req.commanded(file.path) {
		return commandRender(ctx, req, r, src)
	}
	return builtIn(ctx, req, file, src)
}

func builtIn(ctx context.Context, req Request, file located, src []byte) Result {
	r := Result{Path: file.path, State: Rendered}
	shape, err := shapeOf(ctx, req, file.path, src)
	if err != nil {
		r.State, r.Reason, r.Retry = Unavailable, err.Error(), true
		return r
	}
	o := newOutline(req.Path, shape)
	family := familyOf(file.path)
	if family != noFamily {
		addProject(ctx, req, file, src, &o)
	}
	if o.empty() {
		r.State, r.Reason = NothingToSay, "nothing was found in it"
		return r
	}
	r.Outline = &o
	r.Text = o.Text(req.MaxChars)
	return r
}

// notice is the text for what could not be rendered (T5).
func notice(path string, r Result) string {
	next := "It can still be read, and its users searched for, as usual."
	if r.Retry {
		next = "It goes on being prepared; the next look has it if it can be had. " +
			"To see it: ctxguard outline " + quotePath(path)
	}
	return fmt.Sprintf("=== MODULE CONTEXT: %s — UNAVAILABLE ===\nThe outline of this file could not be given: %s. %s",
		oneLine(path), r.Reason, next)
}

// quotePath makes the path one word of a shell.
func quotePath(path string) string {
	path = oneLine(path)
	plain := !strings.ContainsFunc(path, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("/._-", r))
	})
	if plain {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

func seconds(d time.Duration) string {
	if d.Round(time.Second) < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return fmt.Sprintf("%d s", int(d.Round(time.Second).Seconds()))
}

// located is a file after its links were resolved.
type located struct {
	root   string // the project's, resolved
	path   string // absolute, resolved
	rel    string // path below root, with forward slashes
	exists bool
}

var (
	errOutside    = errors.New("the file is not inside the project")
	errNotRegular = errors.New("it is not a regular file")
	errNotText    = errors.New("it is not text")
	errTooLarge   = errors.New("it is larger than 4 MiB")
)

// Resolve gives the path with every symbolic link and ".." resolved, for a file
// that need not exist: the key under which a file is one file (T2).
func Resolve(path string) (string, error) {
	resolved, err := filepath.EvalSymlinks(path)
	if err == nil {
		return resolved, nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("resolve the path: %w", err)
	}
	if _, err := os.Lstat(path); err == nil {
		return "", errors.New("it is a link to nothing")
	}
	dir, base := filepath.Split(filepath.Clean(path))
	parent, err := filepath.EvalSymlinks(filepath.Clean(dir))
	if err != nil {
		return "", errors.New("the folder that it would be in does not exist")
	}
	return filepath.Join(parent, base), nil
}

// locate resolves the file and refuses what does not lie inside the project or
// is no regular file (T9).
func locate(project, path string) (located, error) {
	if !filepath.IsAbs(project) || !filepath.IsAbs(path) {
		return located{}, errOutside
	}
	root, err := filepath.EvalSymlinks(project)
	if err != nil {
		return located{}, errOutside
	}
	resolved, err := Resolve(path)
	if err != nil {
		return located{}, err
	}
	rel, err := filepath.Rel(root, resolved)
	if err != nil || !filepath.IsLocal(rel) {
		return located{}, errOutside
	}
	f := located{root: root, path: resolved, rel: filepath.ToSlash(rel)}
	info, err := os.Lstat(resolved)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return f, nil
	case err != nil:
		return located{}, fmt.Errorf("look at the file: %w", err)
	case !info.Mode().IsRegular():
		return located{}, errNotRegular
	}
	f.exists = true
	return f, nil
}

// commanded reports whether the person's own command renders this file.
func (req Request) commanded(path string) bool {
	if len(req.Command) == 0 {
		return false
	}
	return len(req.Extensions) == 0 || slices.Contains(req.Extensions, extension(path))
}
