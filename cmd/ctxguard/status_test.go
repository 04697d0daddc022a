//go:build unix

package main_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"ctxguard/cmd/realclient/screen"
)

// atSize runs the program at a terminal of that size and gives back what it wrote.
func (m *machine) atSize(columns, rows int, more []string, words ...string) string {
	m.t.Helper()
	cmd := exec.Command(filepath.Join(binaries, "ctxguard"), words...)
	cmd.Env = m.environ(more...)
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(rows), Cols: uint16(columns)})
	require.NoError(m.t, err)
	defer terminal.Close()
	// The terminal ends with an error of its own when the last program is gone.
	raw, _ := io.ReadAll(terminal)
	require.NoError(m.t, cmd.Wait(), "%s", raw)
	return string(raw)
}

// seen is what the output looks like at a terminal of that width.
func seen(raw string, columns int) string {
	display := screen.New(columns, 100)
	io.WriteString(display, raw) // it never fails
	return display.String() + "\n"
}

// timeless takes out the times that are other ones at each run.
func timeless(text string) string {
	text = regexp.MustCompile(`\d{4}-\d\d-\d\d`).ReplaceAllString(text, "yyyy-mm-dd")
	text = regexp.MustCompile(`(Mon|Tue|Wed|Thu|Fri|Sat|Sun) `).ReplaceAllString(text, "day ")
	return regexp.MustCompile(`\d\d:\d\d`).ReplaceAllString(text, "hh:mm")
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "status", name+".golden")
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// The screens are kept as a person sees them; a line that wrapped would be two.
func TestStatusAtATerminal(t *testing.T) {
	t.Parallel()
	m := everyKind(t)
	sizes := []struct{ columns, rows int }{{20, 24}, {40, 24}, {60, 24}, {80, 10}, {80, 24}, {120, 40}, {200, 60}}
	for _, size := range sizes {
		for name, words := range map[string][]string{
			"list": {}, "sawtooth": {sawtooth[:8]}, "steady": {steady[:8]}, "blank": {blank[:8]}, "fresh": {fresh[:8]},
		} {
			raw := m.atSize(size.columns, size.rows, nil, append([]string{"status"}, words...)...)
			text := seen(raw, size.columns)
			require.Equal(t, strings.Count(raw, "\n"), strings.Count(text, "\n"), "a line wrapped at %d:\n%s", size.columns, text)
			compareGolden(t, fmt.Sprintf("%s-%dx%d", name, size.columns, size.rows), timeless(text))
			if size.columns >= 80 && (size.rows > 10 && name != "list" || name == "sawtooth") {
				require.Less(t, strings.Count(raw, "\n"), size.rows, "with a row for the prompt:\n%s", text)
			}
		}
	}
}

// Between the sizes of the golden screens nothing wraps either.
func TestStatusFitsEveryWidth(t *testing.T) {
	t.Parallel()
	m := everyKind(t)
	for columns := 1; columns <= 210; columns += 1 + columns/12 {
		for _, words := range [][]string{{"status"}, {"status", sawtooth}} {
			raw := m.atSize(columns, 24, nil, words...)
			if len(words) > 1 && columns < 20 {
				continue // a curve needs some room; that it ends well is enough
			}
			require.Equal(t, strings.Count(raw, "\n"), strings.Count(seen(raw, columns), "\n"), "at %d:\n%s", columns, seen(raw, columns))
		}
	}
}

// Colours are for terminals that want them.
func TestStatusIsPlainWhereNobodyWantsColours(t *testing.T) {
	t.Parallel()
	m := everyKind(t)
	require.Contains(t, m.atSize(80, 24, nil, "status"), "\x1b[")
	require.Contains(t, m.atSize(80, 24, []string{"NO_COLOR="}, "status"), "\x1b[", "an empty NO_COLOR does not count")
	for _, variable := range []string{"NO_COLOR=1", "TERM=dumb"} {
		for _, words := range [][]string{{"status"}, {"status", sawtooth}} {
			require.NotContains(t, m.atSize(80, 24, []string{variable}, words...), "\x1b", variable)
		}
	}
	out, code := m.piped("status")
	require.Zero(t, code)
	require.NotContains(t, out, "\x1b")
	require.Contains(t, out, "CURVE", "where there is no terminal nothing has to give way")
}

func (m *machine) piped(words ...string) (string, int) {
	m.t.Helper()
	cmd := exec.Command(filepath.Join(binaries, "ctxguard"), words...)
	cmd.Env = m.environ()
	out, err := cmd.Output()
	return string(out), exitCode(err)
}

func TestTenThousandSessions(t *testing.T) {
	t.Parallel()
	m := everyKind(t)
	m.many(10_000)
	out, code := m.piped("status")
	require.Zero(t, code)
	require.Equal(t, 1+20+1, strings.Count(out, "\n"))
	require.Contains(t, out, "\nand 9991 more  (`ctxguard status --all`)\n")
	out, code = m.piped("status", "--all")
	require.Zero(t, code)
	require.Equal(t, 1+10_011, strings.Count(out, "\n"))
	var order []string
	for _, line := range strings.Split(out, "\n")[1:12] {
		order = append(order, strings.Fields(line)[1])
	}
	require.Equal(t, []string{"copied", "copied"}, order[:2], "files that were just written are the newest")
}
