package wrap_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ctxguard/setup/wrap"
)

// FuzzHookEntry: an entry is ours only when it names our program and the word; what
// setup writes is, whatever the path; another command before it is never lost.
func FuzzHookEntry(f *testing.F) {
	f.Fuzz(func(t *testing.T, command, arg string) {
		if wrap.IsHook(command, nil) {
			require.Contains(t, strings.ToLower(command), "ctxguard")
		}
		if wrap.IsHook(command, []string{arg}) {
			require.Equal(t, "hook", arg)
			require.Contains(t, strings.ToLower(command), "ctxguard")
		}
		require.Equal(t, command, wrap.HookProgram(command, []string{arg}))
		wrap.HookProgram(command, nil)
		if !utf8.ValidString(command) || strings.ContainsAny(command, "\x00\\\r") || len(command) > 4<<10 {
			return
		}
		path := "/" + strings.Trim(command, "/") + "/ctxguard"
		written := wrap.Quote(path) + " hook"
		require.True(t, wrap.IsHook(written, nil), written)
		require.Equal(t, path, wrap.HookProgram(written, nil), written)
		require.True(t, wrap.IsHook(path, []string{"hook"}), path)
		require.False(t, wrap.IsHook(written+"; ./mine", nil), written)
		require.False(t, wrap.IsHook("./mine "+written, nil), "it is in another's hands")
	})
}

// FuzzQuote: a quoted text is one word, which stands for that text.
func FuzzQuote(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "\x00\r") || !utf8.ValidString(text) || text == "" || len(text) > 4<<10 {
			return
		}
		quoted := wrap.Quote(text)
		line := wrap.Quote("/x/ctxguard") + " statusline -- " + quoted
		inner, removed := wrap.Remove(line)
		require.True(t, removed, line)
		require.Equal(t, quoted, inner)
	})
}
