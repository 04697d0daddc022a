package outline

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// shapeVersion is part of every key of the cache: it goes up when the same bytes
// would be given another shape.
const shapeVersion = "1"

// shapeOf gives the shape of one source, kept by its content.
func shapeOf(ctx context.Context, req Request, path string, src []byte) (Shape, error) {
	shapes, err := shapesOf(ctx, req, []source{{path, src}})
	if err != nil {
		return Shape{}, err
	}
	return shapes[0], nil
}

type source struct {
	path string
	src  []byte
}

// shapesOf gives the shapes of sources of one language.
func shapesOf(ctx context.Context, req Request, sources []source) ([]Shape, error) {
	lang, err := languageOf(sources[0].path)
	if err != nil {
		return nil, err
	}
	shapes := make([]Shape, len(sources))
	if lang.name == "Go" {
		for i, s := range sources {
			shapes[i] = goShape(s.src)
		}
		return shapes, nil
	}
	return cachedShapes(ctx, req, lang, sources)
}

func cachedShapes(ctx context.Context, req Request, lang language, sources []source) ([]Shape, error) {
	box := req.sandbox(req.root())
	helper := helperFor(box, lang)
	shapes := make([]Shape, len(sources))
	keys := make([]string, len(sources))
	var missing []source
	var at []int
	for i, s := range sources {
		keys[i] = cachePath(req.Home, "shape", box.project, shapeVersion, lang.name, helper.identity, string(s.src))
		if !recall(keys[i], &shapes[i]) {
			missing, at = append(missing, s), append(at, i)
		}
	}
	if len(missing) == 0 {
		return shapes, nil
	}
	fresh, lasting := helper.shapes(ctx, box, lang, missing)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for i, shape := range fresh {
		shapes[at[i]] = shape
		if lasting && !req.Frozen {
			keep(keys[at[i]], shape)
		}
	}
	return shapes, nil
}

// helper is the program that reads a language.
type helper struct {
	program string // absolute; empty when there is none
	name    string
	// identity changes when another program, or another version of it, would do
	// the work.
	identity string
}

func helperFor(box sandbox, lang language) helper {
	h := helper{name: "ctags"}
	if lang.name == "Python" {
		h.name = "python3"
	} else if lang.ctags == "" {
		return h
	}
	path, err := box.find(h.name)
	if err != nil {
		return h
	}
	info, err := os.Stat(path)
	if err != nil {
		return h
	}
	h.program = path
	h.identity = fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano())
	return h
}

// shapes lets the helper read the sources; where it cannot, they are looked
// through line by line. Lasting is false when that was for a reason that may be
// gone the next time.
func (h helper) shapes(ctx context.Context, box sandbox, lang language, sources []source) (shapes []Shape, lasting bool) {
	if h.program == "" {
		return approximateAll(lang, sources, h.name+" is not installed"), true
	}
	if h.name == "python3" {
		var raw [][]byte
		for _, s := range sources {
			raw = append(raw, s.src)
		}
		shapes, err := pythonShapes(ctx, box, h.program, raw)
		if err != nil {
			return approximateAll(lang, sources, h.name+" could not read it"), false
		}
		return shapes, true
	}
	if !isUniversal(ctx, box, h.program) {
		return approximateAll(lang, sources, "universal-ctags is not installed"), ctx.Err() == nil
	}
	lasting = true
	for _, s := range sources {
		shape, err := ctagsShape(ctx, box, h.program, lang, s.path, s.src)
		if err != nil {
			lasting = errors.Is(err, errHelperOutput) && lasting
			shape = approximate(lang.name, s.src, h.name+" could not read it")
		}
		shapes = append(shapes, shape)
	}
	return shapes, lasting
}

func approximateAll(lang language, sources []source, why string) []Shape {
	shapes := make([]Shape, len(sources))
	for i, s := range sources {
		shapes[i] = approximate(lang.name, s.src, why)
	}
	return shapes
}
