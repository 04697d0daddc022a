package seam

import (
	"context"
	"hash/fnv"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gofrs/flock"
)

const (
	lockFiles = 64
	lockPoll  = time.Millisecond

	// The shim goes on without its lock, since the screen waits for it; a hook
	// rather stays silent (DESIGN section 5 and 7).
	snapshotWait = 20 * time.Millisecond
	rotateWait   = 20 * time.Millisecond
)

// Lock takes the session's lock, waiting at most wait. It reports false when
// the lock was not to be had, for whatever reason. What is held is given back
// by unlock, or by the system when the process dies.
func (s Session) Lock(wait time.Duration) (unlock func(), ok bool) {
	return s.home.lock(s.id, wait)
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
	lock := flock.New(path, flock.SetPermissions(fileMode))
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	held, err := lock.TryLockContext(ctx, lockPoll)
	if err != nil && !held && os.IsNotExist(err) {
		if os.MkdirAll(filepath.Dir(path), dirMode) != nil {
			return nil, false
		}
		held, err = lock.TryLockContext(ctx, lockPoll)
	}
	if err != nil || !held {
		return nil, false
	}
	return func() { _ = lock.Close() }, true
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
