//go:build unix

package statusline

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// defaultPath is where a shell looks when its environment has no PATH.
const defaultPath = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"

// searchPath is the PATH of an environment. An empty one is one that finds
// nothing; without any the command was found all the same before the shim stood
// in front of it.
func searchPath(environ []string) string {
	for _, entry := range environ {
		if path, ok := strings.CutPrefix(entry, "PATH="); ok {
			return path
		}
	}
	return defaultPath
}

// findProgram looks a command up as a shell does: a name with a slash is a path,
// any other is searched for along PATH, where a file that may not be executed is
// passed over and remembered. The code is 0, 126 or 127.
func findProgram(name, path string) (program string, code int) {
	if strings.ContainsRune(name, '/') {
		return name, executable(name)
	}
	code = exitNotFound
	if name == "" {
		return "", code
	}
	for _, dir := range filepath.SplitList(path) {
		if dir == "" {
			dir = "."
		}
		candidate := filepath.Join(dir, name)
		if !filepath.IsAbs(candidate) && !strings.ContainsRune(candidate, '/') {
			candidate = "./" + candidate
		}
		switch executable(candidate) {
		case 0:
			return candidate, 0
		case exitNotExecutable:
			program, code = candidate, exitNotExecutable
		}
	}
	return program, code
}

// executable is 0 when this user may execute the file, else the shell's code. A
// file of somebody else that only they may execute is passed over along PATH.
func executable(path string) int {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return exitNotExecutable
	case err != nil:
		return exitNotFound
	case info.IsDir() || unix.Access(path, unix.X_OK) != nil:
		return exitNotExecutable
	}
	return 0
}
