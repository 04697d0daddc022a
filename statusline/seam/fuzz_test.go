package seam_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ctxguard/statusline/seam"
)

// Whatever payload is accepted can be read back from disk as it was taken.
func FuzzPayloadToSnapshot(f *testing.F) {
	files, err := filepath.Glob("../../testdata/payloads/statusline-*.json")
	require.NoError(f, err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(raw)
	}
	f.Add([]byte("\ufeff{\"session_id\":\"a\",\"version\":\"\\u0000\\ud800\",\"context_window\":1e999,\"model\":[]}"))
	f.Add([]byte("{\"session_id\":\"a\",\"session_id\":\"b\",\"context_window\":{\"a\":\"\xff\"}}"))
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := seam.DecodePayload(raw)
		if err != nil {
			return
		}
		home := seam.At(t.TempDir())
		require.NoError(t, home.Capture(p, at, seam.CaptureOptions{History: true}))
		session, ok := home.Session(p.SessionID)
		require.True(t, ok)
		got, err := session.Snapshot()
		require.NoError(t, err)
		require.Equal(t, p.Snapshot(at), got)
	})
}

func FuzzHistory(f *testing.F) {
	f.Add([]byte(`{"time":"2026-01-02T03:04:05Z","tokens":100,"percent":3,"window":1000000}` + "\n{half"))
	f.Add([]byte(`{"time":"2026-01-02T03:04:05Z","tokens":1e300}`))
	f.Add([]byte("\n\xff\n{\"time\":7,\"tokens\":-1}\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		session, _ := seam.At(t.TempDir()).Session("a")
		require.NoError(t, os.MkdirAll(filepath.Dir(session.HistoryPath()), 0o700))
		require.NoError(t, os.WriteFile(session.HistoryPath(), raw, 0o600))
		points, err := session.History()
		require.NoError(t, err)
		for _, p := range points {
			require.Equal(t, time.UTC, p.Time.Location())
			require.GreaterOrEqual(t, p.Tokens, int64(0))
		}
	})
}
