package main

import (
	"bufio"
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
// after it search what is new. So the first has a budget of its own.

const (
	smallTranscript = 50_000
	largeTranscript = 50_000_000
	hugeTranscript  = 500_000_000
	// memoryBound is what the gate may take at most, however long the transcript.
	memoryBound = 32 << 20
)

var errNoPeak = errors.New("this system does not tell how much memory a process held")

func (b *bench) askRows() []row {
	return []row{
		{"the ask gate, 50 MB transcript", 3, "the gate with 50 kB", b.askAgainstSmall(largeTranscript, false)},
		{"the ask gate, 500 MB transcript", 3, "the gate with 50 kB", b.askAgainstSmall(hugeTranscript, false)},
		{"the ask gate, 50 MB transcript, the session's first question", 5, "the gate with 50 kB", b.askAgainstSmall(largeTranscript, true)},
		{"peak memory of the ask gate, 50 kB", 1, "32 MB", b.askMemory(smallTranscript)},
		{"peak memory of the ask gate, 50 MB", 1, "32 MB", b.askMemory(largeTranscript)},
		{"peak memory of the ask gate, 500 MB", 1, "32 MB", b.askMemory(hugeTranscript)},
	}
}

// askAgainstSmall measures the gate on a transcript of that size; at the first
// question of a session nothing is remembered of it yet.
func (b *bench) askAgainstSmall(size int, first bool) func(*bench) (result, error) {
	return func(b *bench) (result, error) {
		large, err := b.ask(size)
		if err != nil {
			return result{}, err
		}
		if first {
			large.before = b.forget
		}
		small, err := b.ask(smallTranscript)
		if err != nil {
			return result{}, err
		}
		times, err := interleave(b.rounds, large, small)
		if err != nil {
			return result{}, err
		}
		return result{ratio: times[0] / times[1], work: times[0], against: times[1]}, nil
	}
}

// askMemory is the gate's peak as a part of the bound.
func (b *bench) askMemory(size int) func(*bench) (result, error) {
	return func(b *bench) (result, error) {
		j, err := b.ask(size)
		if err != nil {
			return result{}, err
		}
		times, err := interleave(3, j)
		if err != nil {
			return result{}, err
		}
		peak, err := j.peak()
		if err != nil {
			return result{}, err
		}
		return result{ratio: float64(peak) / memoryBound, work: times[0]}, nil
	}
}

// forget removes what the guards remember of the session.
func (b *bench) forget() error {
	err := os.Remove(filepath.Join(b.home, "state", session+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// ask is the gate on a thin question in a session with a transcript of that
// size, whose current turn has told the person enough.
func (b *bench) ask(size int) (job, error) {
	path := filepath.Join(b.dir, fmt.Sprintf("transcript-%d.jsonl", size))
	if _, err := os.Stat(path); err != nil {
		if err := b.writeTranscript(path, size); err != nil {
			return job{}, err
		}
	}
	event := fmt.Appendf(nil, `{"session_id":%q,"transcript_path":%q,"cwd":"/","hook_event_name":"PreToolUse","tool_name":"AskUserQuestion",`+
		`"tool_use_id":"now","tool_input":{"questions":[{"question":"Which?","options":[{"label":"A"},{"label":"B"}]}]}}`, session, path)
	return b.job(b.home, event, "hook"), nil
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
