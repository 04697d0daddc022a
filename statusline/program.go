package statusline

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The shell's own codes for a command that it cannot start.
const (
	exitNotExecutable = 126
	exitNotFound      = 127
)

// refuse says in one line why the next command was not started.
func refuse(stderr io.Writer, command string, code int) int {
	why := "no such command; check the status line in settings.json"
	if code == exitNotExecutable {
		why = "cannot be executed; check its permissions"
	}
	fmt.Fprintf(stderr, "ctxguard: %s: %s\n", command, why)
	return code
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

func executable(path string) int {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return exitNotExecutable
	case err != nil:
		return exitNotFound
	case info.IsDir() || info.Mode().Perm()&0o111 == 0:
		return exitNotExecutable
	}
	return 0
}
