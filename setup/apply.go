package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"ctxguard/statusline/seam"
	"ctxguard/statusline/seam/faultpoint"
)

const (
	lockWait = 10 * time.Second
	lockPoll = 50 * time.Millisecond
)

// apply does what the plan says. Whatever step it is cut off at, the settings are
// the old file or the new one, and another run does the rest: everything that the
// settings will name is there before they name it.
func (p *plan) apply(sys System) error {
	if err := checkWritable(p.place.Target); err != nil {
		return err
	}
	unlock, err := lock(sys, p.place.Home)
	if err != nil {
		return err
	}
	defer unlock()
	seam.RemoveTemps(filepath.Dir(p.place.Target), sys.Now)
	if err := p.stillHolds(sys); err != nil {
		return err
	}
	if p.open {
		if err := os.Chmod(p.place.Home.Dir(), 0o700); err != nil {
			return err
		}
	}
	for _, f := range p.files {
		faultpoint.Here("setup-" + filepath.Base(f.path))
		if f.path == p.place.Bin && exists(f.path) {
			if p.program, err = seam.ReadFile(f.path, maxProgram); err != nil {
				return err
			}
		}
		if err := f.write(); err != nil {
			return err
		}
	}
	if p.undo {
		return p.applyUndo(sys)
	}
	return p.applySettings(sys)
}

// stillHolds makes the plan again under the lock: the person has seen one change,
// and no other may be made.
func (p *plan) stillHolds(sys System) error {
	quiet := sys
	quiet.Terminal = false
	now, err := makePlan(quiet, p.opts, p.place)
	if err != nil {
		return err
	}
	same := bytes.Equal(now.old, p.old) && bytes.Equal(now.fresh, p.fresh) && now.existed == p.existed &&
		slices.EqualFunc(now.files, p.files, func(a, b file) bool { return a.path == b.path && bytes.Equal(a.data, b.data) })
	if !same {
		return errChanged
	}
	return nil
}

func (p *plan) applySettings(sys System) error {
	if p.settingsChange() {
		entry := p.nextEntry(sys.Now)
		if p.existed {
			faultpoint.Here("setup-backup")
			name, err := backUp(p.place.Home, p.old, sys.Now)
			if err != nil {
				return fmt.Errorf("no copy of the settings could be kept, so they were not changed: %w", err)
			}
			if entry.Backup == "" && !entry.Created {
				entry.Backup, entry.BackupHash = name, hash(p.old)
			}
		}
		faultpoint.Here("setup-journal")
		if err := entry.keep(p.place.Home, p.place.Target, p.registered()); err != nil {
			return err
		}
		if err := replaceTarget(p.place.Target, p.old, p.existed, p.fresh); err != nil {
			return err
		}
		faultpoint.Here("setup-replaced")
	}
	if err := p.check(sys); err != nil {
		return p.takeBack(err)
	}
	faultpoint.Here("setup-checked")
	if err := pruneBackups(p.place.Home); err != nil {
		return err
	}
	fmt.Fprintln(sys.Stdout, "Done. Running sessions notice within a second or two. `ctxguard doctor` checks; `ctxguard setup --undo` takes it back.")
	if !onPath(sys.Getenv, p.place.Bin) {
		fmt.Fprintf(sys.Stdout, "To type `ctxguard`, put %s into your PATH.\n", filepath.Dir(p.place.Bin))
	}
	return nil
}

// onPath reports whether a shell finds a program of that name.
func onPath(getenv func(string) string, program string) bool {
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		if info, err := os.Stat(filepath.Join(dir, filepath.Base(program))); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// takeBack restores the settings, and the program that was there before, after a
// check that failed (S18).
func (p *plan) takeBack(why error) error {
	if p.program != nil {
		if err := (file{path: p.place.Bin, data: p.program, mode: programMode}).write(); err != nil {
			return fmt.Errorf("%w; and the program that was there could not be put back: %w", why, err)
		}
	}
	if !p.settingsChange() {
		return why
	}
	old := p.old
	if !p.existed {
		old = nil
	}
	if err := replaceTarget(p.place.Target, p.fresh, p.fresh != nil, old); err != nil {
		return fmt.Errorf("%w; and the settings could not be put back: %w", why, err)
	}
	return fmt.Errorf("%w; the settings are as they were", why)
}

func (p *plan) applyUndo(sys System) error {
	if p.settingsChange() {
		if p.existed {
			faultpoint.Here("undo-backup")
			if _, err := backUp(p.place.Home, p.old, sys.Now); err != nil {
				return fmt.Errorf("no copy of the settings could be kept, so they were not changed: %w", err)
			}
		}
		if err := replaceTarget(p.place.Target, p.old, p.existed, p.fresh); err != nil {
			return err
		}
	}
	faultpoint.Here("undo-replaced")
	if err := forget(p.place.Home, p.place.Target); err != nil {
		return err
	}
	if p.opts.Purge {
		return nil
	}
	if err := pruneBackups(p.place.Home); err != nil {
		return err
	}
	fmt.Fprintf(sys.Stdout, "Done. %s stays as it is; `ctxguard setup --undo --purge` removes it.\n", p.place.Home.Dir())
	return nil
}

// write puts the file where it belongs, whole or not at all.
func (f file) write() error {
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return err
	}
	if f.mode&0o100 == 0 {
		return seam.Save(f.path, f.data)
	}
	return f.writeProgram()
}

// lock keeps two setups apart. The second one waits.
func lock(sys System, home seam.Home) (unlock func(), err error) {
	path := home.Path("locks/setup")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	l := flock.New(path, flock.SetPermissions(0o600))
	held, err := seam.TryLock(l)
	if err == nil && !held {
		fmt.Fprintln(sys.Stdout, "Another setup is running; waiting for it.")
		ctx, cancel := context.WithTimeout(context.Background(), lockWait)
		defer cancel()
		held, err = l.TryLockContext(ctx, lockPoll)
	}
	if errors.Is(err, context.DeadlineExceeded) || err == nil && !held {
		return nil, errors.New("another setup is still running; nothing was changed. Run this again when it has ended")
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return func() { _ = l.Close() }, nil
}
