package delegate

import (
	"context"
	"os"
	"time"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/hooks/outline"
	"ctxguard/statusline/seam"
)

const (
	// editChars keeps an edit's context under 6,000 characters (T6), editCharsLow
	// under half of that in the acceptable zone (T7). briefChars bounds the whole
	// that a subagent gets: its window is its own.
	editChars    = 5990
	editCharsLow = 2990
	briefChars   = 20_000

	// impatient is how long a render is waited for while a detached one of the
	// same file is at work.
	impatient = time.Second
)

// request makes the outline's request for a place, or reports false when there
// is no home to work in.
func request(ev *hooks.Event, cfg config.Structure, at place, chars int) (outline.Request, bool) {
	home, ok := seam.Locate(ev.Getenv)
	if !ok || at.root == "" {
		return outline.Request{}, false
	}
	return outline.Request{
		Project: at.root, Path: at.path, Home: home.Dir(), Getenv: ev.Getenv, MaxChars: chars,
		Command: cfg.Command, Extensions: cfg.Extensions, Frozen: ev.Frozen,
	}, true
}

// render renders within the time that is left of ctx, or a short one while a
// detached render is at work (T5).
func render(ctx context.Context, req outline.Request, now time.Time) outline.Result {
	if outline.Warming(req, now) {
		short, cancel := context.WithTimeout(ctx, impatient)
		defer cancel()
		return outline.Render(short, req)
	}
	return outline.Render(ctx, req)
}

// warm starts the detached render that the next look will find (T5).
func warm(req outline.Request, now time.Time) func() error {
	return func() error {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		return outline.Warm(self, req, now)
	}
}
