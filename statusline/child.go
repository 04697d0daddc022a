package statusline

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// runChild starts the next command as a child with our own output handles and
// repeats its end. It is the way where a process cannot become another, or the
// bytes found no place to wait in.
func runChild(p Process, program string, payload []byte, environ []string) int {
	cmd := &exec.Cmd{
		Path:   program,
		Args:   p.Command,
		Env:    environ,
		Stdin:  bytes.NewReader(payload),
		Stdout: p.Stdout,
		Stderr: p.Stderr,
		// Once it has ended nobody needs to be fed, whatever it left running with
		// its standard input open.
		WaitDelay: 10 * time.Millisecond,
	}
	err := cmd.Run()
	if errors.Is(err, syscall.ENOEXEC) && shell != "" && program != shell {
		p.Command = shellArgs(program, p.Command)
		return runChild(p, shell, payload, environ)
	}
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return repeatEnd(exit.ProcessState)
	case cmd.ProcessState != nil:
		// It ended well without reading all of its input.
		return cmd.ProcessState.ExitCode()
	case errors.Is(err, os.ErrNotExist):
		return refuse(p.Stderr, p.Command[0], exitNotFound, err)
	}
	return refuse(p.Stderr, p.Command[0], exitNotExecutable, err)
}
