package doctor

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"ctxguard/setup"
	"ctxguard/setup/settings"
	"ctxguard/setup/wrap"
	"ctxguard/statusline/seam"
)

const maxProgram = 256 << 20

// statusLine: the command is ours, once, and its program runs.
func (x *examination) statusLine() {
	const name = "status-line"
	line := x.doc.StatusLine()
	r := wrap.Read(line.Command)
	switch {
	case !line.Present:
		x.add(name, Fault, runSetup, "there is no status line, so no session is measured")
		return
	case line.Odd != "":
		x.add(name, Fault, "give it the form {\"type\": \"command\", \"command\": \"…\"}, then "+runSetup, "statusLine %s (line %d), so no session is measured", line.Odd, line.Line)
		return
	case r.Odd != "":
		x.add(name, Fault, "mend the command, then "+runSetup, "the status line command is not understood: %s", r.Odd)
		return
	case r.Layers == 0:
		x.add(name, Fault, runSetup, "the status line is not ours (line %d), so no session is measured", line.Line)
		return
	case r.Layers > 1:
		x.add(name, Note, runSetup, "ctxguard stands in the status line %d times", r.Layers)
	case !r.Outermost && !r.Within:
		x.add(name, Note, runSetup, "ctxguard stands inside another tool's wrapper, and measures only what that lets through")
	default:
		x.add(name, OK, "", "ctxguard stands in the status line, once")
	}
	x.programs = append(x.programs, r.Program)
}

// program: what the settings name is there, runs, and is this version.
func (x *examination) program() {
	slices.Sort(x.programs)
	for _, named := range slices.Compact(x.programs) {
		if path, known := x.resolve(named); known {
			x.programAt(path)
		} else {
			x.add("program", Note, "", "%q cannot be checked from here", named)
		}
	}
}

func (x *examination) programAt(path string) {
	const name = "program"
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0 {
		x.add(name, Fault, runSetup, "%s is not there, or is not a program", path)
		return
	}
	there, errThere := seam.ReadFile(path, maxProgram)
	here, errHere := seam.ReadFile(x.sys.Program, maxProgram)
	if errThere == nil && errHere == nil && bytes.Equal(there, here) {
		x.add(name, OK, "", "%s is this program", path)
		return
	}
	if x.place.Settings != setup.Settings(x.place.Client) || setup.InProject(x.sys, path) {
		// Not the person's own word: a project's file may not make it run.
		x.add(name, Note, "", "%s is another build of ctxguard than this one, or something else; it was not run to find out", path)
		return
	}
	version, ok := setup.AskVersion(x.sys, path, "version")
	own, okOwn := setup.AskVersion(x.sys, x.sys.Program, "version")
	switch {
	case !ok && !x.answers(path):
		x.add(name, Fault, runSetup, "%s does not run as ctxguard", path)
	case !ok || !okOwn || version == own:
		x.add(name, Note, runSetup+" to use this one", "%s is another build of ctxguard than this one", path)
	default:
		x.add(name, Note, runSetup+" with the version that you want", "%s is version %s, and this is %s", path, version, own)
	}
}

// answers reports whether a program says that it is ctxguard, of whatever version.
func (x *examination) answers(path string) bool {
	return strings.HasPrefix(setup.Ask(x.sys, path, "version"), "ctxguard ")
}

// resolve is the file that a word of the shell names, where that can be told.
func (x *examination) resolve(named string) (string, bool) {
	home, _ := seam.UserHome(x.sys.Getenv)
	switch {
	case strings.HasPrefix(named, "~/") && home != "":
		return filepath.Join(home, named[2:]), true
	case filepath.IsAbs(named):
		return named, true
	case named != "" && !strings.ContainsAny(named, `/\ `):
		path, err := exec.LookPath(named)
		if err != nil {
			return named, true // it is not there, which is the finding
		}
		return path, true
	}
	return "", false
}

// hooks: there, once, in the right form, and as the configuration wants them.
func (x *examination) hooks() {
	const name = "hooks"
	mine := make(map[string][]settings.Entry)
	for _, e := range x.doc.Entries() {
		if wrap.IsHook(e.Command, e.Args) {
			mine[e.Event] = append(mine[e.Event], e)
			x.programs = append(x.programs, wrap.HookProgram(e.Command, e.Args))
		}
	}
	before := len(x.checks)
	wanted := setup.Registrations(x.machine, x.client, setup.Program{})
	for _, r := range wanted {
		x.hook(r, mine[r.Event])
		delete(mine, r.Event)
	}
	for event, entries := range mine {
		x.add(name, Note, runSetup, "no guard that is on needs %s (line %d)", event, entries[0].Line)
	}
	if len(x.checks) == before {
		x.add(name, OK, "", "%d events are registered, each once", len(wanted))
	}
	for _, r := range setup.Registrations(x.config, x.client, setup.Program{}) {
		for _, w := range wanted {
			if w.Event == r.Event && w.Timeout < r.Timeout {
				x.add(name, Note, "switch the same guard on in ctxguard.toml, then "+runSetup,
					"this project switches on a guard at %s that may take longer than the %d seconds that are registered", r.Event, w.Timeout)
			}
		}
	}
}

func (x *examination) hook(r settings.Registration, mine []settings.Entry) {
	const name = "hooks"
	switch {
	case len(mine) == 0 && r.Event == "PostToolBatch":
		x.add(name, Note, runSetup, "Claude Code %s knows PostToolBatch, which tells the zone sooner and costs less than PostToolUse", x.client.Version)
	case len(mine) == 0:
		x.add(name, Fault, runSetup, "%s is not registered; Claude Code may have written its settings anew", r.Event)
	case len(mine) > 1:
		x.add(name, Fault, runSetup, "%s is registered %d times", r.Event, len(mine))
	case mine[0].Matcher != r.Matcher && r.Event == "PostToolUse" && mine[0].Matcher == "":
		x.add(name, Note, runSetup, "PostToolUse (line %d) runs for every tool, which is needed no more", mine[0].Line)
	case mine[0].Matcher != r.Matcher:
		x.add(name, Fault, runSetup, "%s (line %d) has the matcher %q, and the configuration asks for %q", r.Event, mine[0].Line, mine[0].Matcher, r.Matcher)
	case mine[0].Timeout != fmt.Sprint(r.Timeout):
		x.add(name, Fault, runSetup, "%s (line %d) has a timeout of %q seconds, and the configuration asks for %d", r.Event, mine[0].Line, mine[0].Timeout, r.Timeout)
	case !mine[0].Plain || !mine[0].Alone:
		x.add(name, Fault, runSetup, "%s (line %d) is not in the form that setup gives it", r.Event, mine[0].Line)
	}
}

// others: the same work done twice, and other tools that rewrite what we rewrite.
func (x *examination) others() {
	const name = "others"
	before := len(x.checks)
	for _, e := range x.doc.Entries() {
		if !wrap.IsHook(e.Command, e.Args) {
			x.other(x.place.Target, e)
		}
	}
	for _, path := range setup.ProjectFiles(x.sys) {
		if raw, existed, err := setup.ReadSettings(path); err == nil && existed && path != x.place.Target {
			if doc, err := settings.Parse(raw); err == nil {
				for _, e := range doc.Entries() {
					if wrap.IsHook(e.Command, e.Args) {
						x.add(name, Fault, "run `ctxguard setup --undo --settings "+wrap.Quote(path)+"`", "%s registers ctxguard for %s too, so that it runs twice here", path, e.Event)
						continue
					}
					x.other(path, e)
				}
			}
		}
	}
	x.plugins()
	if len(x.checks) == before {
		x.add(name, OK, "", "no other tool was found that does the same or rewrites the same calls")
	}
}

func (x *examination) other(path string, e settings.Entry) {
	const name = "others"
	where := fmt.Sprintf("%s, line %d", path, e.Line)
	if wrap.HookProgram(e.Command, e.Args) != "" {
		x.add(name, Fault, "take ctxguard out of that command, then "+runSetup, "a command for %s runs ctxguard beside something else (%s), so that it may run twice", e.Event, where)
		return
	}
	if strings.Contains(e.Command, "context-guard") {
		x.add(name, Note, "keep one of the two", "context-guard speaks at %s as well (%s)", e.Event, where)
		return
	}
	if e.Event == "PreToolUse" && x.rewrites(e, "") {
		for _, tool := range []string{"AskUserQuestion", "Agent"} {
			if setup.Matches(e.Matcher, tool) {
				x.add(name, Note, "let one of the two do it: the last to finish wins", "another hook also rewrites calls of %s (%s)", tool, where)
				return
			}
		}
	}
}

// rewrites reports whether a hook speaks of updatedInput, in its command or in a
// file that its command names. The file is read, never run.
func (x *examination) rewrites(e settings.Entry, plugin string) bool {
	const word = "updatedInput"
	if strings.Contains(e.Command, word) {
		return true
	}
	home, _ := seam.UserHome(x.sys.Getenv)
	known := strings.NewReplacer(`"`, "", "'", "", "$HOME", home, "${HOME}", home, "~", home,
		"$CLAUDE_PROJECT_DIR", x.sys.CWD, "${CLAUDE_PROJECT_DIR}", x.sys.CWD,
		"$CLAUDE_PLUGIN_ROOT", plugin, "${CLAUDE_PLUGIN_ROOT}", plugin)
	for _, text := range append(strings.Fields(e.Command), e.Args...) {
		path := known.Replace(text)
		if !filepath.IsAbs(path) {
			continue
		}
		if raw, err := seam.ReadFile(path, 1<<20); err == nil && bytes.Contains(raw, []byte(word)) {
			return true
		}
	}
	return false
}

// mostPluginFiles bounds the walk through installed plugins.
const mostPluginFiles = 20_000

// plugins looks for plugins that do the same: their hooks are not compared with
// those of the settings, and so run besides.
func (x *examination) plugins() {
	const name = "others"
	looked := 0
	var found []string
	err := filepath.WalkDir(filepath.Join(x.place.Client, "plugins"), func(path string, entry fs.DirEntry, err error) error {
		if looked++; looked > mostPluginFiles {
			return fs.SkipAll
		}
		if err == nil && entry.Name() == "hooks.json" && entry.Type().IsRegular() {
			found = append(found, path)
		}
		return nil
	})
	if err != nil {
		x.add(name, Note, "", "the plugins could not be looked through: %v", err)
	}
	for _, path := range found {
		x.plugin(path)
	}
}

// plugin looks at one plugin's hooks.json. Whether it is enabled is not known.
func (x *examination) plugin(path string) {
	const name = "others"
	raw, err := seam.ReadFile(path, 1<<20)
	if err != nil {
		return
	}
	doc, err := settings.Parse(raw)
	if err != nil {
		return
	}
	entries := doc.Entries()
	root := filepath.Dir(filepath.Dir(path))
	switch {
	case slices.ContainsFunc(entries, func(e settings.Entry) bool { return wrap.HookProgram(e.Command, e.Args) != "" }):
		x.add(name, Fault, "remove that plugin, or run `ctxguard setup --undo`", "a plugin registers ctxguard as well (%s), so that it runs twice", path)
	case slices.Contains(strings.Split(filepath.ToSlash(root), "/"), "context-guard"):
		x.add(name, Note, "keep one of the two", "the plugin context-guard is here (%s); where it is enabled, both speak of the zones", root)
	case slices.ContainsFunc(entries, func(e settings.Entry) bool {
		return e.Event == "PreToolUse" && (setup.Matches(e.Matcher, "AskUserQuestion") || setup.Matches(e.Matcher, "Agent")) && x.rewrites(e, root)
	}):
		x.add(name, Note, "let one of the two do it: the last to finish wins", "a plugin also rewrites calls of AskUserQuestion or Agent (%s)", path)
	}
}

// shadows: what keeps the user's settings from having effect.
func (x *examination) shadows() {
	const name = "shadows"
	doc := x.doc
	if doc == nil {
		doc = &settings.Document{}
	}
	found := setup.Shadows(x.sys, x.place, doc)
	for _, s := range found {
		state, fix := Fault, ""
		text, remedy, _ := strings.Cut(s, "; ")
		switch {
		case remedy != "" && strings.HasPrefix(remedy, "setup "):
			fix = "`ctxguard " + strings.TrimSuffix(remedy, " wraps it.") + "` wraps it"
		case remedy != "":
			fix = strings.TrimSuffix(remedy, ".")
		default:
			fix = "change it there, if it is yours to change"
		}
		x.add(name, state, fix, "%s", strings.TrimSuffix(text, "."))
	}
	if len(found) == 0 {
		x.add(name, OK, "", "nothing stands in front of these settings here")
	}
}
