//go:build unix

package setup

import (
	"os"
	"syscall"
)

// owner is whose a file was before it was replaced; replacing makes it ours,
// which differs when root edits a person's file (S3).
type owner struct {
	known    bool
	uid, gid uint32
}

func ownerOf(path string) owner {
	info, err := os.Stat(path)
	if err != nil {
		return owner{}
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return owner{}
	}
	return owner{true, stat.Uid, stat.Gid}
}

func (o owner) give(path string) error {
	if now := ownerOf(path); !o.known || now == o {
		return nil
	}
	return os.Chown(path, int(o.uid), int(o.gid))
}
