// Command bench measures whether anybody can tell that ctxguard is there: whole
// processes, against the start of an empty Go program, as ratios in one run on
// one machine. It builds what it measures and works in a folder of its own.
//
//	go run ./cmd/bench            the table
//	go run ./cmd/bench -rounds 9  a quicker, rougher one
//	go run ./cmd/bench -check     exit 1 when a row is over its budget
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"text/tabwriter"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == peakOf {
		if err := printPeak(os.Args[2:]); err != nil {
			fmt.Fprintf(os.Stderr, "bench: %v\n", err)
			os.Exit(1)
		}
		return
	}
	rounds := flag.Int("rounds", 101, "how often each command is run")
	check := flag.Bool("check", false, "exit 1 when a row is over its budget")
	flag.Parse()
	over, err := run(os.Stdout, *rounds)
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		os.Exit(1)
	}
	if over && *check {
		os.Exit(1)
	}
}

// run measures every row and reports whether one is over its budget.
func run(out io.Writer, rounds int) (over bool, err error) {
	dir, err := os.MkdirTemp("", "ctxguard-bench-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	b, err := newBench(dir, rounds)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(out, "%s/%s, %d processors, %s, %d rounds, medians of whole processes\n\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), rounds)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "WORK\tMEASURED\tBUDGET\tMS\tAGAINST MS\t")
	for _, r := range b.rows() {
		result, err := r.measure(b)
		if err != nil {
			return false, fmt.Errorf("%s: %w", r.work, err)
		}
		mark := ""
		if result.ratio > r.budget {
			mark, over = "over", true
		}
		fmt.Fprintf(table, "%s\t%.2f × %s\t%.2f ×\t%.2f\t%.2f\t%s\n", r.work, result.ratio, r.unit, r.budget, result.work, result.against, mark)
	}
	return over, table.Flush()
}
