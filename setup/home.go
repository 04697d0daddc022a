package setup

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
	"ctxguard/zones"
)

const (
	// maxProgram bounds the program that is copied.
	maxProgram = 256 << 20

	programMode os.FileMode = 0o700
)

const readme = `ctxguard keeps its files here: snapshots and history of sessions, its own
program (bin/), its configuration (zones.toml, ctxguard.toml), and copies of
Claude Code's settings from before each change (backups/).

Before you delete this folder, run

    ctxguard setup --undo

(or bin/ctxguard in this folder with the same words). Claude Code's settings name
the program in bin/, and without it the status line stays empty.
`

// planHome plans the program's copy and the README (S15).
func (p *plan) planHome(sys System) error {
	if info, err := os.Stat(p.place.Home.Dir()); err == nil {
		if !info.IsDir() {
			return fmt.Errorf("%s is not a folder; move it away, or set CTXGUARD_HOME", p.place.Home.Dir())
		}
		p.open = !IsPrivate(info)
	}
	if !p.place.Kept {
		if err := p.planProgram(sys); err != nil {
			return err
		}
	}
	if path := p.place.Home.Path("README"); !exists(path) {
		p.files = append(p.files, file{path, []byte(readme), 0o600, "what this folder is, and how to undo"})
	}
	return nil
}

// IsPrivate reports whether only its owner may look into a folder. Windows has
// other means, which the folder takes from the person's profile.
func IsPrivate(info os.FileInfo) bool {
	return runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0
}

func (p *plan) planProgram(sys System) error {
	ours, err := seam.ReadFile(sys.Program, maxProgram)
	if err != nil {
		return fmt.Errorf("read this program: %w", err)
	}
	there, err := seam.ReadFile(p.place.Bin, maxProgram)
	if err == nil && bytes.Equal(ours, there) {
		return nil
	}
	why := "this program, where it will stay"
	if err == nil {
		var installed Version
		okInstalled := false
		if !InProject(sys, p.place.Bin) {
			installed, okInstalled = AskVersion(sys, p.place.Bin, "version")
		}
		running, okRunning := AskVersion(sys, sys.Program, "version")
		if okInstalled && okRunning && installed != running && installed.AtLeast(running) {
			p.note("%s is version %s, newer than this one (%s); it stays.", p.place.Bin, installed, running)
			return nil
		}
		why = "this program, in place of another version"
		if okInstalled && okRunning && installed != running {
			why = fmt.Sprintf("version %s in place of %s", running, installed)
		}
	}
	p.files = append(p.files, file{p.place.Bin, ours, programMode, why})
	return nil
}

// contextGuard is the folder of the context-guard plugin, whose bands and readers
// are taken over.
func (p *plan) contextGuard() string { return filepath.Join(p.place.Client, "context-guard") }

// seedZones writes zones.toml when there is none, from another tool's bands where
// it has some (S16).
func (p *plan) seedZones() error {
	path := p.place.Home.Path("zones.toml")
	if exists(path) {
		return nil
	}
	from := filepath.Join(p.contextGuard(), "zones.json")
	raw, err := seam.ReadFile(from, maxSettings)
	if err == nil {
		var converted []byte
		if converted, err = zones.ConvertJSON(raw); err == nil {
			p.files = append(p.files, file{path, converted, 0o600, "the bands of " + from})
			return nil
		}
	}
	if !errors.Is(err, os.ErrNotExist) {
		p.note("%s was not taken over: %v.", from, err)
	}
	p.files = append(p.files, file{path, []byte(zones.Seed), 0o600, "where smart ends and dumb begins"})
	return nil
}

// offerMirror offers to write snapshots for another tool's readers too.
func (p *plan) offerMirror(sys System, text string) string {
	dir := filepath.Join(p.contextGuard(), "context")
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return text
	}
	cfg, _ := config.ParseMachine([]byte(text))
	for _, mirror := range cfg.Mirrors(sys.Getenv) {
		if filepath.Clean(mirror) == dir {
			return text
		}
	}
	slashed := filepath.ToSlash(dir)
	if p.opts.mirror == nil {
		if p.opts.Yes || p.opts.DryRun || !sys.Terminal || len(cfg.Seam.Mirror) > 0 || strings.ContainsAny(slashed, "'\n") {
			p.note("%s has readers of its own; to keep them working, set in [seam] of ctxguard.toml: mirror = ['%s']", dir, slashed)
			return text
		}
		yes := ask(sys, "Write snapshots to "+dir+" as well, for the tools that read them there?")
		p.opts.mirror = &yes
	}
	if !*p.opts.mirror {
		return text
	}
	return setKey(text, "seam", "mirror", "['"+slashed+"']")
}
