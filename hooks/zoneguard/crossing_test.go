package zoneguard

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/statusline/seam"
	"ctxguard/zones"
)

// X1 to X3 as sequences: each step is a zone or a compaction, with what is said.
func TestJudge(t *testing.T) {
	type step struct {
		zone    zones.Zone
		marker  string
		said    string // "", "worse", "compaction", "both"
		stale   bool
		byStart bool // the marker is SessionStart's
	}
	const t1, t2, t3 = "2026-01-02T03:04:05.000Z", "2026-01-02T03:04:05.400Z", "2026-01-02T05:00:00.000Z"
	cases := map[string][]step{
		"X1: each worse zone once": {
			{zone: zones.Smart}, {zone: zones.Acceptable, said: "worse"}, {zone: zones.Acceptable},
			{zone: zones.Dumb, said: "worse"}, {zone: zones.Dumb},
		},
		"X1: first sight past smart counts":         {{zone: zones.Dumb, said: "worse"}, {zone: zones.Dumb}},
		"X2: a swing over one edge is told once":    {{zone: zones.Dumb, said: "worse"}, {zone: zones.Acceptable}, {zone: zones.Dumb}},
		"X2: a resolved smart ends the cycle":       {{zone: zones.Acceptable, said: "worse"}, {zone: zones.Smart}, {zone: zones.Acceptable, said: "worse"}},
		"X3: unknown announces and changes nothing": {{zone: zones.Dumb, said: "worse"}, {zone: zones.Unknown}, {zone: zones.Dumb}},
		"X3: a compaction under unknown":            {{zone: zones.Unknown, marker: t1, said: "compaction"}, {zone: zones.Unknown, marker: t1}},
		"X1: both due is one message":               {{zone: zones.Dumb, marker: t1, said: "both"}, {zone: zones.Dumb, marker: t1}},
		"X2: a compaction ends the cycle": {
			{zone: zones.Dumb, said: "worse"}, {zone: zones.Unknown, marker: t1, said: "compaction"}, {zone: zones.Dumb, marker: t1, said: "worse"},
		},
		"X2: a second compaction is told again": {
			{zone: zones.Smart, marker: t1, said: "compaction"}, {zone: zones.Smart, marker: t3, said: "compaction"},
		},
		"facts 0.17: the two marks of one compaction are one": {
			{zone: zones.Smart, marker: t1, byStart: true, said: "compaction"}, {zone: zones.Smart, marker: t2}, {zone: zones.Smart, marker: t3, said: "compaction"},
		},
		"a mark by PostCompact is not continued": {
			{zone: zones.Smart, marker: t1, said: "compaction"}, {zone: zones.Smart, marker: t2, said: "compaction"},
		},
		"facts G.1: a late old number is no crossing": {
			{zone: zones.Dumb, said: "worse"}, {zone: zones.Dumb, marker: t1, stale: true, said: "compaction"},
			{zone: zones.Dumb, marker: t1, stale: true}, {zone: zones.Smart, marker: t1}, {zone: zones.Acceptable, marker: t1, said: "worse"},
		},
		"K3: a marker without a time is announced once": {
			{zone: zones.Smart, marker: "-", said: "compaction"}, {zone: zones.Smart, marker: "-"},
		},
	}
	for name, steps := range cases {
		t.Run(name, func(t *testing.T) {
			var memory crossed
			for i, s := range steps {
				marker := seam.Marker{CompactedAt: s.marker, Event: "PostCompact"}
				if s.byStart {
					marker.Event = "SessionStart"
				}
				if s.marker == "-" {
					marker = seam.Marker{}
				}
				v, after := judge(memory, zones.Reading{Zone: s.zone}, s.stale, marker, s.marker != "")
				said := map[[2]bool]string{{true, false}: "worse", {false, true}: "compaction", {true, true}: "both"}[[2]bool{v.worse, v.compaction}]
				require.Equal(t, s.said, said, "step %d", i+1)
				if s.zone == zones.Unknown && !v.compaction {
					require.Equal(t, memory, after, "X3")
				}
				memory = after
			}
		})
	}
}

func TestMatchGlob(t *testing.T) {
	for _, c := range []struct {
		glob, s string
		want    bool
	}{
		{"*handoff*", "docs/handoff.md", true}, {"*handoff*", "handoff", true}, {"*handoff*", "hand/off", false},
		{"docs/*.md", "docs/a/b.md", true}, {"docs/*.md", "docs/a.txt", false}, {"*", "", true}, {"", "", true},
		{"", "a", false}, {"a*b*c", "aXbYc", true}, {"a*b*c", "acb", false}, {"[a]", "a", false}, {"[a]", "[a]", true},
		{"**", "a/b", true}, {"a?", "ab", false},
	} {
		require.Equal(t, c.want, matchGlob(c.glob, c.s), "%q on %q", c.glob, c.s)
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1_234_567: "1,234,567"} {
		require.Equal(t, want, grouped(n))
	}
}
