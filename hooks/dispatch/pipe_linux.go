package dispatch

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// widePipe is how far anybody may grow a pipe, unless the administrator lowered
// it.
const widePipe = 1 << 20

// widen lets a long event through in fewer, larger pieces: each piece costs a
// switch between the client and this process. A pipe that cannot be grown
// carries the event all the same.
func widen(stdin io.Reader) {
	if f, ok := stdin.(*os.File); ok {
		_, _ = unix.FcntlInt(f.Fd(), unix.F_SETPIPE_SZ, widePipe)
	}
}

// skip takes the rest of the input and keeps nothing. What comes through a pipe
// is dropped inside the system, without being copied here first.
func skip(stdin io.Reader, buf []byte) error {
	f, ok := stdin.(*os.File)
	if !ok {
		return readAway(stdin, buf)
	}
	null, err := unix.Open(os.DevNull, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return readAway(stdin, buf)
	}
	defer unix.Close(null)
	for {
		n, err := unix.Splice(int(f.Fd()), nil, null, nil, widePipe, 0)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil: // no pipe
			return readAway(stdin, buf)
		case n == 0:
			return nil
		}
	}
}
