package main

import (
	"context"
	"fmt"
	"os"
	"testing"
)

// contestants are built once for all tests.
var contestants *bench

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == peakOf { // job.peak runs this program again
		if err := printPeak(os.Args[2:]); err != nil {
			fatal(err)
		}
		return
	}
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "ctxguard-bench-test-")
	if err == nil {
		defer os.RemoveAll(dir)
		contestants, err = newBench(context.Background(), "../..", dir, 1)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}
