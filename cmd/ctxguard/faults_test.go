//go:build linux

package main_test

import (
	"os/exec"
	"testing"
)

// promise is what holds of a command under a fault. Its words stand in
// docs/faults.md.
type promise string

const (
	captured   promise = "as ever"
	unharmed   promise = "unharmed"
	speaks     promise = "as ever"
	wholeOrNot promise = "whole or silent"
	silent     promise = "silent"
	knows      promise = "as ever"
	knowsOrNot promise = "as ever, or `unknown`"
	unknown    promise = "`unknown`"
	works      promise = "as ever"
	refuses    promise = "exit 1, nothing changed"
	oldOrNew   promise = "old or new"
	killed     promise = "nothing torn"
	notAsked   promise = "–"
)

// fault is one row of the table: something that goes wrong with the machine, and
// what then holds of each command.
type fault struct {
	name string
	// with brings the fault about on the stage, and gives what has to be done to
	// each command, and what makes the fault go away.
	with func(s *stage) (spoil func(*exec.Cmd) *exec.Cmd, lift func())

	statusline, hook, zone, setup, undo promise
}

// spoiled is a fault that lies in how a command is started.
func spoiled(spoil func(*exec.Cmd) *exec.Cmd) func(*stage) (func(*exec.Cmd) *exec.Cmd, func()) {
	return func(*stage) (func(*exec.Cmd) *exec.Cmd, func()) { return spoil, func() {} }
}

// found is a fault that the command finds on the machine.
func found(bring func(s *stage) (lift func())) func(*stage) (func(*exec.Cmd) *exec.Cmd, func()) {
	return func(s *stage) (func(*exec.Cmd) *exec.Cmd, func()) {
		lift := bring(s)
		return func(cmd *exec.Cmd) *exec.Cmd { return cmd }, lift
	}
}

// TestFaults lets every fault loose on every command.
func TestFaults(t *testing.T) {
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range []struct {
				name  string
				p     promise
				holds func(*stage, fault)
			}{
				{"statusline", f.statusline, statuslineHolds}, {"hook", f.hook, hookHolds}, {"zone", f.zone, zoneHolds},
				{"setup", f.setup, setupHolds}, {"undo", f.undo, undoHolds},
			} {
				if c.p != notAsked {
					t.Run(c.name, func(t *testing.T) { c.holds(newStage(t), f) })
				}
			}
		})
	}
}
