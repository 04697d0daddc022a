package main_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"ctxguard/hooks"
	"ctxguard/setup"
)

// completion is the script for a shell, as the program prints it.
func completion(t *testing.T, shell string) string {
	t.Helper()
	out, err := exec.Command(filepath.Join(binaries, "ctxguard"), "completion", shell).Output()
	require.NoError(t, err)
	return string(out)
}

// commandsOfHelp are the names that `ctxguard help` lists.
func commandsOfHelp(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command(filepath.Join(binaries, "ctxguard"), "help").Output()
	require.NoError(t, err)
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^  ctxguard (\w+)`).FindAllSubmatch(out, -1) {
		names = append(names, string(m[1]))
	}
	require.Greater(t, len(names), 10)
	return names
}

// TestShellsComplete sources each script in the shell itself, in a folder with
// one file, and asks for what comes next.
func TestShellsComplete(t *testing.T) {
	t.Parallel()
	guards := hooks.GuardNames()
	asks := []struct {
		what, line string
		want       []string
	}{
		{"every command", "ctxguard ", commandsOfHelp(t)},
		{"a command half typed", "ctxguard of", []string{"off"}},
		{"flags", "ctxguard off --", []string{"--for", "--yes"}},
		{"a flag half typed", "ctxguard setup --un", []string{"--undo"}},
		{"flags that only the longer help tells", "ctxguard setup --p", []string{"--purge", "--portable"}},
		{"guards", "ctxguard off ", guards},
		{"guards again", "ctxguard hook gate cro", []string{"crossing"}},
		{"guards after a flag without a word", "ctxguard off --yes g", []string{"gate"}},
		{"nothing where only the person knows", "ctxguard off --for ", nil},
		{"words of log", "ctxguard log ", []string{"decisions", "answers"}},
		{"words of log after a flag", "ctxguard log --json d", []string{"decisions"}},
		{"no second word of log", "ctxguard log decisions a", nil},
		{"words of prefs", "ctxguard prefs ", []string{"list", "set", "clear"}},
		{"shells", "ctxguard completion ", []string{"bash", "zsh", "fish", "powershell"}},
		{"commands to be helped with", "ctxguard help of", []string{"off"}},
		{"a command's name that is another's word", "ctxguard help off --", nil},
		{"a file", "ctxguard explain rec", []string{"recorded one.json"}},
		{"a file for a flag", "ctxguard doctor --settings rec", []string{"recorded one.json"}},
		{"the guards and their groups for setup", "ctxguard setup --guards ", append(setup.GuardGroups(), guards...)},
		{"a group half typed", "ctxguard setup --guards que", []string{"questions"}},
		{"nothing for no command", "ctxguard nonsense x", nil},
	}
	for _, as := range []struct {
		shell, file string
		ask         func(t *testing.T, script, folder, line string) []string
	}{
		{"bash", "completion.bash", askBash},
		{"zsh", "completion.zsh", askZsh},
		{"zsh", "_ctxguard", askZsh}, // found in fpath, not sourced
		{"fish", "completion.fish", askFish},
	} {
		shell, ask := as.shell, as.ask
		t.Run(shell+" "+as.file, func(t *testing.T) {
			t.Parallel()
			needsProgram(t, shell)
			script := filepath.Join(t.TempDir(), as.file)
			require.NoError(t, os.WriteFile(script, []byte(completion(t, shell)), 0o644))
			out, err := exec.Command(shell, "-n", script).CombinedOutput()
			require.NoError(t, err, "%s", out)
			folder := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(folder, "recorded one.json"), nil, 0o644))
			for _, c := range asks {
				require.ElementsMatch(t, c.want, ask(t, script, folder, c.line), "%s: %q", c.what, c.line)
			}
		})
	}
}

func shellIn(t *testing.T, folder string, words ...string) *exec.Cmd {
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = folder
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+home, "ZDOTDIR="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home, "TERM=dumb")
	return cmd
}

func offered(out []byte) []string {
	var all []string
	for line := range strings.Lines(string(out)) {
		if word, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); word != "" && !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return all
}

// askBash calls the function that the script registered, as bash would.
func askBash(t *testing.T, script, folder, line string) []string {
	const asking = `
set -u
source "$1"
function=$(complete -p ctxguard | sed 's/.*-F \([^ ]*\).*/\1/')
read -ra COMP_WORDS <<<"$2"
[[ $2 != *' ' ]] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
$function ctxguard
if ((${#COMPREPLY[@]})); then printf '%s\n' "${COMPREPLY[@]}"; fi
`
	cmd := shellIn(t, folder, "bash", "--norc", "-c", asking, "bash", script, line)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	require.NoError(t, err, complaints.String())
	require.Empty(t, complaints.String())
	return offered(out)
}

func askFish(t *testing.T, script, folder, line string) []string {
	cmd := shellIn(t, folder, "fish", "--no-config", "-c", `source $argv[1]; complete -C $argv[2]`, script, line)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	require.NoError(t, err, complaints.String())
	require.Empty(t, complaints.String())
	return offered(out)
}

// askZsh types the line at a terminal and presses tab: zsh completes only where
// it edits a line. What the completion offers is written down on its way.
func askZsh(t *testing.T, script, folder, line string) []string {
	const recording = `
fpath=(${SCRIPT:h} $fpath)
autoload -Uz compinit && compinit -u -D
[[ ${SCRIPT:t} == _* ]] || source "$SCRIPT"
compadd() {
	local -a found
	# With these flags nothing is offered: an array is filled or thinned out.
	if [[ " ${(j: :)@} " != *' -'[AOD]' '* ]]; then
		builtin compadd -A found "$@"
		((!$#found)) || print -rl -- "${(Q)found[@]}" >>"$OFFERED"
	fi
	builtin compadd "$@"
}
asked() {
	_main_complete
	print -r -- . >>"$OFFERED"
}
zle -C asked complete-word asked
bindkey '^I' asked
PS1='ready> '
`
	answer := filepath.Join(t.TempDir(), "offered")
	cmd := shellIn(t, folder, "zsh", "-i")
	cmd.Env = append(cmd.Env, "SCRIPT="+script, "OFFERED="+answer)
	for _, entry := range cmd.Env {
		if home, ok := strings.CutPrefix(entry, "ZDOTDIR="); ok {
			require.NoError(t, os.WriteFile(filepath.Join(home, ".zshrc"), []byte(recording), 0o644))
		}
	}
	terminal, err := pty.Start(cmd)
	require.NoError(t, err)
	shown := make(chan []byte, 1)
	go func() {
		// The terminal ends with an error of its own when the shell is gone.
		raw, _ := io.ReadAll(terminal)
		shown <- raw
	}()
	_, err = io.WriteString(terminal, line+"\t")
	require.NoError(t, err)
	var raw []byte
	limit := time.Now().Add(20 * time.Second)
	for !bytes.HasSuffix(raw, []byte(".\n")) && time.Now().Before(limit) {
		time.Sleep(10 * time.Millisecond)
		raw, _ = os.ReadFile(answer) // it appears with the first offer
	}
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait() // it was killed
	terminal.Close()
	offers, done := bytes.CutSuffix(raw, []byte(".\n"))
	require.True(t, done, "%q was not answered; the terminal shows %q", line, <-shown)
	return offered(offers)
}

// TestPowershellScriptIsBalanced holds the script to closed quotes and brackets.
// That PowerShell runs it is not shown here.
func TestPowershellScriptIsBalanced(t *testing.T) {
	t.Parallel()
	script := completion(t, "powershell")
	for _, name := range commandsOfHelp(t) {
		require.Contains(t, script, "'"+name+"' {")
	}
	require.Contains(t, script, "'off' { $flags = @('--for', '--yes');")
	script = regexp.MustCompile(`(?m)^#.*$`).ReplaceAllString(script, "")
	script = regexp.MustCompile(`'[^'\n]*'|"[^"\n]*"`).ReplaceAllString(script, "")
	require.NotContains(t, script, "'")
	require.NotContains(t, script, `"`)
	closes := map[rune]rune{')': '(', '}': '{', ']': '['}
	var open []rune
	for _, r := range script {
		switch r {
		case '(', '{', '[':
			open = append(open, r)
		case ')', '}', ']':
			require.NotEmpty(t, open)
			require.Equal(t, string(closes[r]), string(open[len(open)-1]))
			open = open[:len(open)-1]
		}
	}
	require.Empty(t, open)
}

// TestCompletionKnowsEveryFlag compares the offer with the flags that the
// commands define in their source.
func TestCompletionKnowsEveryFlag(t *testing.T) {
	t.Parallel()
	defined := make(map[string][]string)
	sources, err := filepath.Glob("*.go")
	require.NoError(t, err)
	definition := regexp.MustCompile(`words\(\w+, "(\w+)", func|\bf\.\w*Var\([^,\n]+, "([a-z-]+)"`)
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		raw, err := os.ReadFile(source)
		require.NoError(t, err)
		command := ""
		for _, m := range definition.FindAllStringSubmatch(string(raw), -1) {
			if m[1] != "" {
				command = m[1]
			} else {
				defined[command] = append(defined[command], "--"+m[2])
			}
		}
	}
	require.Greater(t, len(defined), 8)
	told := make(map[string][]string)
	for _, m := range regexp.MustCompile(`(?m)^\t(\w+)\) flags='([^']+)'`).FindAllStringSubmatch(completion(t, "bash"), -1) {
		told[m[1]] = strings.Fields(m[2])
	}
	for _, both := range []map[string][]string{defined, told} {
		for command := range both {
			require.ElementsMatch(t, defined[command], told[command], command)
		}
	}
}
