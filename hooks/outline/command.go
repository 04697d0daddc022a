package outline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// commandRender lets the person's own command render the file (T8). It runs in
// the same box as the other helpers.
func commandRender(ctx context.Context, req Request, r Result, src []byte) Result {
	parts := append([]string{req.root(), shapeVersion, r.Path}, req.Command...)
	key := cachePath(req.Home, "render", append(parts, string(src))...)
	var out string
	if !recall(key, &out) {
		var err error
		if out, err = runCommand(ctx, req, r.Path); err != nil {
			r.State, r.Reason = Unavailable, err.Error()
			r.NoCommand = errors.Is(err, errNoHelper)
			return r
		}
		if !req.Frozen {
			keep(key, out)
		}
	}
	if strings.TrimSpace(out) == "" {
		r.State, r.Reason = NothingToSay, "the configured command printed nothing"
		return r
	}
	r.State = Rendered
	r.Text = cutText(header(req.Path)+"\n"+out, req.MaxChars)
	return r
}

func runCommand(ctx context.Context, req Request, path string) (string, error) {
	box := req.sandbox(req.root())
	program, err := box.find(req.Command[0])
	if err != nil {
		return "", fmt.Errorf("the command of [structure] in ctxguard.toml cannot be run: %w", err)
	}
	var args []string
	for _, arg := range req.Command[1:] {
		args = append(args, strings.ReplaceAll(arg, "{path}", path))
	}
	out, whole, err := box.run(ctx, nil, program, args...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return "", fmt.Errorf("the configured command %s ended with %s", filepath.Base(program), exit.ProcessState)
	case err != nil:
		return "", fmt.Errorf("the configured command failed: %w", err)
	}
	text := strings.TrimRight(string(bytes.ToValidUTF8(out, nil)), "\r\n")
	if !whole {
		text += fmt.Sprintf("\n… cut at %d MiB", maxOutput>>20)
	}
	return text, nil
}

// cutText cuts a text that is not ours to shorten, and counts what was left out.
func cutText(text string, limit int) string {
	if limit <= 0 || len(text) <= limit {
		return text
	}
	const room = len("\n… 1234567890 more characters left out")
	end := max(0, limit-room)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%s\n… %d more characters left out", text[:end], utf8.RuneCountInString(text[end:]))
}
