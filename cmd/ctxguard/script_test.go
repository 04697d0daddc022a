package main_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write the output that the scripts compare with")

// binaries is the folder with the programs under test: ctxguard as people run
// it, and ctxguard-faulty, the same source with the fault points built in.
var binaries string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	if slices.Contains(os.Args, "-test.fuzzworker") {
		return m.Run() // what is fuzzed runs none of the programs
	}
	dir, err := os.MkdirTemp("", "ctxguard-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	for name, tags := range map[string]string{"ctxguard": "", "ctxguard-faulty": "faultinject"} {
		// Without the race detector, also under -race: with it every start takes a
		// second, which is all that a hook has.
		build := exec.Command("go", "build", "-tags", tags, "-o", filepath.Join(dir, name), "ctxguard/cmd/ctxguard")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build %s: %v\n%s", name, err, out)
			return 1
		}
	}
	binaries = dir
	return m.Run()
}

// TestScripts runs sessions at the terminal: each script starts in an empty
// folder with a home of its own.
func TestScripts(t *testing.T) {
	payloads, err := filepath.Abs("../../testdata/payloads")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("USERPROFILE", home)
			env.Setenv("CG", filepath.Join(home, ".claude", "ctxguard"))
			env.Setenv("PAYLOADS", payloads)
			env.Setenv("PATH", binaries+string(os.PathListSeparator)+os.Getenv("PATH"))
			env.Setenv("TMPDIR", filepath.Join(env.WorkDir, ".tmp"))
			env.Setenv("TZ", "UTC")
			return os.MkdirAll(home, 0o755)
		},
		Cmds: allCommands(),
	})
}

func fields(args []string) string { return strings.Join(args, " ") }

func allCommands() map[string]func(*testscript.TestScript, bool, []string) {
	all := scriptCommands()
	maps.Copy(all, transcriptCommands())
	return all
}

// cannot skips a test that needs what is not to be had here. Under CI=true, where
// the whole suite has to run, that is a failure.
func cannot(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s, and under CI=true everything has to be tried", why)
	}
	t.Skip(why)
}

// needsProgram is for tests that run a program of the system.
func needsProgram(t testing.TB, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		cannot(t, name+" is not installed here")
	}
}
