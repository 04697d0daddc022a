package main

import (
	"fmt"
	"strings"
)

const pageTop = `# Performance

<!-- Written by: go run ./cmd/bench -o docs/performance.md -->

Nobody should be able to tell that ctxguard is there. This is what one machine measured; what yours does, you see with

` + "```sh\ngo run ./cmd/bench\n```" + `

and with ` + "`go run ./cmd/bench -o docs/performance.md`" + ` this page is written again.

## How it is measured

- Whole processes, from their start to their end, with their standard input in a pipe, as Claude Code gives it.
- As ratios: times differ between machines, the start of an empty Go program differs with them. All contestants of a row
  take turns, round by round, so a machine whose speed drifts treats them alike. What each prints is checked in a run off
  the record. In each round ctxguard and what it is measured against run once untimed before they are timed, and so does
  each of the others unless it takes longer than a quarter of a second: so none pays for what the one before it left in
  the processor's caches. The figures are medians.
- *measured* is ctxguard, in the row's own unit; *budget* is what it may be at most. The three columns on the right are
  the times of the whole process, or its memory, and how many times ctxguard's that is.
- The shim runs around ` + "`true`" + `. *Measured* is what it adds to that; the columns have everything together. While the
  status line's numbers are the same, ctxguard writes nothing, and the others write each time; so the second row is of
  numbers that have changed.
- The ask gate lets a question pass: only then has it looked for an earlier one in the whole transcript, and at the whole
  current turn. ctxguard remembers which part it has searched. The others search each time. Rows of memory are of a
  session's first question.

## The other contestants

They were written for this comparison and do what people's own scripts for the same work do, as well as it can be done
with such means: they stand in ` + "[`cmd/bench/rivals`](../cmd/bench/rivals)" + `, each saying at its top what it does and what it
leaves out, and tests hold their results against ctxguard's.

- *shell*: bash and jq. One jq for everything that is read from a payload, where many start one for each value. For the
  ask gate, grep finds the lines with questions and tac gives the turn from its end; jq never parses the whole. Its
  memory is that of its largest process.
- *Python*: the standard library alone, and the interpreter itself, not a version manager's script. For the ask gate, the
  whole transcript through ` + "`json.loads`" + `, line by line, keeping only what the rule needs.

A contestant that takes long takes part in fewer rounds; the number of its runs stands beside its time.
`

// busy is the warning over figures that are not to be trusted.
const busy = "**The machine was busy with other work.** Then a process waits the more the longer it takes, so the slower contestants " +
	"look worse than they are, and ratios near their budget say little. Measure again when nothing else runs."

// markdown is the report as the page for docs.
func (r report) markdown() string {
	var out strings.Builder
	out.WriteString(pageTop)
	out.WriteString("\n## The machine\n\n")
	writeRow(&out, "", "")
	writeRow(&out, "---", "---")
	for _, fact := range r.facts() {
		writeRow(&out, fact[0], fact[1])
	}
	out.WriteString("\n## What came out\n\n")
	if r.machine.isBusy() {
		out.WriteString(busy + "\n\n")
	}
	writeRow(&out, header()...)
	writeRow(&out, strings.Split(strings.Repeat("---,", len(header())-1)+"---", ",")...)
	for _, l := range r.lines {
		writeRow(&out, l.cells()...)
	}
	out.WriteString("\n## Over the budget\n\n")
	out.WriteString(r.verdict())
	return out.String()
}

// facts are the machine's, and those of this run.
func (r report) facts() [][2]string {
	return append(r.machine.facts(),
		[2]string{"shell", r.shell},
		[2]string{"Python", r.python},
		[2]string{"measured on", r.when.Format("2 January 2006")},
		[2]string{"rounds", fmt.Sprint(r.rounds)},
		[2]string{"an empty Go program", short(r.empty) + " ms"},
		[2]string{"`true`", short(r.command) + " ms"},
	)
}

// verdict says plainly which budgets were not kept.
func (r report) verdict() string {
	over := r.over()
	if len(over) == 0 {
		return "Nothing.\n"
	}
	var out strings.Builder
	for _, l := range over {
		fmt.Fprintf(&out, "- %s: %s, and the budget is %s.\n", l.work, l.figure(), l.limit())
	}
	return out.String()
}

func writeRow(out *strings.Builder, cells ...string) {
	for _, c := range cells {
		out.WriteString("| " + strings.ReplaceAll(c, "|", `\|`) + " ")
	}
	out.WriteString("|\n")
}
