//go:build unix

package seam

import (
	"io/fs"
	"os"
	"syscall"
)

// openToRead does not wait for the other end of a pipe that took the file's place
// since it was looked at.
func openToRead(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// Ours reports whether a file belongs to this user or to root, who need no file to
// do what they want.
func Ours(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (stat.Uid == 0 || int(stat.Uid) == os.Geteuid())
}

// OpenToOthers reports whether another account may have written a file, or replaced
// what is in a folder. In a folder with the sticky bit nobody replaces what is not
// theirs.
func OpenToOthers(info fs.FileInfo) bool {
	if info.IsDir() && info.Mode()&fs.ModeSticky != 0 {
		return false
	}
	return info.Mode().Perm()&0o002 != 0 || !Ours(info)
}
