package question

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/zones"
)

// release is a marked two-way question with a recommendation.
func release() map[string]any {
	return q("Cut the release now? <qid:release-window>", "Now (Recommended): ships today", "Later: ships next week")
}

func (s *session) prefers(content string) *session {
	s.t.Helper()
	require.NoError(s.t, os.WriteFile(PreferencesPath(s.home), []byte(content), 0o600))
	return s
}

const neverRelease = `{"global":{"release-window":"never-ask"}}`

func (s *session) preference(cfg config.Config, payload string) hooks.Answer {
	s.t.Helper()
	answer, err := s.run(hooks.GuardPreference, cfg, []byte(payload))
	require.NoError(s.t, err)
	return answer
}

func denying() config.Config {
	cfg := config.Default()
	cfg.Preference.Answer = "deny"
	return cfg
}

func TestOnlyAMarkerIdentifiesAQuestion_P1(t *testing.T) {
	s := newSession(t).prefers(`{"global":{"release-window":"never-ask","some-id":"never-ask"}}`)
	for text, decides := range map[string]bool{
		"Cut the release now? <qid:release-window>":        true,
		"Cut the release now? <gstack-qid:Release-Window>": true,
		"Cut the release now? release-window":              false,
		"Cut the release now? <qid:other-window>":          false,
		"Cut the release now?":                             false,
	} {
		answer := s.preference(denying(), askEvent(nativeTool, "a"+text, q(text, "Now (recommended)", "Later")))
		require.Equal(t, decides, answer.Speaks(), text)
	}
}

func TestTheProjectsPreferenceWins_P2(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "p")
	require.NoError(t, os.MkdirAll(filepath.Join(root, "sub"), 0o700))
	linked := filepath.Join(dir, "link")
	if err := os.Symlink(root, linked); err != nil {
		linked = root
	}
	file := func(global, project string) string {
		return encode(map[string]any{
			"global":   map[string]any{"release-window": global},
			"projects": map[string]any{root: map[string]any{"RELEASE-window": project}},
		})
	}
	for name, c := range map[string]struct {
		file, project string
		decides       bool
	}{
		"the project says never":              {file("always-ask", "never-ask"), root, true},
		"the project says always":             {file("never-ask", "always-ask"), root, false},
		"another project":                     {file("never-ask", "always-ask"), filepath.Join(dir, "other"), true},
		"no project":                          {file("never-ask", "always-ask"), "", true},
		"a session started below the project": {file("always-ask", "never-ask"), filepath.Join(root, "sub"), true},
		"a project reached by a link":         {file("always-ask", "never-ask"), linked, true},
		"a value that is none":                {file("never-ask", "sometimes"), root, true},
		"only for one-way doors":              {file("ask-only-for-one-way", "always-ask"), "", true},
		"a file that says nothing of this id": {`{"global":{"x":"never-ask"}}`, "", false},
		"a file with a byte order mark":       {"\ufeff" + neverRelease, "", true},
		"a file of no bytes":                  {"", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t).prefers(c.file)
			s.project = c.project
			require.Equal(t, c.decides, s.preference(denying(), askEvent(nativeTool, "x", release())).Speaks())
		})
	}
}

func TestOneWayDoorsAreAlwaysAsked_P3_P4(t *testing.T) {
	registry := func(id string, door config.Door) config.Config {
		cfg := denying()
		cfg.Preference.Registry = map[string]config.Door{id: door}
		return cfg
	}
	plain := release()
	harsh := q("Delete the old branches? <qid:release-window>", "Yes (recommended)", "No")
	harshOption := q("What now? <qid:release-window>", "Wipe the data (recommended)", "Wait")
	for name, c := range map[string]struct {
		cfg      config.Config
		question map[string]any
		decides  bool
	}{
		"in no registry, harmless text":             {denying(), plain, true},
		"in no registry, destructive text":          {denying(), harsh, false},
		"in no registry, a destructive choice":      {denying(), harshOption, false},
		"one-way in the registry":                   {registry("release-window", config.OneWay), plain, false},
		"two-way in the registry, destructive text": {registry("release-window", config.TwoWay), harsh, true},
		"a split question":                          {denying(), q("? <qid:a-split-b>", "Yes (recommended)", "No"), false},
	} {
		for _, value := range []Value{NeverAsk, AskOnlyForOneWay, AlwaysAsk} {
			s := newSession(t).prefers(encode(map[string]any{"global": map[string]any{"release-window": value, "a-split-b": value}}))
			got := s.preference(c.cfg, askEvent(nativeTool, "x", c.question)).Speaks()
			require.Equal(t, c.decides && value != AlwaysAsk, got, "%s, %s", name, value)
		}
	}
}

func TestAllQuestionsOfACallOrNone_P6(t *testing.T) {
	s := newSession(t).prefers(`{"global":{"release-window":"never-ask","b":"never-ask"}}`)
	other := q("Tag it? <qid:b>", "Yes (recommended)", "No")
	require.True(t, s.preference(denying(), askEvent(nativeTool, "1", release(), other)).Speaks())
	for name, second := range map[string]map[string]any{
		"no marker":       q("Tag it?", "Yes (recommended)"),
		"no preference":   q("Tag it? <qid:c>", "Yes (recommended)"),
		"not recommended": q("Tag it? <qid:b>", "Yes", "No"),
		"one-way":         q("Delete it? <qid:b>", "Yes (recommended)"),
	} {
		require.False(t, s.preference(denying(), askEvent(nativeTool, "2", release(), second)).Speaks(), name)
	}
}

func TestDeny_P7_P8(t *testing.T) {
	s := newSession(t).prefers(neverRelease)
	answer := s.preference(denying(), askEvent(nativeTool, "x", release()))
	require.Equal(t, hooks.Deny, answer.Decision)
	require.Nil(t, answer.UpdatedInput)
	golden(t, "preference-deny", answer.Reason)
	golden(t, "preference-operator", answer.Operator)

	got := records(t, s.home)
	require.Len(t, got, 1, "a denial is recorded here, since no PostToolUse follows")
	followed := true
	require.Equal(t, Record{
		Time: "2026-11-30T05:00:00Z", SessionID: sessionID, ToolUseID: "x", QuestionID: "release-window",
		Summary: "Cut the release now?", Options: 2, Choice: "Now", Recommended: "Now", Followed: &followed,
		Source: SourceAutoDecided, Zone: "smart",
	}, got[0])

	s.preference(denying(), askEvent(nativeTool, "x", release()))
	require.Len(t, records(t, s.home), 1, "once, however often the hook runs (L7)")
	s.preference(denying(), askEvent(nativeTool, "y", release()))
	require.Len(t, records(t, s.home), 2)
}

func TestFill_P7(t *testing.T) {
	cfg := config.Default()
	cfg.Preference.Answer = "fill"
	s := newSession(t).prefers(neverRelease)
	raw := askEvent(nativeTool, "x", release())
	raw = strings.Replace(raw, `"tool_input":{`, `"tool_input":{"metadata":{"source":"a \u00e9"},"answers":{"old":"x"},"n":1.0e3,`, 1)
	answer := s.preference(cfg, raw)
	require.Equal(t, hooks.Allow, answer.Decision)
	require.True(t, json.Valid(answer.UpdatedInput), string(answer.UpdatedInput))
	filled := gjson.ParseBytes(answer.UpdatedInput)
	require.Equal(t, gjson.Get(raw, "tool_input.questions").Raw, filled.Get("questions").Raw, "the whole input, byte for byte")
	require.Equal(t, `{"source":"a \u00e9"}`, filled.Get("metadata").Raw)
	require.Equal(t, "1.0e3", filled.Get("n").Raw)
	require.Equal(t, map[string]any{"Cut the release now? <qid:release-window>": "Now (Recommended)"}, filled.Get("answers").Value(),
		"keyed by the raw text, the label exactly as offered")
	golden(t, "preference-fill-context", answer.Context)
	require.Empty(t, records(t, s.home), "a filled one is recorded when it comes back")
}

func TestFillIsForTheNativeToolAndClientsThatTakeIt_P7(t *testing.T) {
	for name, c := range map[string]struct {
		answer, tool, version string
		want                  hooks.Decision
	}{
		"auto, a new client":        {"auto", nativeTool, "2.1.332", hooks.Allow},
		"auto, the first that can":  {"auto", nativeTool, "2.1.85", hooks.Allow},
		"auto, the one before":      {"auto", nativeTool, "2.1.84", hooks.Deny},
		"auto, an older minor":      {"auto", nativeTool, "2.0.99", hooks.Deny},
		"auto, a new major":         {"auto", nativeTool, "3.0.0", hooks.Allow},
		"auto, version not known":   {"auto", nativeTool, "", hooks.Deny},
		"auto, version not numbers": {"auto", nativeTool, "dev", hooks.Deny},
		"auto, an MCP tool":         {"auto", "mcp__x__AskUserQuestion", "2.1.332", hooks.Deny},
		"fill, an MCP tool":         {"fill", "mcp__x__AskUserQuestion", "2.1.332", hooks.Deny},
		"fill, version not known":   {"fill", nativeTool, "", hooks.Allow},
		"deny, a new client":        {"deny", nativeTool, "2.1.332", hooks.Deny},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := config.Default()
			cfg.Preference.Answer = c.answer
			s := newSession(t).prefers(neverRelease)
			s.reading = zones.Reading{Zone: zones.Unknown, CLIVersion: c.version}
			require.Equal(t, c.want, s.preference(cfg, askEvent(c.tool, "x", release())).Decision)
		})
	}
}

func TestOneTextForTwoAnswersIsNotFilled_P7(t *testing.T) {
	cfg := config.Default()
	cfg.Preference.Answer = "fill"
	s := newSession(t).prefers(neverRelease)
	other := q(release()["question"].(string), "Now", "Later (recommended)")
	require.False(t, s.preference(cfg, askEvent(nativeTool, "x", release(), other)).Speaks())
	require.True(t, s.preference(cfg, askEvent(nativeTool, "x", release(), release())).Speaks())
}

func TestAFilledQuestionIsRecordedAsAutoDecided_P8(t *testing.T) {
	s := newSession(t).prefers(neverRelease)
	require.Equal(t, hooks.Allow, s.preference(config.Default(), askEvent(nativeTool, "x", release())).Decision)
	back := func(id string) string {
		return encode(map[string]any{
			"session_id": sessionID, "hook_event_name": "PostToolUse", "tool_name": nativeTool, "tool_use_id": id,
			"tool_input":    map[string]any{"questions": []any{release()}},
			"tool_response": answersRecord(release()["question"].(string), "Now (Recommended)"),
		})
	}
	s.answers(back("x"))
	s.answers(back("y"))
	got := records(t, s.home)
	require.Len(t, got, 2)
	require.Equal(t, SourceAutoDecided, got[0].Source)
	require.True(t, *got[0].Followed)
	require.Equal(t, SourceHook, got[1].Source, "another call was answered by the person")
}

func TestAbstainingPrintsNothing_P9(t *testing.T) {
	s := newSession(t)
	require.False(t, s.preference(config.Default(), askEvent(nativeTool, "x", release())).Speaks(), "no file")
	for name, content := range map[string]string{
		"not JSON":          "{",
		"a list":            "[]",
		"null":              "null",
		"a global of text":  `{"global":"x"}`,
		"projects of lists": `{"projects":{"/p":[]}}`,
	} {
		s.prefers(content)
		answer, err := s.run(hooks.GuardPreference, config.Default(), []byte(askEvent(nativeTool, "x", release())))
		require.False(t, answer.Speaks(), name)
		require.ErrorIs(t, err, ErrNotUnderstood, name)
	}
	s.prefers(`{"global":{"release-window":7}}`)
	require.False(t, s.preference(config.Default(), askEvent(nativeTool, "x", release())).Speaks())
	require.False(t, s.preference(config.Default(), `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"AskUserQuestion","tool_input":[]}`).Speaks())
	require.False(t, s.preference(config.Default(), askEvent("Bash", "x", release())).Speaks())
}

func TestWhereTheQuestionToolDoesNotWork_P10(t *testing.T) {
	harsh := askEvent(nativeTool, "x", q("Delete it? <qid:z>", "Yes", "No"))
	for name, c := range map[string]struct {
		prose string
		env   map[string]string
		want  bool
	}{
		"said so":            {"true", nil, true},
		"said not so":        {"false", map[string]string{"CONDUCTOR_PORT": "1"}, false},
		"auto, a port":       {"auto", map[string]string{"CONDUCTOR_PORT": "1"}, true},
		"auto, a workspace":  {"auto", map[string]string{"CONDUCTOR_WORKSPACE_PATH": "/w"}, true},
		"auto, another host": {"auto", map[string]string{"CONDUCTOR": "1"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := config.Default()
			cfg.Preference.Prose = c.prose
			s := newSession(t).prefers(neverRelease)
			s.env = c.env
			answer := s.preference(cfg, harsh)
			if !c.want {
				require.False(t, answer.Speaks())
				return
			}
			require.Equal(t, hooks.Deny, answer.Decision)
			golden(t, "preference-prose", answer.Reason)
			decided := s.preference(cfg, askEvent(nativeTool, "y", release()))
			require.Equal(t, hooks.Deny, decided.Decision, "what a preference decides is decided, and never filled in")
			require.Contains(t, decided.Reason, "release-window")
		})
	}
}

func TestWhatMayNotBeStored_P11(t *testing.T) {
	cfg := config.Preference{Registry: map[string]config.Door{"wipe": config.OneWay, "tag": config.TwoWay}}
	require.NoError(t, CheckPreference(cfg, "tag", NeverAsk))
	require.NoError(t, CheckPreference(cfg, "unknown-id", AskOnlyForOneWay))
	require.NoError(t, CheckPreference(cfg, "wipe", AlwaysAsk))
	require.ErrorContains(t, CheckPreference(cfg, "WIPE", NeverAsk), "one-way door")
	require.ErrorContains(t, CheckPreference(cfg, "wipe", AskOnlyForOneWay), "one-way door")
	require.ErrorContains(t, CheckPreference(cfg, "a-split-1", NeverAsk), "always asked")
	require.ErrorContains(t, CheckPreference(cfg, "tag", "sometimes"), "never-ask")
	require.ErrorContains(t, CheckPreference(cfg, "a b", NeverAsk), "letters, digits and dashes")
	require.ErrorContains(t, CheckPreference(cfg, "", NeverAsk), "letters, digits and dashes")
}

func TestChangingPreferencesKeepsEverythingElse(t *testing.T) {
	s := newSession(t).prefers(`{"note":"mine","global":{"A":"never-ask","odd":7},"projects":{"/p":{"x":"always-ask"}}}`)
	require.NoError(t, ChangePreferences(s.home, func(p *Preferences) {
		p.Set("", "a", AlwaysAsk)
		p.Set("/q", "b", NeverAsk)
		require.True(t, p.Clear("/p", "X"))
		require.False(t, p.Clear("/p", "x"))
	}))
	raw, err := os.ReadFile(PreferencesPath(s.home))
	require.NoError(t, err)
	require.JSONEq(t, `{"note":"mine","global":{"a":"always-ask","odd":7},"projects":{"/q":{"b":"never-ask"}}}`, string(raw))

	s.prefers(`{"global":[]}`)
	err = ChangePreferences(s.home, func(p *Preferences) { p.Set("", "a", NeverAsk) })
	require.ErrorIs(t, err, ErrNotUnderstood)
	raw, err = os.ReadFile(PreferencesPath(s.home))
	require.NoError(t, err)
	require.Equal(t, `{"global":[]}`, string(raw), "left alone")
}

func TestEntriesSayWhatIsInert(t *testing.T) {
	s := newSession(t).prefers(`{"global":{"b":"never-ask","wipe":"never-ask","odd":7},"projects":{"/p":{"a-split-1":"ask-only-for-one-way","a":"always-ask"}}}`)
	p, err := ReadPreferences(s.home)
	require.NoError(t, err)
	var got []string
	for _, e := range p.Entries(config.Preference{Registry: map[string]config.Door{"wipe": config.OneWay}}) {
		mark := ""
		if e.Inert != "" {
			mark = " inert"
		}
		got = append(got, e.Project+" "+e.ID+" "+string(e.Value)+mark)
	}
	require.Equal(t, []string{" b never-ask", " odd 7 inert", " wipe never-ask inert", "/p a always-ask", "/p a-split-1 ask-only-for-one-way inert"}, got)
}
