package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tidwall/gjson"
)

// scriptCommands are the words that the scripts have besides testscript's own.
func scriptCommands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"exits":    cmdExits,
		"payload":  cmdPayload,
		"ago":      cmdAgo,
		"touched":  cmdTouched,
		"bytes":    cmdBytes,
		"parallel": cmdParallel,
		"open":     cmdOpen,
		"empty":    cmdEmpty,
		"json":     cmdJSON,
		"lines":    cmdLines,
		"longest":  cmdLongest,
		"harmless": cmdHarmless,
	}
}

// exits CODE command [arg…]: the command ends with exactly that code.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE command [arg…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := exitCode(ts.Exec(args[1], args[2:]...))
	if got != want {
		ts.Fatalf("%s ended with %d, not %d", fields(args[1:]), got, want)
	}
}

func exitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}

// payload FILE NAME [path=JSON…]: writes the recorded payload testdata/payloads/NAME
// to FILE with the values at those paths put in place.
func cmdPayload(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: payload FILE NAME [path=JSON…]")
	}
	raw := []byte(ts.ReadFile(filepath.Join(ts.Getenv("PAYLOADS"), args[1])))
	for _, assignment := range args[2:] {
		path, value, ok := strings.Cut(assignment, "=")
		if !ok {
			ts.Fatalf("%q is not path=JSON", assignment)
		}
		raw = replaceValue(ts, raw, path, value)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), raw, 0o600))
}

// replaceValue puts value in the place of what stands at path; every other byte
// stays as it was recorded.
func replaceValue(ts *testscript.TestScript, raw []byte, path, value string) []byte {
	old := gjson.GetBytes(raw, path)
	if !old.Exists() || old.Index == 0 {
		ts.Fatalf("the payload has nothing at %q", path)
	}
	return bytes.Join([][]byte{raw[:old.Index], []byte(value), raw[old.Index+len(old.Raw):]}, nil)
}

// ago DURATION FILE…: makes a snapshot or marker that old, inside and outside.
func cmdAgo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: ago DURATION FILE…")
	}
	at := agoTime(ts, args[0])
	for _, name := range args[1:] {
		path := ts.MkAbs(name)
		raw := []byte(ts.ReadFile(path))
		for _, key := range []string{"captured_at", "compacted_at"} {
			if gjson.GetBytes(raw, key).Exists() {
				raw = replaceValue(ts, raw, key, `"`+at.Format("2006-01-02T15:04:05Z")+`"`)
			}
		}
		ts.Check(os.WriteFile(path, raw, 0o600))
		ts.Check(os.Chtimes(path, at, at))
	}
}

func agoTime(ts *testscript.TestScript, text string) time.Time {
	d, err := time.ParseDuration(text)
	ts.Check(err)
	return time.Now().Add(-d).UTC()
}

// touched DURATION FILE…: sets the files' own time alone.
func cmdTouched(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: touched DURATION FILE…")
	}
	at := agoTime(ts, args[0])
	for _, name := range args[1:] {
		ts.Check(os.Chtimes(ts.MkAbs(name), at, at))
	}
}

// bytes FILE SPEC…: writes a file that a script cannot hold. A SPEC is a Go
// string literal, or N*literal for that literal N times.
func cmdBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: bytes FILE SPEC…")
	}
	var b bytes.Buffer
	for _, spec := range args[1:] {
		times := 1
		if n, literal, ok := strings.Cut(spec, "*"); ok {
			if count, err := strconv.Atoi(n); err == nil {
				times, spec = count, literal
			}
		}
		text, err := strconv.Unquote(`"` + spec + `"`)
		ts.Check(err)
		for range times {
			b.WriteString(text)
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o600))
}

// parallel N STDIN command [arg…]: runs the command N times at once, each with
// that file on its standard input, and prints one line for each distinct result
// with how often it came: "36 exit 0, no output".
func cmdParallel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: parallel N STDIN command [arg…]")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	input := ts.ReadFile(args[1])
	program, err := exec.LookPath(filepath.Join(binaries, args[2]))
	ts.Check(err)
	environ := scriptEnviron(ts)
	var mu sync.Mutex
	var wg sync.WaitGroup
	counts := make(map[string]int)
	for range n {
		wg.Go(func() {
			cmd := exec.Command(program, args[3:]...)
			cmd.Env, cmd.Dir, cmd.Stdin = environ, ts.MkAbs("."), strings.NewReader(input)
			out, err := cmd.Output()
			result := fmt.Sprintf("exit %d, no output", exitCode(err))
			if len(out) > 0 {
				result = fmt.Sprintf("exit %d, output", exitCode(err))
			}
			mu.Lock()
			defer mu.Unlock()
			counts[result]++
		})
	}
	wg.Wait()
	for result, count := range counts {
		fmt.Fprintf(ts.Stdout(), "%d %s\n", count, result)
	}
}

// open STDIN LIMIT command [arg…]: runs the command with that file on a standard
// input that stays open, and expects it to end well before LIMIT.
func cmdOpen(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: open STDIN LIMIT command [arg…]")
	}
	limit, err := time.ParseDuration(args[1])
	ts.Check(err)
	r, w, err := os.Pipe()
	ts.Check(err)
	defer w.Close()
	cmd := exec.Command(filepath.Join(binaries, args[2]), args[3:]...)
	cmd.Env, cmd.Dir, cmd.Stdin = scriptEnviron(ts), ts.MkAbs("."), r
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	ts.Check(cmd.Start())
	ts.Check(r.Close())
	content := ts.ReadFile(args[0])
	go func() { _, _ = w.WriteString(content) }()
	timer := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
	err = cmd.Wait()
	if !timer.Stop() {
		ts.Fatalf("%s was still running after %s", fields(args[2:]), limit)
	}
	ts.Check(err)
}

func scriptEnviron(ts *testscript.TestScript) []string {
	var environ []string
	for _, name := range []string{"HOME", "USERPROFILE", "PATH", "TMPDIR", "TZ", "CTXGUARD_HOME", "CLAUDE_PROJECT_DIR", "CTXGUARD_FAULT"} {
		if value := ts.Getenv(name); value != "" {
			environ = append(environ, name+"="+value)
		}
	}
	return environ
}

// empty FILE: the file (or stdout, stderr) holds no byte. "! empty": it does.
func cmdEmpty(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: empty FILE")
	}
	if content := ts.ReadFile(args[0]); (content == "") == neg {
		ts.Fatalf("%s holds %d bytes: %.300q", args[0], len(content), content)
	}
}

// json FILE path [want]: the value at that path, as text, is want; without want
// there is one. "! json FILE path": there is none. FILE must be one JSON value.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 && len(args) != 3 {
		ts.Fatalf("usage: json FILE path [want]")
	}
	raw := ts.ReadFile(args[0])
	if !gjson.Valid(raw) {
		ts.Fatalf("%s is not JSON: %.300q", args[0], raw)
	}
	got := gjson.Get(raw, args[1])
	matches := got.Exists() && (len(args) == 2 || got.String() == args[2])
	if matches == neg {
		ts.Fatalf("%s at %s is %.300q", args[0], args[1], got.Raw)
	}
}

// harmless FILE: nothing in it steers a terminal or turns the direction of
// writing, and there is something in it. "! harmless FILE": something does.
func cmdHarmless(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: harmless FILE")
	}
	content := ts.ReadFile(args[0])
	bad := strings.IndexFunc(content, func(r rune) bool {
		return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
	})
	if content == "" || (bad >= 0) != neg {
		ts.Fatalf("%s, at %d: %.600q", args[0], bad, content[max(0, bad-40):])
	}
}

// lines FILE N: the file has that many lines.
func cmdLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines FILE N")
	}
	if got := strings.Count(ts.ReadFile(args[0]), "\n"); strconv.Itoa(got) != args[1] {
		ts.Fatalf("%s has %d lines", args[0], got)
	}
}

// longest FILE path N: the text at that path has at most N characters.
func cmdLongest(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: longest FILE path N")
	}
	most, err := strconv.Atoi(args[2])
	ts.Check(err)
	text := gjson.Get(ts.ReadFile(args[0]), args[1]).String()
	if n := len([]rune(text)); n == 0 || n > most {
		ts.Fatalf("%s at %s has %d characters", args[0], args[1], n)
	}
}
