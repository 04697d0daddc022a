package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"ctxguard/cmd/realclient/client"
	"ctxguard/cmd/realclient/fakeapi"
)

// Scene is one thing that has to be seen in the client.
type Scene struct {
	Name  string
	Shows string // a sentence, without the full stop
	Play  func(*Stage)
}

// Result is how a scene went.
type Result struct {
	Scene       Scene
	Differences []string // from what was expected; none is good
	Took        time.Duration
	Written     string // ctxguard's log and decisions, when there are differences
	Kept        string // the scratch folder, if it was left
}

// Theatre has what all scenes share: the client and the program under test.
type Theatre struct {
	Keep     bool
	client   string
	ctxguard string
	dir      string
}

// open installs the client and builds ctxguard.
func open(ctx context.Context, progress io.Writer) (*Theatre, error) {
	program, err := client.Install(ctx, client.Version, progress)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "realclient-")
	if err != nil {
		return nil, fmt.Errorf("make a scratch folder: %w", err)
	}
	t := &Theatre{client: program, dir: dir, ctxguard: filepath.Join(dir, "ctxguard")}
	if runtime.GOOS == "windows" {
		t.ctxguard += ".exe"
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", t.ctxguard, "ctxguard/cmd/ctxguard")
	if said, err := build.CombinedOutput(); err != nil {
		t.Close()
		return nil, fmt.Errorf("build ctxguard: %w\n%s", err, said)
	}
	return t, nil
}

// Close removes what the theatre made. Scratch folders of scenes that were kept
// are elsewhere.
func (t *Theatre) Close() error { return os.RemoveAll(t.dir) }

// playAll plays the scenes one by one and reports on each. With again set, one
// that failed is played once more, and only fails when that does not go well
// either: the client has timers of its own, and a busy machine meets them.
func (t *Theatre) playAll(ctx context.Context, chosen []Scene, again bool, stdout io.Writer) (failed bool, err error) {
	bad, unsteady := 0, 0
	good := func(scene Scene) bool {
		result := t.Play(ctx, scene)
		report(stdout, result)
		return len(result.Differences) == 0
	}
	for _, scene := range chosen {
		switch {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case good(scene):
		case again && good(scene):
			unsteady++
		default:
			bad++
		}
	}
	if unsteady > 0 {
		fmt.Fprintf(stdout, "%d of %d scenes were unsteady: they failed, and went well when played again\n", unsteady, len(chosen))
	}
	if bad > 0 {
		fmt.Fprintf(stdout, "%d of %d scenes failed\n", bad, len(chosen))
	}
	return bad > 0, nil
}

// Play plays one scene on a stage of its own, and takes the stage down whatever
// happens on it.
func (t *Theatre) Play(ctx context.Context, scene Scene) Result {
	start := time.Now()
	result := Result{Scene: scene}
	stage, err := t.newStage(ctx)
	if err != nil {
		result.Differences = []string{err.Error()}
		return result
	}
	done := make(chan struct{})
	go func() { // of its own, so that a step that fails can end the scene
		defer close(done)
		defer func() {
			if r := recover(); r != nil {
				stage.Check(false, "the scene panicked: %v", r)
			}
		}()
		scene.Play(stage)
	}()
	<-done
	stage.takeDown()
	result.Differences = stage.differences
	if len(result.Differences) > 0 {
		result.Written = stage.written()
	}
	if t.Keep {
		result.Kept = stage.dir
		stage.keepRequests()
	} else if err := os.RemoveAll(stage.dir); err != nil {
		result.Differences = append(result.Differences, fmt.Sprintf("the scratch folder cannot be removed: %v", err))
	}
	result.Took = time.Since(start)
	return result
}

func (t *Theatre) newStage(ctx context.Context) (*Stage, error) {
	dir, err := os.MkdirTemp("", "realclient-scene-")
	if err != nil {
		return nil, fmt.Errorf("make a scratch folder: %w", err)
	}
	api, err := fakeapi.Start(fakeapi.Script{})
	if err != nil {
		return nil, err
	}
	box, err := client.NewSandbox(dir, t.client, api.URL())
	if err != nil {
		api.Close()
		return nil, err
	}
	return &Stage{Sandbox: box, API: api, Program: t.ctxguard, ctx: ctx, dir: dir}, nil
}

// choose gives the named scenes in the order of the list, or all.
func choose(names []string) ([]Scene, error) {
	all := scenes()
	if len(names) == 0 {
		return all, nil
	}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(s Scene) bool { return s.Name == name }) {
			return nil, fmt.Errorf("there is no scene %q; `realclient list` names them", name)
		}
	}
	return slices.DeleteFunc(all, func(s Scene) bool { return !slices.Contains(names, s.Name) }), nil
}

func indented(text string) string {
	return strings.ReplaceAll(text, "\n", "\n        ")
}
