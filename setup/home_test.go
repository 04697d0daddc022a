//go:build unix

package setup_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks/config"
	"ctxguard/setup"
	"ctxguard/setup/internal/museum"
	"ctxguard/zones"
)

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

func TestAHomeThatIsAFile(t *testing.T) {
	m := newMachine(t)
	m.write(m.home().Dir(), "x")
	_, _, err := m.run(yes())
	require.ErrorContains(t, err, "is not a folder")
}

// S18: a program that cannot run does not stay in the place of one that could.
func TestTheProgramBeforeIsPutBack(t *testing.T) {
	m := newMachine(t)
	m.must(setup.Options{Yes: true})
	settings := m.read(m.settings())
	m.program = filepath.Join(m.dir, "broken")
	m.write(m.program, "#!/bin/sh\nexit 3\n")
	require.NoError(t, os.Chmod(m.program, 0o755))
	_, _, err := m.run(setup.Options{Yes: true})
	require.ErrorContains(t, err, "would not run")
	require.Equal(t, m.read(program), m.read(m.home().Path("bin/ctxguard")))
	require.Equal(t, settings, m.read(m.settings()))
}
