// Command ctxguard measures how full a Claude Code conversation is, judges it,
// and acts on it from the client's status line and hook events.
//
// This package turns words into calls and results into output. No rule lives
// here.
package main

import (
	"io"
	"os"
	"time"

	_ "ctxguard/cmd/ctxguard/earlystack" // before everything else, for speed
)

// process is everything that a command gets from outside.
type process struct {
	args    []string
	environ []string
	getenv  func(string) string
	started time.Time
	stdin   *os.File
	stdout  io.Writer
	stderr  io.Writer
}

func main() {
	p := process{
		environ: os.Environ(),
		getenv:  os.Getenv,
		started: time.Now(),
		stdin:   os.Stdin,
		stdout:  os.Stdout,
		stderr:  os.Stderr,
	}
	os.Exit(run(p, os.Args[1:]))
}
