package hooks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks"
)

func TestMemoryThatCannotBeReadIsEmpty(t *testing.T) {
	for _, raw := range []string{"", "null", "[]", "{", `{"a":`, "7", "\xff\xfe"} {
		mem := hooks.NewMemory(func() []byte { return []byte(raw) })
		var n int
		require.False(t, mem.Recall("count", &n), raw)
		require.NoError(t, mem.Remember("count", 1))
		require.True(t, mem.Changed())
		encoded, err := mem.Encode()
		require.NoError(t, err)
		require.JSONEq(t, `{"count":1}`, string(encoded))
	}
}

func TestMemoryKeepsTheSectionsOfOtherGuards(t *testing.T) {
	mem := hooks.NewMemory(func() []byte { return []byte(`{"newer":{"x":[1]},"count":4,"broken":"text"}`) })
	var n int
	require.True(t, mem.Recall("count", &n))
	require.Equal(t, 4, n)
	require.False(t, mem.Recall("broken", &n), "a section of another shape is not understood")
	require.NoError(t, mem.Remember("count", 4))
	require.False(t, mem.Changed(), "the same value is no change")
	require.NoError(t, mem.Remember("count", 5))
	encoded, err := mem.Encode()
	require.NoError(t, err)
	require.JSONEq(t, `{"newer":{"x":[1]},"count":5,"broken":"text"}`, string(encoded))
}

func TestMemoryIsLoadedOnceAndOnlyWhenAsked(t *testing.T) {
	loads := 0
	mem := hooks.NewMemory(func() []byte { loads++; return nil })
	require.Zero(t, loads)
	var n int
	mem.Recall("a", &n)
	mem.Recall("b", &n)
	require.Equal(t, 1, loads)
}
