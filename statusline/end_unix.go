//go:build unix

package statusline

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// shell runs a script that has no #! line.
const shell = "/bin/sh"

// shellArgs are the words with which the shell runs such a script; a path that
// begins with a dash must not be taken for one of the shell's own words.
func shellArgs(program string, argv []string) []string {
	if strings.HasPrefix(program, "-") {
		program = "./" + program
	}
	return append([]string{shell, program}, argv[1:]...)
}

// repeatEnd ends as the child did: by the same signal, or with its exit code.
func repeatEnd(state *os.ProcessState) int {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return state.ExitCode()
	}
	dieLike(int(status.Signal()))
	return 128 + int(status.Signal())
}

// dieLike ends this process by the signal that ended the child, so that whoever
// waits sees the same. It becomes a shell that does it: Go keeps several signals
// for itself, and would print its own stack and exit 2 for some of them.
func dieLike(sig int) {
	script := fmt.Sprintf("ulimit -c 0; kill -%d $$; exit %d", sig, 128+sig)
	_ = syscall.Exec(shell, []string{shell, "-c", script}, nil)
}
