package main_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNothingHeavyStartsUp holds every package of the program to a small
// initialisation: one that compiles regular expressions or builds tables would
// be paid for at every prompt and every refresh of the status line. Bytes and
// allocations are counted, since unlike times they are the same on every run.
func TestNothingHeavyStartsUp(t *testing.T) {
	const mostBytes, mostAllocations = 20_000, 120
	inits := initialisations(t)
	for _, init := range inits {
		bytes, err := strconv.Atoi(string(init[2]))
		require.NoError(t, err)
		allocations, err := strconv.Atoi(string(init[3]))
		require.NoError(t, err)
		require.LessOrEqual(t, bytes, mostBytes, string(init[1]))
		require.LessOrEqual(t, allocations, mostAllocations, string(init[1]))
	}
}

// The runtime's own packages are initialised before all others, and grow nothing.
func TestTheStackGrowsBeforeAnythingIsOnIt(t *testing.T) {
	for _, init := range initialisations(t) {
		name := string(init[1])
		if name == "ctxguard/cmd/ctxguard/earlystack" {
			return
		}
		require.Regexp(t, `^(runtime|internal/)`, name)
	}
	t.Fatal("the package is not part of the program")
}

// initialisations is what the program's packages do before main, in order: name,
// bytes and allocations of each.
func initialisations(t *testing.T) [][][]byte {
	t.Helper()
	cmd := exec.Command(filepath.Join(binaries, "ctxguard"), "version")
	cmd.Env = []string{"GODEBUG=inittrace=1"}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err)
	inits := regexp.MustCompile(`(?m)^init (\S+) @.* clock, (\d+) bytes, (\d+) allocs$`).FindAllSubmatch(out, -1)
	require.Greater(t, len(inits), 10, "the trace is understood")
	return inits
}
