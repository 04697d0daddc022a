// Package seam is the folder on disk through which the parts of ctxguard speak:
// the home, and in it each session's snapshot, marker, history and memory.
//
// It knows paths, names, and how a file is appended to, replaced, locked and
// pruned without ever being seen half done. It knows nothing of zones, of hook
// events or of configuration, and imports no other package of this module: a
// rule about what the numbers mean may not enter here.
package seam

import (
	"path/filepath"
	"runtime"
	"strings"
)

// Home is the folder that holds everything ctxguard keeps. The zero Home is
// not usable; see Locate.
type Home struct {
	dir string
}

// Locate finds the home: $CTXGUARD_HOME, else $CLAUDE_CONFIG_DIR/ctxguard,
// else .claude/ctxguard in the user's home directory. A variable counts only
// when it holds an absolute path. It reports false when nothing resolves; it
// does not create anything.
func Locate(getenv func(string) string) (Home, bool) {
	if dir := getenv("CTXGUARD_HOME"); filepath.IsAbs(dir) {
		return Home{filepath.Clean(dir)}, true
	}
	if dir, ok := ClientDir(getenv); ok {
		return Home{filepath.Join(dir, "ctxguard")}, true
	}
	return Home{}, false
}

// ClientDir is the configuration folder of Claude Code: $CLAUDE_CONFIG_DIR
// when absolute, else .claude in the user's home directory.
func ClientDir(getenv func(string) string) (string, bool) {
	if dir := getenv("CLAUDE_CONFIG_DIR"); filepath.IsAbs(dir) {
		return filepath.Clean(dir), true
	}
	if dir, ok := UserHome(getenv); ok {
		return filepath.Join(dir, ".claude"), true
	}
	return "", false
}

// UserHome is the user's home directory as the environment names it, when
// that is absolute.
func UserHome(getenv func(string) string) (string, bool) {
	key := "HOME"
	if runtime.GOOS == "windows" {
		key = "USERPROFILE"
	}
	dir := getenv(key)
	return dir, filepath.IsAbs(dir)
}

// At is the home in dir, which must be absolute.
func At(dir string) Home { return Home{filepath.Clean(dir)} }

// Dir is the absolute path of the home.
func (h Home) Dir() string { return h.dir }

// Path is the absolute path of a file or folder of the home, named by its
// slash-separated path below it.
func (h Home) Path(below string) string {
	return filepath.Join(h.dir, filepath.FromSlash(below))
}

// maxSessionID bounds the file names made from session ids.
const maxSessionID = 128

// ValidSessionID reports whether id may become a file name: 1 to 128 of
// A-Z a-z 0-9 _ -, and not the name of a Windows device.
func ValidSessionID(id string) bool {
	if id == "" || len(id) > maxSessionID {
		return false
	}
	for i := 0; i < len(id); i++ {
		c := id[i]
		if !isAlphanumeric(c) && c != '_' && c != '-' {
			return false
		}
	}
	return !isWindowsDevice(id)
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// isWindowsDevice reports whether Windows would open a device instead of a
// file of that name, whatever the extension. The rule holds everywhere, so
// that a home can be moved between systems.
func isWindowsDevice(name string) bool {
	upper := strings.ToUpper(name)
	switch upper {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	if len(upper) != 4 || upper[3] < '0' || upper[3] > '9' {
		return false
	}
	return strings.HasPrefix(upper, "COM") || strings.HasPrefix(upper, "LPT")
}

// Session is one session's place in a home. The zero Session is not usable.
type Session struct {
	home Home
	id   string
}

// Session gives the place of the session with that id, or false when the id
// may not become a file name.
func (h Home) Session(id string) (Session, bool) {
	if h.dir == "" || !ValidSessionID(id) {
		return Session{}, false
	}
	return Session{home: h, id: id}, true
}

// Knows reports whether a session of that id was here, so that files named after it
// may be removed: the client's ids have one form, and any other must have a snapshot
// that says so. The home may be a folder that a person uses for other things, too.
func (h Home) Knows(id string) bool {
	if isClientsForm(id) {
		return true
	}
	session, ok := h.Session(id)
	if !ok {
		return false
	}
	snapshot, err := session.Snapshot()
	return err == nil && snapshot.SessionID == id
}

// isClientsForm reports whether id has the form 8-4-4-4-12 of hex digits.
func isClientsForm(id string) bool {
	const form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
	if len(id) != len(form) {
		return false
	}
	for i := range len(form) {
		hex := '0' <= id[i] && id[i] <= '9' || 'a' <= id[i] && id[i] <= 'f'
		if form[i] == '-' && id[i] != '-' || form[i] == 'x' && !hex {
			return false
		}
	}
	return true
}

// ID is the session's id.
func (s Session) ID() string { return s.id }

// Home is the home that the session's files are in.
func (s Session) Home() Home { return s.home }

// SnapshotPath is context/<id>.json.
func (s Session) SnapshotPath() string { return s.home.Path("context/" + s.id + ".json") }

// MarkerPath is context/<id>.compacted.
func (s Session) MarkerPath() string { return s.home.Path("context/" + s.id + ".compacted") }

// HistoryPath is history/<id>.jsonl.
func (s Session) HistoryPath() string { return s.home.Path("history/" + s.id + ".jsonl") }

// MemoryPath is state/<id>.json.
func (s Session) MemoryPath() string { return s.home.Path("state/" + s.id + ".json") }
