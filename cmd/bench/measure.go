package main

import (
	"bytes"
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
	// before, when not nil, runs before each run, off the clock.
	before func() error
}

// result is what a row came to; times are in milliseconds.
type result struct {
	ratio         float64
	work, against float64
}

// interleave runs the jobs in turn, so that a machine whose speed drifts treats
// them alike, and gives each one's median time in milliseconds.
func interleave(rounds int, jobs ...job) ([]float64, error) {
	times := make([][]float64, len(jobs))
	for round := range rounds + 1 {
		for i, j := range jobs {
			took, err := j.run()
			if err != nil {
				return nil, err
			}
			if round > 0 { // the first is for warming up
				times[i] = append(times[i], took)
			}
		}
	}
	medians := make([]float64, len(jobs))
	for i := range jobs {
		slices.Sort(times[i])
		medians[i] = times[i][len(times[i])/2]
	}
	return medians, nil
}

func (j job) run() (milliseconds float64, err error) {
	cmd := exec.Command(j.argv[0], j.argv[1:]...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, j.env...)
	if j.before != nil {
		if err := j.before(); err != nil {
			return 0, err
		}
	}
	stdin, err := j.input()
	if err != nil {
		return 0, err
	}
	defer stdin.Close()
	cmd.Stdin = stdin
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%v: %w: %s", j.argv, err, stderr.Bytes())
	}
	return float64(time.Since(start).Microseconds()) / 1000, nil
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
