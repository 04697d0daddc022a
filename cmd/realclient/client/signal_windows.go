package client

import "os"

func interrupt(p *os.Process) error { return p.Kill() }

func kill(p *os.Process) error { return p.Kill() }

// EndProcess ends one process by its id.
func EndProcess(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}
