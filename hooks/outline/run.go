package outline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const (
	// maxOutput is where a helper's output is cut (T9).
	maxOutput = 1 << 20
	// reapWait is how long a killed helper's pipes are waited for: a grandchild
	// that left the process group may hold them open.
	reapWait = 300 * time.Millisecond
)

// errNoHelper says that a program is not installed, or only where it may not be
// run from.
var errNoHelper = errors.New("the program is not installed")

// sandbox is what a helper may see: the home as its working folder and a few
// variables. The project is known only so that no program is taken from it.
type sandbox struct {
	project string
	home    string
	getenv  func(string) string
	frozen  bool
}

func (req Request) sandbox(root string) sandbox {
	return sandbox{project: root, home: req.Home, getenv: req.Getenv, frozen: req.Frozen}
}

// find gives the absolute path of a program on PATH. Relative entries of PATH
// and those inside the project do not count: a project may not bring the program
// that is run on it.
func (s sandbox) find(program string) (string, error) {
	if filepath.IsAbs(program) {
		if _, err := exec.LookPath(program); err != nil {
			return "", fmt.Errorf("%s: %w", program, errNoHelper)
		}
		return program, nil
	}
	if program == "" || program != filepath.Base(program) {
		return "", fmt.Errorf("%s: %w", program, errNoHelper)
	}
	for _, dir := range s.searchPath() {
		path, err := exec.LookPath(filepath.Join(dir, program))
		if err == nil && !asksToInstall(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s: %w", program, errNoHelper)
}

// asksToInstall reports whether the program is one of macOS's stand-ins, which
// open a dialog when the developer tools are not there. (Its ctags is not the
// universal one in any case.)
func asksToInstall(path string) bool {
	if runtime.GOOS != "darwin" || filepath.Dir(path) != "/usr/bin" {
		return false
	}
	_, err := os.Stat("/Library/Developer/CommandLineTools/usr/bin/" + filepath.Base(path))
	return err != nil
}

func (s sandbox) searchPath() []string {
	var dirs []string
	for _, dir := range filepath.SplitList(s.getenv("PATH")) {
		if filepath.IsAbs(dir) && !s.inProject(dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// inProject looks at the path as written and as resolved: a link into the
// project is as much the project's as a folder of it.
func (s sandbox) inProject(dir string) bool {
	if within(s.project, dir) {
		return true
	}
	resolved, err := filepath.EvalSymlinks(dir)
	return err == nil && within(s.project, resolved)
}

func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// environ is the helper's environment: PATH, HOME, LANG, the temporary folder.
func (s sandbox) environ() []string {
	env := []string{"PATH=" + strings.Join(s.searchPath(), string(filepath.ListSeparator))}
	names := []string{"HOME", "LANG", "TMPDIR"}
	if runtime.GOOS == "windows" {
		names = []string{"HOME", "USERPROFILE", "LANG", "TEMP", "TMP"}
	}
	for _, name := range names {
		if value := s.getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// run starts a program that find gave and waits for it. What it printed is given
// up to maxOutput; whole is false when there was more, and the program was ended
// then. At the context's end its process group is killed.
func (s sandbox) run(ctx context.Context, stdin []byte, program string, args ...string) (out []byte, whole bool, err error) {
	if !s.frozen {
		if err := os.MkdirAll(s.home, 0o700); err != nil {
			return nil, false, fmt.Errorf("make the folder that helpers run in: %w", err)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	kept := &boundedBuffer{full: cancel}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = s.home
	cmd.Env = s.environ()
	cmd.Stdin = bytes.NewReader(stdin)
	cmd.Stdout = kept
	cmd.WaitDelay = reapWait
	ownGroup(cmd)
	err = cmd.Run()
	if kept.over {
		return kept.data, false, nil
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		// It ended well but left something behind that holds its output open.
		killGroup(cmd)
		err = nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", filepath.Base(program), err)
	}
	return kept.data, true, nil
}

// boundedBuffer keeps the first maxOutput bytes and calls full at the first one
// beyond.
type boundedBuffer struct {
	data []byte
	over bool
	full func()
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	room := maxOutput - len(b.data)
	if len(p) <= room {
		b.data = append(b.data, p...)
		return len(p), nil
	}
	b.data = append(b.data, p[:room]...)
	if !b.over {
		b.over = true
		b.full()
	}
	return len(p), nil
}
