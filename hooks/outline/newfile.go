package outline

import (
	"context"
	"os"
	"path/filepath"
)

const (
	// maxBeside and maxBesideBytes bound the neighbours that are read for a new
	// file.
	maxBeside      = 30
	maxBesideBytes = 1 << 20
)

// newFile shows what the files beside a file that does not exist make public:
// what it will join.
func newFile(ctx context.Context, req Request, file located) Result {
	r := Result{Path: file.path, State: NothingToSay}
	if _, err := languageOf(file.path); err != nil {
		r.Reason = "the file does not exist"
		return r
	}
	o := Outline{Path: oneLine(req.Path), New: true}
	groups, left, err := neighbours(file)
	if err != nil {
		r.Reason = "the folder of the new file cannot be read"
		return r
	}
	for _, group := range groups {
		shapes, err := shapesOf(ctx, req, group)
		if err != nil {
			return Result{Path: file.path, State: Unavailable, Reason: err.Error(), Retry: true}
		}
		for i, shape := range shapes {
			o.Language, o.Package = shape.Language, shape.Package
			if names := publicNames(shape); len(names) > 0 {
				o.Beside = append(o.Beside, Beside{filepath.Base(group[i].path), names, shape.Approximate})
			}
		}
	}
	if len(o.Beside) == 0 {
		r.Reason = "the file does not exist, and nothing beside it makes anything public"
		return r
	}
	o.BesideLeft = left
	r.State, r.Outline, r.Text = Rendered, &o, o.Text(req.MaxChars)
	return r
}

// neighbours reads the files of the new file's language that lie beside it,
// tests left out, grouped by language. Left counts those that were too many.
func neighbours(file located) (groups [][]source, left int, err error) {
	dir := filepath.Dir(file.path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, 0, err
	}
	byLanguage := make(map[string]int)
	count, size := 0, 0
	for _, entry := range entries {
		lang, err := languageOf(entry.Name())
		if err != nil || !entry.Type().IsRegular() || !related(entry.Name(), file.rel) || isTest(entry.Name()) {
			continue
		}
		src, err := readSource(filepath.Join(dir, entry.Name()))
		if err != nil || count == maxBeside || size+len(src) > maxBesideBytes {
			left++
			continue
		}
		count, size = count+1, size+len(src)
		i, ok := byLanguage[lang.name]
		if !ok {
			i = len(groups)
			byLanguage[lang.name] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], source{filepath.Join(dir, entry.Name()), src})
	}
	return groups, left, nil
}

func related(a, b string) bool {
	if f := familyOf(a); f != noFamily {
		return f == familyOf(b)
	}
	return extension(a) == extension(b)
}

// publicNames lists what a file makes public: its types and functions, not their
// members.
func publicNames(s Shape) []string {
	var names []string
	for _, symbol := range s.Symbols {
		if symbol.Public {
			names = append(names, symbol.Name)
		}
	}
	return names
}
