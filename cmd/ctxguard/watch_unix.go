//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

func watchedSignals() []os.Signal {
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGWINCH}
}

func isResize(s os.Signal) bool { return s == syscall.SIGWINCH }

// endBy ends this process by the signal that asked for it, so that whoever waits
// sees that.
func endBy(s os.Signal) int {
	number, ok := s.(syscall.Signal)
	if !ok {
		return exitFailed
	}
	if number == syscall.SIGQUIT {
		number = syscall.SIGTERM // Go would print its stacks
	}
	signal.Reset(number)
	if err := syscall.Kill(os.Getpid(), number); err != nil {
		return exitFailed
	}
	select {} // until it arrives
}

// understandsEscapes is true of every terminal that says so in TERM.
func understandsEscapes(int) bool { return true }
