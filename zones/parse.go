package zones

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"ctxguard/zones/boundedtoml"
)

// The keys of zones.toml.
const (
	keySmartMaxPercent      = "smart_max_used_percentage"
	keyAcceptableMaxPercent = "acceptable_max_used_percentage"
	keyTokenBands           = "token_bands"
	keySmartMaxTokens       = "smart_max_tokens"
	keyAcceptableMaxTokens  = "acceptable_max_tokens"
	keyWindow               = "window"
)

// maxBandsFile bounds what is handed to the parser; a zones.toml has a page.
const maxBandsFile = 64 << 10

// Notice is something about zones.toml that the person should hear once.
type Notice struct {
	// Key is a stable short id of what is noticed, within zones.toml.
	Key string
	// Text is one line: which key, what is wrong, what is used instead.
	Text string
}

// ParseBands reads the bytes of zones.toml. It always gives valid bands: a
// shape that is missing gets its defaults in silence, one that is wrong gets
// them with a notice, and a file that is not TOML gets the defaults of both.
func ParseBands(data []byte) (Bands, []Notice) {
	p := bandsParser{bands: DefaultBands()}
	root, keys, err := decodeTOML(data)
	if err != nil {
		p.notice("syntax", "%v; the built-in percentages and token bands are used", err)
		return p.bands, p.notices
	}
	p.percents(root)
	p.tokens(root)
	p.windows(root, keys)
	p.unknown(keys)
	return p.bands, p.notices
}

func decodeTOML(data []byte) (map[string]any, []toml.Key, error) {
	if len(data) > maxBandsFile {
		return nil, nil, fmt.Errorf("the file is larger than %d KiB", maxBandsFile>>10)
	}
	if !utf8.Valid(data) {
		return nil, nil, errors.New("the file is not UTF-8")
	}
	var root map[string]any
	meta, err := boundedtoml.Decode(string(data), &root)
	if parse, ok := errors.AsType[toml.ParseError](err); ok {
		return nil, nil, fmt.Errorf("line %d is not TOML (%s)", parse.Position.Line, oneLine(parse.Message))
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the file is not TOML (%s)", oneLine(err.Error()))
	}
	return root, meta.Keys(), nil
}

type bandsParser struct {
	bands   Bands
	notices []Notice
}

func (p *bandsParser) notice(key, format string, args ...any) {
	p.notices = append(p.notices, Notice{
		Key:  key,
		Text: "zones.toml: " + fmt.Sprintf(format, args...),
	})
}

// percents takes both bounds or neither.
func (p *bandsParser) percents(root map[string]any) {
	first, hasFirst := root[keySmartMaxPercent]
	second, hasSecond := root[keyAcceptableMaxPercent]
	if !hasFirst && !hasSecond {
		return
	}
	smart, problem := percentBound(keySmartMaxPercent, first, hasFirst)
	acceptable, problem2 := percentBound(keyAcceptableMaxPercent, second, hasSecond)
	if problem == "" {
		problem = problem2
	}
	if problem == "" && !validPercents(smart, acceptable) {
		problem = fmt.Sprintf("%s = %v and %s = %v do not keep 0 < smart < acceptable <= %d",
			keySmartMaxPercent, smart, keyAcceptableMaxPercent, acceptable, percentFull)
	}
	if problem != "" {
		p.notice("percentages", "%s; the built-in percentages %d and %d are used",
			problem, DefaultSmartMaxPercent, DefaultAcceptableMaxPercent)
		return
	}
	p.bands.SmartMaxPercent, p.bands.AcceptableMaxPercent = smart, acceptable
}

func percentBound(key string, value any, present bool) (float64, string) {
	if !present {
		return 0, key + " is missing, and the other percentage does not stand alone"
	}
	switch v := value.(type) {
	case int64:
		return float64(v), ""
	case float64:
		return v, ""
	}
	return 0, fmt.Sprintf("%s is %s, not a number", key, kind(value))
}

// tokens takes the table as a whole or not at all. A table without rows is
// like none.
func (p *bandsParser) tokens(root map[string]any) {
	value, present := root[keyTokenBands]
	if !present {
		return
	}
	rows, problem := tokenRows(value)
	if problem != "" {
		p.notice("token-bands", "%s; the built-in token bands are used (class %d: %d and %d, class %d: %d and %d)", problem,
			Class200k, Default200kSmartMax, Default200kAcceptableMax, Class1M, Default1MSmartMax, Default1MAcceptableMax)
		return
	}
	if len(rows) > 0 {
		p.bands.Tokens = rows
	}
}

func tokenRows(value any) ([]TokenBand, string) {
	table, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Sprintf("%s is %s, not a table", keyTokenBands, kind(value))
	}
	var rows []TokenBand
	for _, name := range slices.Sorted(maps.Keys(table)) { // so that of two faults always the same is told
		band, problem := tokenRow(name, table[name])
		if problem != "" {
			return nil, problem
		}
		rows = append(rows, band)
	}
	slices.SortFunc(rows, func(a, b TokenBand) int {
		if a.Class < b.Class {
			return -1
		}
		return 1 // classes are canonical numbers, so no two are equal
	})
	return rows, ""
}

func tokenRow(name string, value any) (TokenBand, string) {
	where := keyTokenBands + "." + quoteKey(name)
	class, ok := windowClass(name)
	if !ok {
		return TokenBand{}, where + ": the class is not a number of tokens written in digits alone, like 200000"
	}
	row, ok := value.(map[string]any)
	if !ok {
		return TokenBand{}, fmt.Sprintf("%s is %s, not a table", where, kind(value))
	}
	band := TokenBand{Class: class}
	for _, bound := range []struct {
		key  string
		into *int64
	}{
		{keySmartMaxTokens, &band.SmartMax},
		{keyAcceptableMaxTokens, &band.AcceptableMax},
	} {
		n, problem := tokenCount(row, bound.key)
		if problem != "" {
			return TokenBand{}, where + ": " + problem
		}
		*bound.into = n
	}
	if !band.valid() {
		return TokenBand{}, fmt.Sprintf("%s: %d and %d do not keep 0 < smart < acceptable <= %d",
			where, band.SmartMax, band.AcceptableMax, class)
	}
	return band, ""
}

// windowClass reads a class in its one spelling, so that no class can stand
// in the table twice.
func windowClass(name string) (int64, bool) {
	n, err := strconv.ParseInt(name, 10, 64)
	return n, err == nil && validCount(n) && strconv.FormatInt(n, 10) == name
}

func tokenCount(row map[string]any, key string) (int64, string) {
	value, present := row[key]
	if !present {
		return 0, key + " is missing"
	}
	n, ok := wholeNumber(value)
	if !ok {
		return 0, fmt.Sprintf("%s is %s, not a whole number of tokens", key, kind(value))
	}
	return n, ""
}

// wholeNumber reads an integer, or a float that is one (1e5, 100000.0).
func wholeNumber(value any) (int64, bool) {
	switch v := value.(type) {
	case int64:
		return v, true
	case float64:
		if math.Abs(v) <= MaxCount && v == math.Trunc(v) {
			return int64(v), true
		}
	}
	return 0, false
}

// windows keeps the entries that are right, in the order of the file. A wrong
// one is left out: there is no default that could stand for it.
func (p *bandsParser) windows(root map[string]any, keys []toml.Key) {
	value, present := root[keyWindow]
	if !present {
		return
	}
	table, ok := value.(map[string]any)
	if !ok {
		p.notice("window", "%s is %s, not a table; no window is named", keyWindow, kind(value))
		return
	}
	seen := map[string]bool{}
	for _, key := range keys {
		if len(key) < 2 || key[0] != keyWindow || seen[key[1]] {
			continue
		}
		glob := key[1]
		seen[glob] = true
		size, whole := wholeNumber(table[glob])
		if glob == "" || !validCount(size) {
			p.notice("window/"+quoteKey(glob), "%s.%s: %s; the entry is ignored",
				keyWindow, quoteKey(glob), windowProblem(glob, table[glob], whole))
			continue
		}
		p.bands.Windows = append(p.bands.Windows, WindowRule{Glob: glob, Size: size})
	}
}

func windowProblem(glob string, value any, whole bool) string {
	_, nested := value.(map[string]any)
	switch {
	case glob == "":
		return "an empty glob matches no model"
	case nested:
		return "it is a table; a glob with a dot in it needs quotes"
	case !whole:
		return "the size is " + kind(value) + ", not a whole number of tokens"
	}
	return "the size is not a possible number of tokens"
}

// maxUnknown is how many unknown keys one notice names.
const maxUnknown = 5

// unknown names the keys that mean nothing here, each by its shortest path.
func (p *bandsParser) unknown(keys []toml.Key) {
	var names []string
	seen := map[string]bool{}
	for _, key := range keys {
		path, ok := unknownPath(key)
		if !ok {
			continue
		}
		var quoted []string
		for _, part := range path {
			quoted = append(quoted, quoteKey(part))
		}
		name := strings.Join(quoted, ".")
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	more := ""
	if len(names) > maxUnknown {
		more = fmt.Sprintf(" and %d more", len(names)-maxUnknown)
		names = names[:maxUnknown]
	}
	p.notice("unknown-keys", "unknown: %s%s; ignored", strings.Join(names, ", "), more)
}

// unknownPath is the part of the key up to where it stops being known. What
// lies below an entry of [window] or a token row that is no table is told by
// their own notices.
func unknownPath(key toml.Key) (toml.Key, bool) {
	switch key[0] {
	case keySmartMaxPercent, keyAcceptableMaxPercent, keyWindow:
		return nil, false
	case keyTokenBands:
		if len(key) < 3 || key[2] == keySmartMaxTokens || key[2] == keyAcceptableMaxTokens {
			return nil, false
		}
		return key[:3], true
	}
	return key[:1], true
}

// kind names a TOML value without repeating it, except for numbers.
func kind(value any) string {
	switch v := value.(type) {
	case int64, float64:
		return fmt.Sprint(v)
	case string:
		return "text"
	case bool:
		return "a truth value"
	case []any, []map[string]any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date or time"
}

// maxName bounds how much of a name from the file is repeated.
const maxName = 48

func clip(name string) string {
	if len(name) <= maxName {
		return name
	}
	return strings.ToValidUTF8(name[:maxName], "") + "…"
}

// quoteKey shows a key as it would stand in the file, quoted where it is not
// bare, so that nothing in it can end the line or reach the terminal.
func quoteKey(name string) string {
	bare := name != ""
	for _, c := range name {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		bare = bare && (letter || c == '_' || c == '-')
	}
	if bare {
		return clip(name)
	}
	return strconv.QuoteToASCII(clip(name))
}

func oneLine(text string) string {
	quoted := strconv.Quote(clip(text))
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
