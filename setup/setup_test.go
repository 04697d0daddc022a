//go:build unix

package setup_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/setup"
	"ctxguard/setup/internal/museum"
	"ctxguard/setup/settings"
	"ctxguard/setup/wrap"
)

// S4: a file that is not understood is not touched, nor anything else written.
func TestWhatIsNotUnderstoodIsNotTouched(t *testing.T) {
	for _, file := range museum.Refused() {
		for _, opts := range []setup.Options{yes(), undo()} {
			m := newMachine(t)
			m.write(m.settings(), file.Text)
			before := tree(t, m.dir)
			_, _, err := m.run(opts)
			var refused *setup.NotUnderstood
			require.ErrorAs(t, err, &refused, file.Name)
			require.Contains(t, err.Error(), m.settings()+": line ")
			require.Contains(t, err.Error(), "Nothing was written")
			require.Equal(t, before, tree(t, m.dir))
		}
	}
}

// S4, S19: no file at all is an empty object, and undo takes the file away again.
func TestWithoutASettingsFile(t *testing.T) {
	m := newMachine(t)
	require.NoError(t, os.Remove(filepath.Dir(m.settings())))
	m.must(yes())
	require.Contains(t, m.read(m.settings()), `"statusLine"`)
	m.must(undo())
	require.NoFileExists(t, m.settings())

	// Without the backup's word, and with another's key in it since.
	m.must(yes())
	m.write(m.settings(), strings.Replace(m.read(m.settings()), "{", "{\n  \"model\": \"opus\",", 1))
	m.must(undo())
	require.Equal(t, "{\n  \"model\": \"opus\"\n}\n", m.read(m.settings()))

	// Set up again after another has written into our file, and still nothing of
	// theirs goes.
	require.NoError(t, os.Remove(m.settings()))
	m.must(yes())
	m.write(m.settings(), strings.Replace(m.read(m.settings()), "{", "{\n  \"model\": \"opus\",", 1))
	again := yes()
	again.Refresh = 3
	m.must(again)
	m.must(undo())
	require.Equal(t, "{\n  \"model\": \"opus\"\n}\n", m.read(m.settings()))

	// And when theirs has gone again, so has the file that setup had made.
	require.NoError(t, os.Remove(m.settings()))
	m.must(yes())
	made := m.read(m.settings())
	m.write(m.settings(), strings.Replace(made, "{", "{\n  \"model\": \"opus\",", 1))
	m.must(again)
	m.write(m.settings(), strings.Replace(m.read(m.settings()), "\n  \"model\": \"opus\",", "", 1))
	m.must(undo())
	require.NoFileExists(t, m.settings())
}

// S1: links are followed, chains too, and stay.
func TestLinksAreFollowedAndStay(t *testing.T) {
	m := newMachine(t)
	target := filepath.Join(m.dir, "dotfiles", "claude.json")
	m.write(target, museum.Rich)
	middle := filepath.Join(m.dir, "middle.json")
	require.NoError(t, os.Symlink(filepath.Join("dotfiles", "claude.json"), middle))
	require.NoError(t, os.Symlink("../middle.json", m.settings()))
	out := m.must(yes())
	require.Contains(t, out, "is a link")
	for _, link := range []string{m.settings(), middle} {
		info, err := os.Lstat(link)
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&os.ModeSymlink, link)
	}
	require.NotEqual(t, museum.Rich, m.read(target))
	m.must(undo())
	require.Equal(t, museum.Rich, m.read(target))

	// A link to nothing gets the file that it names.
	require.NoError(t, os.Remove(target))
	m.must(yes())
	require.FileExists(t, target)
	m.must(undo())
	require.NoFileExists(t, target)

	// A ring has no end.
	require.NoError(t, os.Remove(middle))
	require.NoError(t, os.Symlink(m.settings(), middle))
	_, _, err := m.run(yes())
	require.ErrorContains(t, err, "symbolic links")
}

// S1: another file by --settings; the user's stays as it is.
func TestAnotherSettingsFile(t *testing.T) {
	m := newMachine(t)
	m.write(m.settings(), museum.Rich)
	m.write(filepath.Join(m.cwd, ".claude", "settings.json"), `{"statusLine":{"type":"command","command":"./line"}}`)
	opts := yes()
	opts.Settings = ".claude/settings.json"
	m.must(opts)
	require.Equal(t, museum.Rich, m.read(m.settings()))
	require.Contains(t, m.read(filepath.Join(m.cwd, ".claude", "settings.json")), "ctxguard statusline -- ./line")
}

// S2: what takes the user's status line away is said, and left alone.
func TestShadowsAreReported(t *testing.T) {
	m := newMachine(t)
	local := filepath.Join(m.cwd, ".claude", "settings.local.json")
	m.write(local, `{"statusLine":{"type":"command","command":"./line"},"disableAllHooks":true}`)
	m.managed = []string{filepath.Join(m.dir, "managed.json")}
	m.write(m.managed[0], `{"allowManagedHooksOnly":true}`)
	m.write(m.settings(), `{"disableAllHooks":true}`)
	before := m.read(local)
	out := m.must(yes())
	require.Contains(t, out, "setup --settings "+local+" wraps it")
	require.Contains(t, out, "disableAllHooks is true in "+m.settings())
	require.Contains(t, out, local+" sets disableAllHooks")
	require.Contains(t, out, "managed.json allows managed hooks only")
	require.Equal(t, before, m.read(local))
}

// In the home directory the user's own file is no project's.
func TestTheUsersFileDoesNotShadowItself(t *testing.T) {
	m := newMachine(t)
	m.cwd = m.dir
	m.write(m.settings(), museum.Rich)
	require.NotContains(t, m.must(yes()), "of its own")
}

// S10.
func TestAnOddStatusLineIsSaid(t *testing.T) {
	m := newMachine(t)
	m.write(m.settings(), `{"statusLine": "mine.sh"}`)
	require.Contains(t, m.must(yes()), "statusLine is not an object, so it was left as it is")
	require.Contains(t, m.read(m.settings()), `{"statusLine": "mine.sh", "hooks": {`)
}

// S8: --refresh sets refreshInterval, and undo gives back what it was.
func TestRefreshIsSetAndGivenBack(t *testing.T) {
	const before = `{"statusLine": {"type": "command", "command": "./x", "padding": 1, "refreshInterval": 30}}`
	m := newMachine(t)
	m.write(m.settings(), before)
	opts := yes()
	opts.Refresh = 5
	m.must(opts)
	require.Contains(t, m.read(m.settings()), `"padding": 1, "refreshInterval": 5}`)
	require.NoError(t, os.RemoveAll(m.home().Path("backups")))
	m.must(undo())
	require.Equal(t, before, m.read(m.settings()))
}

// S17: nobody to ask means that nothing is done; a dry run does nothing either;
// no is no.
func TestNothingWithoutAYes(t *testing.T) {
	m := newMachine(t)
	m.write(m.settings(), museum.Rich)
	before := tree(t, m.dir)
	out, _, err := m.run(setup.Options{Bin: program})
	require.ErrorIs(t, err, setup.ErrNeedsYes)
	require.Contains(t, out, "+++ "+m.settings())

	out, changed, err := m.run(setup.Options{Bin: program, DryRun: true})
	require.NoError(t, err)
	require.False(t, changed)
	require.Contains(t, out, "dry run")

	m.answer = "n\n"
	out, changed, err = m.run(setup.Options{Bin: program})
	require.NoError(t, err)
	require.False(t, changed)
	require.Contains(t, out, "Nothing was written.")
	require.Equal(t, before, tree(t, m.dir))

	m.answer = "y\n"
	_, changed, err = m.run(setup.Options{Bin: program})
	require.NoError(t, err)
	require.True(t, changed)
	require.Contains(t, m.read(m.settings()), "ctxguard statusline -- sh -c ")
}

// S17: the diff is of the bytes that are written: applied to the old file it gives
// the new one.
func TestTheDiffIsOfTheBytesWritten(t *testing.T) {
	m := newMachine(t)
	m.write(m.settings(), museum.Rich)
	out := m.must(yes())
	patch := filepath.Join(m.dir, "shown.patch")
	diff, _, _ := strings.Cut(out, "\nFiles that will be written")
	m.write(patch, diff)
	m.write(filepath.Join(m.dir, "old.json"), museum.Rich)
	if _, code := m.command("/bin/sh", nil, "-c", "command -v patch"); code != 0 {
		t.Log("without a patch program only the added lines are compared")
		for line := range strings.Lines(diff) {
			if added, ok := strings.CutPrefix(line, "+"); ok && !strings.HasPrefix(line, "+++") {
				require.Contains(t, m.read(m.settings()), added)
			}
		}
		return
	}
	said, code := m.command("/bin/sh", nil, "-c", "patch -s '"+filepath.Join(m.dir, "old.json")+"' < '"+patch+"'")
	require.Zero(t, code, said)
	require.Equal(t, m.read(m.settings()), m.read(filepath.Join(m.dir, "old.json")))
}

// S18: a program that cannot run is found out, and the change taken back.
func TestAChangeThatDoesNotWorkIsTakenBack(t *testing.T) {
	for name, text := range map[string]string{
		"fails":         "#!/bin/sh\necho no good >&2\nexit 3\n",
		"is of no kind": "\x7fELF nonsense",
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.write(m.settings(), museum.Rich)
			bin := filepath.Join(m.dir, "ctxguard")
			m.write(bin, text)
			require.NoError(t, os.Chmod(bin, 0o755))
			_, _, err := m.run(setup.Options{Yes: true, Bin: bin})
			require.ErrorContains(t, err, "would not run")
			require.ErrorContains(t, err, "the settings are as they were")
			require.Equal(t, museum.Rich, m.read(m.settings()))
		})
	}
}

// S18: the person's own command is not run by setup.
func TestThePersonsCommandIsNotRun(t *testing.T) {
	m := newMachine(t)
	m.write(m.settings(), `{"statusLine":{"type":"command","command":"touch `+m.dir+`/ran"}}`)
	m.must(yes())
	m.must(undo())
	require.NoFileExists(t, filepath.Join(m.dir, "ran"))
}

// What was written is one layer and one entry for each event, as others read it.
func TestWhatIsWrittenIsUnderstood(t *testing.T) {
	m := newMachine(t)
	m.write(m.settings(), museum.Rich)
	m.must(yes())
	doc, err := settings.Parse([]byte(m.read(m.settings())))
	require.NoError(t, err)
	r := wrap.Read(doc.StatusLine().Command)
	require.Equal(t, 1, r.Layers)
	require.True(t, r.Outermost)
	mine := map[string]int{}
	for _, e := range doc.Entries() {
		if wrap.IsHook(e.Command, e.Args) {
			mine[e.Event]++
			require.True(t, e.Alone)
		}
	}
	require.Equal(t, map[string]int{
		"SessionStart": 1, "UserPromptSubmit": 1, "PreToolUse": 1, "PostToolUse": 1, "PostToolUseFailure": 1,
		"PostCompact": 1, "Stop": 1, "SessionEnd": 1,
	}, mine)
}

// What stands in the file's place and is no file is neither read nor replaced.
func TestWhatIsNoFileIsLeftAlone(t *testing.T) {
	for name, make := range map[string]func(string) error{
		"a folder": func(path string) error { return os.Mkdir(path, 0o755) },
		"a pipe":   func(path string) error { return syscall.Mkfifo(path, 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			require.NoError(t, make(m.settings()))
			_, _, err := m.run(yes())
			require.ErrorContains(t, err, "settings.json: not a regular file")
			require.Empty(t, tree(t, m.dir))
		})
	}
}
