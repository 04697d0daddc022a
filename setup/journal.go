package setup

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ctxguard/hooks/registry"
	"ctxguard/setup/settings"
	"ctxguard/statusline/seam"
)

const (
	journalVersion = 1
	maxJournal     = 1 << 20
	mostBackups    = 10
	backupDir      = "backups"
)

// Journal is setup.json: what setup did, so that it can be taken back.
type Journal struct {
	Version int `json:"version"`
	// Files are the settings files that were edited, by path, links resolved.
	Files map[string]Entry `json:"files"`
	// Registered is what the last setup wrote, for the hooks to compare with.
	Registered *registry.Registered `json:"registered,omitempty"`
}

// Entry is what setup did to one settings file.
type Entry struct {
	At time.Time `json:"at"`
	// Bin, Kept and Portable are how the program was to be named; a later setup
	// without words for it keeps to that.
	Bin      string `json:"bin"`
	Kept     bool   `json:"kept,omitempty"`
	Portable bool   `json:"portable,omitempty"`
	// Before and Written are the file's hashes when the last setup began and ended.
	Before  string `json:"before"`
	Written string `json:"written"`
	// Created says that there was no file before the first setup, and that nobody
	// else has changed it since; else Backup is its copy, by name, with its hash.
	Created    bool   `json:"created,omitempty"`
	Backup     string `json:"backup,omitempty"`
	BackupHash string `json:"backup_hash,omitempty"`
	// Made says that setup made the file once, whoever has changed it since.
	Made bool `json:"made,omitempty"`
	// Origins are what was empty or null where setup put something.
	Origins settings.Origins `json:"origins,omitempty"`
}

func journalPath(home seam.Home) string { return home.Path(registry.File) }

// readJournal reads setup.json; one that is not there or not understood is empty.
func readJournal(home seam.Home) Journal {
	var j Journal
	raw, err := seam.ReadFile(journalPath(home), maxJournal)
	if err != nil || json.Unmarshal(raw, &j) != nil || j.Version != journalVersion || j.Files == nil {
		return Journal{Version: journalVersion, Files: make(map[string]Entry)}
	}
	return j
}

// hash tells one state of a file from another. Nothing hangs on nobody being able
// to find a second text for it, and a cryptographic one would cost every hook a
// tenth of its start (the packages behind it work at init).
func hash(data []byte) string {
	sum := fnv.New128a()
	_, _ = sum.Write(data)
	return hex.EncodeToString(sum.Sum(nil))
}

// nextEntry is the journal's entry for what the plan writes. As long as nobody
// else has touched the file since the last setup, or since one that was cut off,
// what it was before the first one stays remembered.
func (p *plan) nextEntry(now time.Time) Entry {
	e := Entry{
		At: now.UTC().Truncate(time.Second), Bin: p.place.Bin,
		Kept: p.place.Kept, Portable: p.opts.Portable,
		Before: hash(p.old), Written: hash(p.fresh), Created: !p.existed, Made: !p.existed, Origins: p.origins,
	}
	last, ok := readJournal(p.place.Home).Files[p.place.Target]
	if !ok {
		return e
	}
	// What was empty before the first setup is not in the file any more.
	e.Origins = maps.Clone(p.origins)
	maps.Copy(e.Origins, last.Origins)
	e.Made = e.Made || last.Made
	if e.Before == last.Written || e.Before == last.Before {
		e.Created, e.Backup, e.BackupHash = last.Created, last.Backup, last.BackupHash
	}
	return e
}

// keep writes the entry for a settings file into setup.json, and what was
// registered there.
func (e Entry) keep(home seam.Home, target string, registered *registry.Registered) error {
	j := readJournal(home)
	j.Files[target], j.Registered = e, registered
	return j.write(home)
}

// registered is what the plan registers.
func (p *plan) registered() *registry.Registered {
	r := registry.Registered{Batches: p.client.Batches()}
	for _, h := range p.hooks {
		r.Entries = append(r.Entries, registry.Entry{Event: h.Event, Matcher: h.Matcher, Timeout: h.Timeout})
	}
	return &r
}

// forget takes the entry for a settings file out of setup.json.
func forget(home seam.Home, target string) error {
	j := readJournal(home)
	if _, ok := j.Files[target]; !ok {
		return nil
	}
	delete(j.Files, target)
	if len(j.Files) == 0 {
		return os.Remove(journalPath(home))
	}
	return j.write(home)
}

func (j Journal) write(home seam.Home) error {
	raw, err := json.MarshalIndent(j, "", "  ")
	if err != nil {
		return err
	}
	return seam.Save(journalPath(home), append(raw, '\n'))
}

// backUp keeps the settings as they are, and gives the copy's name. A copy of the
// same bytes that is there already will do.
func backUp(home seam.Home, data []byte, now time.Time) (string, error) {
	names := backups(home)
	if len(names) > 0 {
		newest := names[len(names)-1]
		if there, err := seam.ReadFile(home.Path(backupDir+"/"+newest), maxSettings); err == nil && bytes.Equal(there, data) {
			return newest, nil
		}
	}
	stem := "settings-" + now.UTC().Format("20060102T150405Z")
	for i := 1; ; i++ {
		name := stem + ".json"
		if i > 1 {
			name = fmt.Sprintf("%s-%02d.json", stem, i)
		}
		path := home.Path(backupDir + "/" + name)
		if !exists(path) {
			return name, seam.Save(path, data)
		}
	}
}

// backups are the names of the copies, oldest first.
func backups(home seam.Home) []string {
	entries, err := os.ReadDir(home.Path(backupDir))
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "settings-") && strings.HasSuffix(e.Name(), ".json") && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	// A second copy of one second ends in -02.json and comes after the first.
	slices.SortFunc(names, func(a, b string) int {
		return strings.Compare(strings.TrimSuffix(a, ".json"), strings.TrimSuffix(b, ".json"))
	})
	return names
}

// pruneBackups keeps the newest ten, and among them those that undo needs.
func pruneBackups(home seam.Home) error {
	needed := make(map[string]bool)
	for _, e := range readJournal(home).Files {
		if e.Backup != "" {
			needed[e.Backup] = true
		}
	}
	names := slices.DeleteFunc(backups(home), func(name string) bool { return needed[name] })
	var failed error
	for len(names) > max(0, mostBackups-len(needed)) {
		if err := os.Remove(home.Path(backupDir + "/" + names[0])); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
		names = names[1:]
	}
	return failed
}

// backupOf is the file as it was before the first setup, when the current bytes
// are still those that setup wrote, or those before a setup that did not come to
// its end, and the copy is whole.
func (e Entry) backupOf(home seam.Home, current []byte) (data []byte, created, ok bool) {
	if now := hash(current); now != e.Written && now != e.Before {
		return nil, false, false
	}
	if e.Created {
		return nil, true, true
	}
	// The name comes from a file; it must stay in its folder.
	if e.Backup == "" || e.Backup != filepath.Base(e.Backup) {
		return nil, false, false
	}
	data, err := seam.ReadFile(home.Path(backupDir+"/"+e.Backup), maxSettings)
	if err != nil || hash(data) != e.BackupHash {
		return nil, false, false
	}
	return data, false, true
}
