package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// row is one line of the table of budgets.
type row struct {
	work   string
	budget float64
	// unit is what the measured figure counts.
	unit    string
	measure func(context.Context, *bench) (result, error)
}

// result is what a row came to. The cells are in the row's own kind: times in
// milliseconds, or megabytes.
type result struct {
	measured float64
	// missing says why there is no figure.
	missing             string
	ours, shell, python cell
}

// cell is what one contestant took.
type cell struct {
	value float64
	// runs is in how many rounds it took part; zero when they were not counted.
	runs int
	// missing says why there is no value.
	missing string
}

const (
	session = "7905fe8d-3044-470a-afaa-2463be7e22cf"
	// sameTime is what two equal things may differ by in one run.
	sameTime = 1.15

	emptyStarts = "× an empty Go program"
	timesAlone  = "× alone"
	timesSmall  = "× the gate with 50 kB"
	megabytes   = "MB"
)

func rows() []row {
	return append([]row{
		{"the shim around a command, more than the command alone", 1.8, emptyStarts, shimRow(contestant.inHome)},
		{"the same when the numbers have changed, as after each response", 1.8, emptyStarts, shimRow(contestant.afterResponse)},
		{"zone SESSION", 1.5, emptyStarts, against((*bench).zone)},
		{"a hook with nothing to say, 20 kB", 1.5, emptyStarts, against((*bench).prompt)},
		{"PostToolBatch with nothing to say, 5 MB", 3, emptyStarts, against((*bench).batch)},
		{"the shim among 10,000 other sessions", sameTime, timesAlone, among((*bench).shim)},
		{"zone SESSION among 10,000 other sessions", sameTime, timesAlone, among((*bench).zone)},
		{"a hook among 10,000 other sessions", sameTime, timesAlone, among((*bench).prompt)},
	}, askRows()...)
}

func (b *bench) shim() task {
	return task{words: []string{"statusline", "--", "true"}, script: []string{"shim", "true"}, stdin: b.line}
}

func (b *bench) zone() task {
	return task{words: []string{"zone", session}, script: []string{"zone", session}, want: "smart\n"}
}

func (b *bench) prompt() task { return b.silentHook("UserPromptSubmit", "prompt", 20<<10) }

func (b *bench) batch() task { return b.silentHook("PostToolBatch", "tool_calls", 5<<20) }

// silentHook is an event that carries a long text: source code, as tools return
// it.
func (b *bench) silentHook(name, key string, size int) task {
	text, err := json.Marshal(strings.Repeat(string(b.source), size/len(b.source)+1)[:size])
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	event := fmt.Appendf(nil, `{"session_id":%q,"transcript_path":"/none","cwd":"/","hook_event_name":%q,%q:%s}`,
		session, name, key, text)
	return task{words: []string{"hook"}, script: []string{"hook"}, stdin: event}
}

// shimRow is what the shim adds to the command's own time. The other columns have
// whole times.
func shimRow(as func(contestant, task) job) func(context.Context, *bench) (result, error) {
	return func(ctx context.Context, b *bench) (result, error) {
		alone := job{argv: []string{"true"}, stdin: b.line}
		r, yard, err := b.contest(ctx, b.shim(), as, alone, b.start())
		if err == nil {
			r.measured = (r.ours.value - yard[0]) / yard[1]
		}
		return r, err
	}
}

// afterResponse is a job of the shim with other numbers than it saw last.
func (c contestant) afterResponse(t task) job {
	j := c.inHome(t)
	earlier := j
	earlier.stdin = bytes.Replace(t.stdin, []byte(`"total_input_tokens": 60720`), []byte(`"total_input_tokens": 60700`), 1)
	j.before = func(ctx context.Context) error {
		_, err := earlier.run(ctx, nil)
		return err
	}
	return j
}

// against measures a task as a multiple of an empty Go program's start.
func against(work func(*bench) task) func(context.Context, *bench) (result, error) {
	return func(ctx context.Context, b *bench) (result, error) {
		r, yard, err := b.contest(ctx, work(b), contestant.inHome, b.start())
		if err == nil {
			r.measured = r.ours.value / yard[0]
		}
		return r, err
	}
}

// among measures a task in a crowded home as a multiple of the same in a home
// with one session.
func among(work func(*bench) task) func(context.Context, *bench) (result, error) {
	return func(ctx context.Context, b *bench) (result, error) {
		t := work(b)
		r, yard, err := b.contest(ctx, t, contestant.inCrowd, b.ours.job(t, b.ours.home))
		if err == nil {
			r.measured = r.ours.value / yard[0]
		}
		return r, err
	}
}

func (c contestant) inHome(t task) job { return c.job(t, c.home) }

func (c contestant) inCrowd(t task) job { return c.job(t, c.crowded) }

// contest lets ctxguard, the yardsticks and the rivals that are here do their
// work in turn. It fills in the cells and gives the yardsticks' medians.
func (b *bench) contest(ctx context.Context, t task, as func(contestant, task) job, yardsticks ...job) (result, []float64, error) {
	main := append([]job{as(b.ours, t)}, yardsticks...)
	var r result
	var rivals []job
	var cells []*cell
	for _, of := range b.columns(&r)[1:] {
		if of.contestant.absent != "" {
			of.cell.missing = of.contestant.absent
			continue
		}
		rivals, cells = append(rivals, as(of.contestant, t)), append(cells, of.cell)
	}
	timings, err := interleave(ctx, b.rounds, main, rivals...)
	if err != nil {
		return result{}, nil, err
	}
	r.ours = timings[0].cell()
	yard := make([]float64, len(yardsticks))
	for i := range yard {
		yard[i] = timings[1+i].median
	}
	for i, c := range cells {
		*c = timings[len(main)+i].cell()
	}
	return r, yard, nil
}

func (t timing) cell() cell { return cell{value: t.median, runs: t.runs} }

// column is a contestant with its cell in a result.
type column struct {
	contestant contestant
	cell       *cell
}

func (b *bench) columns(r *result) []column {
	return []column{{b.ours, &r.ours}, {b.shell, &r.shell}, {b.python, &r.python}}
}
