//go:build unix

package setup_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks/config"
	"ctxguard/setup"
	"ctxguard/setup/internal/museum"
	"ctxguard/setup/settings"
	"ctxguard/setup/wrap"
	"ctxguard/zones"
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

// S15: the program is copied to where it stays, and a README says how to undo.
func TestTheProgramIsCopied(t *testing.T) {
	m := newMachine(t)
	m.write(m.home().Path("bin/ctxguard"), "#!/bin/sh\necho ctxguard 0.0.1\n")
	out := m.must(setup.Options{Yes: true})
	require.Contains(t, out, "this program, in place of another version")
	bin := m.home().Path("bin/ctxguard")
	require.Equal(t, m.read(program), m.read(bin))
	info, err := os.Stat(bin)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	require.Contains(t, m.read(m.home().Path("README")), "ctxguard setup --undo")
	require.Contains(t, m.read(m.settings()), bin+" hook")
	info, err = os.Stat(m.home().Dir())
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

// S15: --bin names a place that somebody else keeps.
func TestAProgramThatIsKeptElsewhere(t *testing.T) {
	m := newMachine(t)
	m.must(yes())
	require.NoFileExists(t, m.home().Path("bin/ctxguard"))
	require.Contains(t, m.read(m.settings()), program+" hook")
	for _, bin := range []string{"/no/such/ctxguard", m.dir, m.settings()} {
		_, _, err := m.run(setup.Options{Yes: true, Bin: bin})
		require.ErrorContains(t, err, "--bin")
	}
}

// S11: --portable lets the shell find the home directory.
func TestPortable(t *testing.T) {
	m := newMachine(t)
	m.must(setup.Options{Yes: true, Portable: true})
	require.Contains(t, m.read(m.settings()), `"~/.claude/ctxguard/bin/ctxguard hook"`)
	require.Contains(t, m.read(m.settings()), `"~/.claude/ctxguard/bin/ctxguard statusline"`)
	opts := yes()
	opts.Portable = true
	_, _, err := m.run(opts)
	require.ErrorIs(t, err, setup.ErrWords)
	require.ErrorContains(t, err, "home directory")
}

// S6: a later setup without words for it keeps to how the program was named.
func TestTheChoiceOfTheProgramIsKeptTo(t *testing.T) {
	m := newMachine(t)
	m.must(yes())
	require.Contains(t, m.must(setup.Options{Yes: true}), "Nothing to do")
	m.must(undo())
	m.must(setup.Options{Yes: true, Portable: true})
	require.Contains(t, m.must(setup.Options{Yes: true}), "Nothing to do")
	m.must(yes())
	require.Contains(t, m.read(m.settings()), program+" hook")
}

// A home directory of any name.
func TestAHomeDirectoryWithOddCharacters(t *testing.T) {
	m := newMachine(t)
	m.dir = filepath.Join(m.dir, `it's "$HOME" größe`)
	m.cwd = m.dir
	m.write(m.settings(), museum.Rich)
	m.must(setup.Options{Yes: true}) // which runs what it has written
	require.FileExists(t, m.home().Path("bin/ctxguard"))
	require.Contains(t, m.must(setup.Options{Yes: true}), "Nothing to do")
	m.must(undo())
	require.Equal(t, museum.Rich, m.read(m.settings()))
}

// S1: CLAUDE_CONFIG_DIR moves the settings, and the home with them.
func TestTheClientsFolderIsElsewhere(t *testing.T) {
	m := newMachine(t)
	m.extra = []string{"CLAUDE_CONFIG_DIR=" + filepath.Join(m.dir, "conf")}
	m.must(setup.Options{Yes: true})
	require.NoFileExists(t, m.settings())
	require.Contains(t, m.read(filepath.Join(m.dir, "conf", "settings.json")), filepath.Join(m.dir, "conf", "ctxguard", "bin", "ctxguard")+" hook")
}

// S16: the TOML files are seeded once and never overwritten.
func TestSeeds(t *testing.T) {
	m := newMachine(t)
	m.must(yes())
	require.Equal(t, zones.Seed, m.read(m.home().Path("zones.toml")))
	require.Equal(t, config.Seed, m.read(m.home().Path("ctxguard.toml")))
	m.write(m.home().Path("zones.toml"), "# mine\n")
	m.write(m.home().Path("ctxguard.toml"), "# mine\n[gate]\nenabled = false\n")
	m.must(yes())
	require.Equal(t, "# mine\n", m.read(m.home().Path("zones.toml")))
	require.Equal(t, "# mine\n[gate]\nenabled = false\n", m.read(m.home().Path("ctxguard.toml")))
}

// S16: context-guard's bands become ours, and its readers are offered a mirror.
func TestContextGuardIsTakenOver(t *testing.T) {
	m := newMachine(t)
	guard := filepath.Join(m.dir, ".claude", "context-guard")
	m.write(filepath.Join(guard, "zones.json"), `{"smart_max_used_percentage":40,"acceptable_max_used_percentage":60}`)
	require.NoError(t, os.MkdirAll(filepath.Join(guard, "context"), 0o755))
	out := m.must(yes())
	require.Contains(t, out, "mirror = ['"+filepath.Join(guard, "context")+"']")
	bands, notices := zones.ParseBands([]byte(m.read(m.home().Path("zones.toml"))))
	require.Empty(t, notices)
	require.EqualValues(t, 40, bands.SmartMaxPercent)

	asked := newMachine(t)
	dir := filepath.Join(asked.dir, ".claude", "context-guard", "context")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	asked.answer = "y\ny\n"
	_, changed, err := asked.run(setup.Options{Bin: program})
	require.NoError(t, err)
	require.True(t, changed)
	cfg, problems := config.ParseMachine([]byte(asked.read(asked.home().Path("ctxguard.toml"))))
	require.Empty(t, problems)
	require.Equal(t, []string{dir}, cfg.Seam.Mirror)
	_, changed, err = asked.run(setup.Options{Bin: program})
	require.NoError(t, err)
	require.False(t, changed)
}

// S17: --guards chooses what is on, in ctxguard.toml and in what is registered.
func TestGuardsAreChosen(t *testing.T) {
	m := newMachine(t)
	m.write(m.home().Path("ctxguard.toml"), "# mine\r\n[gate]\r\nmode = \"blocking\" # yes\r\n[ask]\r\nenabled = true # hm\r\nmin_chars = 5\r\n")
	opts := yes()
	var err error
	opts.Guards, err = setup.ParseGuards("zone, brief")
	require.NoError(t, err)
	m.must(opts)
	text := m.read(m.home().Path("ctxguard.toml"))
	require.True(t, strings.HasPrefix(text, "# mine\r\n[gate]\r\nmode = \"blocking\" # yes\r\n[ask]\r\nenabled = false # hm\r\nmin_chars = 5\r\n"), text)
	cfg, notices := config.ParseMachine([]byte(text))
	require.Empty(t, notices)
	require.True(t, cfg.Gate.Enabled && cfg.Crossing.Enabled && cfg.Compact.Enabled && cfg.Brief.Enabled)
	require.False(t, cfg.Ask.Enabled || cfg.Preference.Enabled || cfg.Reminders.Enabled || cfg.Capture.Enabled || cfg.Structure.Enabled)
	require.NotContains(t, m.read(m.settings()), `"Stop"`)
	require.Contains(t, m.read(m.settings()), `"timeout": 25`)

	opts.Guards, err = setup.ParseGuards("none")
	require.NoError(t, err)
	m.must(opts)
	require.NotContains(t, m.read(m.settings()), `"PreToolUse"`)

	_, err = setup.ParseGuards("zone,nonsense")
	require.ErrorIs(t, err, setup.ErrWords)
}

func TestGuardsInAFileThatIsNotTOML(t *testing.T) {
	m := newMachine(t)
	m.write(m.home().Path("ctxguard.toml"), "[gate\n")
	opts := yes()
	opts.Guards = []string{"gate"}
	_, _, err := m.run(opts)
	var refused *setup.NotUnderstood
	require.ErrorAs(t, err, &refused)
	require.ErrorContains(t, err, "ctxguard.toml: line 2")
	require.Equal(t, "[gate\n", m.read(m.home().Path("ctxguard.toml")))
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

// A home that a project has brought makes nothing run.
func TestAProgramOfTheProjectIsNotRun(t *testing.T) {
	m := newMachine(t)
	m.write(filepath.Join(m.cwd, ".git", "HEAD"), "x")
	home := filepath.Join(m.cwd, "cg")
	bin := filepath.Join(home, "bin", "ctxguard")
	m.write(bin, "#!/bin/sh\ntouch '"+m.dir+"/ran'\necho ctxguard 99.0.0\n")
	require.NoError(t, os.Chmod(bin, 0o755))
	m.extra = []string{"CTXGUARD_HOME=" + home}
	m.must(setup.Options{Yes: true})
	require.NoFileExists(t, filepath.Join(m.dir, "ran"))
	require.Equal(t, m.read(program), m.read(bin))
}

// S15: a newer program that is there already stays.
func TestANewerProgramStays(t *testing.T) {
	m := newMachine(t)
	bin := m.home().Path("bin/ctxguard")
	m.write(bin, "#!/bin/sh\n[ \"$1\" = version ] && echo ctxguard v99.0.0\nexit 0\n")
	require.NoError(t, os.Chmod(bin, 0o755))
	newer := m.read(bin)
	old := filepath.Join(m.dir, "ctxguard")
	m.write(old, "#!/bin/sh\n[ \"$1\" = version ] && echo ctxguard v1.0.0\nexit 0\n")
	require.NoError(t, os.Chmod(old, 0o755))
	m.program = old
	require.Contains(t, m.must(setup.Options{Yes: true}), "is version 99.0.0, newer than this one (1.0.0); it stays")
	require.Equal(t, newer, m.read(bin))

	m.write(bin, strings.Replace(newer, "99.0.0", "0.9.0", 1))
	require.Contains(t, m.must(setup.Options{Yes: true}), "version 1.0.0 in place of 0.9.0")
	require.Equal(t, m.read(old), m.read(bin))
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

func TestAHomeThatIsAFile(t *testing.T) {
	m := newMachine(t)
	m.write(m.home().Dir(), "x")
	_, _, err := m.run(yes())
	require.ErrorContains(t, err, "is not a folder")
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
