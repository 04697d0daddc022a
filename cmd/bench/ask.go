package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The ask gate reads the transcript of the session: its current turn, and the
// whole of it for an earlier question of the same text. The rows let a question
// through, so that all of that is done. The first question of a session costs
// one look at everything, bound by how fast the system hands over its cache; those
// after it search what is new. So the first has a budget of its own. The rivals
// remember nothing, and for them every question is the first.

const (
	smallTranscript = 50_000
	largeTranscript = 50_000_000
	hugeTranscript  = 500_000_000
	// mostMegabytes is what the gate may take, however long the transcript.
	mostMegabytes = 32
)

var errNoPeak = errors.New("this system does not tell how much memory a process held")

func askRows() []row {
	return []row{
		{"the ask gate, 50 MB transcript", 3, timesSmall, askAgainstSmall(largeTranscript, false)},
		{"the ask gate, 500 MB transcript", 3, timesSmall, askAgainstSmall(hugeTranscript, false)},
		{"the ask gate, 50 MB transcript, the session's first question", 5, timesSmall, askAgainstSmall(largeTranscript, true)},
		{"peak memory of the ask gate, 50 kB", mostMegabytes, megabytes, askMemory(smallTranscript)},
		{"peak memory of the ask gate, 50 MB", mostMegabytes, megabytes, askMemory(largeTranscript)},
		{"peak memory of the ask gate, 500 MB", mostMegabytes, megabytes, askMemory(hugeTranscript)},
	}
}

// askAgainstSmall measures the gate on a transcript of that size; at the first
// question of a session nothing is remembered of it yet.
func askAgainstSmall(size int, first bool) func(context.Context, *bench) (result, error) {
	return func(ctx context.Context, b *bench) (result, error) {
		large, err := b.ask(size)
		if err != nil {
			return result{}, err
		}
		small, err := b.ask(smallTranscript)
		if err != nil {
			return result{}, err
		}
		as := contestant.inHome
		if first {
			as = contestant.askedFirst
		}
		r, yard, err := b.contest(ctx, large, as, b.ours.job(small, b.ours.home))
		if err == nil {
			r.measured = r.ours.value / yard[0]
		}
		return r, err
	}
}

// askMemory is the most that the gate holds at the session's first question.
func askMemory(size int) func(context.Context, *bench) (result, error) {
	return func(ctx context.Context, b *bench) (result, error) {
		t, err := b.ask(size)
		if err != nil {
			return result{}, err
		}
		var r result
		for _, of := range b.columns(&r) {
			if *of.cell, err = of.contestant.peak(ctx, t); err != nil {
				return result{}, err
			}
		}
		r.measured, r.missing = r.ours.value, r.ours.missing
		return r, nil
	}
}

func (c contestant) peak(ctx context.Context, t task) (cell, error) {
	if c.absent != "" {
		return cell{missing: c.absent}, nil
	}
	bytes, err := c.askedFirst(t).peak(ctx)
	if errors.Is(err, errNoPeak) {
		return cell{missing: err.Error()}, nil
	}
	return cell{value: float64(bytes) / (1 << 20)}, err
}

// askedFirst is a question in a session of which nothing is remembered.
func (c contestant) askedFirst(t task) job {
	j := c.inHome(t)
	j.before = func(context.Context) error {
		err := os.Remove(filepath.Join(c.home, "state", session+".json"))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	return j
}

// ask is a thin question in a session with a transcript of that size, whose
// current turn has told the person enough.
func (b *bench) ask(size int) (task, error) {
	path := filepath.Join(b.dir, fmt.Sprintf("transcript-%d.jsonl", size))
	if _, err := os.Stat(path); err != nil {
		if err := b.writeTranscript(path, size); err != nil {
			return task{}, err
		}
	}
	event := fmt.Appendf(nil, `{"session_id":%q,"transcript_path":%q,"cwd":"/","hook_event_name":"PreToolUse","tool_name":"AskUserQuestion",`+
		`"tool_use_id":"now","tool_input":{"questions":[{"question":"Which?","options":[{"label":"A"},{"label":"B"}]}]}}`, session, path)
	return task{words: []string{"hook"}, script: []string{"ask"}, stdin: event}, nil
}

// writeTranscript writes turns of twenty calls each, with source code for their
// results, until the size is reached.
func (b *bench) writeTranscript(path string, size int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	written := 0
	line := func(format string, args ...any) {
		n, _ := fmt.Fprintf(w, format+"\n", args...) // Flush tells
		written += n
	}
	code, err := json.Marshal(string(b.source))
	if err != nil {
		return err
	}
	said, err := json.Marshal(string(b.source[:300]))
	if err != nil {
		return err
	}
	for written < size {
		line(`{"type":"user","isSidechain":false,"message":{"role":"user","content":"go on"}}`)
		for range 20 {
			line(`{"type":"assistant","isSidechain":false,"message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_%d","name":"Read","input":{"file_path":"/a.go"}}]}}`, written)
			line(`{"type":"user","isSidechain":false,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d","content":%s}]},"toolUseResult":{"content":%s}}`, written, code, code)
			if written >= size {
				break
			}
		}
		line(`{"type":"assistant","isSidechain":false,"message":{"role":"assistant","content":[{"type":"text","text":%s}]}}`, said)
	}
	return w.Flush()
}
