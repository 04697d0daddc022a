package question

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
)

var colour = q("Which colour do you want?", "Red: A warm one", "Blue: A cold one")

// full is a question that carries its context.
func full(text string) map[string]any { return q(text+" "+text200(200), "Red", "Blue") }

func TestABlockIsExit2WithItsReasonAndNothingElse_A1(t *testing.T) {
	s := newSession(t).wrote(person("go"), call("a", "Bash", nil))
	blocked := s.asks(askEvent(nativeTool, "x", colour))
	require.Equal(t, hooks.Block, blocked.Decision)
	require.NotEmpty(t, blocked.Reason)
	require.Empty(t, blocked.Context+blocked.Operator)
	row, _ := hooks.RowOf(hooks.PreToolUse)
	out := hooks.Merge(row, []hooks.Part{{Guard: "ask", Answer: blocked}})
	require.Equal(t, 2, out.ExitCode)
	require.Empty(t, out.Stdout)
	require.Equal(t, blocked.Reason+"\n", string(out.Stderr))

	passed := s.asks(askEvent(nativeTool, "x", full("Which colour?")))
	require.False(t, passed.Speaks())
}

func TestOnlyQuestionToolsAreLookedAt(t *testing.T) {
	s := newSession(t).wrote(person("go"), call("a", "Bash", nil))
	for tool, blocks := range map[string]bool{
		"AskUserQuestion": true, "mcp__conductor__AskUserQuestion": true, "mcp__a__b__AskUserQuestion": true,
		"Bash": false, "XAskUserQuestion": false, "AskUserQuestion2": false, "mcp____AskUserQuestion": false,
	} {
		require.Equal(t, blocks, s.asks(askEvent(tool, "x", colour)).Speaks(), tool)
	}
}

func TestOrderOfTheRules_A2(t *testing.T) {
	bare := q("Given the above, which colour?", "Red", "Blue")
	s := newSession(t).wrote(person("go"), asking("a", bare), call("b", "Bash", nil))
	require.Equal(t, "A3", s.blockedBy(askEvent(nativeTool, "x", bare)))
	s.wrote(person("go"), asking("a", colour), call("b", "Bash", nil))
	require.Equal(t, "A6", s.blockedBy(askEvent(nativeTool, "x", colour)))
	s.wrote(person("go"), call("b", "Bash", nil))
	require.Equal(t, "A11", s.blockedBy(askEvent(nativeTool, "x", colour)))
}

func TestThePhraseRuleLooksAtTextsAndDescriptionsOnly_A3(t *testing.T) {
	s := newSession(t).wrote(person("go"))
	elsewhere := q("Which colour?", "see above: fine")
	elsewhere["header"] = "see above"
	elsewhere["options"] = append(elsewhere["options"].([]any), "given the above", map[string]any{"label": "a", "preview": "as shown above"})
	require.False(t, s.asks(askEvent(nativeTool, "x", elsewhere)).Speaks())
}

func TestThePhraseIsQuotedWithItsPlace_A4(t *testing.T) {
	s := newSession(t)
	answer := s.asks(askEvent(nativeTool, "x", full("Which?"), q("Given  The Above, go?", "Yes")))
	require.Contains(t, answer.Reason, `a question says "Given  The Above"`)
	answer = s.asks(askEvent(nativeTool, "x", full("Which?"), q("Go?", "Yes", "No: As Shown Earlier, it fails")))
	require.Contains(t, answer.Reason, `the description of an option says "As Shown Earlier"`)
}

func TestEverythingButThePhraseFailsOpen_A5(t *testing.T) {
	s := newSession(t)
	phrase := askEvent(nativeTool, "x", q("see above?", "Yes"))
	bare := []byte(askEvent(nativeTool, "x", colour))
	require.NoError(t, os.Mkdir(s.transcript+".d", 0o700))
	for name, path := range map[string]string{"missing": s.transcript, "a folder": s.transcript + ".d", "none": ""} {
		s.transcript = path
		require.Equal(t, "A3", s.blockedBy(phrase), name)
		answer, err := s.run(hooks.GuardAsk, config.Default(), bare)
		require.False(t, answer.Speaks(), name)
		require.Error(t, err, "%s: a line for the log", name)
	}
	for name, bad := range map[string]string{
		"no questions":             `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"AskUserQuestion","tool_input":{}}`,
		"questions that are text":  `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"AskUserQuestion","tool_input":{"questions":"which?"}}`,
		"questions that are texts": `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"AskUserQuestion","tool_input":{"questions":["which?"]}}`,
		"input that is text":       `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"AskUserQuestion","tool_input":"which?"}`,
		"no input":                 `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"AskUserQuestion"}`,
	} {
		answer, err := s.run(hooks.GuardAsk, config.Default(), []byte(bad))
		require.False(t, answer.Speaks(), name)
		require.Error(t, err, name)
	}
}

func TestASubagentsTranscriptIsNotAtHand_A5(t *testing.T) {
	s := newSession(t).wrote(person("go"), call("a", "Bash", nil))
	event := strings.Replace(askEvent("mcp__x__AskUserQuestion", "x", colour), `{`, `{"agent_id":"sub","agent_type":"x",`, 1)
	require.False(t, s.asks(event).Speaks())
}

func TestInvisibleContext_A11(t *testing.T) {
	bare := askEvent(nativeTool, "x", colour)
	s := newSession(t)
	s.wrote(person("go"), call("a", "Bash", nil))
	require.Equal(t, "A11", s.blockedBy(bare))

	s.wrote(call("a", "Bash", nil), person("go"))
	require.False(t, s.asks(bare).Speaks(), "no tool was called in this turn")

	s.wrote(person("go"), call("x", nativeTool, map[string]any{}))
	require.False(t, s.asks(bare).Speaks(), "the call itself is no call before it (A14)")

	s.wrote(person("go"), call("x", nativeTool, nil), call("y", "Read", nil))
	require.Equal(t, "A11", s.blockedBy(bare), "a parallel sibling counts (A14)")

	s.wrote(person("go"), call("a", "Bash", nil), said(text200(200)))
	require.False(t, s.asks(bare).Speaks(), "exactly 200 visible characters are enough")
	s.wrote(person("go"), said(text200(200)), call("a", "Bash", nil))
	require.False(t, s.asks(bare).Speaks(), "before the call, too")
	s.wrote(person("go"), call("a", "Bash", nil), said("  "+text200(199)+" \n"))
	require.Equal(t, "A11", s.blockedBy(bare), "199 are not, blanks around aside (A12)")

	s.wrote(person("go"), said(text200(200)), call("a", "Bash", nil), `{"type":"system","subtype":"compact_boundary"}`, said("x"))
	require.Equal(t, "A11", s.blockedBy(bare), "text before a compaction is gone (A15)")
}

// What the client wrote a moment ago may not be in the file yet (facts H.3).
func TestWhatTheClientHasYetToWriteIsWaitedFor_A11(t *testing.T) {
	bare := askEvent(nativeTool, "x", colour)
	s := newSession(t)
	s.wrote(person("go"))
	s.meanwhile = func() { s.wrote(person("go"), call("a", "Bash", nil)) }
	require.Equal(t, "A11", s.blockedBy(bare), "the call came late")

	s.wrote(person("go"), call("a", "Bash", nil))
	s.meanwhile = func() { s.wrote(person("go"), call("a", "Bash", nil), said(text200(200))) }
	require.False(t, s.asks(bare).Speaks(), "the text came late")

	s.meanwhile = func() { require.NoError(t, os.Remove(s.transcript)) }
	answer, err := s.run(hooks.GuardAsk, config.Default(), []byte(bare))
	require.NoError(t, err)
	require.False(t, answer.Speaks(), "the file went away (A5)")

	s.meanwhile = func() { t.Error("nothing had to be waited for") }
	s.wrote(person("go"), call("a", "Bash", nil), said(text200(200)))
	require.False(t, s.asks(bare).Speaks())
	s.wrote(person("go"), call("a", "Bash", nil))
	require.False(t, s.asks(askEvent(nativeTool, "x", full("Which colour?"))).Speaks())
}

func TestThePayloadCounts_A12(t *testing.T) {
	s := newSession(t).wrote(person("go"), call("a", "Bash", nil))
	sized := func(n int) map[string]any {
		m := q(text200(50), "A: "+text200(60), "B: "+text200(70)) // 180
		m["options"].([]any)[0].(map[string]any)["preview"] = " " + text200(n-180) + "\n"
		m["header"] = text200(300)
		return m
	}
	require.False(t, s.asks(askEvent(nativeTool, "x", sized(200))).Speaks())
	require.Equal(t, "A11", s.blockedBy(askEvent(nativeTool, "x", sized(199))))
	umlauts := q(strings.Repeat("ü", 199), "A")
	require.Equal(t, "A11", s.blockedBy(askEvent(nativeTool, "x", umlauts)), "characters are code points, not bytes")
}

func TestTheLimitCanBeChanged_A11(t *testing.T) {
	bare := []byte(askEvent(nativeTool, "x", colour)) // carries 45
	for name, c := range map[string]struct {
		configured int
		env        string
		blocks     bool
	}{
		"the default":                        {200, "", true},
		"configured lower":                   {45, "", false},
		"configured to never":                {0, "", false},
		"the environment wins":               {0, "46", true},
		"the environment says never":         {200, "0", false},
		"the environment is no number":       {10, "many", true},
		"the environment is no whole number": {10, "1.5", true},
		"the environment is negative":        {10, "-1", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t).wrote(person("go"), call("a", "Bash", nil))
			cfg := config.Default()
			cfg.Ask.MinChars = c.configured
			s.env["ASK_CONTEXT_MIN_CHARS"] = c.env
			answer, err := s.run(hooks.GuardAsk, cfg, bare)
			require.NoError(t, err)
			require.Equal(t, c.blocks, answer.Speaks())
		})
	}
}

func TestTheOldSwitchStillWorks_A18(t *testing.T) {
	s := newSession(t).wrote(person("go"), call("a", "Bash", nil))
	bare := askEvent(nativeTool, "x", colour)
	for value, blocks := range map[string]bool{"1": false, "0": true, "true": true, " 1": true, "": true} {
		s.env["CCGM_ASK_CONTEXT_OFF"] = value
		require.Equal(t, blocks, s.asks(bare).Speaks(), "%q", value)
	}
}

func TestReasonsOfAskGolden_A4_A10_A16(t *testing.T) {
	s := newSession(t)
	golden(t, "ask-phrase", s.asks(askEvent(nativeTool, "x", q("Given the above, which colour?", "Red"))).Reason)
	s.wrote(person("go"), call("a", "Bash", nil), call("b", "Read", nil), said("Reading."))
	golden(t, "ask-context", s.asks(askEvent(nativeTool, "x", colour)).Reason)
	s.wrote(person("go"), call("a", "Bash", nil))
	golden(t, "ask-context-one-call", s.asks(askEvent(nativeTool, "x", q("?"))).Reason)
	for _, o := range []outcome{interrupted, dismissed, ownWords} {
		golden(t, "ask-repeat-"+strings.Fields(string(o))[0], blockedForRepeat(o).Reason)
	}
}

func TestReasonsCarryNoShouting(t *testing.T) {
	files, err := os.ReadDir("testdata/golden")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		if f.Name() == "rules-with-brief-and-capture.txt" {
			continue // it names the fields of a brief as the person wrote them
		}
		raw, err := os.ReadFile("testdata/golden/" + f.Name())
		require.NoError(t, err)
		for _, w := range strings.FieldsFunc(string(raw), func(r rune) bool { return r < 'A' || r > 'z' || r > 'Z' && r < 'a' }) {
			if len(w) > 1 && w == strings.ToUpper(w) && w != "BLOCKED" && w != "CI" {
				t.Errorf("%s shouts %q", f.Name(), w)
			}
		}
	}
}
