//go:build unix

package statusline

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// become turns this process into the next command, so that its output, its exit
// code and its signals are its own by construction, and no process of ours is
// left. It returns only when that was not possible.
func become(p Process, payload []byte, environ []string) int {
	program, code := findProgram(p.Command[0], searchPath(p.Environ))
	if code != 0 {
		return refuse(p.Stderr, p.Command[0], code, nil)
	}
	stdin, err := waitingInput(payload)
	if err != nil {
		return runChild(p, program, payload, environ)
	}
	// If the input was never closed a read is still waiting, on a copy of the old
	// file: it cannot take from these bytes.
	if err := redirect(int(stdin.Fd()), 0); err != nil {
		return runChild(p, program, payload, environ)
	}
	err = replaceProcess(program, p.Command, environ)
	return refuse(p.Stderr, p.Command[0], exitCodeOf(err), err)
}

// replaceProcess execs, with /bin/sh for a script that has no #! line, as a
// shell would do it.
func replaceProcess(program string, argv, environ []string) error {
	err := syscall.Exec(program, argv, environ)
	if errors.Is(err, syscall.ENOEXEC) {
		err = syscall.Exec(shell, shellArgs(program, argv), environ)
	}
	return err
}

// waitingInput is a file from which exactly these bytes will be read: a pipe
// when they fit into one, else a temporary file that has no name any more.
func waitingInput(payload []byte) (*os.File, error) {
	if f, err := filledPipe(payload); err == nil {
		return f, nil
	}
	return unlinkedFile(payload)
}

var errPipeTooSmall = errors.New("the pipe does not hold the payload")

func filledPipe(payload []byte) (*os.File, error) {
	if len(payload) > maxPipe {
		return nil, errPipeTooSmall
	}
	var fds [2]int
	if err := pipe(&fds); err != nil {
		return nil, err
	}
	defer syscall.Close(fds[1])
	if len(payload) > defaultPipe && growPipe(fds[1], len(payload)) != nil {
		syscall.Close(fds[0])
		return nil, errPipeTooSmall
	}
	// Without blocking: a pipe that is smaller than it should be is found out
	// here, not by waiting for a reader that does not exist yet.
	if err := fillNonBlocking(fds[1], payload); err != nil {
		syscall.Close(fds[0])
		return nil, err
	}
	return os.NewFile(uintptr(fds[0]), "payload"), nil
}

func fillNonBlocking(fd int, payload []byte) error {
	if err := syscall.SetNonblock(fd, true); err != nil {
		return err
	}
	for len(payload) > 0 {
		n, err := syscall.Write(fd, payload)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return err
		}
		payload = payload[n:]
	}
	return nil
}

func unlinkedFile(payload []byte) (*os.File, error) {
	f, err := os.CreateTemp("", "ctxguard-payload-*")
	if err != nil {
		return nil, err
	}
	err = os.Remove(f.Name())
	if err == nil {
		_, err = f.Write(payload)
	}
	if err == nil {
		_, err = f.Seek(0, 0)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// ownCopy is the same input under a number of its own, since the number 0 will
// stand for the waiting bytes while a read may still be going on.
func ownCopy(stdin *os.File) *os.File {
	own := stdin
	raw, err := stdin.SyscallConn()
	if err != nil {
		return own
	}
	_ = raw.Control(func(fd uintptr) {
		if copied, err := unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 3); err == nil {
			own = os.NewFile(uintptr(copied), stdin.Name())
		}
	})
	return own
}

func exitCodeOf(err error) int {
	if errors.Is(err, syscall.ENOENT) {
		return exitNotFound
	}
	return exitNotExecutable
}
