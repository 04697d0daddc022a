package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"ctxguard/statusline/seam"
)

// All stands for every guard where guards are named.
const All = "all"

const maxOff = 64 << 10

// Off says which guards are switched off from outside, by `ctxguard off`. The
// key is a guard's name or All; a zero time has no end.
type Off map[string]time.Time

// Covers reports whether the guard is off at that moment.
func (o Off) Covers(guard string, now time.Time) bool {
	for _, name := range []string{guard, All} {
		if until, ok := o[name]; ok && (until.IsZero() || now.Before(until)) {
			return true
		}
	}
	return false
}

// InForce is o without what has ended.
func (o Off) InForce(now time.Time) Off {
	left := make(Off, len(o))
	for name, until := range o {
		if until.IsZero() || now.Before(until) {
			left[name] = until
		}
	}
	return left
}

// offFile is the shape of off.json: {"off": {"gate": "2026-01-02T15:04:05Z", "all": ""}}.
type offFile struct {
	Off map[string]string `json:"off"`
}

func offPath(home seam.Home) string { return home.Path("off.json") }

// ReadOff reads off.json. No file means that nothing is off; a file that is not
// understood is an error, and nothing is off.
func ReadOff(home seam.Home) (Off, error) {
	raw, err := seam.ReadFile(offPath(home), maxOff)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(raw) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var file offFile
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, fmt.Errorf("%s is not understood (%w); `ctxguard on` makes it anew", offPath(home), err)
	}
	off := make(Off, len(file.Off))
	for name, text := range file.Off {
		until, err := time.Parse(time.RFC3339, text)
		if text != "" && err != nil {
			return nil, fmt.Errorf("%s is not understood (the end of %q is no time); `ctxguard on` makes it anew", offPath(home), name)
		}
		off[name] = until
	}
	return off, nil
}

// WriteOff replaces off.json.
func WriteOff(home seam.Home, off Off) error {
	file := offFile{Off: make(map[string]string, len(off))}
	for name, until := range off {
		text := ""
		// What lies beyond the years that the form can say has no end.
		if until = until.UTC(); !until.IsZero() && until.Year() <= 9999 {
			text = until.Format(time.RFC3339)
		}
		file.Off[name] = text
	}
	raw, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return err
	}
	return seam.Save(offPath(home), append(raw, '\n'))
}

// OffByEnvironment reads CTXGUARD_OFF: "all" or guards separated by commas.
func OffByEnvironment(getenv func(string) string) Off {
	value := getenv("CTXGUARD_OFF")
	if value == "" {
		return nil
	}
	off := make(Off)
	for name := range strings.SplitSeq(value, ",") {
		off[strings.ToLower(strings.TrimSpace(name))] = time.Time{}
	}
	return off
}
