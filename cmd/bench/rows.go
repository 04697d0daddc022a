package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"ctxguard/hooks/config"
	"ctxguard/zones"
)

// bench is what the rows work with.
type bench struct {
	dir      string
	rounds   int
	ctxguard string
	empty    string
	home     string // with one session
	crowded  string // with ten thousand others besides
	line     []byte // a status line payload
	source   []byte // some source code
}

// row is one line of the table of budgets.
type row struct {
	work   string
	budget float64
	// unit is what the measured figure is a multiple of.
	unit    string
	measure func(*bench) (result, error)
}

const (
	session = "7905fe8d-3044-470a-afaa-2463be7e22cf"
	crowd   = 10_000
	// sameTime is what two equal things may differ by in one run.
	sameTime = 1.15
)

func (b *bench) rows() []row {
	return append([]row{
		{"the shim around a command, more than the command alone", 1.8, "an empty Go program", (*bench).shim},
		{"zone SESSION", 1.5, "an empty Go program", against((*bench).zone)},
		{"a hook with nothing to say, 20 kB", 1.5, "an empty Go program", against((*bench).prompt)},
		{"PostToolBatch with nothing to say, 5 MB", 3, "an empty Go program", against((*bench).batch)},
		{"the shim among 10,000 other sessions", sameTime, "alone", among((*bench).shimJob)},
		{"zone SESSION among 10,000 other sessions", sameTime, "alone", among((*bench).zone)},
		{"a hook among 10,000 other sessions", sameTime, "alone", among((*bench).prompt)},
	}, b.askRows()...)
}

func (b *bench) emptyJob(stdin []byte) job { return job{argv: []string{b.empty}, stdin: stdin} }

func (b *bench) shim() (result, error) {
	alone := job{argv: []string{"true"}, stdin: b.line}
	times, err := interleave(b.rounds, b.shimJob(b.home), alone, b.emptyJob(nil))
	if err != nil {
		return result{}, err
	}
	return result{ratio: (times[0] - times[1]) / times[2], work: times[0], against: times[1]}, nil
}

func (b *bench) shimJob(home string) job {
	return b.job(home, b.line, "statusline", "--", "true")
}

func (b *bench) zone(home string) job { return b.job(home, nil, "zone", session) }

func (b *bench) prompt(home string) job {
	return b.job(home, b.event("UserPromptSubmit", "prompt", 20<<10), "hook")
}

func (b *bench) batch(home string) job {
	return b.job(home, b.event("PostToolBatch", "tool_calls", 5<<20), "hook")
}

func (b *bench) job(home string, stdin []byte, words ...string) job {
	return job{argv: append([]string{b.ctxguard}, words...), stdin: stdin, env: []string{"CTXGUARD_HOME=" + home}}
}

// event is a hook event that carries a long text: source code, as tools return
// it.
func (b *bench) event(name, key string, size int) []byte {
	text, err := json.Marshal(strings.Repeat(string(b.source), size/len(b.source)+1)[:size])
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return fmt.Appendf(nil, `{"session_id":%q,"transcript_path":"/none","cwd":"/","hook_event_name":%q,%q:%s}`,
		session, name, key, text)
}

// against measures a job as a multiple of an empty Go program's start.
func against(work func(*bench, string) job) func(*bench) (result, error) {
	return func(b *bench) (result, error) {
		j := work(b, b.home)
		times, err := interleave(b.rounds, j, b.emptyJob(nil))
		if err != nil {
			return result{}, err
		}
		return result{ratio: times[0] / times[1], work: times[0], against: times[1]}, nil
	}
}

// among measures a job in a crowded home as a multiple of the same in a home
// with one session.
func among(work func(*bench, string) job) func(*bench) (result, error) {
	return func(b *bench) (result, error) {
		times, err := interleave(b.rounds, work(b, b.crowded), work(b, b.home))
		if err != nil {
			return result{}, err
		}
		return result{ratio: times[0] / times[1], work: times[0], against: times[1]}, nil
	}
}

func newBench(dir string, rounds int) (*bench, error) {
	b := &bench{
		dir:      dir,
		rounds:   rounds,
		ctxguard: filepath.Join(dir, "ctxguard"),
		empty:    filepath.Join(dir, "empty"),
		home:     filepath.Join(dir, "home"),
		crowded:  filepath.Join(dir, "crowded"),
	}
	line, err := os.ReadFile("testdata/payloads/statusline-03-mid-session.json")
	if err != nil {
		return nil, fmt.Errorf("run this in the project's folder: %w", err)
	}
	b.line = line
	if b.source, err = os.ReadFile("cmd/bench/rows.go"); err != nil {
		return nil, err
	}
	if err := b.build(); err != nil {
		return nil, err
	}
	return b, b.fillHomes()
}

func (b *bench) build() error {
	source := filepath.Join(b.dir, "empty.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		return err
	}
	for output, what := range map[string]string{b.ctxguard: "./cmd/ctxguard", b.empty: source} {
		out, err := exec.Command("go", "build", "-trimpath", "-o", output, what).CombinedOutput()
		if err != nil {
			return fmt.Errorf("build %s: %w: %s", what, err, out)
		}
	}
	return nil
}

// seed puts the files there that setup does, old enough to be kept as understood.
func seed(home string) error {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	for name, content := range map[string]string{"ctxguard.toml": config.Seed, "zones.toml": zones.Seed} {
		path := filepath.Join(home, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			return err
		}
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			return err
		}
	}
	return nil
}

// fillHomes puts the session's snapshot into both homes, in a way that the hook
// has nothing to say, and the crowd into one.
func (b *bench) fillHomes() error {
	for _, home := range []string{b.home, b.crowded} {
		if err := seed(home); err != nil {
			return err
		}
		if _, err := b.shimJob(home).run(); err != nil {
			return err
		}
	}
	snapshot, err := os.ReadFile(filepath.Join(b.home, "context", session+".json"))
	if err != nil {
		return err
	}
	for i := range crowd {
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
		other := bytes.ReplaceAll(snapshot, []byte(session), []byte(id))
		if err := os.WriteFile(filepath.Join(b.crowded, "context", id+".json"), other, 0o600); err != nil {
			return err
		}
	}
	return nil
}
