package main

import (
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed rivals
var rivalFiles embed.FS

// contestant is a program that does the work of the rows: ctxguard, or what
// people write for it in a shell or in Python.
type contestant struct {
	program string
	// scripts is the folder of a rival's scripts, ending that of their names.
	// ctxguard has none and takes its words itself.
	scripts, ending string
	// home has one session, crowded ten thousand others besides. Each contestant
	// has its own, so that none is helped by what another one wrote.
	home, crowded string
	// absent says why it cannot run here, version what runs.
	absent, version string
}

// task is a piece of work: the words for ctxguard, the script of a rival with
// its words, what goes in, and what must come out.
type task struct {
	words, script []string
	stdin         []byte
	want          string
}

func (c contestant) job(t task, home string) job {
	j := job{
		argv:  append([]string{c.program}, t.words...),
		stdin: t.stdin,
		want:  t.want,
		env:   []string{"CTXGUARD_HOME=" + home},
	}
	if c.scripts != "" {
		script := filepath.Join(c.scripts, t.script[0]+c.ending)
		j.argv = append([]string{c.program, script}, t.script[1:]...)
	}
	return j
}

// newRivals puts the rivals' scripts into a folder and looks for what runs them.
func newRivals(ctx context.Context, dir string) (shell, python contestant, err error) {
	if err := os.CopyFS(dir, rivalFiles); err != nil {
		return shell, python, err
	}
	scripts := filepath.Join(dir, "rivals")
	shell, python = findShell(ctx), findPython(ctx)
	shell.scripts, shell.ending = scripts, ".sh"
	python.scripts, python.ending = scripts, ".py"
	for _, c := range []*contestant{&shell, &python} {
		c.home = filepath.Join(dir, "home"+c.ending)
		c.crowded = filepath.Join(dir, "crowded"+c.ending)
	}
	return shell, python, nil
}

func findShell(ctx context.Context) contestant {
	bash, err := exec.LookPath("bash")
	if err != nil {
		return contestant{absent: "bash is not installed"}
	}
	out, err := exec.CommandContext(ctx, bash, "-c", `printf 'bash %s, ' "${BASH_VERSION%%[^0-9.]*}"; jq --version`).Output()
	if err != nil {
		return contestant{absent: "jq is not installed"}
	}
	return contestant{program: bash, version: strings.TrimSpace(strings.Replace(string(out), "jq-", "jq ", 1))}
}

// findPython finds the interpreter itself: what is on the PATH may be a version
// manager's script, which would be timed with it.
func findPython(ctx context.Context) contestant {
	out, err := exec.CommandContext(ctx, "python3", "-c", "import sys; print(sys.executable); print('Python %d.%d.%d' % sys.version_info[:3])").Output()
	program, version, ok := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil || !ok {
		return contestant{absent: "python3 is not installed"}
	}
	return contestant{program: strings.TrimSpace(program), version: strings.TrimSpace(version)}
}

// crowd puts the snapshots of that many other sessions into a home.
func crowd(home, snapshot string, many int) error {
	folder := filepath.Join(home, "context")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for i := range many {
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
		other := strings.ReplaceAll(snapshot, session, id)
		if err := os.WriteFile(filepath.Join(folder, id+".json"), []byte(other), 0o600); err != nil {
			return err
		}
	}
	return nil
}
