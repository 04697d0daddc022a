package dispatch

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
)

var fuzzNow = time.Date(2026, 11, 30, 5, 0, 0, 0, time.UTC)

// machine is a machine with a person's home, a project with a questions file, and
// nothing else that a hook could find: neither variables nor programs.
type machine struct {
	home    seam.Home
	project string
	around  string
}

func newMachine(tb testing.TB) machine {
	around, err := filepath.EvalSymlinks(tb.TempDir())
	require.NoError(tb, err)
	m := machine{home: seam.At(filepath.Join(around, "home")), project: filepath.Join(around, "project"), around: around}
	for _, dir := range []string{".git", "knowledge-base"} {
		require.NoError(tb, os.MkdirAll(filepath.Join(m.project, dir), 0o700))
	}
	m.write(tb, filepath.Join(m.project, "knowledge-base", "_questions.md"), "# Blocking\n- Which database?\n# Open\n- Whose key?\n")
	m.write(tb, filepath.Join(m.project, ".ctxguard.toml"), "[capture]\n[brief]\nenabled = true\n[[reminders.trigger]]\nwhen = [\"key\"]\nquestion = \"key\"\n")
	m.write(tb, m.home.Path("ctxguard.toml"), "[gate]\nmode = \"blocking\"\n")
	return m
}

func (m machine) write(tb testing.TB, path, text string) {
	require.NoError(tb, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(tb, os.WriteFile(path, []byte(text), 0o600))
}

func (m machine) system() System {
	began := time.Now()
	return System{
		Getenv: func(key string) string {
			return map[string]string{"CTXGUARD_HOME": m.home.Dir(), "CLAUDE_PROJECT_DIR": m.project, "HOME": m.around, "USERPROFILE": m.around}[key]
		},
		Now:     fuzzNow,
		Elapsed: func() time.Duration { return time.Since(began) },
		Extend:  func(time.Duration) {},
	}
}

// recordedEvents are the events of the real client, none of which is long.
func recordedEvents(f *testing.F) [][]byte {
	files, err := filepath.Glob("../../testdata/payloads/hook-*.json")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	var events [][]byte
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(f, err)
		events = append(events, raw)
	}
	return events
}

// requirePrintable is what may be printed as the answer to an event.
func requirePrintable(t testing.TB, out hooks.Output) {
	t.Helper()
	require.Contains(t, []int{0, 2}, out.ExitCode)
	require.True(t, utf8.Valid(out.Stderr))
	if out.ExitCode == 2 {
		require.Empty(t, out.Stdout)
		require.NotEmpty(t, strings.TrimSpace(string(out.Stderr)), "a block has a reason")
		return
	}
	require.Empty(t, out.Stderr)
	if len(out.Stdout) == 0 {
		return
	}
	var printed struct {
		Continue any `json:"continue"`
		Decision any `json:"decision"`
		Specific struct {
			Decision string          `json:"permissionDecision"`
			Reason   string          `json:"permissionDecisionReason"`
			Input    json.RawMessage `json:"updatedInput"`
		} `json:"hookSpecificOutput"`
	}
	require.NoError(t, json.Unmarshal(out.Stdout, &printed))
	require.Nil(t, printed.Continue)
	require.Nil(t, printed.Decision)
	require.Contains(t, []string{"", "deny", "allow"}, printed.Specific.Decision)
	require.Equal(t, printed.Specific.Decision == "allow", len(printed.Specific.Input) > 0)
	require.Equal(t, printed.Specific.Decision != "", printed.Specific.Reason != "")
}

// FuzzHook: whatever event comes, and whatever the session's memory and snapshot
// hold, the answer is one that the client understands; what is no JSON object is
// met with silence; and no file is written outside the home.
func FuzzHook(f *testing.F) {
	for _, event := range recordedEvents(f) {
		f.Add(event, []byte("{}"), []byte(nil))
	}
	m := newMachine(f)
	session := sessionOf(f, m)
	outside := names(f, m.project)
	f.Fuzz(func(t *testing.T, event, memory, snapshot []byte) {
		m.write(t, session.MemoryPath(), string(memory))
		m.write(t, session.SnapshotPath(), string(snapshot))
		event = bytes.ReplaceAll(event, []byte("289dffc6-e639-4953-a7af-31d7ae248c4d"), []byte(session.ID()))
		out, finish := Hook(m.system(), bytes.NewReader(event), nil)
		finish()
		requirePrintable(t, out)
		if !json.Valid(bytes.TrimPrefix(event, []byte("\ufeff"))) && out.ExitCode == 2 {
			require.NotEmpty(t, event)
			var s hooks.Scanner
			done, err := s.Feed(event)
			require.True(t, done && err == nil, "a block needs a whole object")
		}
		require.Equal(t, outside, names(t, m.project))
		require.ElementsMatch(t, []string{"home", "project"}, entries(t, m.around))
	})
}

func sessionOf(tb testing.TB, m machine) seam.Session {
	session, ok := m.home.Session("289dffc6-e639-4953-a7af-31d7ae248c4d")
	require.True(tb, ok)
	return session
}

func entries(t testing.TB, dir string) []string {
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	var all []string
	for _, e := range list {
		all = append(all, e.Name())
	}
	return all
}

func names(t testing.TB, dir string) []string {
	var all []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		all = append(all, path)
		return err
	}))
	return all
}

// FuzzExplain: explaining changes no file, whatever is to be explained, and shows
// it in lines.
func FuzzExplain(f *testing.F) {
	for _, event := range recordedEvents(f)[:12] {
		f.Add(event)
	}
	m := newMachine(f)
	before := names(f, m.around)
	f.Fuzz(func(t *testing.T, raw []byte) {
		lines, err := Explain(m.system(), raw)
		if err != nil {
			require.Empty(t, lines)
		}
		require.Equal(t, before, names(t, m.around))
	})
}

// FuzzDecisions: the log of decisions gives the lines that encoding/json
// understands, and its tally counts each of them once.
func FuzzDecisions(f *testing.F) {
	home := seam.At(f.TempDir())
	f.Fuzz(func(t *testing.T, raw []byte) {
		require.NoError(t, os.WriteFile(home.Path(DecisionsFile), raw, 0o600))
		decisions, err := Decisions(home)
		require.NoError(t, err)
		want := 0
		for line := range strings.SplitSeq(string(raw), "\n") {
			if json.Unmarshal([]byte(line), &struct{ Guard *string }{}) == nil && json.Unmarshal([]byte(line), &Decided{}) == nil {
				want++ // more or as many: a line without a guard does not count
			}
		}
		require.LessOrEqual(t, len(decisions), want)
		counted := 0
		for _, tally := range Summarise(decisions) {
			require.NotEmpty(t, tally.Guard)
			counted += tally.Spoke + tally.Allowed + tally.Blocked
			require.LessOrEqual(t, tally.Obeyed, tally.Blocked)
			require.LessOrEqual(t, tally.MedianMilliseconds, tally.MaxMilliseconds)
		}
		require.Equal(t, len(decisions), counted)
		encoded, err := json.Marshal(decisions)
		require.NoError(t, err)
		var back []Decided
		require.NoError(t, json.Unmarshal(encoded, &back))
		require.Equal(t, decisions, back)
	})
}

// FuzzOwed: whatever owed.jsonl and the gate's known mode hold, the operator is
// told a bounded list once, and then no more.
func FuzzOwed(f *testing.F) {
	home := seam.At(f.TempDir())
	f.Fuzz(func(t *testing.T, owedLines []byte, mode string, blocking bool) {
		require.NoError(t, os.WriteFile(home.Path(owedFile), owedLines, 0o600))
		require.NoError(t, os.MkdirAll(filepath.Dir(home.Path(gateModeFile)), 0o700))
		require.NoError(t, os.WriteFile(home.Path(gateModeFile), []byte(mode), 0o600))
		e := &engine{sys: System{Now: fuzzNow}, home: home, log: func(string) {}, understood: config.Understood{Config: config.Default()}}
		if blocking {
			e.understood.Config.Gate.Mode = "blocking"
		}
		ev := &hooks.Event{Envelope: hooks.Envelope{Name: hooks.UserPromptSubmit}}
		told := e.owedToOperator(ev)
		known := mode
		if known == "" {
			known = defaultMode
		}
		require.Equal(t, known != e.understood.Config.Gate.Mode, len(told) == 1 && strings.Contains(told[0].Answer.Operator, "the gate is"+map[bool]string{true: " blocking now", false: " advisory now"}[blocking]))
		require.NoFileExists(t, home.Path(owedFile))
		row, _ := hooks.RowOf(ev.Name)
		requirePrintable(t, hooks.Merge(row, told))
		if len(told) > 0 {
			require.Empty(t, told[0].Answer.Decision)
		}
		require.Empty(t, e.owedToOperator(ev), "told once")
	})
}
