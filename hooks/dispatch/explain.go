package dispatch

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
	"ctxguard/zones"
)

// ErrNeither says that what is to be explained is neither a hook event nor a
// status line payload.
var ErrNeither = errors.New("neither a hook event (no hook_event_name) nor a status line payload (no context_window)")

// Explanation is what would happen to one recorded event or payload, in lines
// for people.
type Explanation []string

func (x *Explanation) add(format string, args ...any) { *x = append(*x, fmt.Sprintf(format, args...)) }

func (x *Explanation) addZone(r zones.Reading) {
	x.add("zone:    %s", r.Zone)
	for _, line := range r.Explain() {
		x.add("  %s", line)
	}
}

// Explain runs a recorded event or payload through everything and tells what
// each guard saw and decided. It changes no file.
func Explain(sys System, raw []byte) (Explanation, error) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if !seam.ValidJSON(raw) || !gjson.ParseBytes(raw).IsObject() {
		return nil, seam.ErrNotObject
	}
	home, ok := seam.Locate(sys.Getenv)
	if !ok {
		return nil, errors.New("no home: set HOME, CLAUDE_CONFIG_DIR or CTXGUARD_HOME to an absolute path")
	}
	var logged Explanation
	e := &engine{sys: sys, home: home, frozen: true, log: func(m string) { logged.add("log:     %s", m) }}
	var x Explanation
	switch {
	case gjson.GetBytes(raw, "hook_event_name").Exists():
		e.explainEvent(&x, raw)
	case gjson.GetBytes(raw, "context_window").Exists():
		e.explainPayload(&x, raw)
	default:
		return nil, ErrNeither
	}
	return append(x, logged...), nil
}

func (e *engine) explainEvent(x *Explanation, raw []byte) {
	ev, row, guards, err := e.receive(bytes.NewReader(raw), nil)
	name := gjson.GetBytes(raw, "hook_event_name").String()
	if err != nil {
		x.add("event:   %q: %s; silent", name, err)
		return
	}
	if ev == nil {
		x.add("event:   %q is not one that ctxguard listens to; silent", name)
		return
	}
	x.add("event:   %s", describe(ev))
	x.add("session: %s", describeSession(ev))
	x.add("project: %s", orNone(ev.Project))
	_, skipped := e.listeners(row, nil)
	if len(guards)+len(skipped) == 0 {
		x.add("guards:  none listen; housekeeping only")
	}
	for _, s := range skipped {
		x.add("guard %s: not asked, switched off by %s", s.Guard, s.Skipped)
	}
	steps := e.run(ev, guards)
	for _, s := range steps {
		x.add("guard %s: %s", s.Guard, verdictOf(s.Answer))
	}
	if asked := len(steps); asked < len(guards) {
		x.add("guards after it are not asked: it ended the run")
	}
	if reading := ev.Resolved(); reading != nil {
		x.addZone(*reading)
	}
	out := hooks.Merge(row, append(parts(steps), e.notices(ev)...))
	explainOutput(x, out)
}

func describe(ev *hooks.Event) string {
	s := string(ev.Name)
	for _, detail := range []struct{ key, value string }{
		{"tool", ev.ToolName}, {"source", ev.Source}, {"trigger", ev.Trigger}, {"agent", ev.AgentID},
	} {
		if detail.value != "" {
			s += fmt.Sprintf(", %s %s", detail.key, detail.value)
		}
	}
	return s
}

func describeSession(ev *hooks.Event) string {
	if !ev.HasSession {
		return fmt.Sprintf("%.64q may not become a file name; nothing is read or written for it", ev.SessionID)
	}
	if marker, ok := ev.Session.Marker(); ok {
		return ev.SessionID + ", evidence-degraded since " + orNone(marker.CompactedAt)
	}
	return ev.SessionID
}

func orNone(s string) string {
	if s == "" {
		return "none known"
	}
	return s
}

func verdictOf(a hooks.Answer) string {
	what := "silent"
	switch {
	case a.Decision != hooks.Silent:
		what = string(a.Decision)
	case a.Speaks():
		what = "says something"
	}
	if a.Rule != "" {
		what += ", by " + a.Rule
	}
	if a.Why != "" {
		what += ": " + a.Why
	}
	return what
}

func explainOutput(x *Explanation, out hooks.Output) {
	if len(out.Stdout) == 0 && len(out.Stderr) == 0 {
		x.add("prints:  nothing, exit %d", out.ExitCode)
		return
	}
	x.add("prints:  exit %d", out.ExitCode)
	for _, stream := range []struct {
		name string
		data []byte
	}{{"stdout", out.Stdout}, {"stderr", out.Stderr}} {
		for line := range strings.Lines(string(stream.data)) {
			x.add("  %s  %s", stream.name, strings.TrimRight(line, "\n"))
		}
	}
}

func (e *engine) explainPayload(x *Explanation, raw []byte) {
	x.add("payload: of the status line")
	payload, err := seam.DecodePayload(raw)
	if err != nil {
		x.add("snapshot: none would be written: %s", err)
		return
	}
	session, _ := e.home.Session(payload.SessionID)
	x.add("snapshot: %s", session.SnapshotPath())
	bands := config.Loader{Home: e.home, Now: e.sys.Now, Frozen: true}.Load().Bands
	snapshot := payload.Snapshot(e.sys.Now)
	reading := zones.Resolve(zones.Evidence{Session: payload.SessionID, Snapshot: &snapshot}, bands, e.sys.Now)
	x.addZone(reading)
}
