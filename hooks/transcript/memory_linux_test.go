package transcript

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const readEverything = "CTXGUARD_TEST_READ_EVERYTHING"

// TestMain lets the test binary be the process whose memory is measured.
func TestMain(m *testing.M) {
	path := os.Getenv(readEverything)
	if path == "" {
		os.Exit(m.Run())
	}
	if err := readAll(path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readAll(path string) error {
	f, err := Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	turn, err := f.Turn(manyCharacters, nil)
	if err != nil {
		return err
	}
	asked := 0
	for call, err := range f.CallsNamed(question, 0) {
		if err != nil {
			return err
		}
		if _, ok, err := f.ResultOf(call); err != nil || ok {
			return fmt.Errorf("a result of %s: %v, %w", call.ID, ok, err)
		}
		asked++
	}
	s, err := f.Since(0)
	if err != nil {
		return err
	}
	n := 0
	for _, err := range s.Lines() {
		if err != nil {
			return err
		}
		n++
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	fmt.Println(string(status))
	if turn.ToolCalls < 2 || asked != 1 || n == 0 {
		return fmt.Errorf("read %+v, %d questions, %d lines", turn, asked, n)
	}
	return nil
}

// A transcript of hundreds of megabytes, lines of 30 of them, one turn: the
// whole process stays under 32 MB.
func TestMemoryStaysSmall_A17(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector multiplies the memory; the run without it measures")
	}
	path := filepath.Join(t.TempDir(), "large.jsonl")
	writeLarge(t, path)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), readEverything+"="+path)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	// What the system reports of a child's peak begins with the parent's; the
	// child's own account does not.
	peak := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(out)
	require.NotNil(t, peak, string(out))
	kilobytes, err := strconv.Atoi(string(peak[1]))
	require.NoError(t, err)
	t.Logf("peak %.1f MB", float64(kilobytes)/1024)
	require.Less(t, kilobytes, 32<<10)
}

func writeLarge(t *testing.T, path string) {
	t.Helper()
	file, err := os.Create(path)
	require.NoError(t, err)
	w := bufio.NewWriterSize(file, 1<<20)
	write := func(s string) {
		_, err := w.WriteString(s)
		require.NoError(t, err)
	}
	chunk := strings.Repeat(`some output with \"quotes\", a backslash \\ and text `, 20_000) // 1 MB
	result := func(megabytes int) {
		write(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"x","content":"`)
		for range megabytes {
			write(chunk)
		}
		write(`"}]}}` + "\n")
	}
	write(person("go") + "\n" + called("q", question) + "\n")
	result(30)
	for range 2_000 {
		write(called("a", "Bash") + "\n" + `{"type":"user","message":{"content":[{"type":"tool_result","content":"` + chunk[:64_000] + `"}]}}` + "\n")
	}
	result(30)
	write(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"w","name":"Write","input":{"list":[`)
	for range 300 {
		write(strings.Repeat(`[1,{"a":"b"}],`, 7_000))
	}
	write("0]}}]}}\n")
	for range 5 {
		result(1)
	}
	require.NoError(t, w.Flush())
	require.NoError(t, file.Close())
}
