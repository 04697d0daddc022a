//go:build unix

package setup_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ctxguard/setup"
	"ctxguard/statusline/seam"
)

// program is ctxguard as people run it, faulty the same with its fault points.
var program, faulty string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	if slices.Contains(os.Args, "-test.fuzzworker") {
		return m.Run() // what is fuzzed runs none of the programs
	}
	dir, err := os.MkdirTemp("", "ctxguard-setup-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program, faulty = filepath.Join(dir, "ctxguard"), filepath.Join(dir, "faulty", "ctxguard")
	for path, tags := range map[string]string{program: "", faulty: "faultinject"} {
		if out, err := exec.Command("go", "build", "-tags", tags, "-o", path, "ctxguard/cmd/ctxguard").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build %s: %v\n%s", path, err, out)
			return 1
		}
	}
	return m.Run()
}

// machine is a person's machine with a home directory of its own.
type machine struct {
	t       testing.TB
	dir     string // HOME
	cwd     string
	path    string // PATH
	managed []string
	answer  string // what the person types; nobody is there when empty
	extra   []string
	program string // the running program, when it is not the one that was built
}

func newMachine(t testing.TB) *machine {
	t.Helper()
	m := &machine{t: t, dir: t.TempDir(), path: "/usr/bin:/bin"}
	m.cwd = filepath.Join(m.dir, "project")
	require.NoError(t, os.MkdirAll(m.cwd, 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(m.dir, ".claude"), 0o755))
	return m
}

func (m *machine) settings() string { return filepath.Join(m.dir, ".claude", "settings.json") }

func (m *machine) home() seam.Home { return seam.At(filepath.Join(m.dir, ".claude", "ctxguard")) }

func (m *machine) environ(more ...string) []string {
	return append([]string{"HOME=" + m.dir, "USERPROFILE=" + m.dir, "PATH=" + m.path, "TMPDIR=" + os.TempDir()}, more...)
}

func (m *machine) system(out *bytes.Buffer) setup.System {
	environ := m.environ(m.extra...)
	running := m.program
	if running == "" {
		running = program
	}
	return setup.System{
		Getenv: func(name string) string {
			for _, entry := range environ {
				if value, ok := strings.CutPrefix(entry, name+"="); ok {
					return value
				}
			}
			return ""
		},
		Environ: environ, Now: time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC), CWD: m.cwd, Program: running, Managed: m.managed,
		Stdin: strings.NewReader(m.answer), Stdout: out, Terminal: m.answer != "",
	}
}

// run does one setup; the program stays where it was built unless opts name one.
func (m *machine) run(opts setup.Options) (output string, changed bool, err error) {
	var out bytes.Buffer
	changed, err = setup.Run(m.system(&out), opts)
	return out.String(), changed, err
}

// yes is a setup that is agreed to, and does not copy the program.
func yes() setup.Options { return setup.Options{Yes: true, Bin: program} }

func undo() setup.Options { return setup.Options{Yes: true, Undo: true} }

func (m *machine) must(opts setup.Options) string {
	m.t.Helper()
	out, _, err := m.run(opts)
	require.NoError(m.t, err, out)
	return out
}

func (m *machine) write(path, text string) {
	m.t.Helper()
	require.NoError(m.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(m.t, os.WriteFile(path, []byte(text), 0o644))
}

func (m *machine) read(path string) string {
	m.t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(m.t, err)
	return string(raw)
}

// command runs the program itself.
func (m *machine) command(bin string, environ []string, args ...string) (output string, code int) {
	m.t.Helper()
	cmd := exec.Command(bin, args...)
	cmd.Dir, cmd.Env = m.cwd, m.environ(environ...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		m.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// tree is every file below a folder with its content.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	require.NoError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		files[path] = string(raw)
		return err
	}))
	return files
}
