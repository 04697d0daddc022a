package setup

import (
	"fmt"
	"slices"

	"ctxguard/setup/settings"
	"ctxguard/setup/wrap"
)

// planUndo takes out exactly what is ours (S19).
func planUndo(sys System, opts Options, place Place) (*plan, error) {
	p := &plan{place: place, opts: opts, undo: true}
	if err := p.mayPurge(); err != nil {
		return nil, err
	}
	doc, err := p.read()
	if err != nil {
		return nil, err
	}
	p.fresh = p.old
	if !p.existed {
		p.fresh = nil
		return p, nil
	}
	if line := doc.StatusLine(); line.Odd == "" && wrap.Read(line.Command).Odd != "" {
		p.note("the status line command was left as it is: %s.", wrap.Read(line.Command).Odd)
	}
	if !HasOurs(doc) {
		return p, nil
	}
	entry := readJournal(place.Home).Files[place.Target]
	if data, created, ok := entry.backupOf(place.Home, p.old); ok && isClean(data) {
		p.fresh = data
		if created {
			p.fresh = nil
		}
		return p, nil
	}
	if err := takeOut(doc, entry.Origins); err != nil {
		return nil, err
	}
	p.fresh = doc.Bytes()
	if entry.Made && isEmpty(doc) {
		p.fresh = nil
	}
	return p, nil
}

// HasOurs reports whether anything of ctxguard is in the settings.
func HasOurs(doc *settings.Document) bool {
	line := doc.StatusLine()
	return slices.ContainsFunc(doc.Entries(), ours) || isOurLine(line)
}

// isOurLine reports whether a layer of ours stands in a status line that is
// understood.
func isOurLine(line settings.StatusLine) bool {
	r := wrap.Read(line.Command)
	return line.Odd == "" && r.Odd == "" && r.Layers > 0
}

// isClean guards against a copy that was made when we were in the file already.
func isClean(data []byte) bool {
	doc, err := settings.Parse(data)
	return err == nil && !HasOurs(doc)
}

func takeOut(doc *settings.Document, was settings.Origins) error {
	if line := doc.StatusLine(); isOurLine(line) {
		inner, left := wrap.Remove(line.Command)
		if !left {
			if err := doc.RemoveStatusLine(was); err != nil {
				return err
			}
		} else if err := doc.SetStatusCommand(inner); err != nil {
			return err
		}
		if err := doc.RestoreRefresh(was); err != nil {
			return err
		}
	}
	return doc.Unregister(ours, was)
}

func isEmpty(doc *settings.Document) bool {
	text := string(doc.Bytes())
	return text == "{}" || text == "{}\n" || text == ""
}

// mayPurge refuses to remove the program while other settings still name it.
func (p *plan) mayPurge() error {
	if !p.opts.Purge {
		return nil
	}
	for target := range readJournal(p.place.Home).Files {
		if target == p.place.Target {
			continue
		}
		raw, existed, err := ReadSettings(target)
		if err != nil || !existed {
			continue
		}
		if doc, err := settings.Parse(raw); err == nil && HasOurs(doc) {
			return fmt.Errorf("%s names ctxguard too; run `ctxguard setup --undo --settings %s` first", target, wrap.Quote(target))
		}
	}
	return nil
}
