package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ctxguard/statusline/printable"
)

// Notice is something in a person's file that was not understood or not
// allowed. Key is stable and short; Text is one line for the operator: which
// file and key, what is wrong, what holds instead.
type Notice struct {
	Key  string
	Text string
}

// escaped shows what steers a terminal or ends a line as its escape: the decoder
// repeats what stands in the file.
func escaped(text string) string {
	quoted := strconv.Quote(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// maxKey is how much of a key is repeated in a notice.
const maxKey = 64

// table reads one TOML table key by key. A key that is not as it should be
// leaves the value as it was, and is noticed: one wrong key never costs the
// others.
type table struct {
	file    string // as it is named in notices
	path    string // "gate", "" for the root
	values  map[string]any
	used    map[string]bool
	notices *[]Notice
}

func newTable(file string, values map[string]any, notices *[]Notice) table {
	return table{file: file, values: values, used: make(map[string]bool), notices: notices}
}

// name is a key as it is named in notices. Keys are text that anybody may have
// written: nothing in one may end the line or steer a terminal.
func (t table) name(key string) string {
	if !ValidQuestionID(strings.ReplaceAll(key, "_", "-")) {
		key = strconv.Quote(key[:min(len(key), maxKey)])
	}
	if t.path == "" {
		return key
	}
	return t.path + "." + key
}

// mostNotices bounds what is kept of one file's faults: they are looked through at
// every prompt of the session.
const mostNotices = 20

func (t table) notice(key, format string, args ...any) {
	switch {
	case len(*t.notices) < mostNotices:
		*t.notices = append(*t.notices, Notice{
			Key:  t.file + ":" + t.name(key),
			Text: printable.Line(fmt.Sprintf("%s: %s %s", t.file, t.name(key), fmt.Sprintf(format, args...))),
		})
	case len(*t.notices) == mostNotices:
		*t.notices = append(*t.notices, Notice{
			Key:  t.file + ":more",
			Text: t.file + ": more is wrong with it, which is not listed",
		})
	}
}

func (t table) take(key string) (any, bool) {
	t.used[key] = true
	v, ok := t.values[key]
	return v, ok
}

func (t table) boolean(key string, into *bool) {
	v, ok := t.take(key)
	if !ok {
		return
	}
	b, ok := v.(bool)
	if !ok {
		t.notice(key, "is not true or false; %t holds", *into)
		return
	}
	*into = b
}

// word reads a text that is one of allowed, or any text when there is none.
func (t table) word(key string, into *string, allowed ...string) {
	v, ok := t.take(key)
	if !ok {
		return
	}
	s, ok := v.(string)
	if !ok || len(allowed) > 0 && !slices.Contains(allowed, s) {
		t.notice(key, "is %s; %q holds", oneOf(allowed), *into)
		return
	}
	*into = s
}

func oneOf(allowed []string) string {
	if len(allowed) == 0 {
		return "not a text"
	}
	return `none of "` + strings.Join(allowed, `", "`) + `"`
}

// whole reads a whole number of at least least.
func (t table) whole(key string, into *int, least int64) {
	v, ok := t.take(key)
	if !ok {
		return
	}
	n, ok := v.(int64)
	if !ok || n < least || n > math.MaxInt32 {
		t.notice(key, "is not a whole number of at least %d; %d holds", least, *into)
		return
	}
	*into = int(n)
}

func (t table) texts(key string, into *[]string) {
	v, ok := t.take(key)
	if !ok {
		return
	}
	list, ok := textList(v)
	if !ok {
		t.notice(key, "is not a list of texts; the default holds")
		return
	}
	*into = list
}

func textList(v any) ([]string, bool) {
	items, ok := v.([]any)
	if !ok {
		return nil, false
	}
	list := make([]string, 0, len(items))
	for _, item := range items {
		s, ok := item.(string)
		if !ok {
			return nil, false
		}
		list = append(list, s)
	}
	return list, true
}

// sub is the table under key, and whether there is one.
func (t table) sub(key string) (table, bool) {
	sub := table{file: t.file, path: t.name(key), used: make(map[string]bool), notices: t.notices}
	v, ok := t.take(key)
	if !ok {
		return sub, false
	}
	values, ok := v.(map[string]any)
	if !ok {
		t.notice(key, "is not a table; the defaults hold")
		return sub, false
	}
	sub.values = values
	return sub, true
}

// list gives the tables of an array of tables.
func (t table) list(key string) []table {
	v, ok := t.take(key)
	if !ok {
		return nil
	}
	items, ok := v.([]map[string]any)
	if !ok {
		t.notice(key, "is not a list of tables and is ignored")
		return nil
	}
	tables := make([]table, 0, len(items))
	for _, values := range items {
		sub := newTable(t.file, values, t.notices)
		sub.path = t.name(key)
		tables = append(tables, sub)
	}
	return tables
}

// rest notices the keys that nothing has asked for.
func (t table) rest(verdict string) {
	for _, key := range sortedKeys(t.values) {
		if !t.used[key] {
			t.notice(key, "%s", verdict)
		}
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
