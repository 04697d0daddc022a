package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"ctxguard/statusline/seam"
	"ctxguard/statusline/seam/faultpoint"
)

const (
	maxSettings = 8 << 20
	maxLinks    = 40
)

// Settings is the user's settings file in Claude Code's configuration folder.
func Settings(client string) string { return filepath.Join(client, "settings.json") }

// InstalledBin is where setup puts the program.
func InstalledBin(home seam.Home) string {
	if runtime.GOOS == "windows" {
		return home.Path("bin/ctxguard.exe")
	}
	return home.Path("bin/ctxguard")
}

func absolute(cwd, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(cwd, path)
}

func executable(info fs.FileInfo) bool {
	return runtime.GOOS == "windows" || info.Mode().Perm()&0o111 != 0
}

// followLinks is the file that a path leads to in the end, which need not exist
// yet: the link stays, and what it points to is edited (S1).
func followLinks(path string) (string, error) {
	for range maxLinks {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		next, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		path = absolute(filepath.Dir(path), next)
	}
	return "", fmt.Errorf("%s: a chain of more than %d symbolic links", path, maxLinks)
}

// ReadSettings reads the settings file; existed is false when there is none.
func ReadSettings(path string) (data []byte, existed bool, err error) {
	data, err = seam.ReadFile(path, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return data, true, nil
}

// checkWritable finds out before anything is done whether the file can be
// replaced: a folder that is read-only ends setup with nothing half done (S5).
func checkWritable(path string) error {
	dir := filepath.Dir(path)
	for {
		info, err := os.Stat(dir)
		if err == nil && info.IsDir() {
			break
		}
		if parent := filepath.Dir(dir); errors.Is(err, fs.ErrNotExist) && parent != dir {
			dir = parent
			continue
		}
		if err == nil {
			err = fmt.Errorf("%s is not a folder", dir)
		}
		return err
	}
	probe, err := os.CreateTemp(dir, ".ctxguard-tmp-*")
	if err != nil {
		return fmt.Errorf("%s cannot be written to (%w); nothing was changed", dir, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// replaceTarget puts fresh in the place of old, when the file still is old. A nil
// fresh removes it.
func replaceTarget(path string, old []byte, existed bool, fresh []byte) error {
	now, exists, err := ReadSettings(path)
	if err != nil {
		return err
	}
	if exists != existed || !bytes.Equal(now, old) {
		return errChanged
	}
	faultpoint.Here("setup-replace")
	if fresh == nil {
		return os.Remove(path)
	}
	owner := ownerOf(path)
	if err := seam.Save(path, fresh); err != nil {
		return err
	}
	return owner.give(path)
}
