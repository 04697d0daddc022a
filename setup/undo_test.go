//go:build unix

package setup_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/setup"
	"ctxguard/setup/internal/museum"
	"ctxguard/statusline/seam"
)

// S3, S6, S19: for every file of the museum, setup twice is setup once, and undo
// gives the original bytes: with the backup, and without it.
func TestSetupIsIdempotentAndUndone(t *testing.T) {
	for _, file := range museum.Settings() {
		t.Run(file.Name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.write(m.settings(), file.Text)
			require.NoError(t, os.Chmod(m.settings(), 0o640))
			m.must(yes())
			once := tree(t, m.dir)
			require.NotEqual(t, file.Text, once[m.settings()])

			out, changed, err := m.run(yes())
			require.NoError(t, err)
			require.False(t, changed)
			require.Contains(t, out, "Nothing to do")
			require.Equal(t, once, tree(t, m.dir)) // no backup either

			m.must(undo())
			require.Equal(t, file.Text, m.read(m.settings()))

			m.must(yes())
			require.NoError(t, os.RemoveAll(m.home().Path("backups")))
			m.must(undo())
			require.Equal(t, file.Text, m.read(m.settings()))
			info, err := os.Stat(m.settings())
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o640), info.Mode().Perm())

			out = m.must(undo())
			require.Contains(t, out, "Nothing to do")
		})
	}
}

// S19: whatever is lost, and whatever has changed around ours.
func TestUndoWithEverythingLost(t *testing.T) {
	m := newMachine(t)
	m.write(m.settings(), museum.Rich)
	m.must(yes())
	require.NoError(t, os.RemoveAll(m.home().Dir()))
	m.must(undo())
	require.Equal(t, museum.Rich, m.read(m.settings()))
	require.Contains(t, m.must(undo()), "Nothing to do")

	// The copy is not believed when it is not what setup had kept.
	m.must(yes())
	copies, err := filepath.Glob(m.home().Path("backups/*"))
	require.NoError(t, err)
	for _, c := range copies {
		m.write(c, `{"evil": true}`)
	}
	m.must(undo())
	require.Equal(t, museum.Rich, m.read(m.settings()))
}

// S19: after a second setup with other words the first file comes back.
func TestUndoGoesBackToBeforeTheFirstSetup(t *testing.T) {
	const before = "{ \"hooks\": { }, \"a\" : [1,2 ] }"
	m := newMachine(t)
	m.write(m.settings(), before)
	opts := yes()
	opts.Guards = []string{"gate"}
	m.must(opts)
	opts.Guards = []string{"ask", "crossing"}
	m.must(opts)
	require.NoError(t, os.Chmod(m.settings(), 0o600))
	m.must(undo())
	require.Equal(t, before, m.read(m.settings()))

	// What was empty before the first one is remembered without the copy too.
	m.must(opts)
	opts.Refresh = 9
	m.must(opts)
	require.NoError(t, os.RemoveAll(m.home().Path("backups")))
	m.must(undo())
	require.Equal(t, before, m.read(m.settings()))
}

// S19: a project's file set up as well is taken back on its own, and the program is
// not purged while a settings file still names it.
func TestTwoSettingsFiles(t *testing.T) {
	const project = `{"statusLine": {"type": "command", "command": "./p"}, "hooks": { }}`
	m := newMachine(t)
	m.write(m.settings(), museum.Rich)
	path := filepath.Join(m.cwd, ".claude", "settings.json")
	m.write(path, project)
	m.must(yes())
	opts := yes()
	opts.Settings = path
	m.must(opts)

	purge := undo()
	purge.Purge = true
	_, _, err := m.run(purge)
	require.ErrorContains(t, err, "setup --undo --settings "+path)

	require.NoError(t, os.RemoveAll(m.home().Path("backups")))
	opts = undo()
	opts.Settings = path
	m.must(opts)
	require.Equal(t, project, m.read(path))
	m.must(purge)
	require.Equal(t, museum.Rich, m.read(m.settings()))
	require.NoDirExists(t, m.home().Dir())
}

// S19, facts I.4: the client writes its settings anew, in its own order and
// without what it does not know; ours are found all the same.
func TestAfterTheClientHasRewrittenTheFile(t *testing.T) {
	m := newMachine(t)
	m.write(m.settings(), museum.Rich)
	m.must(yes())
	rewrite := func(text string) (any, string) {
		var value any
		require.NoError(t, json.Unmarshal([]byte(text), &value))
		raw, err := json.MarshalIndent(value, "", "  ")
		require.NoError(t, err)
		return value, string(raw)
	}
	_, rewritten := rewrite(m.read(m.settings()))
	m.write(m.settings(), rewritten)
	require.Contains(t, m.must(yes()), "Nothing to do")
	m.must(undo())
	before, _ := rewrite(museum.Rich)
	after, _ := rewrite(m.read(m.settings()))
	require.Equal(t, before, after)
}

// S19, S9: an old layer of ours that was there before is taken off, not put back.
func TestUndoOfAFileThatWasNeverSetUpByUs(t *testing.T) {
	m := newMachine(t)
	m.write(m.settings(), `{"statusLine": {"type": "command", "command": "/old/ctxguard statusline -- ./x"}, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "ctxguard hook"}, {"type": "command", "command": "mine"}]}]}}`)
	m.must(yes())
	require.Equal(t, 1, strings.Count(m.read(m.settings()), "statusline --"))
	m.must(undo())
	require.Equal(t, `{"statusLine": {"type": "command", "command": "./x"}, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}`, m.read(m.settings()))
}

// --purge removes what is ours, and nothing else.
func TestPurge(t *testing.T) {
	m := newMachine(t)
	m.write(m.settings(), museum.Rich)
	m.must(yes())
	m.write(m.home().Path("mine.txt"), "x")
	opts := undo()
	opts.Purge = true
	require.Contains(t, m.must(opts), "mine.txt is not ctxguard's")
	require.Equal(t, map[string]string{m.home().Path("mine.txt"): "x", m.settings(): museum.Rich}, tree(t, m.dir))
	require.NoError(t, os.Remove(m.home().Path("mine.txt")))
	m.must(opts)
	require.NoDirExists(t, m.home().Dir())
	_, _, err := m.run(setup.Options{Purge: true})
	require.ErrorIs(t, err, setup.ErrWords)
}

// A variable may name a folder that the person uses for other things, their home
// directory even: purge takes away files of ours, never a folder with what is in it.
func TestPurgeOfAFolderThatOthersUse(t *testing.T) {
	m := newMachine(t)
	mine := map[string]string{
		"bin/tool": "#!/bin/sh\n", "README": "mine\n", "cache/photos/a.jpg": "x", "cache/config-notes.json": "{}", "cache/outline/shape-of-things.txt": "x",
		"history/notes.txt": "x", "history/package.jsonl": "{}\n", "state/package.json": "{}", "context/package.json": `{"name": "x"}`,
		"backups/yesterday.tar": "x", "seen/it.txt": "x", "locks/key": "x", "off.json": `{"on": 1}`, "preferences.json": `{"theme": "dark"}`,
	}
	home := filepath.Join(m.dir, "shared")
	for name, text := range mine {
		m.write(filepath.Join(home, name), text)
	}
	m.write(filepath.Join(m.dir, "elsewhere", "7905fe8d-3044-470a-afaa-2463be7e22cf.json"), "{}")
	m.extra = []string{"CTXGUARD_HOME=" + home}
	m.must(setup.Options{Yes: true})
	at := seam.At(home)
	require.FileExists(t, filepath.Join(home, "bin", "ctxguard"))
	for _, name := range []string{
		"context/7905fe8d-3044-470a-afaa-2463be7e22cf.json", "context/7905fe8d-3044-470a-afaa-2463be7e22cf.compacted",
		"history/7905fe8d-3044-470a-afaa-2463be7e22cf.jsonl", "state/7905fe8d-3044-470a-afaa-2463be7e22cf.json", "state/odd.json", "context/odd.compacted",
		"cache/pruned", "cache/config-7f1c651a88215742.json", "seen/Stop", "seen/gate-mode", "locks/3f", "context/.ctxguard-tmp-1",
		"cache/outline/shape-7f1c651a882157427f1c651a88215742", "decisions.jsonl", "ctxguard.log",
	} {
		m.write(at.Path(name), "")
	}
	m.write(at.Path("context/odd.json"), `{"captured_at":"2026-05-04T03:02:01Z","session_id":"odd"}`)
	opts := undo()
	opts.Purge = true
	m.must(opts)
	left := tree(t, home)
	for name, text := range mine {
		require.Equal(t, text, left[filepath.Join(home, name)], name)
	}
	require.Len(t, left, len(mine), "%v", left)

	// What a link of ours leads to stays, too.
	m.must(setup.Options{Yes: true})
	require.NoError(t, os.RemoveAll(filepath.Join(home, "context")))
	require.NoError(t, os.Symlink(filepath.Join(m.dir, "elsewhere"), filepath.Join(home, "context")))
	m.must(opts)
	require.FileExists(t, filepath.Join(m.dir, "elsewhere", "7905fe8d-3044-470a-afaa-2463be7e22cf.json"))
}

// S5: the newest ten copies are kept, and the one that undo needs.
func TestBackupsAreKeptAndPruned(t *testing.T) {
	m := newMachine(t)
	m.write(m.settings(), museum.Rich)
	for i := range 14 {
		opts := yes()
		opts.Refresh = i + 1
		m.must(opts)
	}
	copies, err := filepath.Glob(m.home().Path("backups/settings-*.json"))
	require.NoError(t, err)
	require.Len(t, copies, 10)
	m.must(undo())
	require.Equal(t, museum.Rich, m.read(m.settings()))
}

// A status line that no shell of ours understands stays, and is said.
func TestUndoOfALineThatIsNotUnderstood(t *testing.T) {
	const text = `{"statusLine": {"type": "command", "command": "& 'C:/x/ctxguard.exe' statusline"}}`
	m := newMachine(t)
	m.write(m.settings(), text)
	require.Contains(t, m.must(undo()), "the status line command was left as it is")
	require.Contains(t, m.must(yes()), "the status line command was left as it is")
	m.must(undo())
	require.Equal(t, text, m.read(m.settings()))
}

// S19: a setup that was cut off before it replaced anything leaves the way back to
// before the first one.
func TestUndoAfterASecondSetupThatWasCutOff(t *testing.T) {
	m := newMachine(t)
	m.write(m.settings(), museum.Rich)
	m.must(setup.Options{Yes: true, Bin: faulty})
	once := m.read(m.settings())
	out, code := m.command(faulty, []string{"CTXGUARD_FAULT=setup-replace=exit"}, "setup", "--yes", "--refresh", "4")
	require.Equal(t, 137, code, out)
	require.Equal(t, once, m.read(m.settings()))
	m.write(m.home().Path("backups/settings-99990101T000000Z.json"), "{}")
	m.must(undo())
	require.Equal(t, museum.Rich, m.read(m.settings()))
}
