package zones

import "strings"

// WindowSource is where a true window comes from.
type WindowSource string

// The sources, strongest first.
const (
	FromTable   WindowSource = "table"   // an entry of [window] in zones.toml
	FromSuffix  WindowSource = "suffix"  // the model's id ends in MillionSuffix
	FromPayload WindowSource = "payload" // context_window_size
)

// trueWindow decides the window of the model with that id (empty: not known)
// for a payload that reports the given one (0: none). Clients are known to
// report 200000 for sessions of a million. It returns 0 and no source when
// nothing tells.
func trueWindow(rules []WindowRule, model string, reported int64) (int64, WindowSource) {
	if model != "" {
		for _, rule := range rules {
			if validCount(rule.Size) && matches(rule.Glob, model) {
				return rule.Size, FromTable
			}
		}
		if strings.HasSuffix(model, MillionSuffix) {
			return MillionWindow, FromSuffix
		}
	}
	if reported > 0 {
		return reported, FromPayload
	}
	return 0, ""
}

// matches compares a glob with the whole of text, ignoring letter case. Taking
// the leftmost place for each piece between stars is enough when * is the only
// wildcard, and keeps the time linear in the text for each piece.
func matches(glob, text string) bool {
	glob, text = strings.ToLower(glob), strings.ToLower(text)
	head, rest, starred := strings.Cut(glob, "*")
	if !starred {
		return glob == text
	}
	text, ok := strings.CutPrefix(text, head)
	if !ok {
		return false
	}
	pieces := strings.Split(rest, "*")
	last := len(pieces) - 1
	for _, piece := range pieces[:last] {
		_, after, found := strings.Cut(text, piece)
		if !found {
			return false
		}
		text = after
	}
	return strings.HasSuffix(text, pieces[last])
}
