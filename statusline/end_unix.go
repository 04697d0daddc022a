//go:build unix

package statusline

import (
	"os"
	"syscall"
)

// shell runs a script that has no #! line.
const shell = "/bin/sh"

// repeatEnd ends as the child did: by the same signal, or with its exit code.
func repeatEnd(state *os.ProcessState) int {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return state.ExitCode()
	}
	dieLike(status.Signal())
	return 128 + int(status.Signal())
}
