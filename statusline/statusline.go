// Package statusline is the shim that stands in front of whatever draws the
// status line: it reads the client's payload, writes the snapshot, and then
// becomes the next command, with the same bytes waiting on its standard input.
// With no command it draws a line of its own.
//
// The screen comes first: nothing that goes wrong with the snapshot may be seen
// on it or change an exit code. No guard, and nothing that reads hook events,
// may enter here.
package statusline

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
	"ctxguard/statusline/seam/faultpoint"
	"ctxguard/zones"
)

const (
	// depthVariable counts our own layers, so that a shim that was made its own
	// next command comes to an end.
	depthVariable = "CTXGUARD_DEPTH"
	maxDepth      = 8
)

// Process is what the shim gets from outside.
type Process struct {
	// Command is the next command with its arguments; empty to draw a line.
	Command []string
	Environ []string
	Getenv  func(string) string
	// Started is when the process started.
	Started time.Time
	Stdin   *os.File
	Stdout  io.Writer
	Stderr  io.Writer
}

// Run does the shim's work and gives the exit code; where the system allows it,
// Run does not return, because the process has become the next command.
func Run(p Process) int {
	payload := readPayload(p.Stdin)
	var goesOn atomic.Bool
	limit := time.AfterFunc(captureLimit, func() {
		if goesOn.CompareAndSwap(false, true) {
			snapshot, understood := withoutHome(p, payload)
			os.Exit(show(p, payload, snapshot, understood))
		}
	})
	snapshot, understood := capture(p, payload)
	if !goesOn.CompareAndSwap(false, true) {
		// The time is over, and the line is being shown.
		select {}
	}
	limit.Stop()
	return show(p, payload, snapshot, understood)
}

// captureLimit is how long the screen waits for the snapshot: a home on a file
// system that does not answer would otherwise keep the line empty for ever. What
// hangs then ends with the process, or when the process becomes another.
const captureLimit = 2 * time.Second

// withoutHome is what the payload alone says.
func withoutHome(p Process, raw []byte) (*seam.Snapshot, config.Understood) {
	understood := config.Understood{Config: config.Default(), Bands: zones.DefaultBands()}
	payload, err := seam.DecodePayload(raw)
	if err != nil {
		return nil, understood
	}
	snapshot := payload.Snapshot(p.Started)
	return &snapshot, understood
}

// show draws the line, or becomes the command that does.
func show(p Process, payload []byte, snapshot *seam.Snapshot, understood config.Understood) int {
	if len(p.Command) == 0 {
		line := drawLine(p, payload, snapshot, understood)
		if line == "" {
			return 0
		}
		if _, err := fmt.Fprintln(p.Stdout, line); err != nil {
			return 1
		}
		return 0
	}
	depth := depthOf(p.Getenv)
	if depth >= maxDepth {
		fmt.Fprintf(p.Stderr, "ctxguard: the status line starts itself again and again; %d layers are enough\n", maxDepth)
		return 0
	}
	environ := withVariable(p.Environ, depthVariable, strconv.Itoa(depth+1))
	return become(p, payload, environ)
}

func depthOf(getenv func(string) string) int {
	depth, err := strconv.Atoi(getenv(depthVariable))
	if err != nil || depth < 0 {
		return 0
	}
	return depth
}

func withVariable(environ []string, name, value string) []string {
	prefix := name + "="
	list := make([]string, 0, len(environ)+1)
	for _, entry := range environ {
		if len(entry) < len(prefix) || entry[:len(prefix)] != prefix {
			list = append(list, entry)
		}
	}
	return append(list, prefix+value)
}

// logPanic notes what failed, where there is a home to note it in. What the panic
// says may hold a piece of the payload; its kind does not.
func logPanic(p Process, what string, panicked any) {
	if home, ok := seam.Locate(p.Getenv); ok {
		home.Log(p.Started, fmt.Sprintf("statusline: %s failed: %T", what, panicked))
	}
}

// capture writes the snapshot. Its failures, a panic included, are for the log.
func capture(p Process, raw []byte) (snapshot *seam.Snapshot, understood config.Understood) {
	understood = config.Understood{Config: config.Default(), Bands: zones.DefaultBands()}
	home, located := seam.Locate(p.Getenv)
	defer func() {
		if r := recover(); r != nil {
			logPanic(p, "the snapshot", r)
		}
	}()
	faultpoint.Here("capture")
	payload, err := seam.DecodePayload(raw)
	if err != nil {
		return nil, understood
	}
	taken := payload.Snapshot(p.Started)
	snapshot = &taken
	if !located {
		return snapshot, understood
	}
	settled, pruneDue := home.Settled(payload, p.Started), home.PruneDue(p.Started)
	if settled && !pruneDue && len(p.Command) > 0 {
		// The steady state. Reading the configuration costs a third of a start.
		return snapshot, understood
	}
	understood = config.Loader{Home: home, Now: p.Started}.Load()
	mirrors := understood.Config.Mirrors(p.Getenv)
	if !settled {
		err = home.Capture(payload, p.Started, seam.CaptureOptions{
			Mirrors: mirrors,
			History: understood.Config.History.Enabled,
		})
	}
	if err != nil {
		home.Log(p.Started, "statusline: the snapshot was not written: "+err.Error())
	}
	if pruneDue {
		if err := home.Prune(p.Started, mirrors...); err != nil {
			home.Log(p.Started, "statusline: old files were not removed: "+err.Error())
		}
	}
	return snapshot, understood
}
