package setup

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

const checkWait = 20 * time.Second

// check runs what the settings now name, as the client would, against a home that
// is thrown away: our layer around `true`, and each hook with an event that has
// nothing in it. The person's own command is not run (S18).
func (p *plan) check(sys System) error {
	dir, err := os.MkdirTemp("", "ctxguard-check-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if p.line != "" {
		if err := runCheck(sys, dir, p.bin+" statusline -- true", nil); err != nil {
			return fmt.Errorf("the status line would not run: %w", err)
		}
	}
	var done []string
	for _, r := range p.hooks {
		if key := r.Command + "\x00" + strings.Join(r.Args, "\x00"); !slices.Contains(done, key) {
			done = append(done, key)
			if err := runCheck(sys, dir, r.Command, r.Args); err != nil {
				return fmt.Errorf("the hook would not run: %w", err)
			}
		}
	}
	return nil
}

// runCheck runs a command in the shell form, or with args in the exec form.
func runCheck(sys System, home, command string, args []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), checkWait)
	defer cancel()
	cmd, err := shellCommand(ctx, command, args)
	if err != nil {
		return err
	}
	cmd.Dir = home
	cmd.Env = append(slices.DeleteFunc(slices.Clone(sys.Environ), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return strings.HasPrefix(name, "CTXGUARD_")
	}), "CTXGUARD_HOME="+home)
	cmd.WaitDelay = time.Second
	cmd.Stdin = strings.NewReader("{}\n")
	var stderr bytes.Buffer
	cmd.Stderr = &limited{&stderr, 1 << 10}
	if err := cmd.Run(); err != nil {
		said := strings.TrimSpace(strings.ReplaceAll(stderr.String(), "\n", "; "))
		if said != "" {
			said = " (" + said + ")"
		}
		return fmt.Errorf("`%s`: %w%s", command, err, said)
	}
	return nil
}

func shellCommand(ctx context.Context, command string, args []string) (*exec.Cmd, error) {
	if args != nil {
		return exec.CommandContext(ctx, command, args...), nil
	}
	shell := "/bin/sh"
	if runtime.GOOS == "windows" {
		// Claude Code uses Git Bash when it is there.
		path, err := exec.LookPath("bash")
		if err != nil {
			return nil, fmt.Errorf("no bash was found to run it; Claude Code needs Git Bash for it too")
		}
		shell = path
	}
	return exec.CommandContext(ctx, shell, "-c", command), nil
}
