package seam_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ctxguard/statusline/seam"
)

var fuzzNow = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// members reads the outermost object the slow and obvious way, in its order. It
// reports false for what is no object, and for what encoding/json would mend:
// broken UTF-8 and lone surrogates.
func members(raw []byte) (keys []string, values []json.RawMessage, ok bool) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if !utf8.Valid(raw) || strings.Contains(strings.ToLower(string(raw)), `\ud`) || !json.Valid(raw) {
		return nil, nil, false
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, nil, false
	}
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil, nil, false
		}
		keys, values = append(keys, key.(string)), append(values, value)
	}
	return keys, values, true
}

func lastOf(keys []string, values []json.RawMessage, key string) json.RawMessage {
	for i := len(keys) - 1; i >= 0; i-- {
		if keys[i] == key {
			return values[i]
		}
	}
	return nil
}

func asText(raw json.RawMessage) string {
	var s *string
	if json.Unmarshal(raw, &s) != nil || s == nil {
		return ""
	}
	return *s
}

// filesBelow lists the regular files below a folder.
func filesBelow(t testing.TB, dir string) []string {
	var files []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			below, _ := filepath.Rel(dir, path)
			files = append(files, filepath.ToSlash(below))
		}
		return err
	}))
	return files
}

// FuzzPayloadToSnapshot: whatever payload is accepted can be read back from disk
// as it was taken, says what encoding/json reads in it, and writes no file but its
// session's.
func FuzzPayloadToSnapshot(f *testing.F) {
	files, err := filepath.Glob("../../testdata/payloads/statusline-*.json")
	require.NoError(f, err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := seam.DecodePayload(raw)
		keys, values, plain := members(raw)
		if plain {
			require.Equal(t, seam.ValidSessionID(asText(lastOf(keys, values, "session_id"))), err == nil)
		}
		if err != nil {
			return
		}
		around := t.TempDir()
		home := seam.At(filepath.Join(around, "home"))
		require.NoError(t, home.Capture(p, fuzzNow, seam.CaptureOptions{History: true}))
		session, ok := home.Session(p.SessionID)
		require.True(t, ok)
		got, err := session.Snapshot()
		require.NoError(t, err)
		require.Equal(t, p.Snapshot(fuzzNow), got)
		require.True(t, home.Settled(p, fuzzNow.Add(time.Second)))
		for _, name := range filesBelow(t, around) {
			require.Regexp(t, `^home/(context/`+p.SessionID+`\.json|history/`+p.SessionID+`\.jsonl|locks/[0-3][0-9a-f])$`, name)
		}
		if !plain {
			return
		}
		require.Equal(t, asText(lastOf(keys, values, "session_id")), got.SessionID)
		require.Equal(t, asText(lastOf(keys, values, "version")), got.CLIVersion)
		require.Equal(t, string(lastOf(keys, values, "context_window")), string(got.ContextWindow))
		clientKeys, clientValues, _ := members(got.Client)
		for _, key := range []string{"model", "workspace", "cost", "rate_limits", "exceeds_200k_tokens", "transcript_path"} {
			require.Equal(t, string(lastOf(keys, values, key)), string(lastOf(clientKeys, clientValues, key)), key)
		}
	})
}

// FuzzSnapshotFile: a snapshot file says what encoding/json reads in it.
func FuzzSnapshotFile(f *testing.F) {
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := seam.DecodeSnapshot(raw)
		if err != nil {
			require.Equal(t, seam.Snapshot{}, got)
		}
		require.True(t, utf8.ValidString(got.CapturedAt+got.SessionID+got.CLIVersion))
		require.True(t, got.ContextWindow == nil || json.Valid(got.ContextWindow))
		keys, values, plain := members(raw)
		if !plain {
			return
		}
		require.NoError(t, err)
		require.Equal(t, asText(lastOf(keys, values, "captured_at")), got.CapturedAt)
		require.Equal(t, asText(lastOf(keys, values, "session_id")), got.SessionID)
		require.Equal(t, asText(lastOf(keys, values, "cli_version")), got.CLIVersion)
		require.Equal(t, string(lastOf(keys, values, "context_window")), string(got.ContextWindow))
	})
}

// FuzzHistory: the points are the lines that encoding/json understands, in order
// and within bounds.
func FuzzHistory(f *testing.F) {
	session, _ := seam.At(f.TempDir()).Session("a")
	require.NoError(f, os.MkdirAll(filepath.Dir(session.HistoryPath()), 0o700))
	f.Fuzz(func(t *testing.T, raw []byte) {
		require.NoError(t, os.WriteFile(session.HistoryPath(), raw, 0o600))
		points, err := session.History()
		require.NoError(t, err)
		var want []seam.Point
		comparable := true
		for line := range bytes.SplitSeq(raw, []byte("\n")) {
			keys, values, plain := members(line)
			comparable = comparable && (plain || !bytes.Contains(line, []byte("{")))
			for i, key := range keys {
				for _, other := range keys[i+1:] {
					comparable = comparable && key != other
				}
			}
			at, err := time.Parse(seam.TimeLayout, asText(lastOf(keys, values, "time")))
			var tokens *json.Number
			if err != nil || json.Unmarshal(lastOf(keys, values, "tokens"), &tokens) != nil || tokens == nil ||
				strings.HasPrefix(string(lastOf(keys, values, "tokens")), `"`) {
				continue
			}
			if n, err := tokens.Float64(); err == nil && n >= 0 && n <= 1<<50 {
				want = append(want, seam.Point{Time: at, Tokens: int64(n)})
			}
		}
		for i, p := range points {
			require.Equal(t, time.UTC, p.Time.Location())
			require.True(t, 0 <= p.Tokens && p.Tokens <= 1<<50)
			points[i].Percent, points[i].Window = 0, 0
		}
		if comparable {
			require.Equal(t, want, points)
		}
	})
}

// FuzzMarker: a file is a marker whatever it holds (K3), with what encoding/json
// reads in it; and what Mark is told can be read back.
func FuzzMarker(f *testing.F) {
	session, _ := seam.At(f.TempDir()).Session("a")
	require.NoError(f, os.MkdirAll(filepath.Dir(session.MarkerPath()), 0o700))
	f.Fuzz(func(t *testing.T, raw []byte, trigger, event string) {
		require.NoError(t, os.WriteFile(session.MarkerPath(), raw, 0o600))
		got, marked := session.Marker()
		require.True(t, marked)
		require.True(t, utf8.ValidString(got.CompactedAt+got.Trigger+got.Event))
		keys, values, plain := members(raw)
		if plain && len(keys) == 1 && keys[0] == "compacted_at" {
			require.Equal(t, seam.Marker{CompactedAt: asText(values[0])}, got)
		}
		if !utf8.ValidString(trigger) || !utf8.ValidString(event) {
			return
		}
		require.NoError(t, session.Mark(trigger, event, fuzzNow))
		got, marked = session.Marker()
		require.True(t, marked)
		require.Equal(t, seam.Marker{CompactedAt: "2026-01-02T03:04:05.000Z", Trigger: trigger, Event: event}, got)
	})
}

// FuzzLog: whatever stands in the log, a message adds one line of its own or none,
// and not a second time within the hour.
func FuzzLog(f *testing.F) {
	home := seam.At(f.TempDir())
	path := home.Path("ctxguard.log")
	f.Fuzz(func(t *testing.T, before []byte, message string) {
		require.NoError(t, os.WriteFile(path, before, 0o600))
		home.Log(fuzzNow, message)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		added, kept := bytes.CutPrefix(after, before)
		require.True(t, kept)
		if len(added) > 0 {
			line, ended := strings.CutSuffix(string(added), "\n")
			said, stamped := strings.CutPrefix(line, "2026-01-02T03:04:05Z ")
			require.True(t, ended && stamped && utf8.RuneCountInString(said) <= 1000, line)
			require.False(t, strings.ContainsFunc(said, func(r rune) bool { return !unicode.IsGraphic(r) }), "%q", line)
			whole := shown(said) == shown(message)
			require.True(t, whole || strings.HasPrefix(shown(message), strings.TrimSuffix(shown(said), "…")), line)
		} else if len(message) < 1000 {
			require.Contains(t, shown(string(before)), shown(message))
		}
		if len(before) == 0 || bytes.HasSuffix(before, []byte("\n")) {
			home.Log(fuzzNow.Add(time.Minute), message)
			again, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, string(after), string(again), "said once")
		}
	})
}

// shown is what of a text takes ink.
func shown(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) && !unicode.IsSpace(r) {
			return r
		}
		return -1
	}, s)
}

var (
	sessionName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,128}$`)
	deviceName  = regexp.MustCompile(`^(?i:con|prn|aux|nul|com[0-9]|lpt[0-9])$`)
	ownFile     = map[string]*regexp.Regexp{
		"context": regexp.MustCompile(`^(.*)\.(json|compacted)$`),
		"history": regexp.MustCompile(`^(.*)\.jsonl(\.1)?$`),
		"state":   regexp.MustCompile(`^(.*)\.json$`),
		"locks":   regexp.MustCompile(`^()$`),
	}
)

// FuzzNames: an id becomes the name of a file in its folder or of none, and of the
// files of a home only those that the seam itself named are found and pruned.
func FuzzNames(f *testing.F) {
	clientsForm := regexp.MustCompile(`^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$`)
	for _, suffix := range []string{".json", ".compacted", ".jsonl", ".jsonl.1"} {
		f.Add("7905fe8d-3044-470a-afaa-2463be7e22cf" + suffix)
	}
	home := seam.At(f.TempDir())
	for folder := range ownFile {
		require.NoError(f, os.MkdirAll(home.Path(folder), 0o700))
	}
	f.Fuzz(func(t *testing.T, name string) {
		valid := sessionName.MatchString(name) && !strings.Contains(name, "\n") && !deviceName.MatchString(name)
		require.Equal(t, valid, seam.ValidSessionID(name))
		session, ok := home.Session(name)
		require.Equal(t, valid, ok)
		if ok {
			require.Equal(t, home.Path("context"), filepath.Dir(session.SnapshotPath()))
			require.Equal(t, home.Path("state"), filepath.Dir(session.MemoryPath()))
		}
		if name == "" || len(name) > 200 || strings.ContainsAny(name, "/\x00") || name == "." || name == ".." || !utf8.ValidString(name) {
			return
		}
		old := fuzzNow.Add(-15 * 24 * time.Hour)
		for folder := range ownFile {
			path := home.Path(folder + "/" + name)
			defer os.Remove(path)
			if os.WriteFile(path, nil, 0o600) != nil {
				return // the system has no such names
			}
			require.NoError(t, os.Chtimes(path, old, old))
		}
		for _, s := range home.Newest(5) {
			require.Equal(t, name, s.ID()+".json")
		}
		require.NoError(t, home.Prune(fuzzNow))
		for folder, own := range ownFile {
			m := own.FindStringSubmatch(name)
			// The files are empty, so only the form of the id can tell a session.
			ours := m != nil && clientsForm.MatchString(m[1])
			temporary := strings.HasPrefix(name, ".ctxguard-tmp-") && folder != "locks"
			_, err := os.Lstat(home.Path(folder + "/" + name))
			require.Equal(t, ours || temporary, err != nil, "%s/%q is gone", folder, name)
		}
	})
}

// FuzzValidJSON: what is called JSON is what encoding/json calls so.
func FuzzValidJSON(f *testing.F) {
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) < 64<<10 {
			require.Equal(t, json.Valid(raw), seam.ValidJSON(raw))
		}
	})
}

// FuzzLocate: a home is absolute and is where the variables say, strongest first,
// or there is none.
func FuzzLocate(f *testing.F) {
	f.Fuzz(func(t *testing.T, home, client, user string) {
		getenv := func(key string) string {
			return map[string]string{"CTXGUARD_HOME": home, "CLAUDE_CONFIG_DIR": client, "HOME": user, "USERPROFILE": user}[key]
		}
		want := ""
		switch {
		case filepath.IsAbs(home):
			want = filepath.Clean(home)
		case filepath.IsAbs(client):
			want = filepath.Join(client, "ctxguard")
		case filepath.IsAbs(user):
			want = filepath.Join(user, ".claude", "ctxguard")
		}
		got, ok := seam.Locate(getenv)
		require.Equal(t, want != "", ok)
		if ok {
			require.Equal(t, want, got.Dir())
			require.True(t, filepath.IsAbs(got.Path("context/a.json")))
		}
	})
}
