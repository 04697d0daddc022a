package seam_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"ctxguard/statusline/seam"
)

const id = "7905fe8d-3044-470a-afaa-2463be7e22cf"

var keepAll = seam.CaptureOptions{History: true}

func payload(t testing.TB, tokens int) seam.Payload {
	t.Helper()
	p, err := seam.DecodePayload(fmt.Appendf(nil, `{"session_id":%q,"version":"2.1.332","model":{"id":"m"},"context_window":{"total_input_tokens":%d,"total_output_tokens":0,"context_window_size":1000000,"current_usage":{"input_tokens":%d},"used_percentage":%d}}`,
		id, tokens, tokens, tokens/10_000))
	require.NoError(t, err)
	return p
}

func tokensOnDisk(t testing.TB, home seam.Home) int64 {
	t.Helper()
	session, ok := home.Session(id)
	require.True(t, ok)
	s, err := session.Snapshot()
	require.NoError(t, err)
	return gjson.GetBytes(s.ContextWindow, "total_input_tokens").Int()
}

func TestLocate(t *testing.T) {
	user := t.TempDir()
	for name, c := range map[string]struct {
		env  map[string]string
		want string
	}{
		"the user's home":              {map[string]string{"HOME": user, "USERPROFILE": user}, filepath.Join(user, ".claude", "ctxguard")},
		"the client's folder":          {map[string]string{"HOME": user, "CLAUDE_CONFIG_DIR": "/conf"}, "/conf/ctxguard"},
		"a home of its own":            {map[string]string{"HOME": user, "CLAUDE_CONFIG_DIR": "/conf", "CTXGUARD_HOME": "/own/./x"}, "/own/x"},
		"relative variables are not":   {map[string]string{"CTXGUARD_HOME": "own", "CLAUDE_CONFIG_DIR": "conf", "HOME": user, "USERPROFILE": user}, filepath.Join(user, ".claude", "ctxguard")},
		"nothing resolves":             {map[string]string{"HOME": "~", "USERPROFILE": "~"}, ""},
		"nothing is there":             {nil, ""},
		"an empty variable is no home": {map[string]string{"CTXGUARD_HOME": ""}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			home, ok := seam.Locate(func(key string) string { return c.env[key] })
			require.Equal(t, c.want != "", ok)
			require.Equal(t, c.want, home.Dir())
		})
	}
}

func TestSessionIDsThatMayBecomeFileNames(t *testing.T) {
	for name, want := range map[string]bool{
		id: true, "a": true, "A_-9": true, strings.Repeat("x", 128): true, strings.Repeat("x", 129): false,
		"": false, ".": false, "..": false, "../x": false, "a/b": false, `a\b`: false, "a b": false, "a\x00": false, "ä": false,
		"a.json": false, "con": false, "NUL": false, "Com1": false, "lpt9": false, "COM10": true, "console": true, "aux-": true,
	} {
		require.Equal(t, want, seam.ValidSessionID(name), "%q", name)
		_, ok := seam.At("/h").Session(name)
		require.Equal(t, want, ok)
	}
}

func TestSnapshotKeepsWhatTheClientSent(t *testing.T) {
	home := seam.At(filepath.Join(t.TempDir(), "deep", "home"))
	raw := `{"session_id":"` + id + `","version":"2.1.332","context_window":{ "future" : [1e2, 1.50, -0], "total_input_tokens":5 },` +
		`"model":{"id":"m","x":{"y":"\u00e4"}},"workspace":{"current_dir":"/w"},"cost":{"total_cost_usd":0.10},"rate_limits":null,` +
		`"exceeds_200k_tokens":false,"transcript_path":"/t","other":1}`
	p, err := seam.DecodePayload([]byte(raw))
	require.NoError(t, err)
	at := time.Date(2026, 1, 2, 3, 4, 5, 999, time.UTC)
	require.NoError(t, home.Capture(p, at, keepAll))
	session, _ := home.Session(id)
	file, err := os.ReadFile(session.SnapshotPath())
	require.NoError(t, err)
	require.Equal(t, `{"captured_at":"2026-01-02T03:04:05Z","session_id":"`+id+`","cli_version":"2.1.332",`+
		`"context_window":{ "future" : [1e2, 1.50, -0], "total_input_tokens":5 },`+
		`"client":{"model":{"id":"m","x":{"y":"\u00e4"}},"workspace":{"current_dir":"/w"},"cost":{"total_cost_usd":0.10},"rate_limits":null,`+
		`"exceeds_200k_tokens":false,"transcript_path":"/t"}}`+"\n", string(file))
	read, err := session.Snapshot()
	require.NoError(t, err)
	require.Equal(t, p.Snapshot(at), read, "what is taken is what is read back")

	for path, mode := range map[string]fs.FileMode{
		session.SnapshotPath(): 0o600, filepath.Dir(session.SnapshotPath()): 0o700 | fs.ModeDir, home.Dir(): 0o700 | fs.ModeDir,
	} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode(), path)
	}
}

func TestPayloadsThatWriteNothing(t *testing.T) {
	for name, c := range map[string]struct {
		raw  string
		want error
	}{
		"no object":             {`[1]`, seam.ErrNotObject},
		"not JSON":              {`{"session_id":"a"`, seam.ErrNotObject},
		"nothing":               {``, seam.ErrNotObject},
		"two values":            {`{"session_id":"a"} {}`, seam.ErrNotObject},
		"no session":            {`{"context_window":{}}`, seam.ErrNoSession},
		"a session that climbs": {`{"session_id":"../a"}`, seam.ErrNoSession},
		"a session that is 7":   {`{"session_id":7}`, seam.ErrNoSession},
		"a session of bytes":    {"{\"session_id\":\"a\xff\"}", seam.ErrNoSession},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := seam.DecodePayload([]byte(c.raw))
			require.ErrorIs(t, err, c.want)
		})
	}
}

func TestWhichSnapshotStays(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for name, c := range map[string]struct {
		second     time.Duration // the second capture's time, after the first's
		tokens     int           // of the second; the first has 1
		written    bool
		overwrites string
	}{
		"a later one replaces":                           {second: time.Second, tokens: 2, written: true},
		"an older one does not":                          {second: -time.Second, tokens: 2},
		"much older does not":                            {second: -59 * time.Second, tokens: 2},
		"a snapshot from the far future is replaced":     {second: -61 * time.Second, tokens: 2, written: true},
		"equal seconds: the later process wins":          {second: 5 * time.Millisecond, tokens: 2, written: true},
		"the same numbers are not written within 45 s":   {second: 44 * time.Second, tokens: 1},
		"the same numbers are written after 45 s":        {second: 45 * time.Second, tokens: 1, written: true},
		"the same numbers far behind a clock that jumps": {second: -2 * time.Hour, tokens: 1, written: true},
	} {
		t.Run(name, func(t *testing.T) {
			home := seam.At(t.TempDir())
			require.NoError(t, home.Capture(payload(t, 1), start, keepAll))
			second := start.Add(c.second)
			require.NoError(t, home.Capture(payload(t, c.tokens), second, keepAll))
			session, _ := home.Session(id)
			s, err := session.Snapshot()
			require.NoError(t, err)
			want := payload(t, 1).Snapshot(start)
			if c.written {
				want = payload(t, c.tokens).Snapshot(second)
			}
			require.Equal(t, want, s)
		})
	}
	t.Run("equal seconds: the earlier process loses, although it writes later", func(t *testing.T) {
		home := seam.At(t.TempDir())
		require.NoError(t, home.Capture(payload(t, 2), start.Add(8*time.Millisecond), keepAll))
		require.NoError(t, home.Capture(payload(t, 1), start.Add(3*time.Millisecond), keepAll))
		require.Equal(t, int64(2), tokensOnDisk(t, home))
	})
	t.Run("a damaged or empty file is replaced", func(t *testing.T) {
		for _, damage := range []string{"", "{", "[]", `{"captured_at":"tomorrow"}`} {
			home := seam.At(t.TempDir())
			session, _ := home.Session(id)
			require.NoError(t, os.MkdirAll(filepath.Dir(session.SnapshotPath()), 0o700))
			require.NoError(t, os.WriteFile(session.SnapshotPath(), []byte(damage), 0o600))
			require.NoError(t, home.Capture(payload(t, 3), start, keepAll))
			require.Equal(t, int64(3), tokensOnDisk(t, home))
		}
	})
}

// Steady state writes nothing: no file of the home changes.
func TestSteadyStateWritesNothing(t *testing.T) {
	home := seam.At(t.TempDir())
	start := time.Now()
	require.NoError(t, home.Capture(payload(t, 1), start, keepAll))
	before := listing(t, home.Dir())
	for i := range 40 {
		require.NoError(t, home.Capture(payload(t, 1), start.Add(time.Duration(i)*time.Second), keepAll))
	}
	require.Equal(t, before, listing(t, home.Dir()))
}

func listing(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files[path] = fmt.Sprint(info.ModTime(), info.Size(), info.Mode())
		}
		return err
	}))
	return files
}

func TestHistoryHasALineForEachKnownChange(t *testing.T) {
	home := seam.At(t.TempDir())
	session, _ := home.Session(id)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i, tokens := range []int{100, 100, 250_000, 0, 100} {
		require.NoError(t, home.Capture(payload(t, tokens), at.Add(time.Duration(i)*time.Minute), keepAll))
	}
	points, err := session.History()
	require.NoError(t, err)
	require.Equal(t, []seam.Point{
		{Time: at, Tokens: 100, Window: 1_000_000},
		{Time: at.Add(2 * time.Minute), Tokens: 250_000, Percent: 25, Window: 1_000_000},
		{Time: at.Add(4 * time.Minute), Tokens: 100, Window: 1_000_000},
	}, points, "zeros after a compaction are not known, and no point")

	off := seam.At(t.TempDir())
	require.NoError(t, off.Capture(payload(t, 1), at, seam.CaptureOptions{}))
	session, _ = off.Session(id)
	_, err = session.History()
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestMirrorsGetTheFirstFourKeys(t *testing.T) {
	home, mirror := seam.At(t.TempDir()), t.TempDir()
	missing := filepath.Join(t.TempDir(), "missing")
	opts := seam.CaptureOptions{Mirrors: []string{mirror, missing}}
	require.NoError(t, home.Capture(payload(t, 1), time.Now(), opts))
	raw, err := os.ReadFile(filepath.Join(mirror, id+".json"))
	require.NoError(t, err)
	var keys []string
	gjson.ParseBytes(raw).ForEach(func(key, _ gjson.Result) bool { keys = append(keys, key.String()); return true })
	require.Equal(t, []string{"captured_at", "session_id", "cli_version", "context_window"}, keys)
	require.NoDirExists(t, missing)
}

func TestMarker(t *testing.T) {
	session, _ := seam.At(t.TempDir()).Session(id)
	_, marked := session.Marker()
	require.False(t, marked)
	at := time.Date(2026, 1, 2, 3, 4, 5, 6_000_000, time.UTC)
	require.NoError(t, session.Mark("auto", "PostCompact", at))
	m, marked := session.Marker()
	require.True(t, marked)
	require.Equal(t, seam.Marker{CompactedAt: "2026-01-02T03:04:05.006Z", Trigger: "auto", Event: "PostCompact"}, m)
	for _, damage := range []string{"", "{", "[]", strings.Repeat("x", 1<<20)} {
		require.NoError(t, os.WriteFile(session.MarkerPath(), []byte(damage), 0o600))
		_, marked := session.Marker()
		require.True(t, marked, "K3: presence alone counts")
	}
	require.NoError(t, os.Remove(session.MarkerPath()))
	require.NoError(t, os.Mkdir(session.MarkerPath(), 0o700))
	_, marked = session.Marker()
	require.False(t, marked, "a folder is no marker")
}

// A home that something is wrong with: an error, in time, and nothing else.
func TestHomesThatSomethingIsWrongWith(t *testing.T) {
	spoil := map[string]func(t *testing.T, home seam.Home){
		"a file in place of the home": func(t *testing.T, home seam.Home) {
			require.NoError(t, os.WriteFile(home.Dir(), nil, 0o600))
		},
		"a file in place of context": func(t *testing.T, home seam.Home) {
			require.NoError(t, os.MkdirAll(home.Dir(), 0o700))
			require.NoError(t, os.WriteFile(home.Path("context"), nil, 0o600))
		},
		"a folder in place of the snapshot": func(t *testing.T, home seam.Home) {
			require.NoError(t, os.MkdirAll(home.Path("context/"+id+".json"), 0o700))
		},
		"a link to nothing in place of the snapshot": func(t *testing.T, home seam.Home) {
			require.NoError(t, os.MkdirAll(home.Path("context"), 0o700))
			require.NoError(t, os.Symlink("/no/such/place", home.Path("context/"+id+".json")))
		},
		"a link to itself in place of context": func(t *testing.T, home seam.Home) {
			require.NoError(t, os.MkdirAll(home.Dir(), 0o700))
			require.NoError(t, os.Symlink("context", home.Path("context")))
		},
	}
	for name, f := range spoil {
		t.Run(name, func(t *testing.T) {
			home := seam.At(filepath.Join(t.TempDir(), "home"))
			f(t, home)
			require.Error(t, home.Capture(payload(t, 1), time.Now(), keepAll))
			session, _ := home.Session(id)
			_, err := session.Snapshot()
			require.Error(t, err)
		})
	}
	t.Run("files in place of locks and history", func(t *testing.T) {
		home := seam.At(t.TempDir())
		require.NoError(t, os.WriteFile(home.Path("locks"), nil, 0o600))
		require.NoError(t, os.WriteFile(home.Path("history"), nil, 0o600))
		require.Error(t, home.Capture(payload(t, 1), time.Now(), keepAll), "the history could not be written")
		require.Equal(t, int64(1), tokensOnDisk(t, home), "the snapshot was, all the same")
	})
}

func TestLinksAreFollowedAndStay(t *testing.T) {
	home, elsewhere := seam.At(t.TempDir()), t.TempDir()
	session, _ := home.Session(id)
	require.NoError(t, os.MkdirAll(home.Path("context"), 0o700))
	target := filepath.Join(elsewhere, "snapshot.json")
	require.NoError(t, os.WriteFile(target, []byte("{}"), 0o600))
	require.NoError(t, os.Symlink(target, filepath.Join(elsewhere, "hop")))
	require.NoError(t, os.Symlink(filepath.Join(elsewhere, "hop"), session.SnapshotPath()))
	require.NoError(t, home.Capture(payload(t, 7), time.Now(), keepAll))
	info, err := os.Lstat(session.SnapshotPath())
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&fs.ModeSymlink)
	raw, err := os.ReadFile(target)
	require.NoError(t, err)
	require.Contains(t, string(raw), `"total_input_tokens":7`)

	toml := home.Path("zones.toml")
	require.NoError(t, os.WriteFile(filepath.Join(elsewhere, "zones"), []byte("old"), 0o640))
	require.NoError(t, os.Symlink(filepath.Join(elsewhere, "zones"), toml))
	require.NoError(t, seam.Save(toml, []byte("new")))
	info, err = os.Lstat(toml)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&fs.ModeSymlink)
	raw, err = os.ReadFile(filepath.Join(elsewhere, "zones"))
	require.NoError(t, err)
	require.Equal(t, "new", string(raw))
}

func TestAppendRefusesWhatIsNoLine(t *testing.T) {
	home := seam.At(t.TempDir())
	require.Error(t, home.Append(home.Path("a.jsonl"), []byte("two\nlines")))
	require.NoFileExists(t, home.Path("a.jsonl"))
	require.NoError(t, os.Mkdir(home.Path("b.jsonl"), 0o700))
	require.ErrorIs(t, home.Append(home.Path("b.jsonl"), []byte("x")), seam.ErrNotRegular)
	line := []byte("shared")
	require.NoError(t, home.Append(home.Path("c.jsonl"), line[:3]))
	require.Equal(t, "shared", string(line), "the caller's bytes are left alone")
}

func TestLogSaysAThingOnceAnHour(t *testing.T) {
	home := seam.At(t.TempDir())
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	home.Log(at, "the home is\nfull")
	home.Log(at.Add(time.Minute), "the home is full")
	home.Log(at.Add(2*time.Minute), "another thing")
	home.Log(at.Add(59*time.Minute), "the home is full")
	home.Log(at.Add(2*time.Hour), "the home is full")
	raw, err := os.ReadFile(home.Path("ctxguard.log"))
	require.NoError(t, err)
	require.Equal(t, "2026-01-02T03:04:05Z the home is full\n2026-01-02T03:06:05Z another thing\n2026-01-02T05:04:05Z the home is full\n", string(raw))
	require.NotPanics(t, func() { seam.At("/proc/no/such/home").Log(at, "nothing comes of it") })
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	require.NoError(t, os.WriteFile(path, []byte("12345"), 0o600))
	raw, err := seam.ReadFile(path, 5)
	require.NoError(t, err)
	require.Equal(t, "12345", string(raw))
	_, err = seam.ReadFile(path, 4)
	require.Error(t, err)
	_, err = seam.ReadFile(dir, 5)
	require.ErrorIs(t, err, seam.ErrNotRegular)
	_, err = seam.ReadFile(os.DevNull, 5)
	require.ErrorIs(t, err, seam.ErrNotRegular)
	_, err = seam.ReadFile(filepath.Join(dir, "none"), 5)
	require.True(t, errors.Is(err, fs.ErrNotExist))
}

func TestSettledSaysThatNothingWouldBeWritten(t *testing.T) {
	home := seam.At(t.TempDir())
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	require.False(t, home.Settled(payload(t, 1), at), "there is no snapshot")
	require.NoError(t, home.Capture(payload(t, 1), at, keepAll))
	require.True(t, home.Settled(payload(t, 1), at.Add(44*time.Second)))
	require.False(t, home.Settled(payload(t, 1), at.Add(45*time.Second)))
	require.False(t, home.Settled(payload(t, 2), at.Add(time.Second)))
	require.True(t, home.Settled(payload(t, 2), at.Add(-time.Second)), "what is on disk is newer")
	require.False(t, home.Settled(seam.Payload{SessionID: "../x"}, at))
}

func TestMatching(t *testing.T) {
	home := seam.At(t.TempDir())
	for _, name := range []string{"abc", "abcdef", "abd"} {
		p, err := seam.DecodePayload(fmt.Appendf(nil, `{"session_id":%q}`, name))
		require.NoError(t, err)
		require.NoError(t, home.Capture(p, time.Now(), seam.CaptureOptions{}))
	}
	ids := func(beginning string) (all []string) {
		for _, s := range home.Matching(beginning) {
			all = append(all, s.ID())
		}
		return all
	}
	require.Equal(t, []string{"abc"}, ids("abc"), "the whole id, though another begins with it")
	require.ElementsMatch(t, []string{"abc", "abcdef", "abd"}, ids("ab"))
	require.Equal(t, []string{"abcdef"}, ids("abcd"))
	require.Empty(t, ids("x"))
	require.Empty(t, seam.At(t.TempDir()).Matching("a"))

	gone, ok := home.Session("gone")
	require.True(t, ok)
	require.NoError(t, os.MkdirAll(filepath.Dir(gone.HistoryPath()), 0o700))
	require.NoError(t, os.WriteFile(gone.HistoryPath(), nil, 0o600))
	require.Equal(t, []string{"gone"}, ids("gone"), "of which only a history is left")
}
