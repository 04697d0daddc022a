package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"time"

	"ctxguard/hooks/config"
	"ctxguard/hooks/outline"
	"ctxguard/statusline/printable"
	"ctxguard/statusline/seam"
)

const (
	// outlineTime is what a person, or a detached render, waits for an outline at
	// most; a hook waits less.
	outlineTime = time.Minute
	// outlineChars is what structure shows on an edit.
	outlineChars = 5990
)

func runOutline(p process) int {
	asJSON := false
	rest, code, ok := words(p, "outline", func(f *flag.FlagSet) { f.BoolVar(&asJSON, "json", false, "") })
	if !ok {
		return code
	}
	if len(rest) != 1 {
		return wrongWords(p, "outline takes one path; `ctxguard help outline` shows its words")
	}
	path, err := filepath.Abs(rest[0])
	if err != nil {
		return fail(p, err)
	}
	home, ok := seam.Locate(p.getenv)
	if !ok {
		return fail(p, errors.New("no home: set HOME, CLAUDE_CONFIG_DIR or CTXGUARD_HOME to an absolute path"))
	}
	r := outlineOf(p, home, path)
	if asJSON {
		return printOutlineJSON(p, r)
	}
	switch r.State {
	case outline.NothingToSay:
		fmt.Fprintf(p.stderr, "ctxguard: nothing to show of %s: %s\n", printable.Line(path), printable.Line(r.Reason))
	case outline.Unavailable:
		return fail(p, fmt.Errorf("no outline of %s: %s", path, r.Reason))
	default:
		fmt.Fprintln(p.stdout, printable.Text(r.Text))
	}
	return exitDone
}

func outlineOf(p process, home seam.Home, path string) outline.Result {
	project := projectOf(p.getenv, path)
	cfg := config.Loader{Home: home, Project: project, Now: p.started}.Load().Config.Structure
	ctx, cancel := context.WithTimeout(context.Background(), outlineTime)
	defer cancel()
	return outline.Render(ctx, outline.Request{
		Project: project, Path: path, Home: home.Dir(), Getenv: p.getenv, MaxChars: outlineChars,
		Command: cfg.Command, Extensions: cfg.Extensions,
	})
}

// projectOf is the project that the path lies in: the one that the client works
// in, else the repository around the path, else the path's folder.
func projectOf(getenv func(string) string, path string) string {
	dir := filepath.Dir(path)
	none := func(string) string { return "" }
	for _, root := range []string{config.FindProject(getenv, dir), config.FindProject(none, dir)} {
		if root == "" {
			continue
		}
		rel, err := filepath.Rel(resolved(root), resolved(dir))
		if err == nil && filepath.IsLocal(rel) {
			return root
		}
	}
	return dir
}

// printOutlineJSON prints the result whatever its state, which is in it.
func printOutlineJSON(p process, r outline.Result) int {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(r); err != nil {
		return fail(p, err)
	}
	fmt.Fprintf(p.stdout, "%s", printable.JSON(b.Bytes()))
	if r.State == outline.Unavailable {
		return exitFailed
	}
	return exitDone
}
