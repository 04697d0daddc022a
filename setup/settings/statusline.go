package settings

import (
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

const (
	statusLineKey = "statusLine"
	refreshKey    = "refreshInterval"
	refreshAt     = "/statusLine/refreshInterval"
)

// StatusLine is what the settings say about the status line.
type StatusLine struct {
	// Present is false when there is no statusLine at all.
	Present bool
	// Odd says why it is not an object with a text command; "" when it is one.
	// It is then left alone.
	Odd string
	// Command is run by the client through the shell.
	Command string
	// Refresh is the raw refreshInterval, "" when there is none.
	Refresh string
	// Line is where it stands, from 1.
	Line int
}

// StatusLine reads the effective statusLine.
func (d *Document) StatusLine() StatusLine {
	v := member(d.object(), statusLineKey)
	if v == nil {
		return StatusLine{}
	}
	s := StatusLine{Present: true, Line: d.fault(v.StartOffset, "").Line}
	o := objectIn(v)
	if o == nil {
		s.Odd = "is not an object"
		return s
	}
	if kind, isText := textIn(member(o, "type")); member(o, "type") != nil && (!isText || kind != "command") {
		s.Odd = `has another type than "command"`
		return s
	}
	command, isText := textIn(member(o, "command"))
	if !isText {
		s.Odd = "has no command that is a text"
		return s
	}
	if strings.Contains(command, "\x00") {
		s.Odd = "has a command with a NUL character in it"
		return s
	}
	s.Command = command
	if refresh := member(o, refreshKey); refresh != nil {
		s.Refresh = d.raw(refresh)
	}
	return s
}

// SetStatusCommand makes command the status line's, in a statusLine of its own
// when there is none. Characters that were in the old command keep their spelling.
func (d *Document) SetStatusCommand(command string) error {
	v := member(d.object(), statusLineKey)
	if v == nil {
		return d.addTop(statusLineKey, node{members: []field{
			{"type", node{literal: quoted("command")}},
			{"command", node{literal: quoted(command)}},
		}})
	}
	old := member(objectIn(v), "command")
	if text, _ := textIn(old); text == command {
		return nil
	}
	return d.replace(old, respell(d.raw(old), command))
}

// SetRefresh sets refreshInterval in a statusLine that is there.
func (d *Document) SetRefresh(seconds int) error {
	v := member(d.object(), statusLineKey)
	text := strconv.Itoa(seconds)
	old := member(objectIn(v), refreshKey)
	if old == nil {
		d.remember(refreshAt, "")
		return d.addMember(v, refreshKey, node{literal: text})
	}
	if d.raw(old) == text {
		return nil
	}
	d.remember(refreshAt, d.raw(old))
	return d.replace(old, text)
}

// RestoreRefresh takes back what SetRefresh did, as far as was says so.
func (d *Document) RestoreRefresh(was Origins) error {
	raw, known := was[refreshAt]
	v := member(d.object(), statusLineKey)
	old := member(objectIn(v), refreshKey)
	if !known || old == nil {
		return nil
	}
	if raw != "" {
		return d.replace(old, raw)
	}
	return d.cut(v, effective(objectIn(v), refreshKey))
}

// RemoveStatusLine takes the statusLine out.
func (d *Document) RemoveStatusLine(was Origins) error {
	o := d.object()
	i := effective(o, statusLineKey)
	if i < 0 {
		return nil
	}
	if err := d.cut(&d.root, i); err != nil {
		return err
	}
	return d.settle(was)
}

func (d *Document) raw(v *hujson.Value) string { return string(d.text[v.StartOffset:v.EndOffset]) }
