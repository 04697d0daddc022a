package zoneguard

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"ctxguard/statusline/seam"
	"ctxguard/zones"
)

const maxSettings = 4 << 20

// surroundings are the facts about the person's client that a message needs.
// They are looked up only when there is something to say.
type surroundings struct {
	getenv   func(string) string
	settings []byte
	router   bool
}

func lookAround(getenv func(string) string, router string) surroundings {
	s := surroundings{getenv: getenv}
	dir, ok := seam.ClientDir(getenv)
	if !ok {
		return s
	}
	raw, err := seam.ReadFile(filepath.Join(dir, "settings.json"), maxSettings)
	if err == nil && seam.ValidJSON(raw) {
		s.settings = raw
	}
	plugin, _, _ := strings.Cut(router, ":")
	s.router = plugin != "" && (enabledPlugin(s.settings, plugin) || cachedPlugin(dir, plugin))
	return s
}

// enabledPlugin looks for name@marketplace: true under enabledPlugins.
func enabledPlugin(settings []byte, plugin string) bool {
	found := false
	gjson.GetBytes(settings, "enabledPlugins").ForEach(func(key, value gjson.Result) bool {
		name, _, _ := strings.Cut(key.String(), "@")
		found = name == plugin && value.IsBool() && value.Bool()
		return !found
	})
	return found
}

// cachedPlugin looks for plugins/cache/<marketplace>/<plugin>.
func cachedPlugin(clientDir, plugin string) bool {
	if plugin == "." || plugin == ".." || strings.ContainsAny(plugin, `/\*?[`) {
		return false
	}
	cache := filepath.Join(clientDir, "plugins", "cache")
	for _, place := range []string{filepath.Join(cache, plugin), filepath.Join(cache, "*", plugin)} {
		matches, err := filepath.Glob(place)
		if err != nil {
			continue
		}
		for _, match := range matches {
			if info, err := os.Stat(match); err == nil && info.IsDir() {
				return true
			}
		}
	}
	return false
}

// untilCompaction says how far it is to the next automatic compaction, where
// that is known.
func (s surroundings) untilCompaction(r zones.Reading) (string, bool) {
	at, ok := zones.CompactionPoint(r.TrueWindow, r.ModelID, s.settings, s.getenv)
	if !ok || r.InputTokens <= 0 {
		return "", false
	}
	if r.InputTokens >= at {
		return "auto-compaction is due", true
	}
	return "about " + grouped(at-r.InputTokens) + " tokens to auto-compaction", true
}
