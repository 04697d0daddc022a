package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"ctxguard/hooks/config"
	"ctxguard/hooks/question"
	"ctxguard/statusline/printable"
	"ctxguard/statusline/seam"
)

var errNoProject = errors.New("there is no project here: no .git at or above this folder, and CLAUDE_PROJECT_DIR is not set; --global is for every project")

// prefs is one run of `ctxguard prefs`.
type prefs struct {
	process
	home    seam.Home
	cfg     config.Preference
	project string
	global  bool
	yes     bool
	asJSON  bool
}

func runPrefs(p process) int {
	c := prefs{process: p}
	rest, code, ok := words(p, "prefs", func(f *flag.FlagSet) {
		f.BoolVar(&c.global, "global", false, "")
		f.BoolVar(&c.yes, "yes", false, "")
		f.BoolVar(&c.asJSON, "json", false, "")
	})
	if !ok {
		return code
	}
	if c.home, ok = seam.Locate(p.getenv); !ok {
		return fail(p, errNoHome)
	}
	if cwd, err := os.Getwd(); err == nil {
		c.project = config.FindProject(p.getenv, cwd)
	}
	c.cfg = config.Loader{Home: c.home, Project: c.project, Now: p.started}.Load().Config.Preference
	switch {
	case len(rest) == 1 && rest[0] == "list":
		return c.list()
	case len(rest) == 3 && rest[0] == "set":
		return c.set(rest[1], question.Value(rest[2]))
	case len(rest) == 2 && rest[0] == "clear":
		return c.clear(rest[1])
	}
	return wrongWords(p, "prefs takes list, set ID VALUE or clear ID; `ctxguard help prefs` shows its words")
}

func (c prefs) list() int {
	stored, err := question.ReadPreferences(c.home)
	if err != nil {
		return c.failed(err)
	}
	entries := stored.Entries(c.cfg)
	if c.asJSON {
		if entries == nil {
			entries = []question.Entry{}
		}
		return printJSON(c.process, struct {
			Version     int              `json:"version"`
			Preferences []question.Entry `json:"preferences"`
		}{jsonVersion, entries})
	}
	if len(entries) == 0 {
		fmt.Fprintln(c.stdout, "no preferences are stored; `ctxguard prefs set ID VALUE` stores one")
		return exitDone
	}
	table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "QUESTION\tPREFERENCE\tWHERE\tNOTE")
	for _, e := range entries {
		where, note := "global", ""
		if e.Project != "" {
			where = e.Project
		}
		if e.Inert != "" {
			note = "has no effect: " + e.Inert
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", printable.Line(e.ID), printable.Line(string(e.Value)), printable.Line(where), printable.Line(note))
	}
	if err := table.Flush(); err != nil {
		return fail(c.process, err)
	}
	return exitDone
}

func (c prefs) set(id string, value question.Value) int {
	if err := question.CheckPreference(c.cfg, id, value); err != nil {
		return fail(c.process, err)
	}
	project, where, err := c.scope()
	if err != nil {
		return fail(c.process, err)
	}
	id = strings.ToLower(id)
	return c.change(fmt.Sprintf("%s is %s %s", id, value, where), func(p *question.Preferences) {
		p.Set(project, id, value)
	})
}

func (c prefs) clear(id string) int {
	project, where, err := c.scope()
	if err != nil {
		return fail(c.process, err)
	}
	id = strings.ToLower(id)
	stored, err := question.ReadPreferences(c.home)
	if err != nil {
		return c.failed(err)
	}
	if !stored.Clear(project, id) {
		return fail(c.process, fmt.Errorf("there is no preference for %q %s; `ctxguard prefs list` shows what there is", id, where))
	}
	return c.change(fmt.Sprintf("%s has no preference any more %s", id, where), func(p *question.Preferences) {
		p.Clear(project, id)
	})
}

// scope is the project that a change is for, empty for all of them.
func (c prefs) scope() (project, where string, err error) {
	switch {
	case c.global:
		return "", "for every project", nil
	case c.project == "":
		return "", "", errNoProject
	}
	return c.project, "in " + c.project, nil
}

func (c prefs) change(text string, change func(*question.Preferences)) int {
	var notUnderstood error
	code := decideForPerson(c.process, "prefs", text, c.yes, func(home seam.Home) error {
		err := question.ChangePreferences(home, change)
		if errors.Is(err, question.ErrNotUnderstood) {
			notUnderstood = err
		}
		return err
	})
	if notUnderstood != nil {
		return exitNotTouched
	}
	return code
}

// failed is fail with the code that says that a person's file was left alone.
func (c prefs) failed(err error) int {
	fail(c.process, err)
	if errors.Is(err, question.ErrNotUnderstood) {
		return exitNotTouched
	}
	return exitFailed
}
