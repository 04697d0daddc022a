package main

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAProcessThatIsLeftBehindIsADifferenceAndEnded(t *testing.T) {
	var left *exec.Cmd
	r := play(t, func(s *Stage) {
		left = exec.Command("sleep", "30")
		left.Env = s.Environ()
		s.Must(left.Start())
	})
	require.Len(t, r.Differences, 1)
	require.Contains(t, r.Differences[0], "was still running 3s after the end")
	require.ErrorContains(t, left.Wait(), "killed")
}
