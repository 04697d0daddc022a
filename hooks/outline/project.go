package outline

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// addProject finds what the file takes from its project, who imports it and
// which tests name it. When the time runs out the caller sees it in the context.
func addProject(ctx context.Context, req Request, file located, src []byte, o *Outline) {
	family := familyOf(file.path)
	idx, err := indexProject(ctx, req, file.root, family)
	if err != nil {
		return
	}
	p := newProject(idx, family)
	o.Imports = p.imports(file.rel, importSpecs(family, string(src)))
	importers := p.importers(ctx, file.rel)
	o.Importers = &Files{Complete: idx.complete}
	o.Tests = &Files{Complete: idx.complete}
	for _, rel := range importers {
		if isTest(rel) {
			o.Tests.Paths = append(o.Tests.Paths, rel)
		} else {
			o.Importers.Paths = append(o.Importers.Paths, rel)
		}
	}
	if !isTest(file.rel) {
		o.Tests.Paths = append(o.Tests.Paths, p.testsByName(file, o.Symbols)...)
	}
	slices.Sort(o.Tests.Paths)
	o.Tests.Paths = slices.Compact(o.Tests.Paths)
}

type project struct {
	index    index
	resolver resolver
	// byName has the files that each key names.
	byName map[string][]string
}

func newProject(idx index, f family) project {
	p := project{index: idx, resolver: idx.resolver(f), byName: make(map[string][]string, 2*len(idx.files))}
	for _, file := range idx.files {
		for _, key := range p.resolver.namesOf(file.rel) {
			p.byName[key] = append(p.byName[key], file.rel)
		}
	}
	return p
}

// resolve gives the files that an import of the file at from means.
func (p project) resolve(spec, from string) []string {
	for _, key := range p.resolver.refsOf(spec, from) {
		if files := p.byName[key]; len(files) > 0 {
			return files
		}
	}
	return nil
}

func (p project) importers(ctx context.Context, rel string) []string {
	wanted := make(map[string]bool)
	for _, key := range p.resolver.namesOf(rel) {
		wanted[key] = true
	}
	var importers []string
	for i, file := range p.index.files {
		if i%128 == 0 && ctx.Err() != nil {
			return nil
		}
		if file.rel != rel && p.means(file, wanted) {
			importers = append(importers, file.rel)
		}
	}
	return importers
}

// means reports whether one of the file's imports means a file that has the
// wanted keys. That file itself need not be in the index.
func (p project) means(file indexed, wanted map[string]bool) bool {
	for _, spec := range file.specs {
		for _, key := range p.resolver.refsOf(spec, file.rel) {
			if wanted[key] {
				return true
			}
			if len(p.byName[key]) > 0 {
				break
			}
		}
	}
	return false
}

// imports gives the imports that mean something in this project; for Go, whose
// imports mean folders, the folder.
func (p project) imports(rel string, specs []string) []Import {
	var imports []Import
	seen := make(map[string]bool)
	for _, spec := range specs {
		for _, target := range p.resolve(spec, rel) {
			if p.resolver.family == goFamily {
				target = path.Dir(target) + "/"
			}
			if target != rel && !seen[target] {
				seen[target] = true
				imports = append(imports, Import{Name: strings.TrimPrefix(spec, "<"), Path: target})
			}
		}
	}
	return imports
}

// maxTestsRead bounds the Go tests beside a file that are looked into.
const maxTestsRead = 50

// testsByName finds the tests that need no import to be the file's: those named
// after it, and in Go those of its own package that use one of its names.
func (p project) testsByName(file located, symbols []Symbol) []string {
	var tests []string
	stem, read := stemOf(file.rel), 0
	for _, other := range p.index.files {
		if !isTest(other.rel) {
			continue
		}
		sameFolder := path.Dir(other.rel) == path.Dir(file.rel)
		if testedStem(other.rel) == stem && (p.resolver.family != goFamily || sameFolder) {
			tests = append(tests, other.rel)
			continue
		}
		if p.resolver.family != goFamily || !sameFolder || read == maxTestsRead {
			continue
		}
		read++
		src, err := readRegular(filepath.Join(file.root, filepath.FromSlash(other.rel)), maxScanned)
		if err == nil && usesAny(string(src), symbols) {
			tests = append(tests, other.rel)
		}
	}
	return tests
}

// usesAny reports whether one of the symbols' names stands in the text as a word.
func usesAny(text string, symbols []Symbol) bool {
	names := make(map[string]bool, len(symbols))
	for _, s := range symbols {
		names[s.Name[strings.LastIndexByte(s.Name, '.')+1:]] = true
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isWordRune(r) }) {
		if names[word] {
			return true
		}
	}
	return false
}
