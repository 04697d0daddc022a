package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"
)

// job is one whole process to be timed.
type job struct {
	argv  []string
	stdin []byte
	env   []string
	// want is what it must print: a contestant that does not do the work is no
	// measure for it.
	want string
	// before, when not nil, runs before each run, off the clock.
	before func(context.Context) error
}

const (
	// fewestRuns is in how many rounds even the slowest job takes part.
	fewestRuns = 3
	// brief is how long a job may take at most for what ran just before it to
	// matter: the processor's caches are full of that.
	brief = 250 * time.Millisecond
	// patience is how long a rival may take for each round, on average: one that
	// takes longer takes part in fewer rounds.
	patience = 50 * time.Millisecond
)

// timing is what the runs of one job came to.
type timing struct {
	median float64 // in milliseconds
	runs   int
}

// interleave runs the jobs in turn, so that a machine whose speed drifts treats
// them alike. The main ones take every turn, the rivals what their patience
// allows. Each has a first run off the record, which shows that it does what it
// should. The timings are in the order of the jobs.
func interleave(ctx context.Context, rounds int, main []job, rivals ...job) ([]timing, error) {
	jobs := slices.Concat(main, rivals)
	took := make([]time.Duration, len(jobs))
	for i, j := range jobs {
		var err error
		if took[i], err = j.rehearse(ctx); err != nil {
			return nil, err
		}
	}
	times := make([][]float64, len(jobs))
	measure := func(first int, some []job) error {
		for i, j := range some {
			took, err := j.run(ctx, nil)
			if err != nil {
				return err
			}
			times[first+i] = append(times[first+i], float64(took.Microseconds())/1000)
		}
		return nil
	}
	for round := range rounds {
		if err := warmUp(ctx, main, len(rivals) > 0); err != nil {
			return nil, err
		}
		if err := measure(0, main); err != nil {
			return nil, err
		}
		for i := range rivals {
			at := len(main) + i
			if !due(round, rounds, turns(rounds, took[at])) {
				continue
			}
			if err := warmUp(ctx, rivals[i:i+1], took[at] <= brief); err != nil {
				return nil, err
			}
			if err := measure(at, rivals[i:i+1]); err != nil {
				return nil, err
			}
		}
	}
	timings := make([]timing, len(jobs))
	for i, t := range times {
		timings[i] = timing{median: median(t), runs: len(t)}
	}
	return timings, nil
}

// warmUp runs the jobs untimed, so that they do not pay for what ran before them.
func warmUp(ctx context.Context, jobs []job, wanted bool) error {
	if !wanted {
		return nil
	}
	for _, j := range jobs {
		if _, err := j.run(ctx, nil); err != nil {
			return err
		}
	}
	return nil
}

// turns is in how many of the rounds a rival that takes that long takes part.
func turns(rounds int, took time.Duration) int {
	if took <= patience {
		return rounds
	}
	affordable := int(time.Duration(rounds) * patience / took)
	return min(rounds, max(fewestRuns, affordable))
}

// due spreads the turns evenly over the rounds.
func due(round, rounds, turns int) bool {
	return (round+1)*turns/rounds > round*turns/rounds
}

func median(times []float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	if n%2 == 1 {
		return sorted[n/2]
	}
	return (sorted[n/2-1] + sorted[n/2]) / 2
}

// rehearse runs the job once and checks what it prints.
func (j job) rehearse(ctx context.Context) (time.Duration, error) {
	var stdout bytes.Buffer
	took, err := j.run(ctx, &stdout)
	if err == nil && stdout.String() != j.want {
		err = fmt.Errorf("%v printed %q instead of %q, so its time means nothing", j.argv, stdout.String(), j.want)
	}
	return took, err
}

// run times the job once. With a nil stdout what it prints goes nowhere.
func (j job) run(ctx context.Context, stdout *bytes.Buffer) (time.Duration, error) {
	if j.before != nil {
		if err := j.before(ctx); err != nil {
			return 0, err
		}
	}
	cmd := exec.CommandContext(ctx, j.argv[0], j.argv[1:]...)
	cmd.Env = j.environ()
	stdin, err := j.input()
	if err != nil {
		return 0, err
	}
	defer stdin.Close()
	cmd.Stdin = stdin
	if stdout != nil {
		cmd.Stdout = stdout
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	err = cmd.Run()
	took := time.Since(start)
	if err != nil {
		return 0, fmt.Errorf("%v: %w: %s", j.argv, err, stderr.Bytes())
	}
	return took, nil
}

func (j job) environ() []string {
	return append([]string{"PATH=" + os.Getenv("PATH")}, j.env...)
}

// input is a pipe with the job's bytes in it, as the client gives one. What fits
// is written before the clock runs; the rest is written while it does.
func (j job) input() (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	write := func() {
		defer w.Close()
		// A process that does not read breaks the pipe; that is its right.
		_, _ = w.Write(j.stdin)
	}
	if len(j.stdin) <= fitsInPipe {
		write()
	} else {
		go write()
	}
	return r, nil
}

// fitsInPipe is what the smallest pipe takes without a reader.
const fitsInPipe = 64 << 10
