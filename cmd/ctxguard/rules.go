package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ctxguard/hooks/config"
	"ctxguard/hooks/question"
	"ctxguard/statusline/printable"
	"ctxguard/statusline/seam"
)

const maxRules = 1 << 20

func runRules(p process) int {
	var install bool
	rest, code, ok := words(p, "rules", func(f *flag.FlagSet) { f.BoolVar(&install, "install", false, "") })
	if !ok {
		return code
	}
	if len(rest) > 0 {
		return wrongWords(p, "rules takes no words but --install")
	}
	cfg := config.Default()
	home, located := seam.Locate(p.getenv)
	if located {
		loader := config.Loader{Home: home, Now: p.started}
		if !install {
			// What is installed is for every project: no word of this one belongs there.
			cwd, _ := os.Getwd() // without one there is no project
			loader.Project = config.FindProject(p.getenv, cwd)
		}
		cfg = loader.Load().Config
	}
	page := question.Rules(cfg)
	fmt.Fprint(p.stdout, printable.Text(page))
	if !install {
		return exitDone
	}
	dir, ok := seam.ClientDir(p.getenv)
	if !ok || !located {
		return fail(p, errNoHome)
	}
	return installRules(p, home, filepath.Join(dir, "rules", "ctxguard.md"), []byte(page))
}

// installRules writes the page where the client reads it. What somebody wrote
// there before is kept in the home's backups.
func installRules(p process, home seam.Home, path string, page []byte) int {
	before, err := seam.ReadFile(path, maxRules)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fail(p, err)
	case bytes.Equal(before, page):
		fmt.Fprintf(p.stdout, "\n%s says this already\n", path)
		return exitDone
	default:
		backup := home.Path("backups/rules-" + p.started.UTC().Format("20060102T150405.000Z") + ".md")
		if err := seam.Save(backup, before); err != nil {
			return fail(p, fmt.Errorf("keep the present %s: %w", path, err))
		}
		fmt.Fprintf(p.stdout, "\nwhat was there before is in %s\n", backup)
	}
	if err := seam.Save(path, page); err != nil {
		return fail(p, err)
	}
	fmt.Fprintf(p.stdout, "\nwritten to %s\n", path)
	return exitDone
}
