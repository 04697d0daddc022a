package outline

import (
	"path"
	"strings"
)

// A file can be imported under several names, and an import can mean several
// files. Both are turned into keys: an import means the files that have the
// first of its keys that any file of the project has. Paths are below the
// project's root, with forward slashes.

// maxDeep bounds the keys that are made of one path.
const maxDeep = 32

// resolver knows what keys need beyond one file's path.
type resolver struct {
	family family
	// modules are the Go modules of the project: folder → module path.
	modules map[string]string
	// packages are the folders with an __init__.py.
	packages map[string]bool
}

// namesOf gives the keys of one file.
func (r resolver) namesOf(rel string) []string {
	dir, stem := path.Dir(rel), stemOf(rel)
	bare := path.Join(dir, stem)
	switch r.family {
	case goFamily:
		if isTest(rel) || path.Base(rel) == "go.mod" {
			return nil
		}
		if pkg, ok := r.goPackage(dir); ok {
			return []string{"go:" + pkg}
		}
	case pythonFamily:
		return r.pythonNames(dir, stem)
	case scriptFamily:
		keys := []string{"at:" + bare}
		if stem == "index" {
			keys = append(keys, "at:"+dir)
		}
		return keys
	case rustFamily:
		root, module := rustModule(rel)
		return []string{"rs:" + root + "|" + module}
	case javaFamily:
		return suffixKeys("java:", path.Join(dir, stem), ".", 2, path.Join(dir, "*"))
	case cFamily:
		return append([]string{"at:" + rel}, suffixKeys("c:", rel, "/", 1)...)
	case rubyFamily:
		return append([]string{"at:" + bare}, suffixKeys("rb:", bare, "/", 1)...)
	}
	return nil
}

// refsOf gives the keys that one import of the file at from may mean, the
// likeliest first.
func (r resolver) refsOf(spec, from string) []string {
	dir := path.Dir(from)
	switch r.family {
	case goFamily:
		return []string{"go:" + spec}
	case pythonFamily:
		return pythonRefs(spec, dir)
	case scriptFamily:
		return scriptRefs(spec, dir)
	case rustFamily:
		return rustRefs(spec, from)
	case javaFamily:
		keys := []string{"java:" + spec}
		if i := strings.LastIndexByte(spec, '.'); i > 0 && !strings.HasSuffix(spec, "*") {
			keys = append(keys, "java:"+spec[:i])
		}
		return keys
	case cFamily:
		if name, ok := strings.CutPrefix(spec, "<"); ok {
			if !strings.Contains(name, "/") {
				return nil
			}
			return []string{"c:" + name}
		}
		return []string{"at:" + path.Join(dir, spec), "c:" + spec}
	case rubyFamily:
		spec = strings.TrimSuffix(spec, ".rb")
		if strings.HasPrefix(spec, ".") {
			return []string{"at:" + path.Join(dir, spec)}
		}
		return []string{"at:" + path.Join("lib", spec), "rb:" + spec}
	}
	return nil
}

// goPackage is the import path of a folder.
func (r resolver) goPackage(dir string) (string, bool) {
	for up := dir; ; up = path.Dir(up) {
		if module, ok := r.modules[up]; ok {
			below := strings.TrimPrefix(strings.TrimPrefix(dir, up), "/")
			if up == "." {
				below = dir
			}
			return path.Join(module, below), true
		}
		if up == "." || up == "/" {
			return "", false
		}
	}
}

// pythonNames: a module is named from any folder above it that is no package,
// and by its bare name from beside it.
func (r resolver) pythonNames(dir, stem string) []string {
	bare := path.Join(dir, stem)
	if stem == "__init__" {
		bare = dir
		dir = path.Dir(dir)
	}
	keys := []string{"at:" + bare}
	parts := strings.Split(bare, "/")
	for i := max(0, len(parts)-maxDeep); i < len(parts); i++ {
		root := path.Join(parts[:i]...)
		if r.packages[root] || root == "" && r.packages["."] {
			continue
		}
		name := strings.Join(parts[i:], ".")
		if i < len(parts)-1 || i == 0 || root == "src" || root == "lib" {
			keys = append(keys, "py:"+name)
		}
	}
	return append(keys, "py:"+path.Base(bare)+"@"+dir)
}

func pythonRefs(spec, dir string) []string {
	module := strings.TrimLeft(spec, ".")
	if dots := len(spec) - len(module); dots > 0 {
		for range dots - 1 {
			dir = path.Dir(dir)
		}
		return []string{"at:" + path.Join(dir, strings.ReplaceAll(module, ".", "/"))}
	}
	if !strings.Contains(module, ".") {
		return []string{"py:" + module + "@" + dir, "py:" + module}
	}
	return []string{"py:" + module}
}

func scriptRefs(spec, dir string) []string {
	spec = withoutScriptExtension(spec)
	switch {
	case spec == "." || spec == ".." || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../"):
		return []string{"at:" + path.Join(dir, spec)}
	case strings.HasPrefix(spec, "@/") || strings.HasPrefix(spec, "~/"):
		return aliasRefs(spec[2:], dir)
	case strings.HasPrefix(spec, "src/"):
		return []string{"at:" + spec}
	}
	return nil
}

// aliasRefs: by habit @/ and ~/ mean the source folder, or the folder, of the
// package that the importing file is in.
func aliasRefs(below, dir string) []string {
	var keys []string
	for up := dir; len(keys) < 2*maxDeep; up = path.Dir(up) {
		keys = append(keys, "at:"+path.Join(up, "src", below), "at:"+path.Join(up, below))
		if up == "." || up == "/" {
			break
		}
	}
	return keys
}

func withoutScriptExtension(spec string) string {
	switch path.Ext(spec) {
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts":
		return strings.TrimSuffix(spec, path.Ext(spec))
	}
	return spec
}

// rustModule splits a path into its crate's source folder and the module below
// it: src/a/b.rs and src/a/b/mod.rs are both a::b.
func rustModule(rel string) (root, module string) {
	dir, stem := path.Dir(rel), stemOf(rel)
	full := path.Join(dir, stem)
	if stem == "mod" || stem == "lib" || stem == "main" {
		full = dir
	}
	parts := strings.Split(full, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i] == "src" {
			return strings.Join(parts[:i+1], "/"), strings.Join(parts[i+1:], "::")
		}
	}
	return dir, stem
}

func rustRefs(spec, from string) []string {
	root, module := rustModule(from)
	if name, ok := strings.CutPrefix(spec, "mod "); ok {
		return []string{"rs:" + root + "|" + joinModule(module, name)}
	}
	head, rest, ok := strings.Cut(spec, "::")
	if !ok {
		return nil
	}
	switch head {
	case "crate":
		module = ""
	case "self":
	case "super":
		module = parentModule(module)
	default:
		return nil
	}
	for strings.HasPrefix(rest, "super::") {
		module, rest = parentModule(module), strings.TrimPrefix(rest, "super::")
	}
	full := joinModule(module, rest)
	return []string{"rs:" + root + "|" + full, "rs:" + root + "|" + parentModule(full)}
}

func joinModule(module, name string) string {
	if module == "" {
		return name
	}
	return module + "::" + name
}

func parentModule(module string) string {
	before, _, ok := cutLast(module, "::")
	if !ok {
		return ""
	}
	return before
}

// suffixKeys gives every ending of a path that has at least least parts, joined
// by sep.
func suffixKeys(prefix, full, sep string, least int, more ...string) []string {
	var keys []string
	for _, p := range append([]string{full}, more...) {
		parts := strings.Split(p, "/")
		for i := max(0, len(parts)-maxDeep); i+least <= len(parts); i++ {
			keys = append(keys, prefix+strings.Join(parts[i:], sep))
		}
	}
	return keys
}
