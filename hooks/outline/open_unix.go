//go:build unix

package outline

import (
	"os"
	"syscall"
)

// openNoWait opens for reading, follows no link in the last place and does not
// wait for the other end of a pipe.
func openNoWait(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
}
