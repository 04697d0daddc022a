package zones

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// ConvertJSON turns the zones.json of the context-guard plugin into the text
// of a zones.toml. That file is an object with smart_max_used_percentage and
// acceptable_max_used_percentage, and token_bands: an object of rows by window
// class, each with smart_max_tokens and acceptable_max_tokens. There too the
// two shapes are checked separately and a wrong one counts for nothing, so a
// wrong one is left at its defaults here, with a comment that says so. The
// plugin's other keys have no counterpart and are named in a comment. An error
// means that the bytes are no JSON object.
func ConvertJSON(data []byte) ([]byte, error) {
	root, err := parseZonesJSON(data)
	if err != nil {
		return nil, err
	}
	members := map[string]gjson.Result{}
	var others []string
	root.ForEach(func(key, value gjson.Result) bool {
		name := key.String()
		_, again := members[name]
		members[name] = value
		if !again && name != keySmartMaxPercent && name != keyAcceptableMaxPercent && name != keyTokenBands {
			others = append(others, quoteKey(name))
		}
		return true
	})

	var out strings.Builder
	out.WriteString(seedIntro)
	out.WriteString("#\n# Converted from the zones.json of context-guard.\n")
	writeOthers(&out, others)
	out.WriteString(seedPercentHead)
	writePercents(&out, members)
	out.WriteString(seedTokensHead)
	writeTokenBands(&out, members)
	out.WriteString(seedWindow)
	return []byte(out.String()), nil
}

func parseZonesJSON(data []byte) (gjson.Result, error) {
	if len(data) > maxBandsFile {
		return gjson.Result{}, fmt.Errorf("zones.json is larger than %d KiB", maxBandsFile>>10)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !utf8.Valid(data) {
		return gjson.Result{}, errors.New("zones.json is not UTF-8")
	}
	if !gjson.ValidBytes(data) {
		return gjson.Result{}, errors.New("zones.json is not JSON")
	}
	root := gjson.ParseBytes(data)
	if !root.IsObject() {
		return gjson.Result{}, errors.New("zones.json holds no JSON object")
	}
	return root, nil
}

// writeOthers names keys that were left behind, quoted, so that none of them
// can end the comment.
func writeOthers(out *strings.Builder, others []string) {
	if len(others) == 0 {
		return
	}
	more := ""
	if len(others) > maxUnknown {
		more = fmt.Sprintf(" and %d more", len(others)-maxUnknown)
		others = others[:maxUnknown]
	}
	fmt.Fprintf(out, "# Left behind, since ctxguard has no such keys here: %s%s.\n", strings.Join(others, ", "), more)
}

func writePercents(out *strings.Builder, members map[string]gjson.Result) {
	smart, hasSmart := members[keySmartMaxPercent]
	acceptable, hasAcceptable := members[keyAcceptableMaxPercent]
	if !hasSmart && !hasAcceptable {
		out.WriteString(seedPercentKeys)
		return
	}
	if smart.Type != gjson.Number || acceptable.Type != gjson.Number || !validPercents(smart.Num, acceptable.Num) {
		out.WriteString("# What zones.json had was not right, so the defaults stay.\n" + seedPercentKeys)
		return
	}
	fmt.Fprintf(out, "%-30s = %s\n", keySmartMaxPercent, tomlNumber(smart.Num))
	fmt.Fprintf(out, "%-30s = %s\n", keyAcceptableMaxPercent, tomlNumber(acceptable.Num))
}

// tomlNumber writes a percentage as TOML reads it: the shortest digits that
// give the same number, without an exponent.
func tomlNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func writeTokenBands(out *strings.Builder, members map[string]gjson.Result) {
	value, present := members[keyTokenBands]
	if !present {
		out.WriteString(seedTokensRows)
		return
	}
	rows, ok := jsonTokenRows(value)
	if !ok {
		out.WriteString("# What zones.json had was not right, so the defaults stay.\n" + seedTokensRows)
		return
	}
	if len(rows) == 0 {
		out.WriteString(seedTokensRows)
		return
	}
	for i, row := range rows {
		if i > 0 {
			out.WriteString("\n")
		}
		fmt.Fprintf(out, "[%s.%d]\n", keyTokenBands, row.Class)
		fmt.Fprintf(out, "%-21s = %s\n", keySmartMaxTokens, grouped(row.SmartMax))
		fmt.Fprintf(out, "%-21s = %s\n", keyAcceptableMaxTokens, grouped(row.AcceptableMax))
	}
}

// jsonTokenRows reads the rows by the same rules as those of zones.toml.
func jsonTokenRows(value gjson.Result) ([]TokenBand, bool) {
	if !value.IsObject() {
		return nil, false
	}
	table := map[string]any{}
	value.ForEach(func(key, row gjson.Result) bool {
		table[key.String()] = plainRow(row)
		return true
	})
	rows, problem := tokenRows(table)
	return rows, problem == ""
}

// plainRow is a JSON row in the form that a decoded TOML row has. What is no
// object has none of a row's keys.
func plainRow(row gjson.Result) map[string]any {
	fields := map[string]any{}
	row.ForEach(func(key, value gjson.Result) bool {
		fields[key.String()] = value.Value()
		return true
	})
	return fields
}

// grouped writes 160000 as 160_000.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "_" + digits[i:]
	}
	return digits
}
