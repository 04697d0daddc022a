package delegate

import (
	"hash/fnv"
	"slices"
	"strconv"

	"ctxguard/hooks"
	"ctxguard/hooks/outline"
)

// maxEntries bounds each list of the ledger; the oldest entries go first.
const maxEntries = 2000

// ledger is what structure and brief remember of one session: what was shown to
// whom. Files are kept as short sums of their resolved paths.
type ledger struct {
	// Shown are the files that a conversation has seen (T2).
	Shown []shown `json:"shown,omitempty"`
	// Given are the blocks that briefs of this session carried (B8).
	Given []string `json:"given,omitempty"`
	// Briefed are files that went into a brief and whose subagent has not been
	// heard of yet: the payload of the delegation does not say its id.
	Briefed []briefed `json:"briefed,omitempty"`
}

type shown struct {
	Conversation string `json:"c"`
	File         string `json:"f"`
}

type briefed struct {
	AgentType string `json:"t"`
	File      string `json:"f"`
}

// recallLedger reads the section that the two guards share.
func recallLedger(mem *hooks.Memory) ledger {
	var l ledger
	mem.Recall(hooks.GuardStructure, &l)
	return l
}

func (l ledger) remember(mem *hooks.Memory) error {
	l.Shown = newest(l.Shown)
	l.Given = newest(l.Given)
	l.Briefed = newest(l.Briefed)
	return mem.Remember(hooks.GuardStructure, l)
}

func newest[E any](list []E) []E { return list[max(0, len(list)-maxEntries):] }

// fileKey is the same for every spelling of one file (T2).
func fileKey(path string) string {
	if real, err := outline.Resolve(path); err == nil {
		path = real
	}
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(path))
	return strconv.FormatUint(sum.Sum64(), 16)
}

func (l ledger) seen(conversation, file string) bool {
	return slices.Contains(l.Shown, shown{conversation, file})
}

func (l *ledger) show(conversation, file string) {
	if !l.seen(conversation, file) {
		l.Shown = append(l.Shown, shown{conversation, file})
	}
}

// claim reports whether a subagent of that type was given the file in its brief,
// and takes the entry away, so that the next subagent is not taken for it. A
// brief that named no type may be anybody's.
func (l *ledger) claim(agentType, file string) bool {
	i := slices.IndexFunc(l.Briefed, func(b briefed) bool {
		return b.File == file && (b.AgentType == agentType || b.AgentType == "")
	})
	if i < 0 {
		return false
	}
	l.Briefed = slices.Delete(l.Briefed, i, i+1)
	return true
}
