package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"ctxguard/hooks"
	"ctxguard/hooks/dispatch"
	"ctxguard/statusline/seam"
	"ctxguard/statusline/seam/faultpoint"
)

// maxHookStack keeps a runaway recursion from eating the machine before it ends.
const maxHookStack = 64 << 20

// runHook answers one event. Every way out but a guard's own block is exit 0:
// the client reads 2 as "blocked", and that is also what the Go runtime exits
// with by itself.
func runHook(p process) (code int) {
	for _, name := range p.args {
		if !slices.Contains(hooks.GuardNames(), name) {
			return wrongWords(p, fmt.Sprintf("hook: there is no guard %q; there are %s", name, strings.Join(hooks.GuardNames(), ", ")))
		}
	}
	// A fatal error of the runtime cannot be recovered from, and would exit 2;
	// with "crash" it ends by a signal instead.
	debug.SetTraceback("crash")
	debug.SetMaxStack(maxHookStack)
	// A reader that went away must not kill the process by a signal half way.
	signal.Ignore(syscall.SIGPIPE)
	defer func() {
		if r := recover(); r != nil {
			logHook(p, fmt.Sprintf("hook: panic: %T", r))
			code = exitDone
		}
	}()
	leave := newDeadline(p)
	out, finish := dispatch.Hook(dispatch.System{
		Getenv:  p.getenv,
		Now:     p.started,
		Elapsed: func() time.Duration { return time.Since(p.started) },
		Wait:    time.Sleep,
		Extend:  leave.extend,
	}, p.stdin, p.args)
	if !leave.stop() {
		// The deadline has passed and is ending the process.
		select {}
	}
	code = printAnswer(p, out)
	writeDown(p, code, finish)
	return code
}

const (
	// finishLimit bounds what is written down once the answer is printed, and
	// logLimit a line of the log: on a file system that does not answer either would
	// hold up the client, which waits for the end of the process.
	finishLimit = time.Second
	logLimit    = 200 * time.Millisecond
)

// writeDown calls finish after the answer. Neither a panic nor a home that hangs
// changes the exit code any more, since the answer is out.
func writeDown(p process, code int, finish func()) {
	limit := time.AfterFunc(finishLimit, func() { os.Exit(code) })
	defer limit.Stop()
	defer func() {
		if r := recover(); r != nil {
			logHook(p, fmt.Sprintf("hook: panic after the answer: %T", r))
		}
	}()
	finish()
}

// within waits for do, but no longer than that.
func within(limit time.Duration, do func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}

func printAnswer(p process, out hooks.Output) int {
	faultpoint.Here("print")
	if len(out.Stdout) > 0 {
		if _, err := p.stdout.Write(out.Stdout); err != nil {
			logHook(p, "hook: the answer could not be printed: "+err.Error())
			return exitDone
		}
	}
	if len(out.Stderr) > 0 {
		if _, err := p.stderr.Write(out.Stderr); err != nil {
			// A block without its reason would be a riddle.
			logHook(p, "hook: the reason could not be printed: "+err.Error())
			return exitDone
		}
	}
	return out.ExitCode
}

func logHook(p process, message string) {
	if home, ok := seam.Locate(p.getenv); ok {
		within(logLimit, func() { home.Log(p.started, message) })
	}
}

// deadline ends the process, silently, when a hook takes too long.
type deadline struct {
	mu    sync.Mutex
	timer *time.Timer
	over  bool
	began time.Time
	// whole is the time that was given so far, counted from began.
	whole time.Duration
}

func newDeadline(p process) *deadline {
	d := &deadline{began: p.started, whole: dispatch.Deadline}
	d.timer = time.AfterFunc(dispatch.Deadline, func() {
		d.mu.Lock()
		d.over = true
		d.mu.Unlock()
		logHook(p, "hook: no answer in time; silent")
		os.Exit(exitDone)
	})
	return d
}

// extend gives the hook a longer time, counted from its start. It never gives a
// shorter one: a guard that comes after a slow one would be cut off at once.
func (d *deadline) extend(whole time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.over && whole > d.whole {
		d.whole = whole
		d.timer.Reset(whole - time.Since(d.began))
	}
}

// stop ends the deadline, and reports false when it has passed already.
func (d *deadline) stop() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.timer.Stop()
	return !d.over
}
