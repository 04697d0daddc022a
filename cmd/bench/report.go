package main

import (
	"fmt"
	"math"
	"strings"
	"text/tabwriter"
	"time"
)

// report is everything that a run found.
type report struct {
	machine       machine
	shell, python string // what ran the rivals, or why nothing did
	rounds        int
	when          time.Time
	// empty and command are the medians of an empty Go program and of true.
	empty, command float64
	lines          []line
}

// line is a row with its result.
type line struct {
	row
	result
}

func (c contestant) description() string {
	if c.absent != "" {
		return c.absent
	}
	return c.version
}

// header are the columns of the table.
func header() []string {
	return []string{"work", "measured", "budget", "verdict", "ctxguard", "shell (bash, jq)", "Python"}
}

func (l line) cells() []string {
	return []string{
		l.work, l.figure(), l.limit(), l.verdict(),
		l.format(l.ours, 0), l.format(l.shell, l.ours.value), l.format(l.python, l.ours.value),
	}
}

func (l line) figure() string {
	if l.missing != "" {
		return "–"
	}
	if l.unit == megabytes {
		return fmt.Sprintf("%.1f %s", l.measured, l.unit)
	}
	return fmt.Sprintf("%.2f %s", l.measured, l.unit)
}

func (l line) limit() string {
	if l.unit == megabytes {
		return fmt.Sprintf("%g %s", l.budget, l.unit)
	}
	return fmt.Sprintf("%g ×", l.budget)
}

func (l line) verdict() string {
	switch {
	case l.missing != "":
		return l.missing
	case l.isOver():
		return "over"
	}
	return "within"
}

// isOver compares what is shown: nobody should read 1.50 of 1.5 as too much.
func (l line) isOver() bool {
	return l.missing == "" && math.Round(l.measured*100)/100 > l.budget
}

// format gives a cell in the row's kind, beside how many times ours it is, and how
// often it was run when that was less than the rest.
func (l line) format(c cell, ours float64) string {
	if c.missing != "" {
		return c.missing
	}
	text := short(c.value) + " ms"
	if l.unit == megabytes {
		text = short(c.value) + " " + megabytes
	}
	var notes []string
	if ours > 0 {
		notes = append(notes, short(c.value/ours)+" ×")
	}
	if c.runs > 0 && c.runs < l.ours.runs {
		notes = append(notes, fmt.Sprintf("%d runs", c.runs))
	}
	if len(notes) == 0 {
		return text
	}
	return fmt.Sprintf("%s (%s)", text, strings.Join(notes, ", "))
}

// short is a number with about three digits.
func short(v float64) string {
	switch {
	case v >= 999.5:
		return grouped(int64(math.Round(v)))
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

func grouped(n int64) string {
	digits := fmt.Sprint(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// over are the rows that are over their budget.
func (r report) over() []line {
	var list []line
	for _, l := range r.lines {
		if l.isOver() {
			list = append(list, l)
		}
	}
	return list
}

// text is the report for a terminal.
func (r report) text() string {
	var out strings.Builder
	for _, fact := range r.machine.facts() {
		fmt.Fprintf(&out, "%s: %s\n", fact[0], fact[1])
	}
	fmt.Fprintf(&out, "rivals: %s; %s\n", r.shell, r.python)
	fmt.Fprintf(&out, "%d rounds, medians of whole processes; an empty Go program %s ms, `true` %s ms\n\n",
		r.rounds, short(r.empty), short(r.command))
	if r.machine.isBusy() {
		fmt.Fprintf(&out, "%s\n\n", strings.ReplaceAll(busy, "**", ""))
	}
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, strings.ToUpper(strings.Join(header(), "\t")))
	for _, l := range r.lines {
		fmt.Fprintln(table, strings.Join(l.cells(), "\t"))
	}
	_ = table.Flush() // a strings.Builder takes everything
	return out.String()
}
