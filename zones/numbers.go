package zones

import (
	"math"
	"strings"

	"github.com/tidwall/gjson"
)

// count reads a number of tokens: any JSON number that is not negative,
// however it is spelled. A fraction is rounded up, which lands on the same
// side of every whole bound; what is beyond MaxCount is MaxCount.
func count(v gjson.Result) (int64, bool) {
	if v.Type != gjson.Number || !(v.Num >= 0) {
		return 0, false
	}
	if v.Num >= MaxCount {
		return MaxCount, true
	}
	return int64(math.Ceil(v.Num)), true
}

// windowSize reads a size of a window, 0 when there is none. A fraction is
// rounded down: a window is never taken for larger than it is said to be.
func windowSize(v gjson.Result) int64 {
	if v.Type != gjson.Number || !(v.Num >= 1) {
		return 0
	}
	if v.Num >= MaxCount {
		return MaxCount
	}
	return int64(v.Num)
}

// percentage reads a finite JSON number.
func percentage(v gjson.Result) (float64, bool) {
	if v.Type != gjson.Number || math.IsInf(v.Num, 0) || math.IsNaN(v.Num) {
		return 0, false
	}
	return v.Num, true
}

// total adds two counts without passing MaxCount.
func total(a, b int64) int64 { return min(a+b, MaxCount) }

// versionProblem says why the token totals of a client of that version are not
// believed; empty when they are.
func versionProblem(version string) Code {
	if version == "" {
		return NoVersion
	}
	parts, ok := dottedNumbers(version)
	if !ok {
		return BadVersion
	}
	floor, _ := dottedNumbers(VersionFloor)
	if lessVersion(parts, floor) {
		return OldVersion
	}
	return ""
}

// dottedNumbers splits a version into numbers without leading zeros. They stay
// text, so that no number of digits overflows.
func dottedNumbers(version string) ([]string, bool) {
	parts := strings.Split(version, ".")
	for i, part := range parts {
		if part == "" || strings.Trim(part, "0123456789") != "" {
			return nil, false
		}
		parts[i] = strings.TrimLeft(part, "0")
	}
	return parts, true
}

// lessVersion compares number by number; a missing one counts as 0, whose
// digits are none at all.
func lessVersion(a, b []string) bool {
	for i := range max(len(a), len(b)) {
		x, y := at(a, i), at(b, i)
		if len(x) != len(y) {
			return len(x) < len(y)
		}
		if x != y {
			return x < y
		}
	}
	return false
}

func at(parts []string, i int) string {
	if i < len(parts) {
		return parts[i]
	}
	return ""
}
