package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// headlessTime bounds a run without a terminal.
const headlessTime = 60 * time.Second

// Run is how a headless run ended.
type Run struct {
	Stdout, Stderr string
	ExitCode       int
}

// Headless runs the client with one prompt and without a terminal (-p).
func (s *Sandbox) Headless(ctx context.Context, prompt string, args ...string) (Run, error) {
	ctx, cancel := context.WithTimeout(ctx, headlessTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.program, append([]string{"-p", prompt}, args...)...)
	cmd.Dir, cmd.Env = s.Project, s.Environ()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = 2 * time.Second // a child of the client may hold the pipes
	err := cmd.Run()
	run := Run{Stdout: stdout.String(), Stderr: stderr.String(), ExitCode: cmd.ProcessState.ExitCode()}
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || ctx.Err() != nil) {
		return run, fmt.Errorf("run the client headless: %w\n%s", err, run.Stderr)
	}
	return run, nil
}
