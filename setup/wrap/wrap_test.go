package wrap_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ctxguard/setup/internal/museum"
	"ctxguard/setup/wrap"
)

// S7: an argument list where one can express the command, else sh -c.
func TestFormOfTheWrappedCommand(t *testing.T) {
	for _, c := range museum.Commands() {
		t.Run(c.Name, func(t *testing.T) {
			got := wrap.Wrap("/b/ctxguard", c.Text, true)
			rest, ok := strings.CutPrefix(got, "/b/ctxguard statusline -- ")
			require.True(t, ok, got)
			if c.Simple {
				require.Equal(t, strings.TrimLeft(c.Text, " "), strings.TrimLeft(rest, " "))
			} else {
				require.True(t, strings.HasPrefix(rest, "sh -c "), got)
			}
		})
	}
}

// S9, S19: twice is once, under whatever path, and taking off gives the command
// as it was.
func TestWrappingIsIdempotentAndCanBeTakenBack(t *testing.T) {
	for _, c := range museum.Commands() {
		t.Run(c.Name, func(t *testing.T) {
			once := wrap.Wrap("/b/ctxguard", c.Text, true)
			require.Equal(t, once, wrap.Wrap("/b/ctxguard", once, true))
			moved := wrap.Wrap(`"/new place/ctxguard"`, once, true)
			require.Equal(t, once, wrap.Wrap("/b/ctxguard", moved, true))
			inner, left := wrap.Remove(once)
			require.True(t, left)
			require.Equal(t, c.Text, inner)
		})
	}
}

// S9: our own layer, wherever it stands and however it is written.
func TestOwnLayerIsFound(t *testing.T) {
	cases := map[string]struct{ in, inner string }{
		"as setup writes it":                 {"/h/.claude/ctxguard/bin/ctxguard statusline -- ./x a", "./x a"},
		"without the dashes":                 {"ctxguard statusline ./x a", "./x a"},
		"in the home":                        {"~/.claude/ctxguard/bin/ctxguard statusline -- ./x", "./x"},
		"quoted":                             {`"/my dir/ctxguard" statusline -- ./x`, "./x"},
		"quoted in part":                     {`~/'my dir'/ctxguard "statusline" -- ./x`, "./x"},
		"by a variable":                      {`"$HOME/.claude/ctxguard/bin/ctxguard" statusline -- ./x`, "./x"},
		"by a variable with a default":       {`"${CLAUDE_CONFIG_DIR:-$HOME/.claude}"/ctxguard/bin/ctxguard statusline -- ./x`, "./x"},
		"on Windows":                         {`"C:/Users/me/.claude/ctxguard/bin/ctxguard.exe" statusline -- ./x`, "./x"},
		"on Windows with backslashes":        {`"C:\Users\me\ctxguard.EXE" statusline -- ./x`, "./x"},
		"with assignments of another's":      {"A=1 ctxguard statusline -- ./x", "A=1 ./x"},
		"with assignments of ours":           {"CTXGUARD_HOME=/h ctxguard statusline -- ./x", "./x"},
		"twice":                              {"/a/ctxguard statusline -- /b/ctxguard statusline -- ./x", "./x"},
		"three times, over a shell":          {`a/ctxguard statusline -- sh -c "b/ctxguard statusline -- sh -c 'c/ctxguard statusline -- ./x | cat'"`, "sh -c './x | cat'"},
		"inside another's wrapper":           {"bash ~/tee.sh -- ctxguard statusline -- ./x a", "bash ~/tee.sh -- ./x a"},
		"inside and outside":                 {"ctxguard statusline -- tee.sh ctxguard statusline -- ./x", "tee.sh ./x"},
		"inside a shell":                     {"sh -c 'ctxguard statusline -- ./x | cat'", "sh -c './x | cat'"},
		"inside a shell between variables":   {`bash -c "$A; ctxguard statusline -- $HOME/x"`, `bash -c "$A; $HOME/x"`},
		"inside a login shell":               {"bash -lc 'ctxguard statusline -- ./x'", "bash -lc ./x"},
		"inside env":                         {"env A=1 ctxguard statusline -- ./x", "env A=1 ./x"},
		"in a pipe":                          {"ctxguard statusline -- ./x | sed s/a/b/", "./x | sed s/a/b/"},
		"with a redirection":                 {"ctxguard statusline -- ./x 2>/dev/null", "./x 2>/dev/null"},
		"with a way out":                     {"ctxguard statusline -- ./x || true", "./x || true"},
		"in a condition":                     {"if true; then ctxguard statusline -- ./x; fi", "if true; then ./x; fi"},
		"a shell form of an older version":   {`ctxguard statusline -- sh -c './x | cat'`, "./x | cat"},
		"a shell form in other quotes stays": {`ctxguard statusline -- sh -c "./x | cat"`, `sh -c "./x | cat"`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := wrap.Read(c.in)
			require.Positive(t, r.Layers)
			require.Empty(t, r.Odd)
			require.Equal(t, c.inner, r.Inner)
			wrapped := wrap.Wrap("/b/ctxguard", c.in, true)
			require.Equal(t, 1, wrap.Read(wrapped).Layers, wrapped)
			require.True(t, wrap.Read(wrapped).Outermost, wrapped)
			require.Equal(t, c.inner, wrap.Read(wrapped).Inner, wrapped)
			require.Equal(t, wrapped, wrap.Wrap("/b/ctxguard", wrapped, true))
		})
	}
	require.Equal(t, "CTXGUARD_HOME=/h /b/ctxguard statusline -- ./x",
		wrap.Wrap("/b/ctxguard", "CTXGUARD_HOME=/h ctxguard statusline -- ./x", true))
}

func TestNamesThatLookAlikeAreNotOurs(t *testing.T) {
	for _, command := range []string{
		"ctxguard-statusline -- ./x", "my-ctxguard statusline -- ./x", "/opt/ctxguard/run statusline", "ctxguard zone",
		"ctxguard statuslines", "echo ctxguard statusline -- ./x", "printf %s 'ctxguard statusline -- x'",
		"./x --note 'ctxguard statusline -- y'", "# ctxguard statusline -- ./x", "ctxguard.sh statusline",
	} {
		r := wrap.Read(command)
		require.Zero(t, r.Layers, command)
		require.Equal(t, command, r.Inner)
	}
}

// S8: without a status line ctxguard draws its own.
func TestOwnLine(t *testing.T) {
	require.Equal(t, "/b/ctxguard statusline", wrap.Wrap("/b/ctxguard", "", false))
	for _, own := range []string{"/b/ctxguard statusline", "/old/ctxguard statusline --", "ctxguard statusline -- ctxguard statusline"} {
		require.Equal(t, "/b/ctxguard statusline", wrap.Wrap("/b/ctxguard", own, true), own)
		_, left := wrap.Remove(own)
		require.False(t, left)
	}
}

// Inside another's wrapper our own line stays: without it there would be none.
func TestOwnLineInsideAnothersWrapper(t *testing.T) {
	const command = "bash tee.sh /old/ctxguard statusline"
	r := wrap.Read(command)
	require.True(t, r.Within)
	require.Equal(t, "bash tee.sh /b/ctxguard statusline", wrap.Wrap("/b/ctxguard", command, true))
	inner, left := wrap.Remove(command)
	require.True(t, left)
	require.Equal(t, "bash tee.sh", inner)
}

func TestWhatNoShellUnderstandsIsLeftAlone(t *testing.T) {
	const command = `& "C:/x/ctxguard.exe" statusline`
	require.NotEmpty(t, wrap.Read(command).Odd)
	require.Equal(t, command, wrap.Wrap("/b/ctxguard", command, true))
}

// S13: a hook entry is ours by what it runs.
func TestOwnHooks(t *testing.T) {
	for _, command := range []string{
		"ctxguard hook", "/h/.claude/ctxguard/bin/ctxguard hook", `"/my dir/ctxguard" hook`, "~/ctxguard hook",
		`"$HOME/bin/ctxguard" hook`, "'C:/x y/ctxguard.exe' hook", `C:\x\ctxguard.exe hook`, "ctxguard hook gate ask",
		"A=1 ctxguard hook", "ctxguard hook || true", "ctxguard hook; exit 0", "cd /x && ctxguard hook", "exec ctxguard hook",
		"env CTXGUARD_OFF=gate ctxguard hook", "timeout 5 ctxguard hook", "sh -c 'ctxguard hook'", "bash -lc \"ctxguard hook\"",
		"(ctxguard hook)", "{ ctxguard hook; }", "ctxguard hook 2>/dev/null", `& "C:\Program Files\ctxguard.exe" hook`,
	} {
		require.True(t, wrap.IsHook(command, nil), command)
	}
	for _, command := range []string{
		"ctxguard-hook hook", "my-ctxguard hook", "/opt/ctxguard/run hook", "ctxguard hooks", "ctxguard zone", "ctxguard",
		"echo ctxguard hook", "./run --then 'ctxguard hook'", "# ctxguard hook", "ctxguard hook; ./mine", "./mine | ctxguard hook",
		"ctxguard statusline hook", "hook ctxguard", "lefthook run ctxguard", "for i in 1; do ctxguard hook; done",
	} {
		require.False(t, wrap.IsHook(command, nil), command)
	}
	require.True(t, wrap.IsHook("C:/x y/ctxguard.exe", []string{"hook"}))
	require.True(t, wrap.IsHook("/x y/ctxguard", []string{"hook", "gate"}))
	require.False(t, wrap.IsHook("/x/ctxguard", []string{"zone"}))
	require.False(t, wrap.IsHook("/x/ctxguard hook", []string{}))
	for command, program := range map[string]string{
		`env A=1 "/my dir/ctxguard" hook`:       "/my dir/ctxguard",
		`"/it's \$x/ctxguard" hook`:             "/it's $x/ctxguard",
		`/a\ b/ctxguard hook`:                   "/a b/ctxguard",
		`"C:\Users\me\ctxguard.exe" hook`:       `C:\Users\me\ctxguard.exe`,
		`sh -c "'/my dir/ctxguard' hook" | cat`: "",
		"./mine":                                "",
	} {
		require.Equal(t, program, wrap.HookProgram(command, nil), command)
	}
	require.Equal(t, "/it's $x/ctxguard", wrap.Read(`"/it's \$x/ctxguard" statusline`).Program)
}

// What nests absurdly deep would take the parser's stack and the process with it;
// what is long is left as it is, and the longest that is not can be taken back.
func TestCommandsThatAreTooLong(t *testing.T) {
	for _, piece := range []string{"(", "$(", "\"$(", "if ", "${a:-", "sh -c "} {
		command := "ctxguard statusline -- " + strings.Repeat(piece, 8<<20/len(piece))
		require.NotEmpty(t, wrap.Read(command).Odd)
		require.Equal(t, command, wrap.Wrap("/b/ctxguard", command, true))
		wrap.IsHook(command, nil)
	}
	plain := strings.Repeat("x", 33<<10)
	require.Equal(t, plain, wrap.Wrap("/b/ctxguard", plain, true))
	longest := "a; " + strings.Repeat("'", 32<<10-3)
	wrapped := wrap.Wrap("/b/ctxguard", longest, true)
	require.NotEqual(t, longest, wrapped)
	inner, left := wrap.Remove(wrapped)
	require.True(t, left)
	require.Equal(t, longest, inner)
}

func FuzzWrap(f *testing.F) {
	for _, c := range museum.Commands() {
		f.Add(c.Text)
		f.Add(wrap.Wrap("/b/ctxguard", c.Text, true))
	}
	f.Add(`bash tee.sh sh -c "A=1 'x y'/ctxguard statusline -- $HOME/x" | cat`)
	f.Fuzz(func(t *testing.T, command string) {
		if !utf8.ValidString(command) || strings.Contains(command, "\x00") {
			return
		}
		wrap.IsHook(command, nil)
		r := wrap.Read(command)
		once := wrap.Wrap("/b/ctxguard", command, true)
		if r.Odd != "" {
			require.Equal(t, command, once)
			return
		}
		require.Equal(t, once, wrap.Wrap("/b/ctxguard", once, true))
		if r.Layers == 0 {
			inner, left := wrap.Remove(once)
			require.True(t, left)
			require.Equal(t, command, inner)
		}
	})
}
