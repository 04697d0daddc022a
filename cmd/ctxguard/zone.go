package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tidwall/gjson"

	"ctxguard/hooks/config"
	"ctxguard/hooks/dispatch"
	"ctxguard/statusline/printable"
	"ctxguard/statusline/seam"
	"ctxguard/zones"
)

// searched is how many of the newest snapshots are looked at for one of this
// project.
const searched = 64

const zoneHelp = `
The word is smart, acceptable, dumb, or unknown where the numbers cannot be trusted.
Without SESSION it is about the session that runs this command, else about this
project's newest.

  --json      the word and its evidence as data
  --explain   the word, then what was read and which rule made it
`

func runZone(p process) int {
	var asJSON, explain bool
	rest, code, ok := words(p, "zone", func(f *flag.FlagSet) {
		f.BoolVar(&asJSON, "json", false, "")
		f.BoolVar(&explain, "explain", false, "")
	})
	if !ok {
		return code
	}
	if len(rest) > 1 {
		return wrongWords(p, "zone takes one session at most; `ctxguard help zone` shows its words")
	}
	reading := readZone(p, rest)
	switch {
	case asJSON:
		raw, err := json.MarshalIndent(reading, "", "  ")
		if err != nil {
			return fail(p, err)
		}
		fmt.Fprintf(p.stdout, "%s\n", printable.JSON(raw))
	case explain:
		fmt.Fprintln(p.stdout, reading.Zone)
		for _, line := range reading.Explain() {
			fmt.Fprintln(p.stdout, line)
		}
	default:
		fmt.Fprintln(p.stdout, reading.Zone)
	}
	return exitDone
}

func readZone(p process, named []string) zones.Reading {
	home, ok := seam.Locate(p.getenv)
	if !ok {
		return zones.Resolve(zones.Evidence{Problem: zones.ProblemNone}, zones.DefaultBands(), p.started)
	}
	understood := config.Loader{Home: home, Now: p.started}.Load()
	for _, n := range understood.Notices {
		fmt.Fprintf(p.stderr, "ctxguard: %s\n", printable.Line(n.Text))
	}
	evidence := zones.Evidence{Problem: zones.ProblemNone}
	if session, ok := chooseSession(p, home, named); ok {
		evidence = dispatch.ReadEvidence(session)
	}
	return zones.Resolve(evidence, understood.Bands, p.started)
}

// chooseSession takes the session that was named, else the one that runs this
// command, else the newest one of this project.
func chooseSession(p process, home seam.Home, named []string) (seam.Session, bool) {
	if len(named) > 0 {
		return home.Session(named[0])
	}
	if id := p.getenv("CLAUDE_CODE_SESSION_ID"); id != "" {
		return home.Session(id)
	}
	cwd, err := os.Getwd()
	if err != nil {
		return seam.Session{}, false
	}
	here := projectFolders(p.getenv, cwd)
	for _, session := range home.Newest(searched) {
		snapshot, err := session.Snapshot()
		if err != nil {
			continue
		}
		project := gjson.GetBytes(snapshot.Client, "workspace.project_dir")
		if project.Type == gjson.String && here[resolved(project.Str)] {
			return session, true
		}
	}
	return seam.Session{}, false
}

// projectFolders are the folders in which a session of this project may have
// been started: from cwd up to the project's root.
func projectFolders(getenv func(string) string, cwd string) map[string]bool {
	folders := map[string]bool{resolved(cwd): true}
	root := config.FindProject(getenv, cwd)
	if root == "" {
		return folders
	}
	folders[resolved(root)] = true
	rel, err := filepath.Rel(root, cwd)
	if err != nil || !filepath.IsLocal(rel) {
		return folders
	}
	for dir := cwd; dir != root && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		folders[resolved(dir)] = true
	}
	return folders
}

func resolved(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return filepath.Clean(path)
}
