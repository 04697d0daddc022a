package seam

import (
	"errors"
	"syscall"
	"time"

	"github.com/natefinch/atomic"
)

const (
	replaceTries  = 10
	replacePause  = 5 * time.Millisecond
	sharingDenied = syscall.Errno(32) // ERROR_SHARING_VIOLATION
)

// replaceFile puts source in the place of target. Windows refuses that as long as
// somebody reads the target, which every reader of ours does for a moment only.
func replaceFile(source, target string) error {
	for try := 1; ; try++ {
		err := atomic.ReplaceFile(source, target)
		held := errors.Is(err, syscall.ERROR_ACCESS_DENIED) || errors.Is(err, sharingDenied)
		if !held || try == replaceTries {
			return err
		}
		time.Sleep(replacePause)
	}
}
