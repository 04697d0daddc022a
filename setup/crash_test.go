//go:build unix

package setup_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"

	"ctxguard/setup"
	"ctxguard/setup/internal/museum"
)

// S5: whatever step setup is killed at, the settings are the old file or the new
// one, the next run finishes the work, and undo goes back to before the first.
func TestAKillAtEveryStep(t *testing.T) {
	reference := newMachine(t)
	reference.write(reference.settings(), museum.Rich)
	reference.must(setup.Options{Yes: true, Bin: faulty})
	want := strings.ReplaceAll(reference.read(reference.settings()), reference.dir, "HOME")

	points := []string{
		"setup-README", "setup-zones.toml", "setup-ctxguard.toml", "setup-backup", "setup-journal", "setup-replace",
		"setup-replaced", "setup-checked",
	}
	for _, point := range points {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.write(m.settings(), museum.Rich)
			out, code := m.command(faulty, []string{"CTXGUARD_FAULT=" + point + "=exit"}, "setup", "--yes", "--bin", faulty)
			require.Equal(t, 137, code, out)
			now := m.read(m.settings())
			if now != museum.Rich {
				require.Equal(t, want, strings.ReplaceAll(now, m.dir, "HOME"))
			}
			out, code = m.command(faulty, nil, "setup", "--yes", "--bin", faulty)
			require.Zero(t, code, out)
			require.Equal(t, want, strings.ReplaceAll(m.read(m.settings()), m.dir, "HOME"))
			for _, name := range []string{"README", "zones.toml", "ctxguard.toml", "setup.json"} {
				require.FileExists(t, m.home().Path(name))
			}
			copies, err := filepath.Glob(m.home().Path("backups/*"))
			require.NoError(t, err)
			require.Len(t, copies, 1)

			for _, point := range []string{"undo-backup", "setup-replace", "undo-replaced"} {
				out, code = m.command(faulty, []string{"CTXGUARD_FAULT=" + point + "=exit"}, "setup", "--undo", "--yes")
				if code == 0 {
					require.Contains(t, out, "Nothing to do")
				} else {
					require.Equal(t, 137, code, out)
				}
				now := m.read(m.settings())
				require.True(t, now == museum.Rich || strings.ReplaceAll(now, m.dir, "HOME") == want)
			}
			out, code = m.command(faulty, nil, "setup", "--undo", "--yes")
			require.Zero(t, code, out)
			require.Equal(t, museum.Rich, m.read(m.settings()))
			leftovers, err := filepath.Glob(filepath.Join(m.dir, ".claude", "settings.json?*"))
			require.NoError(t, err)
			require.Empty(t, leftovers)
		})
	}
}

// S5: the program is replaced whole: cut off before, the old one stands.
func TestAKillBeforeTheProgramIsThere(t *testing.T) {
	m := newMachine(t)
	out, code := m.command(faulty, []string{"CTXGUARD_FAULT=setup-ctxguard=exit"}, "setup", "--yes")
	require.Equal(t, 137, code, out)
	require.NoFileExists(t, m.settings())
	out, code = m.command(faulty, nil, "setup", "--yes")
	require.Zero(t, code, out)
	require.Contains(t, m.read(m.settings()), "bin/ctxguard hook")
}

// S5: a client that rewrites the file in between makes setup start over; both
// changes are there in the end.
func TestTheFileChangesInBetween(t *testing.T) {
	m := newMachine(t)
	m.write(m.settings(), "{\n  \"model\": \"opus\"\n}\n")
	cmd := exec.Command(faulty, "setup", "--yes", "--bin", faulty)
	cmd.Dir, cmd.Env = m.cwd, m.environ("CTXGUARD_FAULT=setup-backup=1s")
	out := &strings.Builder{}
	cmd.Stdout, cmd.Stderr = out, out
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { _, err := os.Stat(m.home().Path("ctxguard.toml")); return err == nil }, 5*time.Second, 5*time.Millisecond)
	m.write(m.settings(), "{\n  \"model\": \"sonnet\"\n}\n")
	held, err := flock.New(m.home().Path("locks/setup")).TryLock()
	require.NoError(t, err)
	require.False(t, held, "the lock is held as long as setup works")
	require.NoError(t, cmd.Wait(), out)
	require.Contains(t, out.String(), "changed in the meantime; starting over")
	require.Contains(t, m.read(m.settings()), `"sonnet"`)
	require.Contains(t, m.read(m.settings()), "statusline")
	m.must(undo())
	require.Equal(t, "{\n  \"model\": \"sonnet\"\n}\n", m.read(m.settings()))
}

// S5: several setups at once give what one gives.
func TestSetupsAtOnce(t *testing.T) {
	m := newMachine(t)
	m.write(m.settings(), museum.Rich)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			out, code := m.command(program, nil, "setup", "--yes", "--bin", program)
			if code != 0 {
				t.Errorf("code %d: %s", code, out)
			}
		})
	}
	group.Wait()
	once := newMachine(t)
	once.write(once.settings(), museum.Rich)
	once.must(yes())
	require.Equal(t, once.read(once.settings()), m.read(m.settings()))
	m.must(undo())
	require.Equal(t, museum.Rich, m.read(m.settings()))
}

// S5, S16: the second setup waits for the first, and takes what has come to be
// there in the meantime as it is.
func TestTheSecondSetupWaits(t *testing.T) {
	m := newMachine(t)
	require.NoError(t, os.MkdirAll(m.home().Path("locks"), 0o700))
	held := flock.New(m.home().Path("locks/setup"))
	require.NoError(t, held.Lock())
	released := make(chan error, 1)
	time.AfterFunc(300*time.Millisecond, func() {
		released <- errors.Join(os.WriteFile(m.home().Path("ctxguard.toml"), []byte("# mine\n"), 0o600), held.Close())
	})
	require.Contains(t, m.must(yes()), "waiting for it")
	require.NoError(t, <-released)
	require.Equal(t, "# mine\n", m.read(m.home().Path("ctxguard.toml")))
}

// S5: a folder that cannot be written to ends setup with nothing half done.
func TestAReadOnlyFolder(t *testing.T) {
	m := newMachine(t)
	m.write(m.settings(), museum.Rich)
	dotClaude := filepath.Dir(m.settings())
	require.NoError(t, os.Chmod(dotClaude, 0o555))
	t.Cleanup(func() { _ = os.Chmod(dotClaude, 0o755) })
	cmd := exec.Command(program, "setup", "--yes", "--bin", program)
	cmd.Dir, cmd.Env = m.cwd, m.environ()
	if os.Getuid() == 0 {
		// Nothing is read-only to root.
		openTo(t, filepath.Dir(program), m.dir)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, 1, cmd.ProcessState.ExitCode(), string(out))
	require.Contains(t, string(out), "cannot be written to")
	require.Equal(t, map[string]string{m.settings(): museum.Rich}, tree(t, m.dir))
}

// openTo lets everybody into the folders above a test's own.
func openTo(t *testing.T, dirs ...string) {
	t.Helper()
	for _, dir := range dirs {
		for ; strings.HasPrefix(dir, os.TempDir()) && dir != os.TempDir(); dir = filepath.Dir(dir) {
			if info, err := os.Stat(dir); err == nil && info.Mode().Perm()&0o055 != 0o055 {
				require.NoError(t, os.Chmod(dir, info.Mode().Perm()|0o055))
			}
		}
	}
}

// S3: root leaves a person's file with the person.
func TestTheOwnerIsKept(t *testing.T) {
	if os.Getuid() != 0 {
		t.Log("only root can own another's file; as anybody else there is nothing that could change")
		return
	}
	m := newMachine(t)
	m.write(m.settings(), museum.Rich)
	require.NoError(t, os.Chown(m.settings(), 1234, 4321))
	m.must(yes())
	info, err := os.Stat(m.settings())
	require.NoError(t, err)
	stat := info.Sys().(*syscall.Stat_t)
	require.Equal(t, [2]uint32{1234, 4321}, [2]uint32{stat.Uid, stat.Gid})
}
