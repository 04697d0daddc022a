package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
)

// FuzzWords: whatever words come after ctxguard, the exit code is one of those that
// are promised and never 2; wrong words change nothing and are told in one line;
// what --json prints is JSON; and guards that were switched off are off.
//
// Left out are the commands that become another program, or look at this machine.
func FuzzWords(f *testing.F) {
	commands := []string{"zone", "explain", "prefs", "log", "rules", "off", "on", "status", "init", "completion", "version", "help"}
	around, err := filepath.EvalSymlinks(f.TempDir())
	require.NoError(f, err)
	project := filepath.Join(around, "project")
	require.NoError(f, os.MkdirAll(project, 0o700))
	nothing, err := os.Open(os.DevNull)
	require.NoError(f, err)
	f.Cleanup(func() { _ = nothing.Close() })
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Fields(line)
		if len(words) == 0 || !slices.Contains(commands, words[0]) || strings.Contains(line, "watch") {
			return
		}
		t.Chdir(project)
		home := filepath.Join(around, "home")
		require.NoError(t, os.RemoveAll(home))
		require.NoError(t, os.MkdirAll(filepath.Join(project, ".git"), 0o700))
		require.NoError(t, os.RemoveAll(filepath.Join(project, ".ctxguard.toml")))
		var out, said bytes.Buffer
		p := process{
			getenv: func(key string) string {
				return map[string]string{"HOME": home, "USERPROFILE": home, "CTXGUARD_HOME": filepath.Join(home, "ctxguard")}[key]
			},
			started: now, stdin: nothing, stdout: &out, stderr: &said,
		}
		code := run(p, words)
		require.Contains(t, []int{exitDone, exitFailed, exitNotTouched, exitNeedsYes, exitWrongWords}, code)
		if code != exitDone {
			require.True(t, strings.HasPrefix(said.String(), "ctxguard: "), said.String())
			require.Equal(t, 1, strings.Count(said.String(), "\n"), said.String())
			require.Empty(t, out.String())
		}
		if code == exitWrongWords {
			require.NoDirExists(t, home)
		}
		if code == exitDone && slices.Contains(words, "--json") && !slices.Contains(words, "--") && words[0] != "help" {
			require.True(t, json.Valid(out.Bytes()), "%s", out.String())
		}
		if code == exitDone && words[0] == "off" && !strings.HasPrefix(out.String(), "usage:") {
			off, err := config.ReadOff(seam.At(filepath.Join(home, "ctxguard")))
			require.NoError(t, err)
			require.NotEmpty(t, off.InForce(now), out.String())
		}
	})
}
