package main

import "ctxguard/statusline"

func runStatusline(p process) int {
	next := p.args
	if len(next) > 0 && next[0] == "--" {
		next = next[1:]
	}
	return statusline.Run(statusline.Process{
		Command: next,
		Environ: p.environ,
		Getenv:  p.getenv,
		Started: p.started,
		Stdin:   p.stdin,
		Stdout:  p.stdout,
		Stderr:  p.stderr,
	})
}
