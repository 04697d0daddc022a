//go:build unix

package config_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
)

// Whoever else can write to the home, or to what was understood of it, makes no
// command run; and once they cannot any more, the command is the person's again.
func TestAnotherAccountMakesNoCommandRun(t *testing.T) {
	home := seam.At(filepath.Join(t.TempDir(), "client", "ctxguard"))
	require.NoError(t, os.MkdirAll(home.Dir(), 0o700))
	machine := home.Path("ctxguard.toml")
	require.NoError(t, os.WriteFile(machine, []byte("[structure]\ncommand = [\"sh\"]\n"), 0o600))
	old := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(machine, old, old))
	load := func() config.Understood { return config.Loader{Home: home, Now: time.Now()}.Load() }
	require.Equal(t, []string{"sh"}, load().Config.Structure.Command)
	caches, err := filepath.Glob(home.Path("cache/config-*.json"))
	require.NoError(t, err)
	require.Len(t, caches, 1)

	for _, path := range []string{filepath.Dir(home.Dir()), home.Dir(), machine, home.Path("cache"), caches[0]} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		harm := map[string]func() error{
			"everybody may write": func() error { return os.Chmod(path, info.Mode().Perm()|0o002) },
		}
		if os.Getuid() == 0 { // nobody else can give a file away
			harm["it is somebody else's"] = func() error { return os.Chown(path, 12345, 12345) }
		}
		for name, do := range harm {
			require.NoError(t, do())
			u := load()
			require.Empty(t, u.Config.Structure.Command, "%s: %s", path, name)
			require.Equal(t, "ctxguard.toml:structure.command", u.Notices[0].Key)
			require.Contains(t, u.Notices[0].Text, path)
			require.NoError(t, os.Chmod(path, info.Mode().Perm()))
			require.NoError(t, os.Chown(path, os.Getuid(), os.Getgid()))
			require.Equal(t, []string{"sh"}, load().Config.Structure.Command)
		}
	}
	// In a folder such as /tmp nobody replaces what is not theirs.
	require.NoError(t, os.Chmod(filepath.Dir(home.Dir()), 0o777|os.ModeSticky))
	require.Equal(t, []string{"sh"}, load().Config.Structure.Command)
}
