package overview

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"

	"ctxguard/statusline/seam"
	"ctxguard/zones"
)

var start = time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)

// growing is a history that climbs by that much each minute.
func growing(n int, each int64) []seam.Point {
	var points []seam.Point
	for i := range n {
		points = append(points, seam.Point{Time: start.Add(time.Duration(i) * time.Minute), Tokens: int64(i+1) * each, Window: 200_000})
	}
	return points
}

func TestSampleIsTheMostOfEachStretch(t *testing.T) {
	points := []seam.Point{
		{Time: start, Tokens: 10},
		{Time: start.Add(1 * time.Minute), Tokens: 90}, // a peak between two moments
		{Time: start.Add(2 * time.Minute), Tokens: 20},
		{Time: start.Add(10 * time.Minute), Tokens: 40},
	}
	last := start.Add(10 * time.Minute)
	require.Equal(t, []float64{10, 90, 20, 20, 20, 40}, sample(points, start, last, 6))
	require.Equal(t, []float64{40}, sample(points, start, last, 1))
	require.Equal(t, []float64{10, 10, 90, 20, 40}, sample(points, start, start, 5), "no time passed")

	many := sample(growing(10_000, 1), start, start.Add(9_999*time.Minute), 50)
	require.Len(t, many, 50)
	require.InDelta(t, 1, many[0], 0)
	require.InDelta(t, 10_000, many[49], 0)
	require.IsIncreasing(t, many)

	// A clock that was set back leaves points out of order, and loses none at the end.
	back := []seam.Point{{Time: start.Add(time.Hour), Tokens: 1}, {Time: start, Tokens: 2}}
	for _, v := range sample(back, back[0].Time, back[1].Time, 9) {
		require.False(t, math.IsNaN(v))
	}
}

func TestStepsAreRound(t *testing.T) {
	for _, c := range []struct {
		top  int64
		most int
		want int64
	}{
		{400_000, 14, 50_000}, {160_000, 14, 20_000}, {160_000, 4, 50_000}, {612_000, 14, 50_000},
		{1, 14, 1}, {29, 14, 5}, {1_000_000, 2, 500_000}, {1 << 50, 14, 100_000_000_000_000},
	} {
		step := stepFor(c.top, c.most)
		require.Equal(t, c.want, step, "%d in %d", c.top, c.most)
		require.GreaterOrEqual(t, step*int64(c.most), c.top)
	}
	require.Equal(t, int64(25_000), stepFor(165_000, 14, 100_000, 150_000), "both marks stand in rows of their own")
	require.Equal(t, int64(50_000), stepFor(420_000, 14, 200_000, 400_000))
	require.Equal(t, int64(20_000), stepFor(165_000, 14, 100_001, 150_000), "no round step could show these")
}

func TestFlowNeverLeavesTheWidth(t *testing.T) {
	groups := [][]piece{text("short"), {{"two ", dim}, {"colours", ""}}, text("a long reason of many words"), text("日本語プロジェクト"), text(""), muted(strings.Repeat("x", 70))}
	for columns := 1; columns <= 90; columns++ {
		for line := range strings.Lines(View{Columns: columns}.flow(groups...)) {
			require.LessOrEqual(t, uniseg.StringWidth(strings.TrimSuffix(line, "\n")), columns, "%q", line)
		}
	}
	require.Equal(t, "short  two colours\na long reason of\nmany words\n日本語プロジェク…\n", View{Columns: 18}.flow(text("short"), groups[1], groups[2], text("日本語プロジェクト\x1b[31m")))
	require.Equal(t, "short  two colours\n", View{}.flow(groups[0], groups[1]))
	require.Empty(t, View{Columns: 9}.flow())
}

// What comes from outside cannot move the cursor, and takes the room that is
// reckoned for it.
func TestClip(t *testing.T) {
	for in, want := range map[string]string{
		"a\x1b[31mb\x07\r\n\u202ec": "a[31mbc",
		"12345678":                  "12345678",
		"123456789":                 "1234567…",
		"日本語日本語":                    "日本語…",
		"❤\ufe0f":                   "❤",
		"👩\u200d👧":                  "👩👧",
	} {
		require.Equal(t, want, clip(in, 8))
	}
	require.Empty(t, clip("x", 0))
	require.Equal(t, "…", clip("xy", 1))
}

// A session of any numbers is drawn within any width, and within the height where
// there is any room at all.
func TestCurveFits(t *testing.T) {
	sessions := map[string]Session{
		"grows":        {ID: "s", Project: "widget", History: growing(40, 4_000)},
		"at once":      {ID: "s", History: []seam.Point{{Time: start, Tokens: 5}, {Time: start, Tokens: 9}}},
		"for days":     {ID: "s", Project: strings.Repeat("長い", 30), History: append(growing(5, 30_000), seam.Point{Time: start.AddDate(0, 0, 9), Tokens: 1, Window: 1_000_000})},
		"absurd":       {ID: strings.Repeat("x", 128), History: []seam.Point{{Time: start, Tokens: 0}, {Time: start.Add(time.Hour), Tokens: 1 << 50, Window: 1 << 50}}},
		"back in time": {ID: "s", History: []seam.Point{{Time: start, Tokens: 5}, {Time: start.Add(-time.Hour), Tokens: 7}}},
		"compacted":    {ID: "s", Degraded: true, CompactedAt: start.Add(20 * time.Minute), History: growing(40, 4_000)},
	}
	for name, s := range sessions {
		s.Reading = zones.Resolve(zones.Evidence{}, zones.DefaultBands(), start)
		for columns := 20; columns <= 200; columns += 9 {
			for _, rows := range []int{0, 12, 24, 60} {
				drawn := Curve(View{Columns: columns, Rows: rows, Now: start.Add(time.Hour), Zone: time.UTC}, s, zones.DefaultBands())
				for line := range strings.Lines(drawn) {
					require.LessOrEqual(t, uniseg.StringWidth(strings.TrimSuffix(line, "\n")), columns, "%s in %d: %q", name, columns, line)
				}
				if columns >= 80 && rows >= 12 {
					require.LessOrEqual(t, strings.Count(drawn, "\n"), rows, "%s in %d × %d:\n%s", name, columns, rows, drawn)
				}
			}
		}
	}
}

// The compaction stands in the column of its time.
func TestTheCompactionIsDrawnAtItsTime(t *testing.T) {
	s := Session{ID: "s", Degraded: true, CompactedAt: start.Add(30 * time.Minute), History: growing(61, 1_000)}
	view := View{Columns: 100, Now: start.Add(time.Hour), Zone: time.UTC}
	drawn := Curve(view, s, zones.DefaultBands())
	column := -1
	for line := range strings.Lines(drawn) {
		before, _, found := strings.Cut(line, compactedSign)
		if found && column < 0 {
			column = uniseg.StringWidth(before)
		}
		if found && !strings.Contains(line, "compacted") {
			require.Equal(t, column, uniseg.StringWidth(before), drawn)
		}
	}
	// Half the time is half of the axis, which begins after "200k ┤".
	first, last := 7, 100-len("03:00")/2-1
	require.InDelta(t, (first+last)/2, column, 1, drawn)
	require.Contains(t, drawn, compactedSign+" last compacted 2026-01-02 03:30")

	s.CompactedAt = start.Add(-time.Hour)
	drawn = Curve(view, s, zones.DefaultBands())
	require.NotContains(t, drawn, compactedSign, "it lies before the first measurement")
	require.Contains(t, drawn, "last compacted 2026-01-02 02:00")
}

func TestCompactedCell(t *testing.T) {
	now := start
	for want, s := range map[string]Session{
		"":       {},
		"yes":    {Degraded: true},
		"5m ago": {Degraded: true, CompactedAt: now.Add(-5 * time.Minute)},
		"3d ago": {Degraded: true, CompactedAt: now.AddDate(0, 0, -3)},
	} {
		require.Equal(t, want, s.compacted(now))
	}
	require.Equal(t, "yes", Session{Degraded: true, CompactedAt: now.Add(time.Hour)}.compacted(now), "a clock that was set back")
}

func TestTableGivesUpColumnsInOrder(t *testing.T) {
	s := Session{
		ID: "7905fe8d-3044-470a-afaa-2463be7e22cf", Project: "widget", Model: "Opus 5.5", Degraded: true, CompactedAt: start,
		Left: 753_000, LeftKnown: true, History: growing(5, 10_000),
		Reading: zones.Reading{Zone: zones.Acceptable, Occupancy: 214_060, HasOccupancy: true, TrueWindow: 1_000_000, CapturedAt: start, Age: time.Minute},
	}
	var heads []string
	for columns := 130; columns >= 1; columns-- {
		table := Table(View{Columns: columns, Now: start.Add(time.Hour)}, []Session{s}, 1)
		head, _, _ := strings.Cut(table, "\n")
		if head = strings.Join(strings.Fields(strings.ReplaceAll(head, "TO COMPACTION", "LEFT")), " "); len(heads) == 0 || heads[len(heads)-1] != head {
			heads = append(heads, head)
		}
	}
	require.Equal(t, []string{
		"SESSION PROJECT MODEL FILL TOKENS ZONE COMPACTED LEFT AGE CURVE",
		"SESSION PROJECT MODEL FILL TOKENS ZONE COMPACTED AGE CURVE",
		"SESSION PROJECT MODEL FILL TOKENS ZONE COMPACTED AGE",
		"SESSION PROJECT FILL TOKENS ZONE COMPACTED AGE",
		"SESSION PROJECT FILL TOKENS ZONE COMPACTED",
		"SESSION PROJECT FILL TOKENS ZONE",
		"SESSION PROJECT FILL ZONE",
		"PROJECT FILL ZONE",
		"PROJECT ZONE",
		"ZONE",
		"ZO…", "Z…", "…",
	}, heads)
}
