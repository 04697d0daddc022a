package statusline

import (
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	// defaultPipe is what a new pipe holds; maxPipe is how far anybody may grow
	// one, unless the administrator lowered it.
	defaultPipe = 64 << 10
	maxPipe     = 1 << 20
)

func pipe(fds *[2]int) error { return syscall.Pipe2(fds[:], syscall.O_CLOEXEC) }

func growPipe(fd, size int) error {
	_, err := unix.FcntlInt(uintptr(fd), unix.F_SETPIPE_SZ, size)
	return err
}

// redirect makes fd the file to; to stays open across exec.
func redirect(fd, to int) error { return unix.Dup3(fd, to, 0) }
