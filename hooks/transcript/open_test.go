package transcript

import (
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/statusline/seam"
)

func TestOnlyRegularFilesAreOpened_A5(t *testing.T) {
	dir := t.TempDir()
	_, err := Open(dir)
	require.ErrorIs(t, err, seam.ErrNotRegular)
	_, err = Open(filepath.Join(dir, "missing.jsonl"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = Open("")
	require.Error(t, err)
}
