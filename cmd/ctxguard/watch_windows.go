package main

import (
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

func watchedSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

// isResize: no signal tells of it here; the next picture has the new size.
func isResize(os.Signal) bool { return false }

func endBy(os.Signal) int { return exitFailed }

// understandsEscapes asks the console to follow escape sequences, which it does
// only when told.
func understandsEscapes(fd int) bool {
	var mode uint32
	console := windows.Handle(fd)
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
