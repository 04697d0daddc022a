//go:build unix

package doctor_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ctxguard/setup"
	"ctxguard/setup/doctor"
	"ctxguard/statusline/seam"
)

var program string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "ctxguard-doctor-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "ctxguard")
	if out, err := exec.Command("go", "build", "-o", program, "ctxguard/cmd/ctxguard").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// patient is a machine with a home directory, a project and a client of its own.
type patient struct {
	t        *testing.T
	dir, cwd string
	env      map[string]string
	managed  []string
	now      time.Time
}

// healthy is a patient after setup and a day of work.
func healthy(t *testing.T) *patient {
	t.Helper()
	p := &patient{t: t, dir: t.TempDir(), env: map[string]string{}, now: time.Now()}
	p.cwd = filepath.Join(p.dir, "project")
	p.write("project/.git/HEAD", "x")
	p.client("2.1.332")
	p.setup(setup.Options{})
	p.write(".claude/ctxguard/context/s1.json", `{"captured_at":"2026-05-04T03:02:01Z","session_id":"s1","cli_version":"2.1.332"}`)
	for _, event := range strings.Fields("SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PostToolBatch PostCompact Stop SessionEnd") {
		p.home().Seen(event, p.now)
	}
	return p
}

func (p *patient) home() seam.Home { return seam.At(p.path(".claude/ctxguard")) }

func (p *patient) path(below string) string { return filepath.Join(p.dir, filepath.FromSlash(below)) }

func (p *patient) write(below, text string) {
	p.t.Helper()
	require.NoError(p.t, os.MkdirAll(filepath.Dir(p.path(below)), 0o700))
	require.NoError(p.t, os.WriteFile(p.path(below), []byte(text), 0o600))
}

func (p *patient) client(version string) {
	p.t.Helper()
	p.write("path/claude", "#!/bin/sh\necho '"+version+" (Claude Code)'\n")
	require.NoError(p.t, os.Chmod(p.path("path/claude"), 0o755))
	p.t.Setenv("PATH", p.path("path")+":/usr/bin:/bin")
}

// edit changes the settings; the old text must be there.
func (p *patient) edit(old, fresh string) {
	p.t.Helper()
	raw, err := os.ReadFile(p.path(".claude/settings.json"))
	require.NoError(p.t, err)
	require.Contains(p.t, string(raw), old)
	p.write(".claude/settings.json", strings.Replace(string(raw), old, fresh, 1))
}

func (p *patient) system() setup.System {
	environ := []string{"HOME=" + p.dir, "PATH=" + os.Getenv("PATH")}
	return setup.System{
		Getenv: func(name string) string {
			switch name {
			case "HOME":
				return p.dir
			case "PATH":
				return os.Getenv("PATH")
			}
			return p.env[name]
		},
		Environ: environ, Now: p.now, CWD: p.cwd, Program: program, Managed: p.managed, Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{},
	}
}

func (p *patient) setup(opts setup.Options) {
	p.t.Helper()
	opts.Yes, opts.Bin = true, program
	_, err := setup.Run(p.system(), opts)
	require.NoError(p.t, err)
}

func (p *patient) examine() doctor.Report { return doctor.Examine(p.system(), "") }

func TestAHealthyMachine(t *testing.T) {
	report := healthy(t).examine()
	require.True(t, report.Healthy())
	seen := map[string]bool{}
	for _, c := range report.Checks {
		require.Equal(t, doctor.OK, c.State, c)
		require.Empty(t, c.Fix)
		seen[c.Name] = true
	}
	for _, name := range strings.Fields("settings status-line hooks program others shadows client bands home snapshot events off ctxguard.toml zones.toml") {
		require.True(t, seen[name], name)
	}
}

// D1: each check finds what it is there for, and says how to mend it.
func TestEachThingThatCanBreak(t *testing.T) {
	const hook = "/ctxguard hook\""
	entry := func(p *patient) string { return `"command": "` + program + ` hook"` }
	cases := map[string]struct {
		harm      func(*patient)
		name      string
		state     doctor.State
		text, fix string
	}{
		"no settings file": {
			func(p *patient) { require.NoError(p.t, os.Remove(p.path(".claude/settings.json"))) },
			"settings", doctor.Fault, "there is no ", "ctxguard setup"},
		"settings that do not parse": {
			func(p *patient) { p.edit("{", "{ // mine\n") },
			"settings", doctor.Fault, "line 1, column 3: a comment", "mend that place"},
		"hooks in a wrong shape": {
			func(p *patient) { p.write(".claude/settings.json", `{"hooks": []}`) },
			"settings", doctor.Fault, "hooks must be an object", "mend that place"},
		"no status line": {
			func(p *patient) { p.edit(`"statusLine"`, `"x"`) },
			"status-line", doctor.Fault, "no session is measured", "ctxguard setup"},
		"a status line of another's": {
			func(p *patient) { p.edit(program+" statusline", "./mine") },
			"status-line", doctor.Fault, "is not ours", "ctxguard setup"},
		"a status line in a form that no client reads": {
			func(p *patient) { p.edit(`"command": "`+program+` statusline"`, `"command": 5`) },
			"status-line", doctor.Fault, "no command that is a text", "ctxguard setup"},
		"two layers": {
			func(p *patient) { p.edit(program+" statusline", "ctxguard statusline -- ctxguard statusline -- ./x") },
			"status-line", doctor.Note, "2 times", "ctxguard setup"},
		"a layer inside another's": {
			func(p *patient) { p.edit(program+" statusline", "tee.sh "+program+" statusline -- ./x") },
			"status-line", doctor.Note, "inside another tool's wrapper", "ctxguard setup"},
		"a command that no shell reads": {
			func(p *patient) { p.edit(program+" statusline", "ctxguard statusline -- 'x") },
			"status-line", doctor.Fault, "not understood", "mend the command"},
		"the program is gone": {
			func(p *patient) { p.edit(program+hook[len("/ctxguard"):], "/no/such/ctxguard hook\"") },
			"program", doctor.Fault, "/no/such/ctxguard is not there", "ctxguard setup"},
		"the program does not run": {
			func(p *patient) {
				p.write("bad/ctxguard", "#!/bin/sh\nexit 3\n")
				require.NoError(p.t, os.Chmod(p.path("bad/ctxguard"), 0o755))
				p.edit(program+" statusline", p.path("bad/ctxguard")+" statusline")
			},
			"program", doctor.Fault, "does not run as ctxguard", "ctxguard setup"},
		"another version of the program": {
			func(p *patient) {
				p.write("old/ctxguard", "#!/bin/sh\necho ctxguard v0.0.7-x\n")
				require.NoError(p.t, os.Chmod(p.path("old/ctxguard"), 0o755))
				p.edit(program+" statusline", p.path("old/ctxguard")+" statusline")
			},
			"program", doctor.Note, "old/ctxguard is", "ctxguard setup"},
		"a program that only the shell finds": {
			func(p *patient) { p.edit(program+" statusline", "$TOOLS/ctxguard statusline") },
			"program", doctor.Note, "cannot be checked", ""},
		"a hook is gone": {
			func(p *patient) { p.edit(`"UserPromptSubmit"`, `"Notification"`) },
			"hooks", doctor.Fault, "UserPromptSubmit is not registered", "ctxguard setup"},
		"a hook that no guard needs": {
			func(p *patient) { p.edit(`"UserPromptSubmit"`, `"Notification"`) },
			"hooks", doctor.Note, "no guard that is on needs Notification", "ctxguard setup"},
		"a hook twice": {
			func(p *patient) {
				p.edit(`"Stop": [`, `"Stop": [{"hooks": [{"type": "command", "command": "ctxguard hook"}]},`)
			},
			"hooks", doctor.Fault, "Stop is registered 2 times", "ctxguard setup"},
		"a matcher that does not fit": {
			func(p *patient) { p.edit(`"^(Write|`, `"^(`) },
			"hooks", doctor.Fault, `has the matcher "^(Edit`, "ctxguard setup"},
		"a timeout that does not fit": {
			func(p *patient) { p.write(".claude/ctxguard/ctxguard.toml", "[structure]\nenabled = true\n") },
			"hooks", doctor.Fault, `timeout of "5" seconds, and the configuration asks for 15`, "ctxguard setup"},
		"a guard that the project switches on takes longer": {
			func(p *patient) { p.write("project/.ctxguard.toml", "[brief]\nenabled = true\n") },
			"hooks", doctor.Note, "may take longer than the 5 seconds", "ctxguard.toml"},
		"a hook in the background": {
			func(p *patient) { p.edit(entry(p), entry(p)+`, "async": true`) },
			"hooks", doctor.Fault, "not in the form", "ctxguard setup"},
		"an event that a newer client knows": {
			func(p *patient) { p.client("2.1.90"); p.setup(setup.Options{}); p.client("2.1.332") },
			"hooks", doctor.Note, "knows PostToolBatch", "ctxguard setup"},
		"the project registers ctxguard too": {
			func(p *patient) {
				p.write("project/.claude/settings.json", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "ctxguard hook"}]}]}}`)
			},
			"others", doctor.Fault, "registers ctxguard for Stop too", "--undo --settings"},
		"a plugin registers ctxguard too": {
			func(p *patient) {
				p.write(".claude/plugins/cache/x/hooks/hooks.json", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "ctxguard hook"}]}]}}`)
			},
			"others", doctor.Fault, "a plugin registers ctxguard", "remove that plugin"},
		"a plugin with the same aim": {
			func(p *patient) {
				p.write(".claude/plugins/cache/m/context-guard/1.0/hooks/hooks.json", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}`)
			},
			"others", doctor.Note, "the plugin context-guard is here", "keep one"},
		"a plugin rewrites briefs": {
			func(p *patient) {
				p.write(".claude/plugins/x/scripts/brief.js", "updatedInput")
				p.write(".claude/plugins/x/hooks/hooks.json", `{"hooks": {"PreToolUse": [{"matcher": "Agent|Task", "hooks": [{"type": "command", "command": "node \"${CLAUDE_PLUGIN_ROOT}/scripts/brief.js\""}]}]}}`)
			},
			"others", doctor.Note, "a plugin also rewrites calls", "last to finish wins"},
		"ctxguard in a command of another's": {
			func(p *patient) {
				p.edit(`"Stop": [`, `"Stop": [{"hooks": [{"type": "command", "command": "ctxguard hook; ./mine"}]},`)
			},
			"others", doctor.Fault, "beside something else", "take ctxguard out"},
		"another tool with the same aim": {
			func(p *patient) {
				p.edit(`"UserPromptSubmit": [`, `"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "bash ~/.claude/context-guard/hooks/inject.sh"}]},`)
			},
			"others", doctor.Note, "context-guard speaks at UserPromptSubmit", "keep one"},
		"another tool rewrites questions": {
			func(p *patient) {
				p.write("hooks/answer.py", "print({'updatedInput': {}})")
				p.edit(`"PreToolUse": [`, `"PreToolUse": [{"matcher": "AskUserQuestion", "hooks": [{"type": "command", "command": "python3 ~/hooks/answer.py"}]},`)
			},
			"others", doctor.Note, "also rewrites calls of AskUserQuestion", "last to finish wins"},
		"another tool rewrites briefs": {
			func(p *patient) {
				p.edit(`"PreToolUse": [`, `"PreToolUse": [{"matcher": "^(Task|Agent)$", "hooks": [{"type": "command", "command": "jq '{updatedInput: .}'"}]},`)
			},
			"others", doctor.Note, "also rewrites calls of Agent", "last to finish wins"},
		"a project's status line": {
			func(p *patient) {
				p.write("project/.claude/settings.local.json", `{"statusLine": {"type": "command", "command": "./x"}}`)
			},
			"shadows", doctor.Fault, "has a status line of its own", "ctxguard setup --settings"},
		"disableAllHooks": {
			func(p *patient) { p.edit("{", `{"disableAllHooks": true,`) },
			"shadows", doctor.Fault, "disableAllHooks is true", "change it there"},
		"managed settings": {
			func(p *patient) {
				p.managed = []string{p.path("managed.json")}
				p.write("managed.json", `{"allowManagedHooksOnly": true}`)
			},
			"shadows", doctor.Fault, "allows managed hooks only", "change it there"},
		"an old client": {
			func(p *patient) { p.client("2.1.120"); p.setup(setup.Options{}) },
			"client", doctor.Note, "sums instead of sizes", "update Claude Code"},
		"an unknown client": {
			func(p *patient) {
				p.client("none")
				require.NoError(p.t, os.Remove(p.path(".claude/ctxguard/context/s1.json")))
			},
			"client", doctor.Note, "is not known; once it is, PostToolBatch can be used", "start a session"},
		"a ctxguard.toml that is not TOML": {
			func(p *patient) { p.write(".claude/ctxguard/ctxguard.toml", "[gate\n") },
			"ctxguard.toml", doctor.Fault, "the defaults hold", "mend it"},
		"an unknown key in ctxguard.toml": {
			func(p *patient) { p.write(".claude/ctxguard/ctxguard.toml", "[gate]\nmood = 1\n") },
			"ctxguard.toml", doctor.Note, "gate.mood", "mend it"},
		"no ctxguard.toml": {
			func(p *patient) { require.NoError(p.t, os.Remove(p.path(".claude/ctxguard/ctxguard.toml"))) },
			"ctxguard.toml", doctor.Note, "the defaults hold", "ctxguard setup"},
		"a zones.toml that is not TOML": {
			func(p *patient) { p.write(".claude/ctxguard/zones.toml", "= 5\n") },
			"zones.toml", doctor.Fault, "built-in", "mend it"},
		"bands out of order": {
			func(p *patient) {
				p.write(".claude/ctxguard/zones.toml", "smart_max_used_percentage = 80\nacceptable_max_used_percentage = 70\n")
			},
			"zones.toml", doctor.Note, "smart_max_used_percentage", "mend it"},
		"a project file with a key that it may not have": {
			func(p *patient) { p.write("project/.ctxguard.toml", "[gate]\nenabled = false\n") },
			".ctxguard.toml", doctor.Note, "gate", "mend it"},
		"bands above the point of compaction": {
			func(p *patient) { p.edit("{", `{"autoCompactWindow": 150000,`) },
			"bands", doctor.Note, "compacts at 117000, before a conversation turns dumb at 160000", "lower the bands"},
		"bands above the point of compaction by the environment": {
			func(p *patient) { p.env["CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"] = "30" },
			"bands", doctor.Note, "compacts at 60000", "lower"},
		"the home is gone": {
			func(p *patient) { require.NoError(p.t, os.RemoveAll(p.path(".claude/ctxguard"))) },
			"home", doctor.Fault, "is not there", "ctxguard setup"},
		"the home is open to others": {
			func(p *patient) { require.NoError(p.t, os.Chmod(p.path(".claude/ctxguard"), 0o755)) },
			"home", doctor.Fault, "looked into by others", "ctxguard setup"},
		"no snapshot": {
			func(p *patient) { require.NoError(p.t, os.Remove(p.path(".claude/ctxguard/context/s1.json"))) },
			"snapshot", doctor.Note, "no session has been measured", "open a session"},
		"no snapshot of the last day": {
			func(p *patient) { p.now = p.now.Add(50 * time.Hour) },
			"snapshot", doctor.Note, "2 days ago", "open a session"},
		"an event that never came": {
			func(p *patient) { require.NoError(p.t, os.Remove(p.path(".claude/ctxguard/seen/PreToolUse"))) },
			"events", doctor.Note, "not seen yet: PreToolUse", "not delivered"},
		"a trigger that matches nothing": {
			func(p *patient) {
				p.write(".claude/ctxguard/ctxguard.toml", "[[reminders.trigger]]\nwhen = [\"x\"]\nquestion = \"NOWHERE\"\n")
				p.write("project/knowledge-base/_questions.md", "# Open NOWHERE\n- what of it?\n")
			},
			"triggers", doctor.Note, `"NOWHERE" matches no question`, "reminders.trigger"},
		"guards switched off": {
			func(p *patient) {
				p.write(".claude/ctxguard/off.json", `{"off": {"gate": "2099-01-01T00:00:00Z", "ask": "2001-01-01T00:00:00Z"}}`)
			},
			"off", doctor.Note, "switched off: gate until 2099", "ctxguard on"},
		"guards switched off by the environment": {
			func(p *patient) { p.env["CTXGUARD_OFF"] = "all" },
			"off", doctor.Note, "CTXGUARD_OFF switches off: all", "environment"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := healthy(t)
			c.harm(p)
			report := p.examine()
			var found []doctor.Check
			for _, check := range report.Checks {
				if check.Name == c.name && check.State == c.state && strings.Contains(check.Text, c.text) {
					found = append(found, check)
				}
			}
			require.NotEmpty(t, found, "%+v", report.Checks)
			require.Contains(t, found[0].Fix, c.fix)
			if c.state == doctor.Fault {
				require.False(t, report.Healthy()) // D2
			}
		})
	}
}

// A project's settings file makes nothing run, and cannot steer the terminal.
func TestAProjectsFileMakesNothingRun(t *testing.T) {
	p := healthy(t)
	p.write("project/bin/ctxguard", "#!/bin/sh\ntouch '"+p.dir+"/ran'\n")
	require.NoError(t, os.Chmod(p.path("project/bin/ctxguard"), 0o755))
	p.write("project/.claude/settings.json", `{"statusLine": {"type": "command", "command": "`+p.path("project/bin/ctxguard")+` statusline"},
		"hooks": {"\u001b[31mEvil": [{"hooks": [{"type": "command", "command": "ctxguard hook"}]}]}}`)
	report := doctor.Examine(p.system(), p.path("project/.claude/settings.json"))
	require.NoFileExists(t, p.path("ran"))
	var out bytes.Buffer
	require.NoError(t, report.Print(&out, false))
	require.Contains(t, out.String(), "it was not run to find out")
	require.Contains(t, out.String(), "[31mEvil")
	require.NotContains(t, out.String(), "\x1b")
}

// D2: what setup is said to mend, it mends.
func TestSetupMendsWhatItIsSaidToMend(t *testing.T) {
	for name, harm := range map[string]func(*patient){
		"a hook twice": func(p *patient) {
			p.edit(`"Stop": [`, `"Stop": [{"hooks": [{"type": "command", "command": "ctxguard hook"}]},`)
		},
		"the status line":  func(p *patient) { p.edit(program+" statusline", "./mine") },
		"a matcher":        func(p *patient) { p.edit(`"^(Write|`, `"^(`) },
		"no settings":      func(p *patient) { require.NoError(p.t, os.Remove(p.path(".claude/settings.json"))) },
		"an open home":     func(p *patient) { require.NoError(p.t, os.Chmod(p.path(".claude/ctxguard"), 0o755)) },
		"in background":    func(p *patient) { p.edit(` hook"`, ` hook", "async": true`) },
		"a hook is gone":   func(p *patient) { p.edit(`"UserPromptSubmit"`, `"Notification"`) },
		"the program gone": func(p *patient) { p.edit(program+" hook", "/no/such/ctxguard hook") },
	} {
		t.Run(name, func(t *testing.T) {
			p := healthy(t)
			harm(p)
			require.False(t, p.examine().Healthy())
			p.setup(setup.Options{})
			require.True(t, p.examine().Healthy(), "%+v", p.examine().Checks)
		})
	}
}

// D2: the shape for scripts.
func TestJSON(t *testing.T) {
	p := healthy(t)
	p.env["CTXGUARD_OFF"] = "all"
	var out bytes.Buffer
	require.NoError(t, p.examine().PrintJSON(&out))
	var got struct {
		Version int
		Checks  []map[string]string
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	require.Equal(t, 1, got.Version)
	last := got.Checks[len(got.Checks)-1]
	require.Equal(t, "off", last["name"])
	require.Equal(t, "note", last["state"])
	require.NotEmpty(t, last["text"])
	require.NotEmpty(t, last["fix"])
}

func TestMatchersAsTheClientReadsThem(t *testing.T) {
	// Facts I.5, for the tool Bash.
	for matcher, fires := range map[string]bool{
		"Bash": true, "Write|Bash": true, "Write,Bash": true, "Write| Bash": true, "Bash ": true, "*": true, "": true, ".*": true, "Ba.*": true,
		"^Ba": true, "[Bash]": true, "^(Edit|Bash)$": true, "Ba": false, "bash": false, "(Bash": false, "mcp__.*__X": false,
	} {
		require.Equal(t, fires, setup.Matches(matcher, "Bash"), matcher)
	}
}
