//go:build unix

package transcript

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/statusline/seam"
)

func TestPipeIsAnErrorNotAWait_A5(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	_, err := Open(pipe)
	require.ErrorIs(t, err, seam.ErrNotRegular)
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(pipe, link))
	_, err = Open(link)
	require.ErrorIs(t, err, seam.ErrNotRegular)
}
