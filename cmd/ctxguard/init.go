package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ctxguard/hooks/config"
	"ctxguard/hooks/knowledge/questions"
	"ctxguard/statusline/printable"
	"ctxguard/statusline/seam"
)

const initHelp = `
  --questions   also make the questions file, where the settings say it is

The files go to the project's root: CLAUDE_PROJECT_DIR, else the nearest folder
at or above this one that holds .git. What is there already is left as it is.
`

var errNowhereToInit = errors.New("there is no project here: no .git at or above this folder, and CLAUDE_PROJECT_DIR is not set; run `git init` first, or set it to the project's folder")

func runInit(p process) int {
	var withQuestions bool
	rest, code, ok := words(p, "init", func(f *flag.FlagSet) { f.BoolVar(&withQuestions, "questions", false, "") })
	if !ok {
		return code
	}
	if len(rest) > 0 {
		return wrongWords(p, fmt.Sprintf("init takes no %q; `ctxguard help init` shows its words", rest[0]))
	}
	cwd, _ := os.Getwd() // without one only CLAUDE_PROJECT_DIR names a project
	project := config.FindProject(p.getenv, cwd)
	if project == "" {
		return fail(p, errNowhereToInit)
	}
	if err := makeOnce(p, filepath.Join(project, config.ProjectFile), config.ProjectSeed); err != nil {
		return fail(p, err)
	}
	if !withQuestions {
		return exitDone
	}
	cfg := config.Default()
	if home, ok := seam.Locate(p.getenv); ok {
		cfg = config.Loader{Home: home, Project: project, Now: p.started}.Load().Config
	}
	path, ok := config.WithinProject(project, cfg.Reminders.File)
	if !ok {
		return fail(p, fmt.Errorf("%s leads out of the project %s, by a link; nothing was made there", cfg.Reminders.File, project))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fail(p, fmt.Errorf("make the folder of the questions file: %w", err))
	}
	if err := makeOnce(p, path, questions.Seed); err != nil {
		return fail(p, err)
	}
	return exitDone
}

// makeOnce writes a file of a project that is not there yet, and tells. Whatever
// is there, a link to nothing too, stays as it is.
func makeOnce(p process, path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		fmt.Fprintf(p.stdout, "left as it is: %s\n", printable.Line(path))
		return nil
	}
	if err != nil {
		return fmt.Errorf("make %s: %w", path, err)
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	fmt.Fprintf(p.stdout, "made: %s\n", printable.Line(path))
	return nil
}
