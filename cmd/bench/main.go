// Command bench measures whether anybody can tell that ctxguard is there: whole
// processes, against the start of an empty Go program, as ratios in one run on
// one machine; and beside it what people write for the same work in a shell and
// in Python. It builds what it measures and works in a folder of its own.
//
//	go run ./cmd/bench                          the table
//	go run ./cmd/bench -rounds 9                a quicker, rougher one
//	go run ./cmd/bench -check                   exit 1 when a row is over its budget
//	go run ./cmd/bench -markdown                the page for docs
//	go run ./cmd/bench -o docs/performance.md   the same, into a file, when all is measured
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == peakOf {
		if err := printPeak(os.Args[2:]); err != nil {
			fatal(err)
		}
		return
	}
	rounds := flag.Int("rounds", 101, "how often each command is run")
	check := flag.Bool("check", false, "exit 1 when a row is over its budget")
	asMarkdown := flag.Bool("markdown", false, "print the page for docs")
	file := flag.String("o", "", "write the page for docs to this file, when all is measured")
	flag.Parse()
	if *rounds < 1 {
		fatal(fmt.Errorf("-rounds %d: at least 1", *rounds))
	}
	// The folder with the transcripts goes away on an interrupt, too.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r, err := run(ctx, *rounds, progress())
	if ctx.Err() != nil {
		fatal(errors.New("interrupted; nothing was kept"))
	}
	if err != nil {
		fatal(err)
	}
	switch {
	case *file != "":
		err = os.WriteFile(*file, []byte(r.markdown()), 0o644)
	case *asMarkdown:
		_, err = io.WriteString(os.Stdout, r.markdown())
	default:
		_, err = io.WriteString(os.Stdout, r.text())
	}
	if err != nil {
		fatal(err)
	}
	if *check && len(r.over()) > 0 {
		os.Exit(1)
	}
}

func fatal(err error) {
	fmt.Fprintf(os.Stderr, "bench: %v\n", err)
	os.Exit(1)
}

// progress is where a person who waits sees what is being measured.
func progress() io.Writer {
	if term.IsTerminal(int(os.Stderr.Fd())) {
		return os.Stderr
	}
	return io.Discard
}

// run measures every row.
func run(ctx context.Context, rounds int, progress io.Writer) (report, error) {
	dir, err := os.MkdirTemp("", "ctxguard-bench-")
	if err != nil {
		return report{}, err
	}
	defer os.RemoveAll(dir)
	machine := thisMachine(ctx, dir) // before this program makes a load itself
	b, err := newBench(ctx, ".", dir, rounds)
	if err != nil {
		return report{}, err
	}
	if err := b.fillHomes(ctx, manySessions); err != nil {
		return report{}, err
	}
	r := report{
		machine: machine,
		shell:   b.shell.description(),
		python:  b.python.description(),
		rounds:  rounds,
		when:    time.Now(),
	}
	yard, err := interleave(ctx, rounds, []job{b.start(), {argv: []string{"true"}}})
	if err != nil {
		return report{}, err
	}
	r.empty, r.command = yard[0].median, yard[1].median
	for _, row := range rows() {
		fmt.Fprintln(progress, row.work)
		if err := b.refresh(ctx); err != nil {
			return report{}, err
		}
		result, err := row.measure(ctx, b)
		if err != nil {
			return report{}, fmt.Errorf("%s: %w", row.work, err)
		}
		r.lines = append(r.lines, line{row, result})
	}
	return r, nil
}
