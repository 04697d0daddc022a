package seam

import (
	"errors"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

const (
	lockFiles = 64

	// The shim goes on without its lock, since the screen waits for it; a hook
	// rather stays silent (DESIGN section 5 and 7).
	// On a busy machine sixteen status lines at once needed more than 20 ms to get
	// through, and those that went on without wrote older over newer.
	snapshotWait = 250 * time.Millisecond
	rotateWait   = 20 * time.Millisecond
	// A command at the terminal can wait.
	changeWait = 2 * time.Second
)

// Lock takes the session's lock, waiting at most wait. It reports false when
// the lock was not to be had, for whatever reason. What is held is given back
// by unlock, or by the system when the process dies.
func (s Session) Lock(wait time.Duration) (unlock func(), ok bool) {
	return s.home.lock(s.id, wait)
}

// LockFor takes the lock of a file of the home that several processes read,
// change and put back. It reports false when it was not to be had in 2 seconds.
func (h Home) LockFor(name string) (unlock func(), ok bool) {
	return h.lock(name, changeWait)
}

// lock takes the lock file that name falls on. There are 64 of them, made once
// and never renamed or removed: a lock on a file that somebody else may remove
// protects nothing.
func (h Home) lock(name string, wait time.Duration) (unlock func(), ok bool) {
	path := h.Path("locks/" + lockName(name))
	// Opening a pipe in the lock's place would wait for its other end.
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, false
	}
	file := flock.New(path, flock.SetPermissions(fileMode))
	held, err := TryLock(file)
	if errors.Is(err, fs.ErrNotExist) {
		if os.MkdirAll(filepath.Dir(path), dirMode) != nil {
			return nil, false
		}
		held, err = TryLock(file)
	}
	if err != nil || !held && !waitFor(file, wait) {
		return nil, false
	}
	return func() { _ = file.Close() }, true
}

// TryLock is file.TryLock, asked again when a signal came in between, as a network
// file system may answer.
func TryLock(file *flock.Flock) (held bool, err error) {
	for {
		if held, err = file.TryLock(); !errors.Is(err, syscall.EINTR) {
			return held, err
		}
	}
}

// waitFor queues for the lock. The system hands a lock that is waited for to the
// next in line, where asking again and again lets the lucky ones overtake: of
// forty hooks at once some would never get it.
func waitFor(file *flock.Flock, wait time.Duration) bool {
	locked := make(chan error, 1)
	go func() { locked <- file.Lock() }()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case err := <-locked:
		return err == nil
	case <-timer.C:
		// What comes too late is given back.
		go func() {
			if <-locked == nil {
				_ = file.Close()
			}
		}()
		return false
	}
}

func lockName(name string) string {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(name))
	n := strconv.FormatUint(uint64(sum.Sum32()%lockFiles), 16)
	if len(n) == 1 {
		n = "0" + n
	}
	return n
}
