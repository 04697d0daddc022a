package statusline

import (
	"errors"
	"os"
	"os/exec"
)

// shell is empty: scripts without a #! line are not a thing here.
const shell = ""

// become runs the next command as a child: a process cannot become another one
// here. Its handles are our own.
func become(p Process, payload []byte, environ []string) int {
	// Without this a program of that name in the current folder, which is the
	// project's, would come before those along PATH.
	if err := os.Setenv("NoDefaultCurrentDirectoryInExePath", "1"); err != nil {
		return refuse(p.Stderr, p.Command[0], exitNotFound, err)
	}
	program, err := exec.LookPath(p.Command[0])
	if errors.Is(err, exec.ErrDot) {
		err = nil
	}
	if err != nil {
		return refuse(p.Stderr, p.Command[0], exitNotFound, err)
	}
	return runChild(p, program, payload, environ)
}

// shellArgs is never asked for here.
func shellArgs(_ string, argv []string) []string { return argv }

// ownCopy is the input itself: a child gets a new one.
func ownCopy(stdin *os.File) *os.File { return stdin }

func repeatEnd(state *os.ProcessState) int { return state.ExitCode() }
