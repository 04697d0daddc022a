package doctor

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/hooks/knowledge/questions"
	"ctxguard/setup"
	"ctxguard/setup/wrap"
	"ctxguard/statusline/seam"
	"ctxguard/zones"
)

const (
	maxFile = 1 << 20
	fresh   = 24 * time.Hour
)

// configuration reads the TOML files: they parse, and hold no unknown keys.
func (x *examination) configuration() {
	machine, ok := x.toml("ctxguard.toml")
	var notices []config.Notice
	x.machine, notices = config.ParseMachine(machine)
	x.config = x.machine
	x.noticed("ctxguard.toml", ok, notices)

	bands, ok := x.toml("zones.toml")
	var wrong []zones.Notice
	x.bands, wrong = zones.ParseBands(bands)
	notices = nil
	for _, n := range wrong {
		notices = append(notices, config.Notice{Key: n.Key, Text: "zones.toml: " + n.Text})
	}
	x.noticed("zones.toml", ok, notices)

	if root := config.FindProject(x.sys.Getenv, x.sys.CWD); root != "" {
		path := filepath.Join(root, ".ctxguard.toml")
		if raw, err := seam.ReadFile(path, maxFile); err == nil {
			x.config, notices = config.ApplyProject(x.config, raw)
			x.noticed(".ctxguard.toml", true, notices)
		}
	}
}

func (x *examination) toml(name string) (data []byte, ok bool) {
	data, err := seam.ReadFile(x.place.Home.Path(name), maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		x.add(name, Note, runSetup+" for one that shows every key", "there is no %s; the defaults hold", name)
		return nil, false
	case err != nil:
		x.add(name, Fault, "see to it that the file can be read", "%v", err)
		return nil, false
	}
	return data, true
}

func (x *examination) noticed(name string, read bool, notices []config.Notice) {
	for _, n := range notices {
		state := Note
		if strings.HasSuffix(n.Key, ":toml") || n.Key == "syntax" {
			state = Fault
		}
		x.add(name, state, "mend it in "+name, "%s", n.Text)
	}
	if read && len(notices) == 0 {
		x.add(name, OK, "", "%s is understood", name)
	}
}

// version: what the client supports.
func (x *examination) version() {
	const name = "client"
	c := x.client
	switch {
	case !c.Known && !c.Found:
		x.add(name, Note, "", "Claude Code was not found on this machine, and no session has been seen")
	case !c.Known:
		x.add(name, Note, "start a session, then "+runSetup, "the version of Claude Code is not known; once it is, PostToolBatch can be used")
	case !c.Version.AtLeast(setup.Version{2, 1, 132}):
		x.add(name, Note, "update Claude Code", "Claude Code %s reports sums instead of sizes, so zones go by the percentage alone", c.Version)
	case !c.Version.AtLeast(setup.Version{2, 1, 163}):
		x.add(name, OK, "", "Claude Code %s (by %s) supports all but words to the model at the end of a turn", c.Version, c.Source)
	default:
		x.add(name, OK, "", "Claude Code %s (by %s) supports everything that ctxguard uses", c.Version, c.Source)
	}
}

// compaction: the bands lie below the point at which the client compacts by itself.
func (x *examination) compaction() {
	const name = "bands"
	settings := bytes.TrimPrefix(x.raw, []byte("\ufeff"))
	before := len(x.checks)
	for _, row := range x.bands.Tokens {
		point, ok := zones.CompactionPoint(row.Class, "", settings, x.sys.Getenv)
		if !ok {
			continue
		}
		if row.AcceptableMax >= point {
			x.add(name, Note, "lower the bands in zones.toml, or raise the point of compaction",
				"in windows of %d tokens Claude Code compacts at %d, before a conversation turns dumb at %d", row.Class, point, row.AcceptableMax)
		}
		if percent := x.bands.AcceptableMaxPercent * float64(row.Class) / 100; percent >= float64(point) {
			x.add(name, Note, "lower acceptable_max_used_percentage in zones.toml",
				"in windows of %d tokens Claude Code compacts at %d, before a conversation reaches %v percent", row.Class, point, x.bands.AcceptableMaxPercent)
		}
	}
	if len(x.checks) == before {
		x.add(name, OK, "", "the bands are in order, and lie below the point where Claude Code compacts by itself")
	}
}

// home: writable, and private.
func (x *examination) home() {
	const name = "home"
	dir := x.place.Home.Dir()
	info, err := os.Stat(dir)
	if err != nil {
		x.add(name, Fault, runSetup, "%s is not there", dir)
		return
	}
	probe, err := os.CreateTemp(dir, ".ctxguard-tmp-*")
	if err != nil {
		x.add(name, Fault, "see to it that you may write there", "%s cannot be written to, so nothing is measured", dir)
		return
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		x.add(name, Note, "", "a file of this check stays behind: %v", err)
	}
	if !setup.IsPrivate(info) {
		x.add(name, Fault, runSetup, "%s can be looked into by others on this machine", dir)
		return
	}
	x.add(name, OK, "", "%s is writable and private", dir)
}

// snapshot: a session was measured lately.
func (x *examination) snapshot() {
	const name = "snapshot"
	const fix = "open a session in a terminal; should none come then, look at the checks above (an untrusted folder and disableAllHooks leave no trace)"
	for _, session := range x.place.Home.Newest(1) {
		info, err := os.Stat(session.SnapshotPath())
		if err != nil {
			continue
		}
		if age := x.sys.Now.Sub(info.ModTime()); age < fresh {
			x.add(name, OK, "", "a session was measured %s ago", age.Round(time.Second))
		} else {
			x.add(name, Note, fix, "the last session was measured %d days ago", int(age/(24*time.Hour)))
		}
		return
	}
	x.add(name, Note, fix, "no session has been measured yet")
}

// events: each has been seen.
func (x *examination) events() {
	const name = "events"
	var missing []string
	for _, r := range setup.Registrations(x.machine, x.client, setup.Program{}) {
		if _, ok := x.place.Home.LastSeen(r.Event); !ok {
			missing = append(missing, r.Event)
		}
	}
	if len(missing) == 0 {
		x.add(name, OK, "", "every event has arrived at least once")
		return
	}
	x.add(name, Note, "use a session for a while; an event that never comes is not delivered", "not seen yet: %s", strings.Join(missing, ", "))
}

// triggers: each matches a question of this project.
func (x *examination) triggers() {
	const name = "triggers"
	root := config.FindProject(x.sys.Getenv, x.sys.CWD)
	if root == "" || len(x.config.Reminders.Triggers) == 0 || !x.config.Runs(hooks.GuardReminders) {
		return
	}
	dead, err := questions.Dead(x.config.Reminders, root)
	if errors.Is(err, fs.ErrNotExist) {
		x.add(name, Note, "", "there are triggers, but no %s in this project", x.config.Reminders.File)
		return
	}
	if err != nil {
		x.add(name, Note, "mend the questions file", "%s cannot be read: %s", x.config.Reminders.File, err)
		return
	}
	for _, t := range dead {
		x.add(name, Note, "mend question in [[reminders.trigger]]", "the trigger for %q matches no question of %s in %s",
			t.Question, strings.Join(x.config.Reminders.OnPrompt, ", "), x.config.Reminders.File)
	}
	if len(dead) == 0 {
		x.add(name, OK, "", "every trigger matches a question")
	}
}

// off: guards that are switched off from outside.
func (x *examination) off() {
	const name = "off"
	off, err := config.ReadOff(x.place.Home)
	if err != nil {
		x.add(name, Note, "run `ctxguard on`", "%v", err)
		return
	}
	var guards []string
	for guard, until := range off.InForce(x.sys.Now) {
		text := guard
		if !until.IsZero() {
			text += " until " + until.Local().Format("2006-01-02 15:04")
		}
		guards = append(guards, text)
	}
	slices.Sort(guards)
	if len(guards) > 0 {
		x.add(name, Note, "`ctxguard on` ends it", "switched off: %s", strings.Join(guards, ", "))
	}
	if variable := x.sys.Getenv("CTXGUARD_OFF"); variable != "" {
		x.add(name, Note, "take the variable out of the environment", "CTXGUARD_OFF switches off: %s", wrap.Quote(variable))
		return
	}
	if len(guards) == 0 {
		x.add(name, OK, "", "no guard is switched off from outside")
	}
}
