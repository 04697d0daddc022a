package setup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
	// Settings is the file that was edited, links resolved.
	Settings string    `json:"settings"`
	At       time.Time `json:"at"`
	Bin      string    `json:"bin"`
	// Before and Written are the file's hashes when the last setup began and ended.
	Before  string `json:"before_sha256"`
	Written string `json:"written_sha256"`
	// Created says that there was no file before the first setup, and that nobody
	// else has changed it since; else Backup is its copy, by name, with its hash.
	Created    bool   `json:"created,omitempty"`
	Backup     string `json:"backup,omitempty"`
	BackupHash string `json:"backup_sha256,omitempty"`
	// Made says that setup made the file once, whoever has changed it since.
	Made bool `json:"made,omitempty"`
	// Origins are what was empty or null where setup put something.
	Origins settings.Origins `json:"origins,omitempty"`
}

func journalPath(home seam.Home) string { return home.Path("setup.json") }

// ReadJournal reads setup.json; false when there is none that is understood.
func ReadJournal(home seam.Home) (Journal, bool) {
	raw, err := seam.ReadFile(journalPath(home), maxJournal)
	if err != nil {
		return Journal{}, false
	}
	var j Journal
	if json.Unmarshal(raw, &j) != nil || j.Version != journalVersion {
		return Journal{}, false
	}
	return j, true
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// nextJournal is the journal for what the plan writes. As long as nobody else has
// touched the file since the last setup, or since one that was cut off, what it
// was before the first one stays remembered.
func (p *plan) nextJournal(now time.Time) Journal {
	j := Journal{
		Version: journalVersion, Settings: p.place.Target, At: now.UTC().Truncate(time.Second), Bin: p.place.Bin,
		Before: hash(p.old), Written: hash(p.fresh), Created: !p.existed, Made: !p.existed, Origins: p.origins,
	}
	last, ok := ReadJournal(p.place.Home)
	if !ok || last.Settings != j.Settings {
		return j
	}
	// What was empty before the first setup is not in the file any more.
	merged := settings.Origins{}
	for pointer, raw := range j.Origins {
		merged[pointer] = raw
	}
	for pointer, raw := range last.Origins {
		merged[pointer] = raw
	}
	j.Origins, j.Made = merged, j.Made || last.Made
	if j.Before == last.Written || j.Before == last.Before {
		j.Created, j.Backup, j.BackupHash = last.Created, last.Backup, last.BackupHash
	}
	return j
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

// pruneBackups keeps the newest ten, and among them the one that undo needs.
func pruneBackups(home seam.Home, needed string) error {
	names := slices.DeleteFunc(backups(home), func(name string) bool { return name == needed })
	keep := mostBackups
	if needed != "" {
		keep--
	}
	var failed error
	for len(names) > keep {
		if err := os.Remove(home.Path(backupDir + "/" + names[0])); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
		names = names[1:]
	}
	return failed
}

// backupOf is the file as it was before the first setup, when the current bytes
// are still those that setup wrote and the copy is whole.
func (j Journal) backupOf(home seam.Home, target string, current []byte) (data []byte, created, ok bool) {
	if j.Settings != target || j.Written != hash(current) {
		return nil, false, false
	}
	if j.Created {
		return nil, true, true
	}
	// The name comes from a file; it must stay in its folder.
	if j.Backup == "" || j.Backup != filepath.Base(j.Backup) {
		return nil, false, false
	}
	data, err := seam.ReadFile(home.Path(backupDir+"/"+j.Backup), maxSettings)
	if err != nil || hash(data) != j.BackupHash {
		return nil, false, false
	}
	return data, false, true
}
