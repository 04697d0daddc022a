package seam

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	dirMode  fs.FileMode = 0o700
	fileMode fs.FileMode = 0o600

	// tempPrefix begins the name of every temporary file of ours, so that prune
	// finds what a killed process left behind.
	tempPrefix = ".ctxguard-tmp-"

	// rotateAt bounds every file that is appended to; one older generation is
	// kept beside it under the name with rotatedSuffix.
	rotateAt = 16 << 20
	// stopAt is where lines are refused as long as the file cannot be rotated.
	stopAt        = rotateAt + 4<<20
	rotatedSuffix = ".1"
)

// ErrNotRegular says that a path holds a folder, a pipe, a device or a socket
// where a file was expected.
var ErrNotRegular = errors.New("not a regular file")

// ErrForeignLink says that a symbolic link in the place of one of our files belongs
// to somebody else: what it leads to would be overwritten for them.
var ErrForeignLink = errors.New("a link that belongs to somebody else")

// ReadFile is the content of a regular file of at most limit bytes. A pipe or
// device in its place is ErrNotRegular, without waiting for it; a missing file
// is fs.ErrNotExist.
func ReadFile(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrNotRegular}
	}
	if info.Size() > limit {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("larger than %d bytes", limit)}
	}
	f, err := openToRead(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if now, err := f.Stat(); err != nil || !now.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrNotRegular}
	}
	buf := make([]byte, 0, info.Size()+1)
	for {
		n, err := f.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
		if int64(len(buf)) > limit {
			return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("larger than %d bytes", limit)}
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
	}
}

// Replace puts data in the place of the file at path so that no reader sees a
// part of it. Folders are made as needed; a symbolic link is followed and stays.
// It does not sync: after a power cut the file may be the old one or empty, never
// torn. That is right for what can be measured or computed again; see Save for
// the rest.
func Replace(path string, data []byte) error { return replaceStamped(path, data, time.Time{}) }

// replaceStamped is Replace with a modification time, when stamp is not zero.
func replaceStamped(path string, data []byte, stamp time.Time) error {
	return replaceUnless(path, data, stamp, func() bool { return false })
}

// replaceUnless is replaceStamped that asks, when the new file lies ready, whether
// it has come too late; then the old one stays.
func replaceUnless(path string, data []byte, stamp time.Time, late func() bool) error {
	target, err := resolveLink(path)
	if err != nil {
		return err
	}
	temp, err := createTemp(filepath.Dir(target))
	if err != nil {
		return cannotReplace(target, err)
	}
	err = fill(temp, data, stamp)
	if err == nil && late() {
		return os.Remove(temp.Name())
	}
	if err == nil {
		err = replaceFile(temp.Name(), target)
	}
	if err != nil {
		_ = os.Remove(temp.Name()) // prune finds what stays
		return cannotReplace(target, err)
	}
	return nil
}

// cannotReplace names the file that was to be replaced. The temporary file's own
// name is another one each time, and the log would take the same failure for a
// new one at every refresh of the status line.
func cannotReplace(target string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return &fs.PathError{Op: "replace", Path: target, Err: err}
}

func fill(temp *os.File, data []byte, stamp time.Time) error {
	_, err := temp.Write(data)
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	if err == nil && !stamp.IsZero() {
		// Some file systems let nobody set a time. The file then has the time at which
		// it was written, a moment later, and that is no reason to have none.
		_ = os.Chtimes(temp.Name(), stamp, stamp)
	}
	return err
}

// createTemp makes the temporary file, and the folder first only when it is
// missing: in the steady state nothing is made.
func createTemp(dir string) (*os.File, error) {
	temp, err := os.CreateTemp(dir, tempPrefix+"*")
	if !errors.Is(err, fs.ErrNotExist) {
		return temp, err
	}
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return nil, err
	}
	return os.CreateTemp(dir, tempPrefix+"*")
}

// resolveLink is where a write to path has to go: path itself, or what a
// symbolic link there leads to in the end.
func resolveLink(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
		return "", err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		if !Ours(info) {
			return "", &fs.PathError{Op: "replace", Path: path, Err: ErrForeignLink}
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return "", err
		}
		if info, err = os.Lstat(path); err != nil {
			return "", err
		}
	}
	// A folder cannot be replaced; a device must not be: people link files that
	// they do not want to the null device.
	if !info.Mode().IsRegular() {
		return "", &fs.PathError{Op: "replace", Path: path, Err: ErrNotRegular}
	}
	return path, nil
}

// Save is Replace for what people edit or cannot lose: the bytes are on the
// disk before the old file gives way, and its mode is kept.
//
// It is not atomic.WriteFile, because that names its temporary file after the
// target: what a killed process leaves would look like a file of the person's, and
// no prune could tell.
func Save(path string, data []byte) error {
	target, err := resolveLink(path)
	if err != nil {
		return err
	}
	temp, err := createTemp(filepath.Dir(target))
	if err != nil {
		return cannotReplace(target, err)
	}
	if err = secure(temp, data, target); err == nil {
		err = replaceFile(temp.Name(), target)
	}
	if err != nil {
		_ = os.Remove(temp.Name()) // prune finds what stays
		return cannotReplace(target, err)
	}
	return nil
}

// secure fills the temporary file, gives it the mode of what it will replace, and
// waits until it is on the disk.
func secure(temp *os.File, data []byte, target string) error {
	_, err := temp.Write(data)
	if err == nil {
		err = likeBefore(temp, target)
	}
	if err == nil {
		err = temp.Sync()
	}
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	return err
}

func likeBefore(temp *os.File, target string) error {
	info, err := os.Stat(target)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || info.Mode().Perm() == fileMode {
		return err
	}
	return temp.Chmod(info.Mode())
}

// Append adds one line to the file at path with a single write, so that lines
// of several processes never mix. The line end is added here; a line that holds
// one already is refused. A file that has reached 16 MiB is rotated first; while
// it cannot be, the error says so, and lines go on to be added up to 4 MiB more.
func (h Home) Append(path string, line []byte) error {
	for _, c := range line {
		if c == '\n' {
			return fmt.Errorf("append to %s: the line holds a line end", path)
		}
	}
	size, err := appendableSize(path)
	if err != nil {
		return err
	}
	var unrotated error
	if size >= rotateAt {
		unrotated = h.rotate(path)
	}
	if unrotated != nil && size >= stopAt {
		return unrotated
	}
	f, err := openAppend(path)
	if err != nil {
		return errors.Join(unrotated, err)
	}
	n, err := f.Write(append(line[:len(line):len(line)], '\n'))
	if err != nil && n > 0 {
		takeBack(f, int64(n))
	}
	return errors.Join(unrotated, err, f.Close())
}

// takeBack removes the piece of a line that a full disk let in, if it is still
// the file's end: the next line would be glued to it and be lost as well.
func takeBack(f *os.File, n int64) {
	end, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return
	}
	if info, err := f.Stat(); err == nil && info.Size() == end {
		_ = f.Truncate(end - n) // the disk is full: there is nothing else to try
	}
}

// maxAppended is more than a file that is appended to can grow to.
const maxAppended = stopAt + 4<<20

// Lines gives the lines of a file of the home that is appended to, oldest first,
// those of its older generation included. A file that is missing has none.
func (h Home) Lines(name string) ([][]byte, error) {
	var lines [][]byte
	for _, generation := range []string{name + rotatedSuffix, name} {
		raw, err := ReadFile(h.Path(generation), maxAppended)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		lines = append(lines, bytes.Split(raw, []byte("\n"))...)
	}
	return lines, nil
}

func appendableSize(path string) (int64, error) {
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if !Ours(info) {
			return 0, &fs.PathError{Op: "append", Path: path, Err: ErrForeignLink}
		}
		info, err = os.Stat(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, &fs.PathError{Op: "append", Path: path, Err: ErrNotRegular}
	}
	return info.Size(), nil
}

func openAppend(path string) (*os.File, error) {
	const flags = os.O_APPEND | os.O_CREATE | os.O_WRONLY
	f, err := os.OpenFile(path, flags, fileMode)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return nil, err
	}
	return os.OpenFile(path, flags, fileMode)
}

// rotate moves a full file aside. The size is looked at again under a lock:
// without it two processes would both move, and the second would put the few
// new lines in the place of the 16 MiB.
func (h Home) rotate(path string) error {
	unlock, ok := h.lock(filepath.Base(path), rotateWait)
	if !ok {
		return nil
	}
	defer unlock()
	size, err := appendableSize(path)
	if err != nil || size < rotateAt {
		return err
	}
	// A link stays where it is: what it leads to is moved.
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return err
	}
	return replaceFile(path, path+rotatedSuffix)
}
