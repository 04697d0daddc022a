package zones

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// compactionReserve is what the client keeps free: it compacts by itself at the
// window less this many tokens, as measured at windows of 100,000, 200,000 and
// 1,000,000 (facts G.2). It is observed, not documented.
const compactionReserve = 33_000

// CompactionPoint is the number of input tokens at which the client compacts by
// itself, given the true window, the model's id, the bytes of the user's
// settings.json (nil for none) and the environment. It reports false where that is
// not known: automatic compaction is switched off, or the model is one that was
// seen not to compact by itself.
func CompactionPoint(window int64, model string, settings []byte, getenv func(string) string) (int64, bool) {
	if window <= compactionReserve || switchedOff(settings, getenv) {
		return 0, false
	}
	lowered, isLowered := loweredWindow(model, settings, getenv)
	if isLowered {
		window = min(window, lowered)
	} else if compactsOnlyWhenTold(model) {
		return 0, false
	}
	point := window - compactionReserve
	percent, err := strconv.ParseInt(getenv("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"), 10, 64)
	if err == nil && percent >= 1 && percent <= 100 {
		point = min(point, window*percent/100) // it can only lower
	}
	return point, true
}

func switchedOff(settings []byte, getenv func(string) string) bool {
	enabled := gjson.GetBytes(settings, "autoCompactEnabled")
	return enabled.Type == gjson.False || getenv("DISABLE_AUTO_COMPACT") == "1" || getenv("DISABLE_COMPACT") == "1"
}

// leastWindow is what a smaller setting is raised to.
const leastWindow = 100_000

// loweredWindow is the window that compaction is reckoned from: the environment's,
// else the model's own setting, else the general one.
func loweredWindow(model string, settings []byte, getenv func(string) string) (int64, bool) {
	if n, err := strconv.ParseInt(getenv("CLAUDE_CODE_AUTO_COMPACT_WINDOW"), 10, 64); err == nil && n > 0 {
		return max(n, leastWindow), true
	}
	own := gjson.GetBytes(settings, "modelSettings").Map()[model].Get("autoCompactWindow")
	if own.Str == "auto" { // in place of the general setting
		return 0, false
	}
	for _, v := range []gjson.Result{own, gjson.GetBytes(settings, "autoCompactWindow")} {
		if v.Type == gjson.Number && v.Num >= leastWindow && v.Num <= 10_000_000 {
			return v.Int(), true
		}
	}
	return 0, false
}

// compactsOnlyWhenTold names the models that did not compact by themselves at
// the window's end (facts G.2).
func compactsOnlyWhenTold(model string) bool {
	return strings.HasPrefix(model, "claude-sonnet-4-5") || strings.HasPrefix(model, "claude-haiku-4-5")
}
