package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// inMemory is a transcript of those bytes, read with those limits.
func inMemory(data []byte, l limits) *File {
	return &File{bytes: bytes.NewReader(data), size: int64(len(data)), limits: l}
}

// smallLimits make lines of a few kilobytes long ones and blocks end anywhere.
func smallLimits(block int) limits {
	return limits{block: block, line: 4 << 10, text: 256, slice: 1 << 30}
}

const manyCharacters = 1 << 30

func TestReadingFromTheEndAgreesWithTheReference(t *testing.T) {
	for seed := range uint64(150) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 5))}
		data := g.transcript()
		for _, block := range []int{97, 1 << 10, 100 << 10} {
			compare(t, fmt.Sprintf("seed %d, block %d", seed, block), data, smallLimits(block), g.ids)
		}
	}
}

func TestRecordedTranscriptsAgreeWithTheReference(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/payloads/transcript-*.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		// As if the client had written no further than that byte.
		for end := len(data); end > 0; end -= 1 + len(data)/12 {
			name := fmt.Sprintf("%s up to byte %d", filepath.Base(path), end)
			compare(t, name, data[:end], defaultLimits(), []string{"toolu_fake000100", "toolu_fake000300", "toolu_fake000500"})
			compare(t, name, data[:end], limits{block: 100, line: 64 << 10, text: 512, slice: 1 << 30}, nil)
		}
	}
}

func compare(t *testing.T, name string, data []byte, l limits, ids []string) {
	t.Helper()
	for _, own := range append([]string{""}, ids[max(0, len(ids)-2):]...) {
		turn, err := inMemory(data, l).Turn(manyCharacters, func(c Call) bool { return own != "" && c.ID == own })
		require.NoError(t, err, name)
		require.Equal(t, refTurn(data, own), turn, "%s, own call %q", name, own)
	}
	f := inMemory(data, l)
	var calls []string
	for call, err := range f.CallsNamed("AskUserQuestion", 0) {
		require.NoError(t, err, name)
		calls = append(calls, call.ID)
		result, ok, err := f.ResultOf(call)
		require.NoError(t, err, name)
		text, want := refResult(data, call.ID)
		require.Equal(t, want, ok, "%s, result of %s", name, call.ID)
		require.Equal(t, text, result.Text, "%s, result of %s", name, call.ID)
	}
	require.Equal(t, refCalls(data, "AskUserQuestion"), calls, name)

	var offsets []int64
	slice, err := f.Since(0)
	require.NoError(t, err, name)
	require.Equal(t, int64(bytes.LastIndexByte(data, '\n')+1), slice.End, name)
	for line, err := range slice.Lines() {
		require.NoError(t, err, name)
		offsets = append(offsets, line.Offset)
	}
	var want []int64
	for _, line := range refLines(data[:slice.End]) {
		want = append(want, line.offset)
	}
	require.Equal(t, want, offsets, name)
}

// generator writes transcripts such as a client might leave behind on its worst
// day. What people say is kept shorter than the bound on texts; tool inputs and
// results are not.
type generator struct {
	*rand.Rand
	ids []string
}

func (g *generator) transcript() []byte {
	var b bytes.Buffer
	if g.IntN(4) == 0 {
		b.WriteString("\xef\xbb\xbf")
	}
	for range g.IntN(40) {
		b.Write(g.line())
		b.WriteString(g.pick("\n", "\n", "\n", "\r\n", "\n\n"))
	}
	data := b.Bytes()
	if g.IntN(2) == 0 && len(data) > 0 {
		data = data[:len(data)-g.IntN(min(len(data), 200))]
	}
	return data
}

func (g *generator) pick(of ...string) string { return of[g.IntN(len(of))] }

func (g *generator) line() []byte {
	switch g.IntN(12) {
	case 0:
		return []byte(g.pick(`[1,2]`, `"user"`, `null`, ``, `{"type":"user"`, `{"type":"assistant","message":`, "\u2028", `{}{}`, "{\"a\":\"\x01\"}"))
	case 1:
		return g.encode(map[string]any{"type": "system", "subtype": g.pick("compact_boundary", "turn_duration")})
	case 2:
		return g.encode(map[string]any{"type": g.pick("attachment", "tools-used", "mode"), "tools": []any{"AskUserQuestion"}, "text": g.fat()})
	case 3, 4, 5:
		return g.encode(g.user())
	default:
		return g.encode(g.assistant())
	}
}

func (g *generator) user() map[string]any {
	v := map[string]any{"type": "user"}
	switch g.IntN(8) {
	case 0:
		v["isMeta"] = g.IntN(3) > 0
	case 1:
		v["rowSource"] = g.pick("hook", "harness", "local", "recorded")
	case 2:
		v["isCompactSummary"] = true
	case 3:
		v["isSidechain"] = true
	}
	if g.IntN(2) == 0 {
		v["message"] = map[string]any{"role": "user", "content": g.said()}
		return v
	}
	var blocks []any
	for range g.IntN(3) + 1 {
		switch g.IntN(8) {
		case 0:
			blocks = append(blocks, map[string]any{"type": "image", "source": map[string]any{"data": g.fat()}})
		case 1, 2:
			blocks = append(blocks, map[string]any{"type": "text", "text": g.said()})
		default:
			blocks = append(blocks, map[string]any{"type": "tool_result", "tool_use_id": g.knownID(), "content": g.pick("", "short", "PreToolUse:AskUserQuestion hook error: x")})
		}
	}
	v["message"] = map[string]any{"role": "user", "content": blocks}
	v["toolUseResult"] = map[string]any{"stdout": g.fat(), "files": g.list()}
	return v
}

func (g *generator) assistant() map[string]any {
	v := map[string]any{"type": "assistant", "usage": g.list()}
	if g.IntN(10) == 0 {
		v["isSidechain"] = true
	}
	var blocks []any
	for range g.IntN(3) {
		switch g.IntN(3) {
		case 0:
			blocks = append(blocks, map[string]any{"type": g.pick("text", "text", "thinking"), "text": g.pick("", "  ok \n", "größer", "a 👍 b", strings.Repeat("z", 100))})
		default:
			id := fmt.Sprintf("toolu_%d", len(g.ids))
			g.ids = append(g.ids, id)
			blocks = append(blocks, map[string]any{
				"type": "tool_use", "id": id,
				"name":  g.pick("Bash", "Write", "AskUserQuestion", "AskUserQuestion", "mcp__x__AskUserQuestion", "AskUserQuestions"),
				"input": map[string]any{"content": g.fat(), "edits": g.list()},
			})
		}
	}
	v["message"] = map[string]any{"content": blocks}
	return v
}

func (g *generator) knownID() string {
	if len(g.ids) == 0 {
		return "toolu_unknown"
	}
	return g.ids[g.IntN(len(g.ids))]
}

func (g *generator) said() string {
	return g.pick("", " ", "do it", "/compact",
		"<system-reminder>x</system-reminder>", "<System-Reminder id=\"1\">x</SYSTEM-REMINDER> \n", "<system-reminder>x",
		"<system-reminders>x</system-reminders>", "<system-reminder>a</system-reminder> and now you",
		"<local-command-stdout>x</local-command-stdout>", "<local-command-caveat>x</local-command-caveat>\n<local-command-stderr a>y</local-command-stderr>",
		"<system-reminder><local-command-stdout></system-reminder></local-command-stdout>",
		"<task-notification>\n<id>1</id>", "  [Request interrupted by user for tool use]", "[Image: source: /tmp/a.png]", "[Image: source: /tmp/a.png",
		"see [Image: source: a] here", "a < b [c]", "<", "[", "İ<system-reminder>İ</system-reminder>")
}

// fat is text that is sometimes far longer than the bounds, with everything in
// it that could be taken for structure.
func (g *generator) fat() string {
	part := g.pick("x", `{"type":"user"}`, `\`, `"`, "\n", "é", "👍", "AskUserQuestion\"", `"tool_use"`, "\x00", "]}")
	if g.IntN(6) > 0 {
		return part
	}
	return strings.Repeat(part, g.IntN(9000/len(part)))
}

func (g *generator) list() []any {
	if g.IntN(8) > 0 {
		return nil
	}
	list := make([]any, g.IntN(1200))
	for i := range list {
		list[i] = []any{i, map[string]any{"k": "v"}, "\"s\\"}
	}
	return list
}

func (g *generator) encode(v map[string]any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	switch g.IntN(12) {
	case 0: // cut off
		raw = raw[:g.IntN(len(raw))]
	case 1: // bytes that are no UTF-8
		raw = bytes.ReplaceAll(raw, []byte("ok"), []byte("o\xffk\xc3"))
	case 2: // as another writer would space it
		var spaced bytes.Buffer
		if json.Indent(&spaced, raw, "", " ") == nil {
			raw = bytes.ReplaceAll(spaced.Bytes(), []byte("\n"), []byte(" "))
		}
	}
	return raw
}
