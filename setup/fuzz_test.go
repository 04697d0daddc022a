package setup

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/hooks/registry"
	"ctxguard/statusline/seam"
)

// FuzzJournal: a setup.json that is not whole is an empty one; what undo would put
// back is a copy in the folder of copies, with the hash that the journal has, and
// no name in the file leads anywhere else.
func FuzzJournal(f *testing.F) {
	home := seam.At(f.TempDir())
	const copied, other = `{"a":1}`, `{"secret":1}`
	require.NoError(f, os.MkdirAll(home.Path(backupDir), 0o700))
	require.NoError(f, os.WriteFile(home.Path(backupDir+"/settings-1.json"), []byte(copied), 0o600))
	require.NoError(f, os.WriteFile(home.Path("secret.json"), []byte(other), 0o600))
	f.Fuzz(func(t *testing.T, raw []byte, backup string) {
		require.NoError(t, os.WriteFile(journalPath(home), raw, 0o600))
		j := readJournal(home)
		require.Equal(t, journalVersion, j.Version)
		require.NotNil(t, j.Files)
		var file Journal
		if json.Unmarshal(raw, &file) != nil || file.Version != journalVersion {
			require.Empty(t, j.Files)
			require.Nil(t, j.Registered)
		}
		for _, e := range j.Files {
			data, created, ok := e.backupOf(home, []byte("now"))
			require.True(t, ok || data == nil && !created)
			require.True(t, !ok || created || hash(data) == e.BackupHash)
		}
		for _, content := range []string{copied, other} {
			e := Entry{Written: hash([]byte("now")), Backup: backup, BackupHash: hash([]byte(content))}
			data, created, ok := e.backupOf(home, []byte("now"))
			require.False(t, created)
			require.Equal(t, backup == "settings-1.json" && content == copied, ok, backup)
			if ok {
				require.Equal(t, copied, string(data))
			}
		}
		encoded, err := json.Marshal(j)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(journalPath(home), encoded, 0o600))
		again, err := json.Marshal(readJournal(home))
		require.NoError(t, err)
		require.Equal(t, string(encoded), string(again))
	})
}

// FuzzChooseGuards: in whatever ctxguard.toml, the chosen guards are on afterwards
// and all others off, or the file is left alone; nothing else that it says changes;
// and choosing the same again changes nothing.
func FuzzChooseGuards(f *testing.F) {
	f.Add(config.Seed, "zone,ask")
	f.Fuzz(func(t *testing.T, text, list string) {
		chosen, err := ParseGuards(list)
		if err != nil {
			require.ErrorIs(t, err, ErrWords)
			require.NotContains(t, err.Error(), "\n")
			return
		}
		for _, guard := range chosen {
			require.Contains(t, hooks.GuardNames(), guard)
		}
		before, _ := config.ParseMachine([]byte(text))
		fresh, err := chooseGuards(text, chosen)
		if err != nil {
			require.Empty(t, fresh)
			return
		}
		after, _ := config.ParseMachine([]byte(fresh))
		on := after
		on.Hooks.Enabled = true
		for _, guard := range hooks.GuardNames() {
			require.Equal(t, slices.Contains(chosen, guard), registry.IsOn(on, guard), guard)
		}
		require.Equal(t, allSwitchedOff(before), allSwitchedOff(after), "what else it says")
		if n := strings.Count(text, "\n"); n > 0 && n == strings.Count(text, "\r\n") {
			require.Equal(t, strings.Count(fresh, "\n"), strings.Count(fresh, "\r\n"), "line ends stay")
		}
		again, err := chooseGuards(fresh, chosen)
		require.NoError(t, err)
		require.Equal(t, fresh, again)
	})
}

func allSwitchedOff(cfg config.Config) config.Config {
	for _, enabled := range []*bool{
		&cfg.Crossing.Enabled, &cfg.Compact.Enabled, &cfg.Gate.Enabled, &cfg.Ask.Enabled, &cfg.Preference.Enabled, &cfg.Answers.Enabled,
		&cfg.Fallback.Enabled, &cfg.Brief.Enabled, &cfg.Structure.Enabled, &cfg.Reminders.Enabled, &cfg.Capture.Enabled,
	} {
		*enabled = false
	}
	return cfg
}

// FuzzParseVersion: three numbers with dots between them, and nothing else, are a
// version; what is printed of it is read back.
func FuzzParseVersion(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		v, ok := ParseVersion(text)
		if !ok {
			require.Equal(t, Version{}, v)
			return
		}
		back, ok := ParseVersion(v.String())
		require.True(t, ok)
		require.Equal(t, v, back)
		require.True(t, v.AtLeast(v) && v[0] >= 0 && v[1] >= 0 && v[2] >= 0)
		newer := Version{v[0], v[1], v[2] + 1}
		require.True(t, newer[2] < 0 || newer.AtLeast(v) && !v.AtLeast(newer))
		head := strings.TrimPrefix(strings.TrimSpace(text), "v")
		require.GreaterOrEqual(t, strings.Count(head, "."), 2)
		require.True(t, '0' <= head[0] && head[0] <= '9')
	})
}

// FuzzMatches: the client's matcher for a tool, in both of its forms, and never an
// error for a pattern that is wrong.
func FuzzMatches(f *testing.F) {
	f.Fuzz(func(t *testing.T, matcher, tool string) {
		got := Matches(matcher, tool)
		if matcher == "" || matcher == "*" {
			require.True(t, got)
		}
		if strings.Trim(matcher, "abcdefghijklmnopqrstuvwxyz") == "" && matcher != "" {
			require.Equal(t, matcher == tool, got, "a name is that name")
		}
	})
}

// FuzzNewProgram: a program is named by one word of the shell, below the home when
// portable.
func FuzzNewProgram(f *testing.F) {
	f.Fuzz(func(t *testing.T, path, home string) {
		getenv := func(string) string { return home }
		p, ok := NewProgram(path, false, getenv, "linux")
		require.True(t, ok)
		require.Equal(t, filepath.ToSlash(path), p.Path)
		if p, ok = NewProgram(path, true, getenv, "linux"); !ok {
			return
		}
		require.True(t, filepath.IsAbs(home))
		require.True(t, strings.HasPrefix(p.Word, "~/"))
		below, err := filepath.Rel(home, path)
		require.NoError(t, err)
		require.True(t, filepath.IsLocal(below))
	})
}
