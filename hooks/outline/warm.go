package outline

import (
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"ctxguard/statusline/seam"
)

// warming is how long a detached render is given before another may be started
// for the same file.
const warming = 2 * time.Minute

// Warm starts program, which is ctxguard itself, with `outline PATH` on its own,
// so that the next render of the file finds what it needs in the cache (T5). It
// does not wait. A render that was started a short time ago is not started again.
func Warm(program string, req Request, now time.Time) error {
	if Warming(req, now) {
		return nil
	}
	if err := seam.Replace(req.stamp(), nil); err != nil {
		return err
	}
	cmd := exec.Command(program, "outline", "--json", req.Path)
	cmd.Dir = req.Home
	cmd.Env = append(req.sandbox(req.root()).environ(),
		"CTXGUARD_HOME="+req.Home, "CLAUDE_PROJECT_DIR="+req.Project)
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}

// Warming reports whether a detached render of the file was started a short time
// ago: waiting for another one is then of little use.
func Warming(req Request, now time.Time) bool {
	info, err := os.Stat(req.stamp())
	return err == nil && now.Sub(info.ModTime()).Abs() < warming
}

func (req Request) stamp() string { return cachePath(req.Home, "warming", req.root(), req.Path) }

// root is the project with links resolved, as far as they can be.
func (req Request) root() string {
	root, err := filepath.EvalSymlinks(req.Project)
	if err != nil {
		return req.Project
	}
	return root
}
