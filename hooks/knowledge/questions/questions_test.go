package questions_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks/config"
	"ctxguard/hooks/knowledge/questions"
)

// Q2: what is a section, what is a question, and what belongs to it.
func TestMarkdownOfAnyKind_Q2(t *testing.T) {
	cases := map[string]struct {
		text string
		want []string
	}{
		"headings of any level, by their first word":    {"#### BLOCKING things\n- a\n###### Open: x ###\n- b", []string{"blocking: a", "open: b"}},
		"a heading's word behind a number and stars":    {"## 1. **Blocking**\n- a", []string{"blocking: a"}},
		"underlined headings":                           {"Blocking now\n===\n- a\n\nOpen\n----\n- b", []string{"blocking: a", "open: b"}},
		"every mark of a list":                          {"# O\n- a\n* b\n+ c\n1. d\n2) e", []string{"o: a", "o: b", "o: c", "o: d", "o: e"}},
		"no items: tags, negative numbers, emphasis":    {"# O\n#tag\n-5 degrees\n*no* item\n1.5 x", nil},
		"continuation lines, lazy and indented":         {"# O\n- a\nb\n  c\n\n  d\n\ne\n- f", []string{"o: a b c d", "o: f"}},
		"further items below an item belong to it":      {"# O\n- a\n  - b\n    - c\n- d", []string{"o: a - b - c", "o: d"}},
		"a blank line between items":                    {"# O\n- a\n\n- b", []string{"o: a", "o: b"}},
		"a block of code":                               {"# O\n```go\n- a\n```\n~~~\n- b\n```\n~~~\n- c", []string{"o: c"}},
		"a block of code inside an item":                {"# O\n- a\n  ```\n  - x\n  ```\n  b", []string{"o: a b"}},
		"a block of code that nobody ends":              {"# O\n- a\n````\n```\n- b", []string{"o: a"}},
		"comments, in a line and over lines":            {"# O\n- a <!-- x --> b\n<!--\n- c\n# P\n-->\n- d", []string{"o: a b", "o: d"}},
		"a comment that nobody ends, in a line":         {"# O\n- what does <!-- do?\n- b", []string{"o: what does <!-- do?", "o: b"}},
		"a comment that nobody ends, at a line's start": {"# O\n- a\n<!--\n- b", []string{"o: a"}},
		"the mark of a comment in code":                 {"# O\n- is `<!--` one?\n- b\n\n-->", []string{"o: is `<!--` one?", "o: b"}},
		"rules across the page":                         {"# O\n- a\n---\n* * *\n- - -\n- b", []string{"o: a", "o: b"}},
		"line ends of other systems, a byte order mark": {"\ufeff# O\r\n- a\r\n  b\r- c", []string{"o: a b", "o: c"}},
		"items above every heading":                     {"- a\n# O\n- b", []string{": a", "o: b"}},
		"items that hold nothing":                       {"# O\n-\n- \n* \n- b", []string{"o: b"}},
		"characters that steer a terminal":              {"# O\n- a\x1b[31m\u202eb", []string{"o: a[31mb"}},
		"nothing at all":                                {"", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, q := range questions.Parse(c.text) {
				got = append(got, q.Section+": "+q.Text)
			}
			require.Equal(t, c.want, got)
		})
	}
}

// Q3: sections are compared by their first word, in any letter case.
func TestSectionsAreNamedByTheirFirstWord_Q3(t *testing.T) {
	all := questions.Parse("# Blocking\n- a\n# Open\n- b\n# blocking again\n- c\n- d")
	require.Len(t, questions.InSections(all, []string{"BLOCKING questions"}), 3)
	require.Len(t, questions.InSections(all, []string{"open", "blocking"}), 4)
	require.Empty(t, questions.InSections(all, []string{"", "closed"}))
	require.Empty(t, questions.InSections(all, nil))
}

// Q4: in the order of the triggers, then of the lines, none twice; letter case counts.
func TestTriggersNameQuestions_Q4(t *testing.T) {
	all := questions.Parse("# Open\n- one dialog\n- two Dialog\n- three dialog")
	found := questions.Triggered(all, []config.Trigger{{Question: "three"}, {Question: "dialog"}, {Question: ""}})
	require.Equal(t, []questions.Question{{Section: "open", Text: "three dialog"}, {Section: "open", Text: "one dialog"}}, found)
}

// Q5: a trigger is dead when no question of the sections looked at holds it.
func TestDeadTriggers_Q5(t *testing.T) {
	root := t.TempDir()
	cfg := config.Default().Reminders
	cfg.File = "q.md"
	cfg.Triggers = []config.Trigger{{Question: "alive"}, {Question: "answered"}, {Question: "in code"}}
	_, err := questions.Dead(cfg, root)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(filepath.Join(root, "q.md"), []byte("# Open\n- alive\n```\n- in code\n```\n# Answered\n- answered\n"), 0o600))
	dead, err := questions.Dead(cfg, root)
	require.NoError(t, err)
	require.Equal(t, cfg.Triggers[1:], dead)
}

func TestTheSeedAsksNothing(t *testing.T) {
	require.Empty(t, questions.Parse(questions.Seed))
	all := questions.Parse(strings.Replace(questions.Seed, "## Open\n", "## Open\n\n- x\n", 1))
	require.Equal(t, []questions.Question{{Section: "open", Text: "x"}}, all)
}

// Whatever the file is, a question is one line of bounded length.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"# O\n- a\n  b", "O\n==\n1) x <!-- y", "~~~\n- a\n~~~\n<!--\n-->- b", "- \r* \t- `<!--`", questions.Seed} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, q := range questions.Parse(text) {
			if q.Text == "" || strings.ContainsAny(q.Text, "\n\r\x1b\x00") || utf8.RuneCountInString(q.Text) > 1001 {
				t.Fatalf("%q", q.Text)
			}
			if q.Section != "" && (strings.ContainsAny(q.Section, " \n#") || !strings.Contains(strings.ToLower(text), q.Section)) {
				t.Fatalf("section %q of %q", q.Section, text)
			}
		}
	})
}
