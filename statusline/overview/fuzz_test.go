package overview_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"

	"ctxguard/statusline/overview"
	"ctxguard/statusline/seam"
	"ctxguard/zones"
)

// FuzzSession: whatever a session's files and the settings hold, it is shown
// within the terminal's width, in text that steers nothing, and as whole JSON.
func FuzzSession(f *testing.F) {
	home := seam.At(f.TempDir())
	place, _ := home.Session("7905fe8d-3044-470a-afaa-2463be7e22cf")
	for _, path := range []string{place.SnapshotPath(), place.HistoryPath()} {
		require.NoError(f, os.MkdirAll(filepath.Dir(path), 0o700))
	}
	now := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, snapshot, history, marker, settings []byte, columns uint16) {
		for path, raw := range map[string][]byte{place.SnapshotPath(): snapshot, place.HistoryPath(): history, place.MarkerPath(): marker} {
			require.NoError(t, os.WriteFile(path, raw, 0o600))
		}
		source := overview.Source{
			Home: home, Bands: zones.DefaultBands(), Now: now, Settings: settings,
			Getenv:   func(string) string { return "" },
			Modified: func(string) (time.Time, bool) { return time.Time{}, false },
		}
		session := source.Session(place)
		require.True(t, session.Degraded, "a file is a marker whatever it holds")
		require.True(t, session.Left >= 0 && (session.LeftKnown || session.Left == 0))
		require.Equal(t, []overview.Session{session}, source.Newest(3))

		columns %= 400
		view := overview.View{Columns: int(columns), Now: now}
		table := overview.Table(view, []overview.Session{session, {ID: "b"}}, 5)
		requireShown(t, table)
		curve := overview.Curve(view, session, source.Bands)
		requireShown(t, curve)
		shown := table
		if columns >= 20 { // a curve has a least width
			shown += curve
		}
		for _, line := range strings.Split(shown, "\n") {
			if columns > 0 {
				require.LessOrEqual(t, uniseg.StringWidth(line), int(columns), "%q", line)
			}
		}
		require.Less(t, strings.Count(curve, "\n"), 30+400/(1+int(columns)))

		raw, err := overview.JSON([]overview.Session{session}, 1)
		require.NoError(t, err)
		var printed struct {
			Sessions []struct {
				History []any         `json:"history"`
				Reading zones.Reading `json:"reading"`
			} `json:"sessions"`
		}
		require.NoError(t, json.Unmarshal(raw, &printed))
		require.Len(t, printed.Sessions, 1)
		require.Len(t, printed.Sessions[0].History, len(session.History))
		require.Equal(t, session.Reading.Zone, printed.Sessions[0].Reading.Zone)
	})
}

func requireShown(t testing.TB, text string) {
	t.Helper()
	require.False(t, strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }), "%q", text)
}

// COLUMNS may say anything; a curve takes no more memory for it.
func TestACurveIsBoundedWhateverTheColumns(t *testing.T) {
	now := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
	session := overview.Session{ID: "a", History: []seam.Point{{Time: now.Add(-time.Hour), Tokens: 5}, {Time: now, Tokens: 70_000}}}
	curve := overview.Curve(overview.View{Columns: 1 << 30, Now: now}, session, zones.DefaultBands())
	require.Less(t, len(curve), 256<<10)
}
