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
	program, err := exec.LookPath(p.Command[0])
	if errors.Is(err, exec.ErrDot) {
		err = nil
	}
	if err != nil {
		return refuse(p.Stderr, p.Command[0], exitNotFound)
	}
	return runChild(p, program, payload, environ)
}

func repeatEnd(state *os.ProcessState) int { return state.ExitCode() }
