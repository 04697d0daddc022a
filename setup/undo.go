package setup

import (
	"fmt"
	"os"
	"slices"

	"ctxguard/setup/settings"
	"ctxguard/setup/wrap"
	"ctxguard/statusline/seam"
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

// homeFiles are the names that ctxguard gives to what it keeps in its home.
func homeFiles() []string {
	return []string{
		"context", "history", "state", "cache", "seen", "locks", backupDir, "bin", "zones.toml", "ctxguard.toml",
		"preferences.json", "answers.jsonl", "answers.jsonl.1", "decisions.jsonl", "decisions.jsonl.1", "off.json",
		"owed.jsonl", "owed.jsonl.told", "ctxguard.log", "ctxguard.log.1", "setup.json", "README",
	}
}

// purge removes what ctxguard keeps, and the home when nothing else is in it: a
// variable may have named a folder that others use.
func purge(sys System, home seam.Home) error {
	for _, name := range homeFiles() {
		if err := os.RemoveAll(home.Path(name)); err != nil {
			return fmt.Errorf("--purge: %w", err)
		}
	}
	if left, err := os.ReadDir(home.Dir()); err == nil && len(left) > 0 {
		fmt.Fprintf(sys.Stdout, "%s stays, because %s is not ctxguard's.\n", home.Dir(), left[0].Name())
		return nil
	}
	if err := os.Remove(home.Dir()); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("--purge: %w", err)
	}
	fmt.Fprintln(sys.Stdout, "Done. Nothing of ctxguard is left.")
	return nil
}
