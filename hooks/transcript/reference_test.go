package transcript

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// The reference is the same reading of a transcript in the slowest and plainest
// way: the whole file in memory, every line decoded, regular expressions. The
// tests compare the two.

type refLine struct {
	offset int64
	raw    []byte
	value  map[string]any
}

func refLines(data []byte) []refLine {
	var lines []refLine
	offset := int64(0)
	for _, raw := range bytes.Split(data, []byte("\n")) {
		line := refLine{offset: offset, raw: raw}
		offset += int64(len(raw)) + 1
		if line.offset == 0 {
			raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
		}
		if json.Unmarshal(raw, &line.value) == nil && line.value != nil {
			lines = append(lines, line)
		}
	}
	return lines
}

func refBlocks(line refLine) []map[string]any {
	message, _ := line.value["message"].(map[string]any)
	if s, ok := message["content"].(string); ok {
		return []map[string]any{{"type": "text", "text": s}}
	}
	var blocks []map[string]any
	list, _ := message["content"].([]any)
	for _, b := range list {
		if block, ok := b.(map[string]any); ok {
			blocks = append(blocks, block)
		}
	}
	return blocks
}

var refInjected = regexp.MustCompile(`(?is)<system-reminder(?:\s[^>]*)?>.*?</system-reminder>` +
	`|<local-command-caveat(?:\s[^>]*)?>.*?</local-command-caveat>` +
	`|<local-command-stdout(?:\s[^>]*)?>.*?</local-command-stdout>` +
	`|<local-command-stderr(?:\s[^>]*)?>.*?</local-command-stderr>` +
	`|\[image: source:.*?\]`)

func refFromPerson(line refLine) bool {
	v := line.value
	if v["type"] != "user" || v["isSidechain"] == true || v["isMeta"] == true || v["isCompactSummary"] == true ||
		v["rowSource"] == "hook" || v["rowSource"] == "harness" {
		return false
	}
	for _, b := range refBlocks(line) {
		if b["type"] == "image" {
			return true
		}
		text, _ := b["text"].(string)
		own := strings.TrimSpace(refInjected.ReplaceAllString(text, ""))
		if b["type"] == "text" && own != "" &&
			!strings.HasPrefix(own, "<task-notification>") && !strings.HasPrefix(own, "[Request interrupted") {
			return true
		}
	}
	return false
}

func refTurn(data []byte, ownID string) Turn {
	var turn Turn
	for _, line := range refLines(data) {
		switch {
		case line.value["isSidechain"] == true:
		case refFromPerson(line):
			turn = Turn{}
		case line.value["type"] == "system" && line.value["subtype"] == "compact_boundary":
			turn.Visible = 0
		case line.value["type"] == "assistant":
			for _, b := range refBlocks(line) {
				text, _ := b["text"].(string)
				if b["type"] == "text" {
					turn.Visible += utf8.RuneCountInString(strings.TrimSpace(text))
				}
				if b["type"] == "tool_use" && b["id"] != ownID {
					turn.ToolCalls++
				}
			}
		}
	}
	return turn
}

func refCalls(data []byte, suffix string) []string {
	var ids []string
	for _, line := range refLines(data) {
		if line.value["type"] != "assistant" || line.value["isSidechain"] == true {
			continue
		}
		for _, b := range refBlocks(line) {
			name, _ := b["name"].(string)
			id, _ := b["id"].(string)
			if b["type"] == "tool_use" && id != "" && strings.HasSuffix(name, suffix) {
				ids = append(ids, id)
			}
		}
	}
	slices.Reverse(ids)
	return ids
}

// refResult is the text of the first result of that call.
func refResult(data []byte, id string) (string, bool) {
	for _, line := range refLines(data) {
		if line.value["type"] != "user" || line.value["isSidechain"] == true {
			continue
		}
		for _, b := range refBlocks(line) {
			if b["type"] == "tool_result" && b["tool_use_id"] == id {
				text, _ := b["content"].(string)
				return text, true
			}
		}
	}
	return "", false
}
