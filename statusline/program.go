package statusline

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// The shell's own codes for a command that it cannot start.
const (
	exitNotExecutable = 126
	exitNotFound      = 127
)

// refuse says in one line why the next command was not started. Without an error
// the code says it all.
func refuse(stderr io.Writer, command string, code int, err error) int {
	why := "no such command; check the status line in settings.json"
	switch {
	case code == exitNotFound:
	case err == nil || errors.Is(err, fs.ErrPermission):
		why = "cannot be executed; check its permissions"
	default:
		why = "cannot be executed: " + err.Error()
	}
	fmt.Fprintf(stderr, "ctxguard: %s: %s\n", command, why)
	return code
}
