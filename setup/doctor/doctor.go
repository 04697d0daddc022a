// Package doctor finds what keeps ctxguard from working, and says of each thing
// how to mend it. It looks only: nothing is changed, and no command of the person's
// is run.
package doctor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"ctxguard/hooks/config"
	"ctxguard/setup"
	"ctxguard/setup/settings"
	"ctxguard/statusline/printable"
	"ctxguard/zones"
)

// State is how one check came out.
type State string

// The states. Only a fault keeps ctxguard from doing its work.
const (
	OK    State = "ok"
	Note  State = "note"
	Fault State = "fault"
)

// Check is one thing that was looked at.
type Check struct {
	// Name is a stable short word.
	Name  string `json:"name"`
	State State  `json:"state"`
	// Text says in one line what was found, Fix how to mend it; "" when there is
	// nothing to mend.
	Text string `json:"text"`
	Fix  string `json:"fix,omitempty"`
}

// Report is all checks, in the order in which one depends on another.
type Report struct {
	// Version of this shape.
	Version int     `json:"version"`
	Checks  []Check `json:"checks"`
}

// Healthy reports whether there is no fault.
func (r Report) Healthy() bool {
	return !slices.ContainsFunc(r.Checks, func(c Check) bool { return c.State == Fault })
}

const runSetup = "run `ctxguard setup`"

// examination is what the checks share.
type examination struct {
	sys    setup.System
	place  setup.Place
	client setup.Client
	// machine is what the person's own file says, config that and the project's.
	machine, config config.Config
	bands           zones.Bands
	// raw is the settings file, doc what is understood of it: nil for none.
	raw []byte
	doc *settings.Document
	// programs are named by the settings as ours.
	programs []string
	checks   []Check
}

func (x *examination) add(name string, state State, fix, format string, args ...any) {
	x.checks = append(x.checks, Check{Name: name, State: state, Text: fmt.Sprintf(format, args...), Fix: fix})
}

// Examine makes every check.
func Examine(sys setup.System, settingsFile string) Report {
	x := &examination{sys: sys}
	place, err := setup.Locate(sys, setup.Options{Settings: settingsFile})
	if err != nil {
		x.add("home", Fault, "set HOME, or CLAUDE_CONFIG_DIR to an absolute path", "%v", err)
		return Report{Version: 1, Checks: x.checks}
	}
	x.place = place
	x.client = setup.FindClient(sys, place.Home)
	x.configuration()
	if x.settings() {
		x.statusLine()
		x.hooks()
		x.program()
		x.others()
	}
	x.shadows()
	x.version()
	x.compaction()
	x.home()
	x.snapshot()
	x.events()
	x.triggers()
	x.off()
	return Report{Version: 1, Checks: x.checks}
}

// settings reads the settings file, and reports whether it is understood.
func (x *examination) settings() bool {
	raw, existed, err := setup.ReadSettings(x.place.Target)
	if err != nil {
		x.add("settings", Fault, "see to it that the file can be read", "%v", err)
		return false
	}
	if !existed {
		x.add("settings", Fault, runSetup, "there is no %s", x.place.Target)
		return false
	}
	doc, err := settings.Parse(raw)
	if err != nil {
		x.add("settings", Fault, "mend that place: Claude Code does not read the file as it is", "%s: %v", x.place.Target, err)
		return false
	}
	x.raw, x.doc = raw, doc
	x.add("settings", OK, "", "%s is understood", x.place.Target)
	return true
}

// Print writes the report for people.
func (r Report) Print(w io.Writer, colour bool) error {
	for _, c := range r.Checks {
		state := fmt.Sprintf("%-5s", c.State)
		if colour {
			code := map[State]string{OK: "32", Note: "33", Fault: "31"}[c.State]
			state = "\x1b[" + code + "m" + state + "\x1b[0m"
		}
		if _, err := fmt.Fprintf(w, "%s  %-14s %s\n", state, c.Name, printable.Line(c.Text)); err != nil {
			return err
		}
		if c.Fix != "" {
			if _, err := fmt.Fprintf(w, "%7s%-14s → %s\n", "", "", printable.Line(c.Fix)); err != nil {
				return err
			}
		}
	}
	faults, notes := 0, 0
	for _, c := range r.Checks {
		switch c.State {
		case Fault:
			faults++
		case Note:
			notes++
		}
	}
	_, err := fmt.Fprintf(w, "\n%s, %s.\n", counted(faults, "fault"), counted(notes, "note"))
	return err
}

func counted(n int, word string) string {
	switch n {
	case 0:
		return "no " + word
	case 1:
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// PrintJSON writes the report for scripts.
func (r Report) PrintJSON(w io.Writer) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(r); err != nil {
		return err
	}
	_, err := w.Write(printable.JSON(b.Bytes()))
	return err
}
