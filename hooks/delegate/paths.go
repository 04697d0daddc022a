package delegate

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"

	"ctxguard/hooks"
	"ctxguard/hooks/config"
	"ctxguard/statusline/seam"
)

// maxPaths is how many paths of a brief are looked at (B5).
const maxPaths = 6

// named gives the paths that a prompt names: those in its FILES field, or where
// that has none, in all of it.
func named(prompt string, required []field) []string {
	if paths := pathWords(filesField(prompt, required)); len(paths) > 0 {
		return paths
	}
	return pathWords(prompt)
}

// filesField is the text from "FILES:" to the next required name.
func filesField(prompt string, required []field) string {
	files, ok := newField("FILES:")
	if !ok {
		return ""
	}
	at := files.find.FindStringIndex(prompt)
	if at == nil {
		return ""
	}
	rest := prompt[at[1]:]
	end := len(rest)
	for _, f := range required {
		if strings.EqualFold(f.name, files.name) {
			continue
		}
		if next := f.find.FindStringIndex(rest); next != nil {
			end = min(end, next[0])
		}
	}
	return rest[:end]
}

// pathWords are the words of letters, digits and _ . / - that have an extension,
// each once. A leading ~ stays, since it says where the path is.
func pathWords(text string) []string {
	var paths []string
	seen := make(map[string]bool)
	windows := runtime.GOOS == "windows"
	inWord := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_./-~", r) ||
			windows && (r == '\\' || r == ':')
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !inWord(r) }) {
		word = strings.TrimRight(word, ".-/~:\\")
		if len(paths) < maxPaths && looksLikePath(word) && !seen[word] {
			seen[word] = true
			paths = append(paths, word)
		}
	}
	return paths
}

// looksLikePath asks for an extension that begins with a letter, and leaves out
// addresses and abbreviations.
func looksLikePath(word string) bool {
	if len(word) > 1024 || strings.HasPrefix(word, "//") || strings.EqualFold(word, "e.g") || strings.EqualFold(word, "i.e") {
		return false
	}
	if tilde := strings.LastIndexByte(word, '~'); tilde > 0 || tilde == 0 && !strings.HasPrefix(word, "~/") {
		return false
	}
	ext := filepath.Ext(word)
	if len(ext) < 2 || len(ext) > 12 || ext == filepath.Base(word) {
		return false
	}
	return unicode.IsLetter([]rune(ext[1:])[0])
}

// place is a path of a brief, or an edit's target, with the root that it is read
// under.
type place struct {
	path   string // absolute
	root   string // empty when it lies in none of the roots
	exists bool
}

// roots are the folders that a relative path is tried under, in order; each is
// absolute (B5).
func roots(ev *hooks.Event) []string {
	var list []string
	gitRoot := config.FindProject(func(string) string { return "" }, ev.CWD)
	for _, dir := range []string{ev.Project, gitRoot, ev.CWD} {
		if filepath.IsAbs(dir) {
			list = append(list, filepath.Clean(dir))
		}
	}
	return list
}

// locate finds where a word of a brief leads: the first root under which it
// exists, else the first one.
func locate(ev *hooks.Event, word string) place {
	if rest, ok := strings.CutPrefix(word, "~/"); ok {
		home, known := seam.UserHome(ev.Getenv)
		if !known {
			return place{}
		}
		word = filepath.Join(home, filepath.FromSlash(rest))
	}
	word = filepath.FromSlash(word)
	if filepath.IsAbs(word) {
		return placeAt(ev, word)
	}
	var first place
	for _, root := range roots(ev) {
		p := placeAt(ev, filepath.Join(root, word))
		if p.exists {
			return p
		}
		if first.path == "" {
			first = p
		}
	}
	return first
}

// placeAt gives an absolute path the first root that it lies in once links are
// resolved.
func placeAt(ev *hooks.Event, path string) place {
	p := place{path: filepath.Clean(path)}
	info, err := os.Stat(p.path)
	p.exists = err == nil && info.Mode().IsRegular()
	real := resolved(p.path)
	for _, root := range roots(ev) {
		if within(resolved(root), real) {
			p.root = root
			break
		}
	}
	return p
}

func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel) && rel != "."
}

// resolved follows links, also of the folder of a file that does not exist.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(real, filepath.Base(path))
	}
	return filepath.Clean(path)
}

// looseInHome reports whether the file lies in the person's home folder itself:
// such a file says nothing about the project (B4).
func looseInHome(ev *hooks.Event, path string) bool {
	home, ok := seam.UserHome(ev.Getenv)
	return ok && filepath.Dir(resolved(path)) == resolved(home)
}
