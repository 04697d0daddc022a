package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func ratioLine(measured, budget float64) line {
	return line{
		row{work: "a hook", budget: budget, unit: emptyStarts},
		result{
			measured: measured,
			ours:     cell{value: 1.5, runs: 9},
			shell:    cell{value: 1234.5, runs: 3},
			python:   cell{missing: "python3 is not installed"},
		},
	}
}

var memoryLine = line{
	row{work: "memory | peak", budget: 32, unit: megabytes},
	result{measured: 5.34, ours: cell{value: 5.34}, shell: cell{value: 2.67}, python: cell{value: 1068}},
}

func TestTheCellsOfARow(t *testing.T) {
	require.Equal(t,
		[]string{"a hook", "1.50 × an empty Go program", "1.5 ×", "within", "1.50 ms", "1,235 ms (823 ×, 3 runs)", "python3 is not installed"},
		ratioLine(1.5, 1.5).cells())
	require.Equal(t,
		[]string{"memory | peak", "5.3 MB", "32 MB", "within", "5.34 MB", "2.67 MB (0.50 ×)", "1,068 MB (200 ×)"},
		memoryLine.cells())
	require.Len(t, header(), len(memoryLine.cells()))
}

func TestTheVerdictIsOnWhatIsShown(t *testing.T) {
	require.False(t, ratioLine(1.504, 1.5).isOver(), "shown as 1.50")
	require.True(t, ratioLine(1.506, 1.5).isOver(), "shown as 1.51")
	require.Equal(t, "over", ratioLine(9, 1.5).verdict())
	unknown := line{row: row{budget: 32, unit: megabytes}, result: result{measured: 99, missing: errNoPeak.Error()}}
	require.False(t, unknown.isOver())
	require.Equal(t, "–", unknown.figure())
	require.Equal(t, errNoPeak.Error(), unknown.verdict())
}

func TestNumbersAreShort(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0.00", 0.954: "0.95", 9.994: "9.99", 12.34: "12.3", 123.4: "123", 1234: "1,234", 1234567.8: "1,234,568", 999.7: "1,000",
	} {
		require.Equal(t, want, short(v))
	}
}

func someReport() report {
	return report{
		machine: machine{system: "linux/amd64", processors: 2, goVersion: "go1.26"},
		shell:   "bash 5, jq 1.7",
		python:  "python3 is not installed",
		rounds:  9,
		when:    time.Date(2026, time.November, 30, 23, 0, 0, 0, time.UTC),
		empty:   0.9,
		command: 0.8,
		lines:   []line{ratioLine(2.25, 1.5), memoryLine},
	}
}

func TestThePageHasEverything(t *testing.T) {
	page := someReport().markdown()
	for _, want := range []string{
		pageTop,
		"| system | linux/amd64 |\n", "| processors | 2 |\n", "| shell | bash 5, jq 1.7 |\n", "| measured on | 30 November 2026 |\n", "| rounds | 9 |\n",
		"| an empty Go program | 0.90 ms |\n",
		"| work | measured | budget | verdict | ctxguard | shell (bash, jq) | Python |\n| --- | --- | --- | --- | --- | --- | --- |\n" +
			"| a hook | 2.25 × an empty Go program | 1.5 × | over | 1.50 ms | 1,235 ms (823 ×, 3 runs) | python3 is not installed |\n" +
			`| memory \| peak | 5.3 MB |`,
		"## Over the budget\n\n- a hook: 2.25 × an empty Go program, and the budget is 1.5 ×.\n",
	} {
		require.Contains(t, page, want)
	}
	require.True(t, strings.HasSuffix(page, ".\n"))

	fine := someReport()
	fine.lines = []line{memoryLine}
	require.Contains(t, fine.markdown(), "## Over the budget\n\nNothing.\n")
}

func TestABusyMachineIsSaid(t *testing.T) {
	for load, isBusy := range map[string]bool{"": false, "0.53": false, "1.99": false, "2.00": true, "17.8": true, "much": false} {
		r := someReport()
		r.machine.load = load
		require.Equal(t, isBusy, strings.Contains(r.markdown(), "## What came out\n\n"+busy+"\n\n| work |"), load)
		require.Equal(t, isBusy, strings.Contains(r.text(), "The machine was busy"), load)
	}
}

func TestTheTableForATerminal(t *testing.T) {
	text := someReport().text()
	require.Contains(t, text, "rivals: bash 5, jq 1.7; python3 is not installed\n")
	require.Regexp(t, `(?m)^WORK +MEASURED +BUDGET +VERDICT +CTXGUARD +SHELL \(BASH, JQ\) +PYTHON$`, text)
	require.Regexp(t, `(?m)^a hook +2\.25 × an empty Go program +1\.5 × +over +1\.50 ms`, text)
}

// TestThePageIsOfThisProgram holds docs/performance.md to the rows, the budgets
// and the words of this program, so that it is neither made by hand nor left
// behind. The numbers are the machine's, and are not looked at.
func TestThePageIsOfThisProgram(t *testing.T) {
	raw, err := os.ReadFile("../../docs/performance.md")
	require.NoError(t, err)
	page := strings.ReplaceAll(string(raw), "\r\n", "\n")
	require.True(t, strings.HasPrefix(page, pageTop), "the text is the program's; write it again with go run ./cmd/bench -o docs/performance.md")
	_, table, ok := strings.Cut(page, "| "+strings.Join(header(), " | ")+" |\n")
	require.True(t, ok, "the table's heading")
	table, _, ok = strings.Cut(table, "\n\n")
	require.True(t, ok)
	lines := strings.Split(table, "\n")[1:] // the rule under the heading
	require.Len(t, lines, len(rows()))
	for i, r := range rows() {
		cells := strings.Split(strings.Trim(lines[i], "| "), " | ")
		require.Len(t, cells, len(header()), lines[i])
		require.Equal(t, r.work, cells[0])
		require.True(t, strings.HasSuffix(cells[1], " "+r.unit) || cells[1] == "–", cells[1])
		require.Equal(t, line{row: r}.limit(), cells[2])
	}
	require.Empty(t, regexp.MustCompile("(?m)(?:^|[\\s`(])/(?:home|Users|root|tmp|var|work)/?\\S*").FindAllString(page, -1), "no paths of the machine")
}
