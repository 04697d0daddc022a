//go:build unix

package setup_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ctxguard/setup"
)

func (m *machine) claude(script string) {
	m.t.Helper()
	bin := filepath.Join(m.dir, "path")
	m.write(filepath.Join(bin, "claude"), "#!/bin/sh\n"+script+"\n")
	require.NoError(m.t, os.Chmod(filepath.Join(bin, "claude"), 0o755))
	m.path = bin + ":/usr/bin:/bin"
	m.t.(interface{ Setenv(string, string) }).Setenv("PATH", m.path)
}

func (m *machine) find() setup.Client { return setup.FindClient(m.system(&bytes.Buffer{}), m.home()) }

// S14: the program's word, else the newest snapshot's, else unknown.
func TestTheClientsVersion(t *testing.T) {
	m := newMachine(t)
	t.Setenv("PATH", "/usr/bin:/bin")
	require.False(t, m.find().Known)

	m.write(m.home().Path("context/old.json"), `{"captured_at":"2026-05-04T03:02:01Z","session_id":"old","cli_version":"2.1.90"}`)
	m.write(m.home().Path("context/new.json"), `{"captured_at":"2026-05-04T03:02:01Z","session_id":"new","cli_version":"2.1.140"}`)
	require.NoError(t, os.Chtimes(m.home().Path("context/old.json"), time.Now(), time.Now().Add(-time.Hour)))
	require.Equal(t, setup.Version{2, 1, 140}, m.find().Version)
	require.Equal(t, "the newest snapshot", m.find().Source)

	m.claude("echo '2.1.332 (Claude Code)'; pwd > \"$HOME/where\"")
	require.Equal(t, setup.Version{2, 1, 332}, m.find().Version)
	// It does not run in the project's folder.
	require.Equal(t, m.dir+"\n", m.read(filepath.Join(m.dir, "where")))

	m.claude("echo broken; exit 1")
	require.Equal(t, "the newest snapshot", m.find().Source)
}

// Whoever wrote the project could have written the claude in it.
func TestAClientOfTheProjectIsNotRun(t *testing.T) {
	m := newMachine(t)
	m.write(filepath.Join(m.cwd, ".git", "HEAD"), "x")
	bin := filepath.Join(m.cwd, "node_modules", ".bin")
	m.write(filepath.Join(bin, "claude"), "#!/bin/sh\ntouch '"+m.dir+"/ran'\necho 9.9.9\n")
	require.NoError(t, os.Chmod(filepath.Join(bin, "claude"), 0o755))
	link := filepath.Join(m.dir, "link")
	require.NoError(t, os.Symlink(bin, link))
	for _, dir := range []string{bin, link, "node_modules/.bin", "."} {
		m.path = dir + ":/usr/bin:/bin"
		t.Setenv("PATH", m.path)
		require.False(t, m.find().Found, dir)
		require.NoFileExists(t, filepath.Join(m.dir, "ran"), dir)
	}
	// One that stands behind it is found all the same.
	m.claude("echo 2.1.332")
	m.path = bin + ":" + m.path
	require.Equal(t, setup.Version{2, 1, 332}, m.find().Version)
}

// A client that floods or hangs is not waited for.
func TestAClientThatHangs(t *testing.T) {
	m := newMachine(t)
	m.claude("yes 2.1.332")
	began := time.Now()
	require.False(t, m.find().Known)
	require.Less(t, time.Since(began), 15*time.Second)
}

// S14: a setup after an update of the client gains the event.
func TestSetupAfterAnUpdateOfTheClient(t *testing.T) {
	m := newMachine(t)
	m.claude("echo '2.1.100 (Claude Code)'")
	require.Contains(t, m.must(yes()), "Claude Code 2.1.100 does not know the event PostToolBatch")
	require.NotContains(t, m.read(m.settings()), "PostToolBatch")
	m.claude("echo '2.1.332 (Claude Code)'")
	m.must(yes())
	require.Contains(t, m.read(m.settings()), "PostToolBatch")
	require.Contains(t, m.read(m.settings()), `"matcher": "^(AskUserQuestion|mcp__.*__AskUserQuestion)$"`)
	m.must(undo())
	require.NoFileExists(t, m.settings())
}
