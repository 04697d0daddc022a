package seam

import (
	"io/fs"
	"os"
)

func openToRead(path string) (*os.File, error) { return os.Open(path) }

// Ours and OpenToOthers leave it to the folder of the user's profile, which Windows
// closes to others.
func Ours(fs.FileInfo) bool         { return true }
func OpenToOthers(fs.FileInfo) bool { return false }
