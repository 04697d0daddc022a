package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// The words below add lines to a transcript in the shape in which the client
// writes them (testdata/payloads/transcript-*.jsonl). The session's folder is
// the script's.

// transcriptCommands are the scripts' words that write transcripts.
func transcriptCommands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"said":   cmdSaid,
		"called": cmdCalled,
		"failed": cmdFailed,
		"begun":  cmdBegun,
		"ended":  cmdEnded,
	}
}

// said TRANSCRIPT AGE user: the person said something that long ago.
func cmdSaid(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 || args[2] != "user" {
		ts.Fatalf("usage: said TRANSCRIPT AGE user")
	}
	appendText(ts, args[0], transcriptLine(ts, args[1], "user", "go on")+"\n")
}

// called TRANSCRIPT AGE TOOL FILE: a call that changed the file, and its result.
func cmdCalled(ts *testscript.TestScript, neg bool, args []string) {
	appendCall(ts, neg, args, false)
}

// failed TRANSCRIPT AGE TOOL FILE: a call that came to nothing.
func cmdFailed(ts *testscript.TestScript, neg bool, args []string) { appendCall(ts, neg, args, true) }

// begun TRANSCRIPT AGE TOOL FILE: half of the line of a call.
func cmdBegun(ts *testscript.TestScript, neg bool, args []string) {
	line, _ := callLines(ts, neg, args, false)
	half := len(line) / 2
	appendText(ts, args[0], line[:half])
	ts.Setenv("BEGUN", line[half:])
}

// ended TRANSCRIPT: the other half of what was begun.
func cmdEnded(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: ended TRANSCRIPT")
	}
	appendText(ts, args[0], ts.Getenv("BEGUN")+"\n")
}

func appendCall(ts *testscript.TestScript, neg bool, args []string, isError bool) {
	call, result := callLines(ts, neg, args, isError)
	appendText(ts, args[0], call+"\n"+result+"\n")
}

func callLines(ts *testscript.TestScript, neg bool, args []string, isError bool) (call, result string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: called|failed|begun TRANSCRIPT AGE TOOL FILE")
	}
	size := int64(0)
	if info, err := os.Stat(ts.MkAbs(args[0])); err == nil {
		size = info.Size()
	}
	id := fmt.Sprintf("toolu_%s_%d", filepath.Base(args[0]), size)
	key := "file_path"
	if args[2] == "NotebookEdit" {
		key = "notebook_path"
	}
	// Not cleaned: some targets are meant to go up and down again.
	target := filepath.FromSlash(args[3])
	if !filepath.IsAbs(target) {
		target = ts.Getenv("WORK") + string(filepath.Separator) + target
	}
	call = transcriptLine(ts, args[1], "assistant", []any{
		map[string]any{"type": "tool_use", "id": id, "name": args[2], "input": map[string]any{key: target}},
	})
	result = transcriptLine(ts, args[1], "user", []any{
		map[string]any{"type": "tool_result", "tool_use_id": id, "is_error": isError, "content": "done"},
	})
	return call, result
}

func transcriptLine(ts *testscript.TestScript, age, kind string, content any) string {
	raw, err := json.Marshal(map[string]any{
		"type":      kind,
		"timestamp": agoTime(ts, age).Format("2006-01-02T15:04:05.000000Z"),
		"message":   map[string]any{"role": kind, "content": content},
	})
	ts.Check(err)
	return string(raw)
}

func appendText(ts *testscript.TestScript, name, text string) {
	path := ts.MkAbs(name)
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o755))
	before, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		ts.Check(err)
	}
	ts.Check(os.WriteFile(path, []byte(strings.Join([]string{string(before), text}, "")), 0o600))
}
