package settings_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ctxguard/setup/internal/museum"
	"ctxguard/setup/settings"
)

func wanted() []settings.Registration {
	return []settings.Registration{
		{Event: "SessionStart", Command: "/b/ctxguard hook", Timeout: 5},
		{Event: "PreToolUse", Matcher: `^(Write|mcp__.*__AskUserQuestion)$`, Command: "/b/ctxguard hook", Timeout: 5},
		{Event: "Stop", Command: "/b/ctxguard hook", Timeout: 5},
	}
}

func ours(e settings.Entry) bool {
	return strings.HasSuffix(e.Command, "/ctxguard hook") ||
		strings.HasSuffix(e.Command, "/ctxguard") && len(e.Args) == 1 && e.Args[0] == "hook"
}

// install is what setup does to the file, with a stand-in for the wrapping.
func install(t testing.TB, d *settings.Document) {
	t.Helper()
	line := d.StatusLine()
	switch {
	case !line.Present:
		require.NoError(t, d.SetStatusCommand("/b/ctxguard statusline"))
	case line.Odd == "" && !strings.HasPrefix(line.Command, "/b/ctxguard"):
		require.NoError(t, d.SetStatusCommand("/b/ctxguard statusline -- sh -c '"+line.Command+"'"))
	}
	require.NoError(t, d.Register(wanted(), ours))
}

func uninstall(t testing.TB, d *settings.Document, was settings.Origins) {
	t.Helper()
	line := d.StatusLine()
	if inner, ok := strings.CutPrefix(line.Command, "/b/ctxguard statusline -- sh -c '"); ok {
		require.NoError(t, d.SetStatusCommand(strings.TrimSuffix(inner, "'")))
	} else if line.Command == "/b/ctxguard statusline" {
		require.NoError(t, d.RemoveStatusLine(was))
	}
	require.NoError(t, d.RestoreRefresh(was))
	require.NoError(t, d.Unregister(ours, was))
}

func parse(t testing.TB, text string) *settings.Document {
	t.Helper()
	d, err := settings.Parse([]byte(text))
	require.NoError(t, err)
	return d
}

// S3, S4, S6, S19: for every file of the museum, installing twice is installing
// once, and taking out gives the same bytes without any backup.
func TestInstallingIsIdempotentAndCanBeTakenBack(t *testing.T) {
	require.GreaterOrEqual(t, len(museum.Settings()), 60)
	for _, file := range museum.Settings() {
		t.Run(file.Name, func(t *testing.T) {
			d := parse(t, file.Text)
			require.Equal(t, file.Text, string(d.Bytes()))
			install(t, d)
			once := string(d.Bytes())
			requireRegistered(t, once)

			again := parse(t, once)
			install(t, again)
			require.Equal(t, once, string(again.Bytes()))
			require.Empty(t, again.Origins())

			uninstall(t, again, d.Origins())
			require.Equal(t, file.Text, string(again.Bytes()))
		})
	}
}

// requireRegistered reads the file with another parser.
func requireRegistered(t *testing.T, text string) {
	t.Helper()
	var got struct {
		Hooks map[string]json.RawMessage
	}
	require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &got))
	for _, r := range wanted() {
		var groups []struct {
			Matcher string
			Hooks   []struct {
				Type, Command string
				Timeout       float64
			}
		}
		require.NoError(t, json.Unmarshal(got.Hooks[r.Event], &groups))
		last := groups[len(groups)-1]
		require.Equal(t, r.Matcher, last.Matcher)
		require.Len(t, last.Hooks, 1)
		require.Equal(t, "command", last.Hooks[0].Type)
		require.Equal(t, r.Command, last.Hooks[0].Command)
		require.EqualValues(t, r.Timeout, last.Hooks[0].Timeout)
	}
}

// S3: nothing but insertions and the status line's command; every other byte is
// there still, in its order.
func TestOnlyInsertedBytesAreNew(t *testing.T) {
	for _, file := range museum.Settings() {
		t.Run(file.Name, func(t *testing.T) {
			d := parse(t, file.Text)
			install(t, d)
			requireSubsequence(t, strings.Join(strings.Fields(file.Text), ""), string(d.Bytes()))
		})
	}
}

func requireSubsequence(t *testing.T, want, got string) {
	t.Helper()
	// A null that gave way to hooks is the one thing that is replaced.
	want = strings.ReplaceAll(want, `"hooks":null`, `"hooks":`)
	at := 0
	for i := 0; i < len(got) && at < len(want); i++ {
		if got[i] == want[at] {
			at++
		}
	}
	require.Equal(t, len(want), at, "lost: %.60q", want[at:])
}

// S4: what is not strict JSON, or has hooks that the client would reject, is
// refused with its place.
func TestRefusedFilesNameThePlace(t *testing.T) {
	for _, file := range museum.Refused() {
		t.Run(file.Name, func(t *testing.T) {
			_, err := settings.Parse([]byte(file.Text))
			var fault *settings.Fault
			require.ErrorAs(t, err, &fault)
			require.Equal(t, [2]int{file.Line, file.Column}, [2]int{fault.Line, fault.Column}, fault.Problem)
			require.NotEmpty(t, fault.Problem)
		})
	}
}

func TestInsertedTextLooksLikeTheFile(t *testing.T) {
	stop := []settings.Registration{{Event: "Stop", Command: "/b/ctxguard hook", Timeout: 5}}
	cases := map[string]struct{ in, out string }{
		"an empty object is set over lines": {
			"{}",
			"{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"/b/ctxguard hook\",\n            \"timeout\": 5\n          }\n        ]\n      }\n    ]\n  }\n}",
		},
		"a blank file ends with a line end": {
			"",
			"{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"/b/ctxguard hook\",\n            \"timeout\": 5\n          }\n        ]\n      }\n    ]\n  }\n}\n",
		},
		"tabs and CRLF": {
			"{\r\n\t\"a\": 1\r\n}",
			"{\r\n\t\"a\": 1,\r\n\t\"hooks\": {\r\n\t\t\"Stop\": [\r\n\t\t\t{\r\n\t\t\t\t\"hooks\": [\r\n\t\t\t\t\t{\r\n\t\t\t\t\t\t\"type\": \"command\",\r\n\t\t\t\t\t\t\"command\": \"/b/ctxguard hook\",\r\n\t\t\t\t\t\t\"timeout\": 5\r\n\t\t\t\t\t}\r\n\t\t\t\t]\r\n\t\t\t}\r\n\t\t]\r\n\t}\r\n}",
		},
		"minified stays minified": {
			`{"a":1}`,
			`{"a":1,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/b/ctxguard hook","timeout":5}]}]}}`,
		},
		"one line with blanks": {
			`{"a": 1, "b": 2}`,
			`{"a": 1, "b": 2, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/b/ctxguard hook", "timeout": 5}]}]}}`,
		},
		"a group of the same event goes before ours": {
			"{\n \"hooks\": {\n  \"Stop\": [{\"hooks\": []}]\n }\n}",
			"{\n \"hooks\": {\n  \"Stop\": [{\"hooks\": []}, {\"hooks\": [{\"type\": \"command\", \"command\": \"/b/ctxguard hook\", \"timeout\": 5}]}]\n }\n}",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := parse(t, c.in)
			require.NoError(t, d.Register(stop, ours))
			require.Equal(t, c.out, string(d.Bytes()))
		})
	}
}

// S13: ours in another's group, twice, with an old path or in another form comes
// into the one right form, and the others keep place, matcher and timeout.
func TestOursAreBroughtIntoTheOneForm(t *testing.T) {
	stop := []settings.Registration{{Event: "Stop", Command: "/b/ctxguard hook", Timeout: 5}}
	const right = `{"hooks":[{"type":"command","command":"/b/ctxguard hook","timeout":5}]}`
	const foreign = `{"type":"command","command":"mine","timeout":7}`
	cases := map[string]struct{ in, out string }{
		"an old path": {
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/old/ctxguard hook","timeout":5}]}]}}`,
			`{"hooks":{"Stop":[` + right + `]}}`,
		},
		"another timeout, and a message of the person's stays": {
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/b/ctxguard hook","timeout":60,"statusMessage":"x"}]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/b/ctxguard hook","timeout":5,"statusMessage":"x"}]}]}}`,
		},
		"no timeout": {
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/b/ctxguard hook"}]}]}}`,
			`{"hooks":{"Stop":[` + right + `]}}`,
		},
		"a matcher where none belongs": {
			`{"hooks":{"Stop":[{"matcher":"X","hooks":[{"type":"command","command":"/b/ctxguard hook","timeout":5}]}]}}`,
			`{"hooks":{"Stop":[` + right + `]}}`,
		},
		"run in the background": {
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/b/ctxguard hook","timeout":5,"async":true}]}]}}`,
			`{"hooks":{"Stop":[` + right + `]}}`,
		},
		"the exec form": {
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/b/ctxguard","args":["hook"],"timeout":5}]}]}}`,
			`{"hooks":{"Stop":[` + right + `]}}`,
		},
		"in another's group": {
			`{"hooks":{"Stop":[{"matcher":"M","hooks":[` + foreign + `,{"type":"command","command":"/b/ctxguard hook","timeout":5},` + foreign + `]}]}}`,
			`{"hooks":{"Stop":[{"matcher":"M","hooks":[` + foreign + `,` + foreign + `]},` + right + `]}}`,
		},
		"first in another's group": {
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/b/ctxguard hook","timeout":5},` + foreign + `]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[` + foreign + `]},` + right + `]}}`,
		},
		"twice": {
			`{"hooks":{"Stop":[` + right + `,{"hooks":[` + foreign + `]},` + right + `]}}`,
			`{"hooks":{"Stop":[` + right + `,{"hooks":[` + foreign + `]}]}}`,
		},
		"twice in one group": {
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/b/ctxguard hook","timeout":5},{"type":"command","command":"/b/ctxguard hook","timeout":5}]}]}}`,
			`{"hooks":{"Stop":[` + right + `]}}`,
		},
		"at an event that is not wanted": {
			`{"hooks":{"PreCompact":[` + right + `],"Stop":[` + right + `]}}`,
			`{"hooks":{"Stop":[` + right + `]}}`,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := parse(t, c.in)
			require.NoError(t, d.Register(stop, ours))
			require.Equal(t, c.out, string(d.Bytes()))
			require.NoError(t, d.Register(stop, ours))
			require.Equal(t, c.out, string(d.Bytes()))
		})
	}
}

// S19: whatever has changed around ours since.
func TestTakingOutAfterOthersHaveChangedTheFile(t *testing.T) {
	d := parse(t, "{\n  \"model\": \"opus\"\n}\n")
	install(t, d)
	text := string(d.Bytes())
	text = strings.Replace(text, `"opus"`, `"sonnet"`, 1)
	text = strings.Replace(text, "    \"Stop\": [\n", "    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"late\"}]},\n", 1)
	text = strings.TrimSuffix(text, "\n}\n") + ",\n  \"added\": true\n}\n"
	changed := parse(t, text)
	uninstall(t, changed, nil)
	require.Equal(t, "{\n  \"model\": \"sonnet\",\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"late\"}]}\n    ]\n  },\n  \"added\": true\n}\n", string(changed.Bytes()))
}

// S19: without the memory of what was empty, what is empty goes.
func TestTakingOutWithNothingRemembered(t *testing.T) {
	for in, out := range map[string]string{
		"":                                 "{}\n",
		"{}":                               "{}",
		"{\n}\n":                           "{}\n",
		`{"a":1,"hooks":{}}`:               `{"a":1}`,
		`{"a":1,"hooks":{"Stop":[ ]}}`:     `{"a":1}`,
		`{"hooks":{"Stop":[]},"hooks":{}}`: `{"hooks":{"Stop":[]},"hooks":{}}`,
	} {
		d := parse(t, in)
		install(t, d)
		uninstall(t, d, nil)
		require.Equal(t, out, string(d.Bytes()), "%q", in)
	}
}

// S8: other keys of statusLine stay, and refreshInterval is set and taken back.
func TestRefresh(t *testing.T) {
	for in, out := range map[string]string{
		`{"statusLine":{"type":"command","command":"x","padding":2}}`:           `{"statusLine":{"type":"command","command":"x","padding":2,"refreshInterval":7}}`,
		`{"statusLine":{"type":"command","command":"x","refreshInterval":1e1}}`: `{"statusLine":{"type":"command","command":"x","refreshInterval":7}}`,
		`{"statusLine":{"type":"command","command":"x","refreshInterval":7}}`:   `{"statusLine":{"type":"command","command":"x","refreshInterval":7}}`,
	} {
		d := parse(t, in)
		require.NoError(t, d.SetRefresh(7))
		require.Equal(t, out, string(d.Bytes()))
		require.NoError(t, d.RestoreRefresh(d.Origins()))
		require.Equal(t, in, string(d.Bytes()))
	}
}

// S10.
func TestStatusLinesThatAreLeftAlone(t *testing.T) {
	for _, text := range []string{
		`{"statusLine":null}`, `{"statusLine":"x"}`, `{"statusLine":[]}`, `{"statusLine":{}}`,
		`{"statusLine":{"type":"command","command":null}}`, `{"statusLine":{"type":"other","command":"x"}}`,
		`{"statusLine":{"type":5,"command":"x"}}`,
	} {
		line := parse(t, text).StatusLine()
		require.True(t, line.Present, text)
		require.NotEmpty(t, line.Odd, text)
	}
	// The client takes the last of two.
	require.Equal(t, "b", parse(t, `{"statusLine":{"command":"a"},"statusLine":{"command":"b"}}`).StatusLine().Command)
}

func FuzzInstallAndTakeBack(f *testing.F) {
	for _, file := range museum.Settings() {
		if len(file.Text) < 4000 {
			f.Add([]byte(file.Text))
		}
	}
	for _, file := range museum.Refused() {
		if len(file.Text) < 4000 {
			f.Add([]byte(file.Text))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := settings.Parse(raw)
		if err != nil {
			var fault *settings.Fault
			require.True(t, errors.As(err, &fault))
			return
		}
		for _, e := range d.Entries() {
			if ours(e) {
				return
			}
		}
		if strings.Contains(d.StatusLine().Command, "/b/ctxguard") {
			return
		}
		install(t, d)
		once := string(d.Bytes())
		again := parse(t, once)
		install(t, again)
		require.Equal(t, once, string(again.Bytes()))
		uninstall(t, again, d.Origins())
		require.Equal(t, string(raw), string(again.Bytes()))
	})
}
