package setup

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"ctxguard/hooks/config"
	"ctxguard/setup/settings"
	"ctxguard/setup/wrap"
)

// plan is everything that one run would change. Making it changes nothing.
type plan struct {
	place Place
	opts  Options
	// old and fresh are the settings file before and after; existed says that
	// there is one, and a nil fresh removes it.
	old, fresh []byte
	existed    bool
	// files are written besides, in this order.
	files []file
	notes []string
	// origins are what the edits took the place of.
	origins settings.Origins
	// line is the status line command, hooks the entries that will be there.
	line  string
	hooks []settings.Registration
	bin   string // the program as the shell reads it
	undo  bool
	// program is the one that was replaced, once it was.
	program []byte
	// open says that others may look into the home, which is to end.
	open   bool
	client Client
}

// file is one file of ctxguard's own that will be written.
type file struct {
	path string
	data []byte
	mode os.FileMode
	why  string
}

func (p *plan) note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

func (p *plan) settingsChange() bool {
	return !bytes.Equal(p.old, p.fresh) || p.existed != (p.fresh != nil)
}

func (p *plan) nothing() bool {
	return !p.settingsChange() && len(p.files) == 0 && !p.open && !(p.undo && p.opts.Purge && exists(p.place.Home.Dir()))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func planSetup(sys System, opts Options, place Place) (*plan, error) {
	p := &plan{place: place, opts: opts}
	program, ok := NewProgram(place.Bin, opts.Portable, sys.Getenv, runtime.GOOS)
	if !ok {
		return nil, fmt.Errorf("%w: --portable needs ctxguard to lie in your home directory, and %s does not", ErrWords, place.Bin)
	}
	p.bin = program.Word
	doc, err := p.read()
	if err != nil {
		return nil, err
	}
	if err := p.planHome(sys); err != nil {
		return nil, err
	}
	cfg, err := p.planConfig(sys)
	if err != nil {
		return nil, err
	}
	if p.opts.client == nil {
		client := FindClient(sys, place.Home)
		p.opts.client = &client
	}
	p.client = *p.opts.client
	p.hooks = Registrations(cfg, p.client, program)
	if err := p.editStatusLine(doc); err != nil {
		return nil, err
	}
	if err := doc.Register(p.hooks, ours); err != nil {
		return nil, err
	}
	p.fresh, p.origins = doc.Bytes(), doc.Origins()
	if !p.existed && len(p.fresh) == 0 {
		p.fresh = nil // every guard is off and the line could not be wrapped
	}
	if _, err := settings.Parse(p.fresh); err != nil {
		return nil, fmt.Errorf("%s: the edit went wrong (%w); nothing was written", place.Target, err)
	}
	p.explain(sys, doc)
	return p, nil
}

// read reads and understands the settings file.
func (p *plan) read() (*settings.Document, error) {
	var err error
	if p.old, p.existed, err = ReadSettings(p.place.Target); err != nil {
		return nil, err
	}
	doc, err := settings.Parse(p.old)
	var fault *settings.Fault
	if errors.As(err, &fault) {
		return nil, &NotUnderstood{
			Path: p.place.Target, Err: err,
			Do: "Mend that place (Claude Code does not read the file either), then run this again.",
		}
	}
	return doc, err
}

// editStatusLine puts our layer around the status line (S7 to S10).
func (p *plan) editStatusLine(doc *settings.Document) error {
	line := doc.StatusLine()
	if line.Odd != "" {
		p.note("statusLine %s, so it was left as it is: no session will be measured until it is an object with a command.", line.Odd)
		return nil
	}
	if odd := wrap.Read(line.Command).Odd; odd != "" {
		p.note("the status line command was left as it is: %s.", odd)
		return nil
	}
	p.line = wrap.Wrap(p.bin, line.Command, line.Present)
	if err := doc.SetStatusCommand(p.line); err != nil {
		return err
	}
	if p.opts.Refresh > 0 {
		return doc.SetRefresh(p.opts.Refresh)
	}
	return nil
}

// explain adds what the person should know besides the change.
func (p *plan) explain(sys System, doc *settings.Document) {
	switch {
	case !p.client.Found && !p.client.Known:
		p.note("Claude Code was not found on this machine; what is written here works with every version of it, once it is there.")
	case !p.client.Known:
		p.note("the version of Claude Code is not known, so the event PostToolBatch was not used; run setup again after the next session.")
	case !p.client.Batches():
		p.note("Claude Code %s does not know the event PostToolBatch; PostToolUse stands in for it. Run setup again after an update.", p.client.Version)
	}
	p.notes = append(p.notes, Shadows(sys, p.place, doc)...)
}

// ProjectFiles are the settings files of the project that a folder belongs to: of
// the folder itself, and of the root of its git repository.
func ProjectFiles(sys System) []string {
	dirs := []string{sys.CWD}
	if root := config.FindProject(func(string) string { return "" }, sys.CWD); root != "" && root != sys.CWD {
		dirs = append(dirs, root)
	}
	var files []string
	for _, dir := range dirs {
		for _, name := range []string{"settings.json", "settings.local.json"} {
			files = append(files, filepath.Join(dir, ".claude", name))
		}
	}
	return files
}

// Shadows says what keeps the user's settings from having effect (S2): a
// project's status line, disableAllHooks, an organisation's settings.
func Shadows(sys System, place Place, doc *settings.Document) []string {
	var notes []string
	if string(doc.Lookup("disableAllHooks")) == "true" {
		notes = append(notes, "disableAllHooks is true in "+place.Target+": neither the hooks nor the status line run until it is false.")
	}
	for _, path := range ProjectFiles(sys) {
		if target, err := followLinks(path); err != nil || target == place.Target {
			continue
		}
		notes = append(notes, shadowsIn(path, "setup --settings "+wrap.Quote(path)+" wraps it")...)
	}
	for _, path := range sys.Managed {
		notes = append(notes, shadowsIn(path, "the organisation that manages it has to wrap it")...)
		if raw, existed, err := ReadSettings(path); err == nil && existed {
			if other, err := settings.Parse(raw); err == nil && string(other.Lookup("allowManagedHooksOnly")) == "true" {
				notes = append(notes, path+" allows managed hooks only: hooks and status line of the user do not run.")
			}
		}
	}
	return notes
}

func shadowsIn(path, remedy string) []string {
	raw, existed, err := ReadSettings(path)
	if err != nil || !existed {
		return nil
	}
	doc, err := settings.Parse(raw)
	if err != nil {
		return nil // the client ignores it too
	}
	var notes []string
	if line := doc.StatusLine(); line.Present && line.Odd == "" && wrap.Read(line.Command).Layers == 0 {
		notes = append(notes, path+" has a status line of its own, which is shown in place of yours; "+remedy+".")
	}
	if string(doc.Lookup("disableAllHooks")) == "true" {
		notes = append(notes, path+" sets disableAllHooks: neither hooks nor status line run there.")
	}
	return notes
}

// planConfig seeds the two TOML files and writes the choice of guards.
func (p *plan) planConfig(sys System) (config.Config, error) {
	if err := p.seedZones(); err != nil {
		return config.Config{}, err
	}
	path := p.place.Home.Path("ctxguard.toml")
	raw, existed, err := ReadSettings(path)
	if err != nil {
		return config.Config{}, err
	}
	text := string(raw)
	if !existed {
		text = config.Seed
	}
	if p.opts.Guards != nil {
		if text, err = chooseGuards(text, p.opts.Guards); err != nil {
			return config.Config{}, &NotUnderstood{Path: path, Err: err, Do: "Mend it, or set enabled under the guards' tables by hand."}
		}
	}
	text = p.offerMirror(sys, text)
	if text != string(raw) || !existed {
		why := "which guards run, and how"
		if existed {
			why = "the guards that you chose"
		}
		p.files = append(p.files, file{path, []byte(text), 0o600, why})
	}
	cfg, notices := config.ParseMachine([]byte(text))
	for _, n := range notices {
		p.note("%s", n.Text)
	}
	return cfg, nil
}
