//go:build unix

package main_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"
)

// Whatever is wrong with the home, the line is unharmed, and the log, where it
// can be written at all, says why: once.
func TestBadHomesHarmNothing(t *testing.T) {
	makeDir := func(t *testing.T, path string) { require.NoError(t, os.MkdirAll(path, 0o700)) }
	makeFile := func(t *testing.T, path string) {
		makeDir(t, filepath.Dir(path))
		require.NoError(t, os.WriteFile(path, nil, 0o600))
	}
	fifo := func(t *testing.T, path string) {
		makeDir(t, filepath.Dir(path))
		require.NoError(t, syscall.Mkfifo(path, 0o600))
	}
	link := func(t *testing.T, to, path string) {
		makeDir(t, filepath.Dir(path))
		require.NoError(t, os.Symlink(to, path))
	}
	snapshot := "context/" + sessionID + ".json"
	cases := map[string]struct {
		spoil    func(t *testing.T, home string)
		logged   string // "" when there is nothing to say
		unlogged bool   // the log itself cannot be written
	}{
		"a file for a home":                 {spoil: makeFile, unlogged: true},
		"a pipe for a home":                 {spoil: fifo, unlogged: true},
		"a dangling link for a home":        {spoil: func(t *testing.T, h string) { link(t, "/no/such/place", h) }, unlogged: true},
		"a file for context":                {spoil: func(t *testing.T, h string) { makeFile(t, h+"/context") }, logged: "not written"},
		"a file for history":                {spoil: func(t *testing.T, h string) { makeFile(t, h+"/history") }, logged: "not written"},
		"a file for locks":                  {spoil: func(t *testing.T, h string) { makeFile(t, h+"/locks") }},
		"a file for cache":                  {spoil: func(t *testing.T, h string) { makeFile(t, h+"/cache") }, logged: "not removed"},
		"a folder for the snapshot":         {spoil: func(t *testing.T, h string) { makeDir(t, h+"/"+snapshot) }, logged: "not a regular file"},
		"a pipe for the snapshot":           {spoil: func(t *testing.T, h string) { fifo(t, h+"/"+snapshot) }, logged: "not a regular file"},
		"the null device for the snapshot":  {spoil: func(t *testing.T, h string) { link(t, os.DevNull, h+"/"+snapshot) }, logged: "not a regular file"},
		"a dangling link for the snapshot":  {spoil: func(t *testing.T, h string) { link(t, "/no/such/place", h+"/"+snapshot) }, logged: "not written"},
		"a link to itself for the snapshot": {spoil: func(t *testing.T, h string) { link(t, sessionID+".json", h+"/"+snapshot) }, logged: "not written"},
		"a pipe for the history":            {spoil: func(t *testing.T, h string) { fifo(t, h+"/history/"+sessionID+".jsonl") }, logged: "not a regular file"},
		"a pipe for the configuration":      {spoil: func(t *testing.T, h string) { fifo(t, h+"/ctxguard.toml"); fifo(t, h+"/zones.toml") }},
		"a pipe for the log":                {spoil: func(t *testing.T, h string) { fifo(t, h+"/ctxguard.log"); makeFile(t, h+"/context") }, unlogged: true},
		"a folder for the log":              {spoil: func(t *testing.T, h string) { makeDir(t, h+"/ctxguard.log"); makeFile(t, h+"/context") }, unlogged: true},
		"pipes for all locks": {spoil: func(t *testing.T, h string) {
			for i := range 64 {
				fifo(t, fmt.Sprintf("%s/locks/%02x", h, i))
			}
		}},
	}
	line := recorded(t, "statusline-03-mid-session.json")
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := filepath.Join(t.TempDir(), "home")
			c.spoil(t, home)
			for i := range 3 {
				payload := bytes.ReplaceAll(line, []byte("60720"), strconv.AppendInt(nil, int64(60720+i), 10))
				start := time.Now()
				cmd := shim(home, "--", "sh", "-c", "cat; exit 5")
				cmd.Stdin = bytes.NewReader(payload)
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				out, err := cmd.Output()
				require.Equal(t, 5, exitCode(err))
				require.Equal(t, string(payload), string(out))
				require.Empty(t, stderr.String())
				require.Less(t, time.Since(start), 5*time.Second, "it does not wait for a pipe")
			}
			if c.unlogged {
				return
			}
			log, err := os.ReadFile(filepath.Join(home, "ctxguard.log"))
			if c.logged == "" {
				require.ErrorIs(t, err, fs.ErrNotExist, "%s", log)
				return
			}
			require.NoError(t, err)
			require.Contains(t, string(log), c.logged)
			require.Equal(t, 1, bytes.Count(log, []byte("\n")), "once: %s", log)
		})
	}
	info, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&fs.ModeDevice, "the null device is still one")
}

// unprivileged runs the command as somebody who may not write everywhere.
func unprivileged(cmd *exec.Cmd) {
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
}

// openTo makes the folders of a test passable for everybody.
func openTo(t *testing.T, dir string) {
	t.Helper()
	for d := dir; strings.HasPrefix(d, os.TempDir()+string(filepath.Separator)); d = filepath.Dir(d) {
		require.NoError(t, os.Chmod(d, 0o755))
	}
}

func TestHomesThatCannotBeWritten(t *testing.T) {
	line := recorded(t, "statusline-03-mid-session.json")
	run := func(t *testing.T, cmd *exec.Cmd) {
		t.Helper()
		cmd.Stdin = bytes.NewReader(line)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err)
		require.Equal(t, string(line), string(out))
	}
	openTo(t, binaries)
	t.Run("read-only", func(t *testing.T) {
		home := t.TempDir()
		openTo(t, home)
		require.NoError(t, os.Chmod(home, 0o555))
		t.Cleanup(func() { _ = os.Chmod(home, 0o755) })
		cmd := shim(home, "--", "cat")
		unprivileged(cmd)
		run(t, cmd)
		entries, err := os.ReadDir(home)
		require.NoError(t, err)
		require.Empty(t, entries)
	})
	t.Run("a context that is read-only: the log says why, once", func(t *testing.T) {
		home := t.TempDir()
		openTo(t, home)
		require.NoError(t, os.Mkdir(filepath.Join(home, "context"), 0o555))
		require.NoError(t, os.WriteFile(filepath.Join(home, "ctxguard.log"), nil, 0o666))
		require.NoError(t, os.Chmod(filepath.Join(home, "ctxguard.log"), 0o666))
		require.NoError(t, os.MkdirAll(filepath.Join(home, "cache"), 0o777))
		require.NoError(t, os.Chmod(filepath.Join(home, "cache"), 0o777))
		for range 3 {
			cmd := shim(home, "--", "cat")
			unprivileged(cmd)
			run(t, cmd)
		}
		log, err := os.ReadFile(filepath.Join(home, "ctxguard.log"))
		require.NoError(t, err)
		require.Contains(t, string(log), "permission denied")
		require.Equal(t, 1, strings.Count(string(log), "snapshot was not written"), "%s", log)
	})
	t.Run("full", func(t *testing.T) {
		home := t.TempDir()
		// No file may grow at all: each write fails as on a full disk.
		limited := exec.Command("sh", "-c", `ulimit -f 0; exec "$@"`, "sh", filepath.Join(binaries, "ctxguard"), "statusline", "--", "cat")
		limited.Env = shim(home).Env
		run(t, limited)
		require.NoFileExists(t, snapshotOf(home))
		require.Empty(t, temporaries(t, home), "what could not be filled is removed")
	})
}

func temporaries(t *testing.T, home string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(home, "*", ".ctxguard-tmp-*"))
	require.NoError(t, err)
	return files
}

// A hundred writers of one session and of many, some killed, and readers in a
// loop: no torn read, and nothing older over newer.
func TestManyWritersAndReaders(t *testing.T) {
	const writers, shared = 100, "one"
	home := t.TempDir()
	line := recorded(t, "statusline-03-mid-session.json")
	stop := make(chan struct{})
	var readers, running sync.WaitGroup
	torn := make(chan string, 1)
	for range 2 {
		readers.Go(func() { readUntil(stop, filepath.Join(home, "context", shared+".json"), torn) })
	}
	slots := make(chan struct{}, 16)
	for i := range writers {
		running.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			for _, id := range []string{shared, fmt.Sprintf("own-%d", i)} {
				payload := bytes.ReplaceAll(line, []byte(sessionID), []byte(id))
				payload = bytes.ReplaceAll(payload, []byte("60720"), strconv.AppendInt(nil, int64(100_000+i), 10))
				cmd := shim(home, "--", "true")
				cmd.Stdin = bytes.NewReader(payload)
				if cmd.Start() != nil {
					continue
				}
				if i%4 == 0 {
					time.Sleep(time.Duration(rand.IntN(4000)) * time.Microsecond)
					_ = cmd.Process.Kill()
				}
				_ = cmd.Wait()
			}
		})
	}
	running.Wait()
	last := bytes.ReplaceAll(bytes.ReplaceAll(line, []byte(sessionID), []byte(shared)), []byte("60720"), []byte("424242"))
	cmd := shim(home, "--", "true")
	cmd.Stdin = bytes.NewReader(last)
	require.NoError(t, cmd.Run())
	close(stop)
	readers.Wait()
	select {
	case what := <-torn:
		t.Fatal(what)
	default:
	}
	raw, err := os.ReadFile(filepath.Join(home, "context", shared+".json"))
	require.NoError(t, err)
	require.Equal(t, int64(424242), gjson.GetBytes(raw, "context_window.total_input_tokens").Int(), "the last one to start is what stays")
	for i := range writers {
		raw, err := os.ReadFile(filepath.Join(home, "context", fmt.Sprintf("own-%d.json", i)))
		if i%4 == 0 && os.IsNotExist(err) {
			continue
		}
		require.NoError(t, err)
		require.Equal(t, int64(100_000+i), gjson.GetBytes(raw, "context_window.total_input_tokens").Int())
	}
	requirePrivate(t, home)
}

// readUntil reads the snapshot again and again and reports a torn one, or one
// whose time lies before that of the one read earlier.
func readUntil(stop <-chan struct{}, path string, torn chan<- string) {
	newest := ""
	for {
		select {
		case <-stop:
			return
		default:
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			time.Sleep(time.Millisecond)
			continue
		}
		captured := gjson.GetBytes(raw, "captured_at").Str
		if !gjson.ValidBytes(raw) || captured < newest {
			select {
			case torn <- fmt.Sprintf("after %s: %q", newest, raw):
			default:
			}
			return
		}
		newest = captured
		time.Sleep(200 * time.Microsecond)
	}
}

// requirePrivate holds every folder of a home to 0700 and every file to 0600.
func requirePrivate(t *testing.T, home string) {
	t.Helper()
	files := 0
	require.NoError(t, filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == home {
			return err
		}
		info, err := d.Info()
		require.NoError(t, err)
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		require.Equal(t, want, info.Mode().Perm(), path)
		files++
		return nil
	}))
	require.NotZero(t, files)
}

// A session id that may not become a file name writes nothing anywhere.
func TestHostileSessionsWriteNothing(t *testing.T) {
	line := recorded(t, "statusline-03-mid-session.json")
	for _, id := range []string{"", ".", "..", "../x", "a/b", `a\\b`, "a.json", "con", "LPT1", "nul", "a b", "ä", `a\u0000b`, "%2e%2e", strings.Repeat("a", 129), "/etc/passwd", "~", "$HOME"} {
		t.Run(id, func(t *testing.T) {
			outer := t.TempDir()
			home := filepath.Join(outer, "deep", "home")
			payload := bytes.ReplaceAll(line, []byte(sessionID), []byte(id))
			cmd := shim(home, "--", "cat")
			cmd.Env = append(cmd.Env, "HOME="+outer)
			cmd.Stdin = bytes.NewReader(payload)
			out, err := cmd.CombinedOutput()
			require.NoError(t, err)
			require.Equal(t, string(payload), string(out))
			entries, err := os.ReadDir(outer)
			require.NoError(t, err)
			require.Empty(t, entries)
		})
	}
}
