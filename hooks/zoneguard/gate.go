package zoneguard

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/zones"
)

// gate holds back changes in the dumb zone, when the person asked for that.
type gate struct {
	cfg     config.Gate
	compact config.Compact
}

// graced is what gate remembers: how much of the grace is used since the
// effective zone became dumb, and under which compaction.
type graced struct {
	Used        int    `json:"used"`
	CompactedAt string `json:"compacted_at,omitempty"`
}

// effective is the zone as the gate sees it.
type effective struct {
	dumb bool
	// left is true when the zone is known not to be dumb: the grace comes back
	// (G6). Neither dumb nor left neither counts nor resets.
	left        bool
	degraded    bool // dumb because of the marker alone
	compactedAt string
}

func (g gate) decide(ev *hooks.Event, mem *hooks.Memory) (hooks.Answer, hooks.Change) {
	if why, rule := g.passes(ev); why != "" {
		return hooks.Answer{Rule: rule, Why: why}, nil
	}
	now := g.effective(ev)
	var before graced
	mem.Recall(hooks.GuardGate, &before)
	if !now.dumb && before.after(now) == before {
		return hooks.Answer{Rule: "G2", Why: "the effective zone is not dumb"}, nil
	}
	return hooks.Answer{}, func(mem *hooks.Memory) hooks.Answer {
		var before graced
		mem.Recall(hooks.GuardGate, &before)
		after := before.after(now)
		answer := hooks.Answer{Rule: "G6", Why: "the effective zone is not dumb; the grace is whole"}
		if now.dumb {
			after, answer = g.count(ev, now, after)
		}
		if err := mem.Remember(hooks.GuardGate, after); err != nil {
			return hooks.Answer{Rule: "G2", Why: err.Error()}
		}
		return answer
	}
}

// needsPayload reports whether the call's target has to be known.
func (g gate) needsPayload(e hooks.Envelope) bool {
	return g.cfg.Mode == "blocking" && slices.Contains(g.cfg.Tools, e.ToolName)
}

// passes says why the call is no matter of the gate's, and by which rule.
func (g gate) passes(ev *hooks.Event) (why, rule string) {
	switch {
	case g.cfg.Mode != "blocking":
		return "the gate is advisory", "G1"
	case ev.InSubagent():
		return "inside a subagent", "G8"
	case !ev.HasSession:
		return "the session id may not become a file name", "G2"
	case neverGated(ev.ToolName) || !slices.Contains(g.cfg.Tools, ev.ToolName):
		return ev.ToolName + " is not a tool that the gate holds", "G3"
	case g.exempt(ev):
		return "the target is exempt", "G4"
	}
	return "", ""
}

// neverGated lists what always works, whatever the configuration says: a
// session can always read, save its work and ask (G3).
func neverGated(tool string) bool {
	switch tool {
	case "", "Read", "NotebookRead", "Glob", "Grep", "LS", "WebFetch", "WebSearch",
		"Bash", "BashOutput", "Skill":
		return true
	}
	return hooks.IsQuestionTool(tool)
}

// effective is G2.
func (g gate) effective(ev *hooks.Event) effective {
	reading := ev.Reading()
	marker, marked := ev.Session.Marker()
	now := effective{compactedAt: marker.CompactedAt}
	degraded := marked && g.compact.CountsAsDumb && reading.Reason != zones.NoSnapshot
	switch {
	case reading.Zone == zones.Dumb:
		now.dumb = true
	case degraded:
		now.dumb, now.degraded = true, true
	case reading.Zone != zones.Unknown:
		now.left = true
	}
	return now
}

// after is G6: what is left of the count before this call is looked at.
func (b graced) after(now effective) graced {
	if now.left || now.compactedAt != b.CompactedAt {
		b.Used = 0
	}
	b.CompactedAt = now.compactedAt
	return b
}

// count is G5 and G9. It runs under the lock, so that parallel calls use
// exactly as much grace as there are calls.
func (g gate) count(ev *hooks.Event, now effective, state graced) (graced, hooks.Answer) {
	if state.Used < g.cfg.GraceCalls {
		state.Used++
		return state, hooks.Answer{
			Rule: "G5",
			Why:  "call " + strconv.Itoa(state.Used) + " of " + strconv.Itoa(g.cfg.GraceCalls) + " in grace",
		}
	}
	return state, hooks.Answer{
		Decision: hooks.Deny,
		Reason:   denial(ev, now, g.cfg),
		Operator: softening(ev.ToolName),
		Rule:     "G9",
		Why:      graceOf(g.cfg.GraceCalls),
	}
}

// exempt is G4: a handoff file can always be written.
func (g gate) exempt(ev *hooks.Event) bool {
	var key string
	switch ev.ToolName {
	case "Write", "Edit", "MultiEdit":
		key = "file_path"
	case "NotebookEdit":
		key = "notebook_path"
	default:
		return false
	}
	target := gjson.GetBytes(ev.Payload, "tool_input."+key)
	if target.Type != gjson.String || target.Str == "" {
		return false
	}
	relative := relativeTarget(ev.Project, ev.CWD, target.Str)
	return slices.ContainsFunc(g.cfg.ExemptPaths, func(glob string) bool {
		return matchGlob(strings.ToLower(slashed(glob)), strings.ToLower(relative))
	})
}

func slashed(p string) string { return strings.ReplaceAll(p, `\`, "/") }

// relativeTarget is the target below the project with forward slashes, or the
// whole path when it lies elsewhere. It is cleaned first, so that
// handoff/../main.go is no handoff file.
func relativeTarget(project, cwd, target string) string {
	target = slashed(target)
	if !path.IsAbs(target) && !filepath.IsAbs(target) {
		target = slashed(cwd) + "/" + target
	}
	target = path.Clean(target)
	root := path.Clean(slashed(project))
	if project == "" || root == "/" {
		return target
	}
	if rest, ok := strings.CutPrefix(target, root+"/"); ok {
		return rest
	}
	return target
}

// matchGlob matches the whole of s; * stands for any run of characters, slashes
// included. It never takes more than len(glob)*len(s) steps.
func matchGlob(glob, s string) bool {
	star, mark, g := -1, 0, 0
	for i := 0; i < len(s); {
		switch {
		case g < len(glob) && glob[g] == '*':
			star, mark = g, i
			g++
		case g < len(glob) && glob[g] == s[i]:
			g++
			i++
		case star >= 0:
			mark++
			g, i = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(glob[g:], "*") == ""
}
