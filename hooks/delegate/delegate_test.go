package delegate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
)

// B2: a field is there when its name with its colon is, in any letter case and
// with marks of emphasis around either.
func TestMissingFields(t *testing.T) {
	cases := map[string]struct {
		prompt string
		want   []string
	}{
		"all of them, plainly":        {"GOAL: a\nFILES: b\nCONSTRAINTS: c\nDONE WHEN: d\nVERIFY: e", nil},
		"in any order, on one line":   {"verify: e done when: d constraints: c files: b goal: a", nil},
		"bold around the name":        {"**GOAL**: a **FILES**: b **CONSTRAINTS**: c **DONE WHEN**: d **VERIFY**: e", nil},
		"bold around name and colon":  {"**GOAL:** a __FILES:__ b *CONSTRAINTS:* c **DONE WHEN:** d **VERIFY:** e", nil},
		"a name over two lines":       {"GOAL: a FILES: b CONSTRAINTS: c DONE\n WHEN: d VERIFY: e", nil},
		"a heading before the colon":  {"## Goal: a\n## Files: b\n## Constraints: c\n## Done when: d\n## Verify: e", nil},
		"nothing":                     {"do it", []string{"GOAL:", "FILES:", "CONSTRAINTS:", "DONE WHEN:", "VERIFY:"}},
		"a name without its colon":    {"GOAL a\nFILES: b\nCONSTRAINTS: c\nDONE WHEN: d\nVERIFY e", []string{"GOAL:", "VERIFY:"}},
		"named in the template order": {"VERIFY: e CONSTRAINTS: c", []string{"GOAL:", "FILES:", "DONE WHEN:"}},
	}
	for what, c := range cases {
		t.Run(what, func(t *testing.T) {
			required := fields(config.Default().Brief)
			var names []string
			for _, f := range missing(c.prompt, required) {
				names = append(names, f.name)
			}
			require.Equal(t, c.want, names)
			if len(names) > 0 {
				text := denial(missing(c.prompt, required), required)
				require.Contains(t, text, strings.Join(c.want, ", "))
				for _, f := range required {
					require.Contains(t, text, "\n"+f.name+" ", "the template has every field")
				}
			}
		})
	}
}

// B2: names that are no names are passed over: they could never be satisfied, or
// would carry a text of the project's to the model.
func TestFieldsThatAreNone(t *testing.T) {
	cfg := config.Brief{Required: []string{"", " : ", "RISK", strings.Repeat("x", 200), "a\x1bb", "IF (a|b):"}}
	var names []string
	for _, f := range fields(cfg) {
		names = append(names, f.name)
	}
	require.Equal(t, []string{"RISK:", "IF (a|b):"}, names)
	require.Empty(t, missing("Risk: none. if (a|b): c", fields(cfg)))
}

// B3: the built-in domains by what the prompt says.
func TestMatchingDomains(t *testing.T) {
	for prompt, want := range map[string]string{
		"Implement the parser":          "development",
		"refactor it":                   "development",
		"fix the bug in it":             "development",
		"Fix a BUG":                     "development",
		"the endpoint answers late":     "development",
		"a new class":                   "development",
		"write unit tests":              "testing",
		"a regression test":             "testing",
		"run `go test ./...`":           "testing",
		"the test suite of this module": "development testing",
		"Release notes":                 "writing",
		"take the minutes":              "writing",
		"documentation of a function":   "development writing",
		"count the lines":               "",
		"declassified":                  "",
		"functionality":                 "",
	} {
		var names []string
		for _, d := range matching(prompt, domains(config.Default().Brief)) {
			names = append(names, d.Name)
		}
		require.Equal(t, want, strings.Join(names, " "), prompt)
	}
	broken := config.Brief{Domains: []config.Domain{{Name: "broken", Patterns: []string{"("}}}}
	require.Empty(t, matching("(", domains(broken)))
}

// B5: which words are paths, and where they are looked for.
func TestNamedPaths(t *testing.T) {
	cases := map[string]struct {
		prompt string
		want   []string
	}{
		"FILES before the rest": {"GOAL: fix x/other.go\nFILES: a/b.go, c-d_e.py\nCONSTRAINTS: not y.go", []string{"a/b.go", "c-d_e.py"}},
		"FILES may be over several lines, with marks": {
			"**FILES:**\n- `a/b.go`\n- \"c.ts\" (see d.rs)\n**VERIFY:** e.go", []string{"a/b.go", "c.ts", "d.rs"},
		},
		"the whole prompt where FILES has none": {"GOAL: fix x/other.go.\nFILES: the parser\nVERIFY: run y.go", []string{"x/other.go", "y.go"}},
		"no FILES at all":                       {"fix x.go", []string{"x.go"}},
		"the first six, each once":              {"FILES: a.go a.go b.go c.go d.go e.go f.go g.go", []string{"a.go", "b.go", "c.go", "d.go", "e.go", "f.go"}},
		"absolute, home, upwards":               {"FILES: /x/y.go ~/z.go ../w.go", []string{"/x/y.go", "~/z.go", "../w.go"}},
		"letters of any language":               {"FILES: größe/maß.go", []string{"größe/maß.go"}},
		"numbers, addresses, abbreviations, folders and hidden names are none": {
			"FILES: 1.5 v2.0 //example.com/a.html e.g. i.e. src/ .gitignore ... ~user.go", nil,
		},
		"an underscore on either side belongs to the name": {"FILES: pkg/__init__.py", []string{"pkg/__init__.py"}},
	}
	for what, c := range cases {
		t.Run(what, func(t *testing.T) {
			require.Equal(t, c.want, named(c.prompt, fields(config.Default().Brief)))
		})
	}
}

// B7: the prompt grows at its end; every byte that came stays as it was.
func TestExtended(t *testing.T) {
	input := gjson.Get(`{"tool_input" : { "a":1.50,`+"\r\n\t"+`"prompt" : "old \"text\" \ud800 \u00e9" , "z":{"prompt":"inner"}, "u":"\u00e9" } }`, "tool_input")
	updated, ok := extended(input, "\nnew <b> & \"text\"")
	require.True(t, ok)
	require.Equal(t, `{ "a":1.50,`+"\r\n\t"+`"prompt" : "old \"text\" \ud800 \u00e9\nnew <b> & \"text\"" , "z":{"prompt":"inner"}, "u":"\u00e9" }`, string(updated))

	// B9: readers of JSON disagree on which of two counts.
	for _, raw := range []string{`{"prompt":"a","prompt":"b"}`, `{"description":"a"}`, `["prompt"]`, `{"prompt":7}`, `"prompt"`} {
		_, ok = extended(gjson.Parse(raw), "c")
		require.False(t, ok, raw)
	}
}

func FuzzExtended(f *testing.F) {
	f.Add(`{"description":"a","prompt":"b","x":[1,{"prompt":"c"}]}`, "new")
	f.Add(`{"prompt":""}`, "\x00\u2028</script>")
	f.Add(`{"prom\u0070t":"a\\"}`, "b")
	f.Fuzz(func(t *testing.T, raw, text string) {
		if !gjson.Valid(raw) {
			return
		}
		text = strings.ToValidUTF8(text, "?")
		updated, ok := extended(gjson.Get(`{"tool_input":`+raw+`}`, "tool_input"), text)
		if !ok {
			return
		}
		var before, after map[string]json.RawMessage
		if json.Unmarshal([]byte(raw), &before) != nil {
			return
		}
		require.NoError(t, json.Unmarshal(updated, &after))
		var old, got string
		require.NoError(t, json.Unmarshal(before["prompt"], &old))
		require.NoError(t, json.Unmarshal(after["prompt"], &got))
		require.Equal(t, old+text, got)
		delete(before, "prompt")
		delete(after, "prompt")
		require.Equal(t, before, after)
	})
}

func FuzzPrompt(f *testing.F) {
	f.Add("GOAL: a\n**FILES:** a/b.go ~/c.py\nCONSTRAINTS: c\nDONE WHEN: d\nVERIFY: e")
	f.Add("FILES: ~~~~/. .../... -.- a.b.c.d.e.f.g")
	f.Fuzz(func(t *testing.T, prompt string) {
		required := fields(config.Default().Brief)
		paths := named(prompt, required)
		require.LessOrEqual(t, len(paths), maxPaths)
		for _, p := range paths {
			require.True(t, looksLikePath(p), p)
		}
		if gone := missing(prompt, required); len(gone) > 0 {
			require.NotEmpty(t, denial(gone, required))
		}
	})
}

// T2: the ledger is bounded, and a file that came with a brief is claimed once,
// by a subagent of that type.
func TestLedger(t *testing.T) {
	mem := hooks.NewMemory(nil)
	l := recallLedger(mem)
	for i := range maxEntries + 5 {
		l.show("main", fmt.Sprint(i))
	}
	l.Briefed = []briefed{{"writer", "f"}, {"", "g"}}
	require.NoError(t, l.remember(mem))
	l = recallLedger(mem)
	require.Len(t, l.Shown, maxEntries)
	require.False(t, l.seen("main", "0"))
	require.True(t, l.seen("main", fmt.Sprint(maxEntries)))
	require.False(t, l.seen("agent:x", fmt.Sprint(maxEntries)))

	require.False(t, l.claim("explorer", "f"))
	require.True(t, l.claim("writer", "f"))
	require.False(t, l.claim("writer", "f"), "one brief is one subagent's")
	require.True(t, l.claim("explorer", "g"), "a brief without a type may be anybody's")
}

// event is one delegation in a project of its own.
func event(t *testing.T, prompt string, files map[string]string) *hooks.Event {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	}
	home := t.TempDir()
	payload, err := json.Marshal(map[string]any{"tool_input": map[string]any{"prompt": prompt}})
	require.NoError(t, err)
	return &hooks.Event{
		Envelope: hooks.Envelope{Name: hooks.PreToolUse, ToolName: "Agent", CWD: root},
		Payload:  payload, Now: time.Now(), Project: root,
		Getenv: func(name string) string {
			if name == "CTXGUARD_HOME" {
				return home
			}
			return ""
		},
	}
}

func brief20(cfg config.Config) brief { return brief{cfg: cfg.Brief, structure: cfg.Structure} }

const fullBrief = "GOAL: refactor it\nFILES: %s\nCONSTRAINTS: none\nDONE WHEN: done\nVERIFY: run"

// decided is the answer with its change made.
func decided(b brief, ev *hooks.Event, mem *hooks.Memory) hooks.Answer {
	answer, change := b.decide(ev, mem)
	if change != nil {
		answer = change(mem)
	}
	return answer
}

// B8, T2: how often a file's structure goes along, by repeat and permission.
func TestStructureIsGivenOnce(t *testing.T) {
	files := map[string]string{"a.go": "package a\n\nfunc A() {}\n"}
	cases := map[string]struct {
		repeat, permission string
		second             bool // carried again
		parentSeen         bool // an edit of the parent's shows it no more
	}{
		"once in a session":                     {"session", "allow", false, true},
		"for each subagent":                     {"agent", "allow", true, false},
		"told to the parent":                    {"session", "ask", false, true},
		"told to the parent, for each subagent": {"agent", "ask", true, true},
	}
	for what, c := range cases {
		t.Run(what, func(t *testing.T) {
			cfg := config.Default()
			cfg.Brief.Repeat, cfg.Brief.Permission = c.repeat, c.permission
			ev := event(t, fmt.Sprintf(fullBrief, "a.go"), files)
			mem := hooks.NewMemory(nil)
			first := decided(brief20(cfg), ev, mem)
			text := first.Context + string(first.UpdatedInput)
			require.Contains(t, text, "func A()")
			require.Equal(t, c.permission == "ask", first.Decision == hooks.Silent)
			require.Equal(t, c.permission == "ask", first.UpdatedInput == nil)
			second := decided(brief20(cfg), ev, mem)
			require.Equal(t, c.second, second.Speaks())
			require.Equal(t, c.parentSeen, recallLedger(mem).seen("main", fileKey(filepath.Join(ev.Project, "a.go"))))
		})
	}
}

// T7: a brief gets the whole, whatever an edit would be shown; what goes to the
// parent has to fit there.
func TestBriefGetsTheWhole(t *testing.T) {
	files := map[string]string{"a.go": "package a\n\n" + strings.Repeat("func Function(with int, several string, arguments error) error { return nil }\n", 150)}
	ev := event(t, fmt.Sprintf(fullBrief, "a.go"), files)
	cfg := config.Default()
	whole := decided(brief20(cfg), ev, hooks.NewMemory(nil))
	require.NotContains(t, string(whole.UpdatedInput), "left out for size")
	require.Greater(t, len(whole.UpdatedInput), 10_000)

	cfg.Brief.Permission = "ask"
	told := decided(brief20(cfg), ev, hooks.NewMemory(nil))
	require.Contains(t, told.Context, "Signatures left out for size: 150")
	require.Less(t, len(told.Context), 9000)

	// B10: a project's domain sends all of it to the parent.
	cfg = config.Default()
	cfg.Brief.ProjectDomains = []config.Domain{{Name: "theirs", Patterns: []string{"refactor"}, Summary: strings.Repeat("x", 9000)}}
	told = decided(brief20(cfg), ev, hooks.NewMemory(nil))
	require.Equal(t, hooks.Silent, told.Decision)
	require.Contains(t, told.Context, "(From this project's .ctxguard.toml.)")
	require.Less(t, len(told.Context), 9500)
}

// T5: a brief whose structure was too slow starts the detached render, and does
// not take the file for shown.
func TestSlowStructureIsNotInTheLedger(t *testing.T) {
	ev := event(t, fmt.Sprintf(fullBrief, "a.go"), map[string]string{"a.go": "package a\n\nfunc A() {}\n"})
	cfg := config.Default()
	cfg.Structure.BriefSeconds = 0
	mem := hooks.NewMemory(nil)
	slow := decided(brief20(cfg), ev, mem)
	require.Equal(t, hooks.Allow, slow.Decision)
	require.Contains(t, string(slow.UpdatedInput), "could not be given: not ready within")
	require.NotContains(t, string(slow.UpdatedInput), "MODULE CONTEXT")
	require.NotNil(t, slow.Effect, "the detached render")
	require.Empty(t, recallLedger(mem).Shown)

	cfg.Structure.BriefSeconds = 20
	next := decided(brief20(cfg), ev, mem)
	require.Contains(t, string(next.UpdatedInput), "func A()", "the next brief has it")
}
