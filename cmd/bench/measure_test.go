package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestMedian(t *testing.T) {
	for name, c := range map[string]struct {
		times []float64
		want  float64
	}{
		"none":                        {nil, 0},
		"one":                         {[]float64{3}, 3},
		"an odd number, in any order": {[]float64{9, 1, 4}, 4},
		"an even number":              {[]float64{4, 1, 9, 2}, 3},
		"an outlier does not count":   {[]float64{1, 1, 1, 1, 900}, 1},
	} {
		require.Equal(t, c.want, median(c.times), name)
	}
	times := []float64{2, 1}
	median(times)
	require.Equal(t, []float64{2, 1}, times, "what was measured keeps its order")
}

func TestASlowRivalTakesPartInFewerRounds(t *testing.T) {
	for name, c := range map[string]struct {
		rounds int
		took   time.Duration
		want   int
	}{
		"as long as allowed":      {41, patience, 41},
		"twice as long":           {40, 2 * patience, 20},
		"far too long":            {41, time.Minute, fewestRuns},
		"fewer rounds than that":  {2, time.Minute, 2},
		"a little too long":       {9, patience + patience/4, 7},
		"in no time":              {101, 0, 101},
		"too long for a long run": {101, time.Second, 5},
	} {
		require.Equal(t, c.want, turns(c.rounds, c.took), name)
	}
}

func TestTurnsAreSpreadEvenly(t *testing.T) {
	for _, c := range []struct{ rounds, turns int }{{41, 41}, {41, 3}, {9, 4}, {100, 7}, {1, 1}, {3, 0}} {
		var at []int
		for round := range c.rounds {
			if due(round, c.rounds, c.turns) {
				at = append(at, round)
			}
		}
		require.Len(t, at, c.turns, "%+v", c)
		for i := 1; i < len(at); i++ {
			require.InDelta(t, c.rounds/c.turns, at[i]-at[i-1], 1, "%+v", c)
		}
	}
}

func TestInterleaveTimesEveryRoundOfTheMainJobs(t *testing.T) {
	before := 0
	counted := contestants.start()
	counted.before = func(context.Context) error { before++; return nil }
	timings, err := interleave(t.Context(), 4, []job{counted, contestants.start()}, contestants.start())
	require.NoError(t, err)
	require.Len(t, timings, 3)
	for _, timing := range timings {
		require.Positive(t, timing.median)
	}
	require.Equal(t, []int{4, 4}, []int{timings[0].runs, timings[1].runs})
	require.Equal(t, 1+2*4, before, "a rehearsal, and in each round one to warm up and one on the clock")
}

func TestAContestantThatDoesNotDoTheWorkIsNoMeasure(t *testing.T) {
	silent := contestants.start()
	silent.want = "smart\n"
	_, err := interleave(t.Context(), 1, []job{silent})
	require.ErrorContains(t, err, `printed "" instead of "smart\n"`)

	missing := job{argv: []string{filepath.Join(t.TempDir(), "none")}}
	_, err = interleave(t.Context(), 1, []job{missing})
	require.Error(t, err)

	wrong := job{argv: []string{contestants.ours.program, "no-such-command"}}
	_, err = interleave(t.Context(), 1, []job{wrong})
	require.ErrorContains(t, err, "exit status 64")
}

func TestAnInterruptEndsTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := interleave(ctx, 1000, []job{contestants.start()})
	require.ErrorIs(t, err, context.Canceled)
}

func TestInputLargerThanAPipeArrives(t *testing.T) {
	payload := []byte(strings.Repeat("x", 3*fitsInPipe))
	j := contestants.ours.job(task{words: []string{"statusline", "--", "cat"}, stdin: payload, want: string(payload)}, t.TempDir())
	_, err := j.rehearse(t.Context())
	require.NoError(t, err)
}
