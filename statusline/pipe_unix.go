//go:build unix && !linux

package statusline

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	// A pipe of these systems grows by itself to 64 KiB, but starts smaller when
	// memory is short; the non-blocking write finds that out.
	defaultPipe = 64 << 10
	maxPipe     = defaultPipe
)

func pipe(fds *[2]int) error {
	if err := syscall.Pipe(fds[:]); err != nil {
		return err
	}
	syscall.CloseOnExec(fds[0])
	syscall.CloseOnExec(fds[1])
	return nil
}

func growPipe(int, int) error { return errors.ErrUnsupported }

// redirect makes fd the file to; to stays open across exec.
func redirect(fd, to int) error { return unix.Dup2(fd, to) }
