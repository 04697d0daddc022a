//go:build unix

package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCompletionAsTheReadmeSays puts the line of the README where the README says,
// opens the shell in a terminal, and presses the key.
func TestCompletionAsTheReadmeSays(t *testing.T) {
	raw, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	rows := regexp.MustCompile("(?m)^\\| (\\w+) \\| `([^`]+)`.* \\| `(.*)` \\|$").FindAllStringSubmatch(string(raw), -1)
	lines := make(map[string][2]string)
	for _, row := range rows {
		lines[row[1]] = [2]string{row[2], strings.ReplaceAll(row[3], `\|`, "|")}
	}
	require.Len(t, lines, len(shellsTried())+1, "a row for each shell, and PowerShell's")
	for shell, before := range shellsTried() {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			needsProgram(t, shell)
			m := newMachine(t)
			require.Contains(t, lines, shell)
			file := filepath.Join(m.home, strings.TrimPrefix(lines[shell][0], "~/"))
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, []byte(before+lines[shell][1]+"\n"), 0o644))
			window := startTmux(t, m.environ("SHELL=/bin/sh", "ZDOTDIR="+m.home, "XDG_CONFIG_HOME="+filepath.Join(m.home, ".config"),
				"XDG_DATA_HOME="+m.home), 100, 30, shell+" -i")
			window.until("a prompt", func(screen string) bool { return strings.HasSuffix(screen, "ready>") })
			for _, c := range []struct{ typed, shown string }{
				{"ctxguard of", "ctxguard off"},
				{"g", "ctxguard off gate"},
				{"--f", "ctxguard off gate --for"},
			} {
				window.types(c.typed)
				window.key("Tab")
				window.until(c.shown, func(screen string) bool {
					typed := screen[strings.LastIndex(screen, "ready>"):]
					return strings.HasPrefix(typed, "ready> "+c.shown)
				})
			}
		})
	}
}

// shellsTried are the shells that can be tried here, each with what makes its
// prompt known, and what a person has in the file besides.
func shellsTried() map[string]string {
	return map[string]string{
		"bash": "PS1='ready> '\n",
		"zsh":  "PS1='ready> '\nautoload -Uz compinit && compinit -u\n",
		"fish": "function fish_prompt; echo -n 'ready> '; end\nset fish_greeting\n",
	}
}
