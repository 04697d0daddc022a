package setup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/natefinch/atomic"
)

// writeProgram replaces a program that may be running: the new one is written
// beside it, made executable, and moved into its place.
func (f file) writeProgram() error {
	temp, err := os.CreateTemp(filepath.Dir(f.path), ".ctxguard-tmp-*")
	if err != nil {
		return err
	}
	_, err = temp.Write(f.data)
	err = errors.Join(err, temp.Chmod(f.mode), temp.Sync(), temp.Close())
	if err == nil {
		err = moveAside(f.path)
	}
	if err == nil {
		err = atomic.ReplaceFile(temp.Name(), f.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}

// moveAside makes room on Windows, where a running program can be renamed but not
// replaced. What was moved there before goes, unless it still runs.
func moveAside(path string) error {
	if runtime.GOOS != "windows" {
		return nil
	}
	aside := path + ".old"
	if err := os.Remove(aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		aside += "er"
	}
	if err := os.Rename(path, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
