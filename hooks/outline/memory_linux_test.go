package outline

import (
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// T9, bad input: a source of a few megabytes that would take two gigabytes as a tree.
func TestAHelperTakesNoMoreThanItMay(t *testing.T) {
	needs(t, "python3")
	root := projectOf(t, map[string]string{
		"target.py": "class Target:\n    pass\n\nx = [" + strings.Repeat("1,", 1_900_000) + "]\n",
	})
	r := renderSoon(t, request(t, root, "target.py"))
	require.Equal(t, Rendered, r.State, r.Reason)
	require.Contains(t, r.Text, "class Target")
	require.Contains(t, r.Text, "approximate, found line by line because it is too much for python3")
	var used syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used))
	require.Less(t, used.Maxrss, int64(700<<10), "in KiB")
}
