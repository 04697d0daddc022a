//go:build linux

package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shown is a fault that a test of another file lets loose.
type shown struct{ fault, test string }

func shownElsewhere() []shown {
	return []shown{
		{"a standard handle closed under the status line", "cmd/ctxguard TestTheLineWithClosedHandles"},
		{"a snapshot that cannot be put in its place, again and again", "cmd/ctxguard TestALostSnapshotIsSaidOnce"},
		{"umask 000, 022 and 077", "cmd/ctxguard TestModesUnderAnyUmask"},
		{"a home, or a file in it, that is a folder, a pipe, a device or a dangling link", "cmd/ctxguard TestBadHomesHarmNothing"},
		{"a home that another user owns", "cmd/ctxguard TestHomesThatCannotBeWritten"},
		{"a hundred writers and readers at once, some killed", "cmd/ctxguard TestManyWritersAndReaders"},
		{"the status line's whole process group killed at any moment", "cmd/ctxguard TestKilledInTheMiddle"},
		{"16 MiB on standard input, that are JSON or not", "cmd/ctxguard TestPayloadsPassByteForByte"},
		{"standard input that nobody closes", "cmd/ctxguard TestInputThatIsNeverClosed"},
		{"standard input without an end", "cmd/ctxguard TestEndlessInput"},
		{"JSON nested by the million", "cmd/ctxguard TestAbsurdNestingHarmsNothing"},
		{"session ids that are paths", "cmd/ctxguard TestHostileSessionsWriteNothing"},
		{"a hook that panics, overruns its stack, hangs, or whose output is closed", "cmd/ctxguard testdata/script/hook_fails_open.txtar"},
		{"a log that grows to its limit under parallel writers", "statusline/seam TestRotationUnderParallelAppendsLosesNothing"},
		{"a cache that is damaged", "hooks/config TestLoadSurvivesADamagedCache"},
		{"setup killed at each of its steps", "setup TestAKillAtEveryStep"},
		{"settings that somebody else writes in between", "setup TestTheFileChangesInBetween"},
		{"several setups at once", "setup TestSetupsAtOnce"},
		{"undo without the journal and the backups", "setup TestUndoWithEverythingLost"},
		{"a program that does not run where setup put it", "setup TestTheProgramBeforeIsPutBack"},
	}
}

// TestThePageOfFaults holds docs/faults.md to the tables in the code, row by row
// and word by word, and every test that it names to the tests that there are.
func TestThePageOfFaults(t *testing.T) {
	raw, err := os.ReadFile("../../docs/faults.md")
	require.NoError(t, err)
	want := []string{"| fault | statusline | hook | zone | setup | setup --undo |", "|---|---|---|---|---|---|"}
	for _, f := range faults() {
		want = append(want, fmt.Sprintf("| %s | %s | %s | %s | %s | %s |", f.name, f.statusline, f.hook, f.zone, f.setup, f.undo))
	}
	want = append(want, want[:2]...)
	for _, f := range callFaults() {
		want = append(want, fmt.Sprintf("| %s | %s | %s | %s | %s | %s |", f.name, f.statusline, f.hook, f.zone, f.setup, f.undo))
	}
	want = append(want, "| fault | test |", "|---|---|")
	for _, s := range shownElsewhere() {
		want = append(want, fmt.Sprintf("| %s | `%s` |", s.fault, s.test))
		require.True(t, testExists(t, s.test), "there is no %s", s.test)
	}
	var rows []string
	for line := range strings.Lines(string(raw)) {
		if strings.HasPrefix(line, "|") {
			rows = append(rows, strings.TrimSuffix(line, "\n"))
		}
	}
	require.Equal(t, strings.Join(want, "\n"), strings.Join(rows, "\n"))
	for _, name := range regexp.MustCompile("`(Test[A-Za-z]+)`").FindAllStringSubmatch(string(raw), -1) {
		require.True(t, testExists(t, "cmd/ctxguard "+name[1]), "there is no %s", name[1])
	}
}

// testExists looks for "folder TestName" or "folder path-of-a-script".
func testExists(t *testing.T, test string) bool {
	folder, name, _ := strings.Cut(test, " ")
	if strings.Contains(name, "/") {
		_, err := os.Stat(filepath.Join("../..", folder, name))
		return err == nil
	}
	files, err := filepath.Glob(filepath.Join("../..", folder, "*_test.go"))
	require.NoError(t, err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.Contains(string(raw), "\nfunc "+name+"(t *testing.T)") {
			return true
		}
	}
	return false
}
