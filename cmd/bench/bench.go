package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"ctxguard/hooks/config"
	"ctxguard/zones"
)

// bench is what the rows work with.
type bench struct {
	root   string // the project's folder
	dir    string
	rounds int
	empty  string // a Go program that does nothing

	ours, shell, python contestant

	line   []byte // a status line payload
	source []byte // some source code
	// refreshed is when the sessions' snapshots were written last.
	refreshed time.Time
}

const (
	manySessions = 10_000
	// keepFresh is well below the ten minutes after which a zone is unknown.
	keepFresh = 3 * time.Minute
)

func newBench(ctx context.Context, root, dir string, rounds int) (*bench, error) {
	b := &bench{
		root:   root,
		dir:    dir,
		rounds: rounds,
		empty:  filepath.Join(dir, executable("empty")),
		ours: contestant{
			program: filepath.Join(dir, executable("ctxguard")),
			home:    filepath.Join(dir, "home"),
			crowded: filepath.Join(dir, "crowded"),
		},
	}
	var err error
	if b.line, err = os.ReadFile(filepath.Join(root, "testdata", "payloads", "statusline-03-mid-session.json")); err != nil {
		return nil, fmt.Errorf("run this in the project's folder: %w", err)
	}
	if b.source, err = os.ReadFile(filepath.Join(root, "cmd", "bench", "rows.go")); err != nil {
		return nil, err
	}
	if b.shell, b.python, err = newRivals(ctx, dir); err != nil {
		return nil, err
	}
	return b, b.build(ctx)
}

func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

func (b *bench) build(ctx context.Context) error {
	source := filepath.Join(b.dir, "empty.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		return err
	}
	for output, what := range map[string]string{b.ours.program: "./cmd/ctxguard", b.empty: source} {
		cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", output, what)
		cmd.Dir = b.root
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("build %s: %w: %s", what, err, out)
		}
	}
	return nil
}

// start is the yardstick: the start of an empty Go program.
func (b *bench) start() job { return job{argv: []string{b.empty}} }

// present are the contestants that can run here.
func (b *bench) present() []contestant {
	list := []contestant{b.ours}
	for _, c := range []contestant{b.shell, b.python} {
		if c.absent == "" {
			list = append(list, c)
		}
	}
	return list
}

// fillHomes puts the session's snapshot into all homes, in a way that a hook has
// nothing to say, and the crowd into some.
func (b *bench) fillHomes(ctx context.Context, many int) error {
	for _, home := range []string{b.ours.home, b.ours.crowded} {
		if err := seed(home); err != nil {
			return err
		}
	}
	if err := b.refresh(ctx); err != nil {
		return err
	}
	snapshot, err := os.ReadFile(filepath.Join(b.ours.home, "context", session+".json"))
	if err != nil {
		return err
	}
	for _, c := range b.present() {
		if err := crowd(c.crowded, string(snapshot), many); err != nil {
			return err
		}
	}
	return nil
}

// refresh writes the sessions' snapshots again before they are too old.
func (b *bench) refresh(ctx context.Context) error {
	if time.Since(b.refreshed) < keepFresh {
		return nil
	}
	for _, c := range b.present() {
		for _, home := range []string{c.home, c.crowded} {
			if _, err := c.job(b.shim(), home).rehearse(ctx); err != nil {
				return err
			}
		}
	}
	b.refreshed = time.Now()
	return nil
}

// seed puts the files there that setup does, old enough to be kept as understood.
func seed(home string) error {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	for name, content := range map[string]string{"ctxguard.toml": config.Seed, "zones.toml": zones.Seed} {
		path := filepath.Join(home, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			return err
		}
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			return err
		}
	}
	return nil
}
