//go:build unix

package client

import (
	"os"
	"syscall"
)

// interrupt tells the client that its terminal is gone.
func interrupt(p *os.Process) error { return p.Signal(syscall.SIGHUP) }

// kill ends the client and what runs in its process group. It is the leader of
// its own, since it was started with a terminal of its own.
func kill(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }

// EndProcess ends one process by its id.
func EndProcess(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }
