package seam

import "time"

const maxMemory = 4 << 20

// hookLockWait is how long a hook waits for its session's lock: most of the
// second that it has. On a machine that is busy with builds, forty calls at once
// were seen to need more than 200 ms to get through one after another, and each
// one that gave up went uncounted.
const hookLockWait = 600 * time.Millisecond

// Memory is the bytes of the session's memory; nil when there is none or it
// cannot be read, which is an empty memory.
func (s Session) Memory() []byte {
	raw, err := ReadFile(s.MemoryPath(), maxMemory)
	if err != nil {
		return nil
	}
	return raw
}

// LockMemory takes the session's lock for a change of its memory.
func (s Session) LockMemory() (unlock func(), ok bool) { return s.Lock(hookLockWait) }

// SaveMemory replaces the session's memory. The caller holds the lock.
func (s Session) SaveMemory(raw []byte) error { return Replace(s.MemoryPath(), raw) }
