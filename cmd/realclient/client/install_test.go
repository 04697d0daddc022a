//go:build unix

package client

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// standIn puts a program called npm first on the PATH, and the cache into a
// scratch folder. The program notes each of its runs in the file calls.
func standIn(t *testing.T, body string) (calls string) {
	t.Helper()
	dir := t.TempDir()
	calls = filepath.Join(dir, "calls")
	script := fmt.Sprintf("#!/bin/sh\necho \"$@\" >> %s\n%s\n", calls, body)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "npm"), []byte(script), 0o755))
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	t.Setenv("HOME", dir) // the cache is below it on some systems
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	return calls
}

// installs is what npm does with the real packages: the second word after
// install is the folder; the program is in an optional one for the platform.
const installs = `d="$3/node_modules/@anthropic-ai/claude-code-linux-x64"; mkdir -p "$d"
printf '#!/bin/sh\necho "9.9.9 (Claude Code)"\n' > "$d/claude"; chmod 755 "$d/claude"`

func runs(t *testing.T, calls string) int {
	t.Helper()
	data, err := os.ReadFile(calls)
	if os.IsNotExist(err) {
		return 0
	}
	require.NoError(t, err)
	return strings.Count(string(data), "\n")
}

func TestAnInstallationIsReused(t *testing.T) {
	calls := standIn(t, installs)
	var progress strings.Builder
	first, err := Install(context.Background(), "9.9.9", &progress)
	require.NoError(t, err)
	require.FileExists(t, first)
	require.Contains(t, progress.String(), "installing @anthropic-ai/claude-code@9.9.9 into ")

	progress.Reset()
	second, err := Install(context.Background(), "9.9.9", &progress)
	require.NoError(t, err)
	require.Equal(t, first, second)
	require.Empty(t, progress.String())
	require.Equal(t, 1, runs(t, calls))

	dir, err := CacheDir("9.9.9")
	require.NoError(t, err)
	siblings, err := os.ReadDir(filepath.Dir(dir))
	require.NoError(t, err)
	require.Len(t, siblings, 1, "nothing half done is left")
}

func TestABrokenInstallationIsReplaced(t *testing.T) {
	calls := standIn(t, installs)
	program, err := Install(context.Background(), "9.9.9", &strings.Builder{})
	require.NoError(t, err)
	require.NoError(t, os.Truncate(program, 0))
	_, err = Install(context.Background(), "9.9.9", &strings.Builder{})
	require.NoError(t, err)
	require.Equal(t, 2, runs(t, calls))
}

func TestAFailedInstallationLeavesNothing(t *testing.T) {
	standIn(t, "echo 'npm error code ECONNREFUSED' >&2; exit 1")
	_, err := Install(context.Background(), "9.9.9", &strings.Builder{})
	require.ErrorIs(t, err, ErrUnavailable)
	require.ErrorContains(t, err, "npm cannot reach its registry (ECONNREFUSED)")
	dir, err := CacheDir("9.9.9")
	require.NoError(t, err)
	siblings, err := os.ReadDir(filepath.Dir(dir))
	require.NoError(t, err)
	require.Empty(t, siblings)
}

func TestAnotherVersionThanTheWantedOneIsAFault(t *testing.T) {
	standIn(t, installs)
	_, err := Install(context.Background(), "1.0.0", &strings.Builder{})
	require.ErrorContains(t, err, "there is no client 1.0.0")
	require.NotErrorIs(t, err, ErrUnavailable)
}

func TestWithoutNPMTheClientIsUnavailable(t *testing.T) {
	standIn(t, installs)
	t.Setenv("PATH", t.TempDir())
	_, err := Install(context.Background(), "9.9.9", &strings.Builder{})
	require.ErrorIs(t, err, ErrUnavailable)
	require.ErrorContains(t, err, "npm is not on the PATH")
}
