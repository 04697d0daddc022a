package settings

import (
	"slices"
	"strconv"

	"github.com/tailscale/hujson"
)

const hooksKey = "hooks"

// Entry is one command hook in the settings.
type Entry struct {
	Event   string
	Command string
	// Args is nil for the shell form.
	Args []string
	// Matcher is "" when the group has none.
	Matcher string
	// Timeout is in seconds, as it is spelled; "" when there is none.
	Timeout string
	// Alone says that the group has no other entry.
	Alone bool
	// Plain says that nothing else in entry or group changes whether and how it
	// runs (async, if, once, shell …).
	Plain bool
	Line  int // from 1

	group, index int
}

// Registration is one hook entry that ought to be there, in a group of its own.
type Registration struct {
	Event   string
	Matcher string // "" for none
	Command string
	Args    []string // nil for the shell form
	Timeout int      // seconds
}

// Owner says which entries are ours.
type Owner func(Entry) bool

// Entries lists the command hooks that hold, in the file's order.
func (d *Document) Entries() []Entry {
	var all []Entry
	hooks := objectIn(member(d.object(), hooksKey))
	if hooks == nil {
		return nil
	}
	for i, m := range hooks.Members {
		if event := nameOf(m); effective(hooks, event) == i {
			all = append(all, d.entriesOf(event, &m.Value)...)
		}
	}
	return all
}

// entriesOf tolerates any shape: what the client does not know it does not check.
func (d *Document) entriesOf(event string, v *hujson.Value) []Entry {
	groups, ok := v.Value.(*hujson.Array)
	if !ok {
		return nil
	}
	var all []Entry
	for g := range groups.Elements {
		group := objectIn(&groups.Elements[g])
		list := member(group, hooksKey)
		if list == nil {
			continue
		}
		entries, ok := list.Value.(*hujson.Array)
		if !ok {
			continue
		}
		for i := range entries.Elements {
			e, ok := d.entry(&entries.Elements[i])
			if !ok {
				continue
			}
			e.Event, e.group, e.index = event, g, i
			e.Alone = len(entries.Elements) == 1
			e.Matcher, _ = textIn(member(group, "matcher"))
			all = append(all, e)
		}
	}
	return all
}

func (d *Document) entry(v *hujson.Value) (Entry, bool) {
	o := objectIn(v)
	command, isText := textIn(member(o, "command"))
	if kind, _ := textIn(member(o, "type")); !isText || kind != "command" {
		return Entry{}, false
	}
	e := Entry{Command: command, Plain: true, Line: d.fault(v.StartOffset, "").Line}
	if args := member(o, "args"); args != nil {
		e.Args = []string{}
		if list, ok := args.Value.(*hujson.Array); ok {
			for i := range list.Elements {
				text, _ := textIn(&list.Elements[i])
				e.Args = append(e.Args, text)
			}
		}
	}
	if timeout := member(o, "timeout"); timeout != nil {
		e.Timeout = d.raw(timeout)
	}
	for _, m := range o.Members {
		switch nameOf(m) {
		case "async", "asyncRewake", "if", "once", "shell":
			e.Plain = false
		}
	}
	return e, true
}

// Fits reports whether the entry is the registration already.
func (e Entry) Fits(r Registration) bool {
	return e.sameForm(r) && e.Matcher == r.Matcher && e.Command == r.Command && e.Timeout == strconv.Itoa(r.Timeout)
}

// sameForm reports whether only texts and numbers have to change.
func (e Entry) sameForm(r Registration) bool {
	if e.Event != r.Event || !e.Alone || !e.Plain || len(e.Args) != len(r.Args) || (e.Args == nil) != (r.Args == nil) {
		return false
	}
	for i := range e.Args {
		if e.Args[i] != r.Args[i] {
			return false
		}
	}
	return e.Timeout != "" && (e.Matcher == "") == (r.Matcher == "")
}

// Register brings our entries into the form of the registrations: one for each,
// in a group of its own, and none besides. What is right already is not touched.
func (d *Document) Register(wanted []Registration, ours Owner) error {
	for _, r := range wanted {
		if err := d.register(r, ours); err != nil {
			return err
		}
	}
	return d.drop(d.entriesThat(func(e Entry) bool {
		return ours(e) && !slices.ContainsFunc(wanted, func(r Registration) bool { return r.Event == e.Event })
	}), nil)
}

// Unregister takes our entries out, with the groups, lists and objects that are
// empty only because of that.
func (d *Document) Unregister(ours Owner, was Origins) error {
	return d.drop(d.entriesThat(ours), was)
}

func (d *Document) entriesThat(hold Owner) []Entry {
	return slices.DeleteFunc(d.Entries(), func(e Entry) bool { return !hold(e) })
}

func (d *Document) register(r Registration, ours Owner) error {
	mine := d.entriesThat(func(e Entry) bool { return e.Event == r.Event && ours(e) })
	if keep := slices.IndexFunc(mine, func(e Entry) bool { return e.sameForm(r) }); keep >= 0 {
		if err := d.correct(mine[keep], r); err != nil {
			return err
		}
		return d.drop(slices.Delete(mine, keep, keep+1), nil)
	}
	if len(mine) == 1 && mine[0].Alone {
		return d.replace(d.group(mine[0]), d.renderAt(d.group(mine[0]), groupNode(r)))
	}
	// The new group stands last, so that those before it keep their places.
	if err := d.addGroup(r); err != nil {
		return err
	}
	return d.drop(mine, nil)
}

// correct changes only the texts and the number that differ.
func (d *Document) correct(e Entry, r Registration) error {
	if e.Matcher != r.Matcher {
		matcher := member(objectIn(d.group(e)), "matcher")
		if err := d.replace(matcher, respell(d.raw(matcher), r.Matcher)); err != nil {
			return err
		}
	}
	if e.Command != r.Command {
		command := member(d.entryObject(e), "command")
		if err := d.replace(command, respell(d.raw(command), r.Command)); err != nil {
			return err
		}
	}
	if want := strconv.Itoa(r.Timeout); e.Timeout != want {
		return d.replace(member(d.entryObject(e), "timeout"), want)
	}
	return nil
}

func (d *Document) addGroup(r Registration) error {
	fresh := groupNode(r)
	list := node{elements: []node{fresh}}
	hooks := member(d.object(), hooksKey)
	if hooks == nil {
		return d.addTop(hooksKey, node{members: []field{{r.Event, list}}})
	}
	if o := objectIn(hooks); o == nil || len(o.Members) == 0 {
		d.remember("/hooks", d.raw(hooks))
		if o == nil {
			if err := d.replace(hooks, "{}"); err != nil {
				return err
			}
			hooks = member(d.object(), hooksKey)
		}
		return d.addMember(hooks, r.Event, list)
	}
	event := member(objectIn(hooks), r.Event)
	if event == nil {
		return d.addMember(hooks, r.Event, list)
	}
	if len(children(event)) == 0 {
		d.remember("/hooks/"+r.Event, d.raw(event))
	}
	return d.addElement(event, fresh)
}

func groupNode(r Registration) node {
	entry := []field{{"type", node{literal: quoted("command")}}, {"command", node{literal: quoted(r.Command)}}}
	if r.Args != nil {
		args := node{elements: []node{}}
		for _, arg := range r.Args {
			args.elements = append(args.elements, node{literal: quoted(arg)})
		}
		entry = append(entry, field{"args", args})
	}
	entry = append(entry, field{"timeout", node{literal: strconv.Itoa(r.Timeout)}})
	var group []field
	if r.Matcher != "" {
		group = append(group, field{"matcher", node{literal: quoted(r.Matcher)}})
	}
	return node{members: append(group, field{hooksKey, node{elements: []node{{members: entry}}}})}
}

// renderAt sets a value for the place of v.
func (d *Document) renderAt(v *hujson.Value, n node) string {
	l := d.layout()
	lines := l.lines || len(children(v)) > 0 && children(v)[0].before != ""
	return l.render(n, lineIndent(d.text, v.StartOffset), lines)
}

// drop takes entries out, the last first, so that the places of the others stay
// right.
func (d *Document) drop(entries []Entry, was Origins) error {
	for _, e := range slices.Backward(entries) {
		if err := d.dropEntry(e, was); err != nil {
			return err
		}
	}
	return nil
}

func (d *Document) dropEntry(e Entry, was Origins) error {
	list := member(objectIn(d.group(e)), hooksKey)
	if len(children(list)) > 1 {
		return d.cut(list, e.index)
	}
	if err := d.cut(d.event(e.Event), e.group); err != nil {
		return err
	}
	if len(children(d.event(e.Event))) > 0 {
		return nil
	}
	hooks := member(d.object(), hooksKey)
	if err := d.cutMember(hooks, e.Event, "/hooks/"+e.Event, was); err != nil {
		return err
	}
	if len(children(member(d.object(), hooksKey))) > 0 {
		return nil
	}
	if err := d.cutMember(&d.root, hooksKey, "/hooks", was); err != nil {
		return err
	}
	return d.settle(was)
}

func (d *Document) event(name string) *hujson.Value {
	return member(objectIn(member(d.object(), hooksKey)), name)
}

func (d *Document) group(e Entry) *hujson.Value {
	return &d.event(e.Event).Value.(*hujson.Array).Elements[e.group]
}

func (d *Document) entryObject(e Entry) *hujson.Object {
	list := member(objectIn(d.group(e)), hooksKey).Value.(*hujson.Array)
	return objectIn(&list.Elements[e.index])
}
