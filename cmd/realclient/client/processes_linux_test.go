package client

import (
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLeftoversAreSeen(t *testing.T) {
	s := sandbox(t, "")
	cmd := exec.Command("sleep", "30")
	cmd.Env = s.Environ()
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { return len(s.Leftovers()) == 1 }, 2*time.Second, 10*time.Millisecond)
	require.Equal(t, []int{cmd.Process.Pid}, s.Leftovers())
	require.NoError(t, EndProcess(cmd.Process.Pid))
	require.Error(t, cmd.Wait())
	require.Empty(t, s.Leftovers())
}
