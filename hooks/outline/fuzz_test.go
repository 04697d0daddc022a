package outline

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// check holds for every shape, whatever it was made from: lines that exist,
// text on one line, bounded size.
func check(t *testing.T, symbols []Symbol, lines, depth int) {
	t.Helper()
	if depth > maxDepth+1 {
		t.Fatal("too deep")
	}
	for _, s := range symbols {
		if s.Line < 1 || s.Line > lines {
			t.Fatalf("line %d of %d", s.Line, lines)
		}
		for _, text := range append([]string{s.Name, s.Signature}, s.Bases...) {
			if strings.ContainsAny(text, "\n\r\u2028\x00") || !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxSignature {
				t.Fatalf("unclean text %q", text)
			}
		}
		check(t, s.Members, lines, depth+1)
	}
}

func FuzzCtags(f *testing.F) {
	src := []byte("class A {\n  b() {}\n}\n\ninterface C extends A {}\n")
	f.Add([]byte(`{"_type": "tag", "name": "A", "path": "/a.ts", "line": 1, "kind": "class"}`+"\n"+
		`{"_type": "tag", "name": "b", "line": 2, "kind": "method", "scope": "A", "scopeKind": "class"}`+"\n"), src, true)
	f.Add([]byte(`{"_type": "tag", "name": "A", "line": 99999999999, "kind": "class", "scope": "A"}`), src, false)
	f.Add([]byte(`{"_type": "ptag", "name": "JSON_OUTPUT_VERSION"}`+"\n{}\n[]\nnull\n"), src, true)
	f.Fuzz(func(t *testing.T, out, src []byte, whole bool) {
		tags, err := parseCtags(out, whole)
		if err != nil {
			return
		}
		tags = withGuesses(tags, approximateTags("TypeScript", src))
		check(t, tidied(nest("TypeScript", tags, src), src), lineCount(src), 0)
	})
}

func FuzzPython(f *testing.F) {
	src := []byte("class A(B):\n    def f(self): pass\n")
	f.Add([]byte(`[{"symbols": [{"kind": "type", "name": "A", "signature": "class A(B)", "line": 1, "public": true, "bases": ["B"], "members": []}]}]`), src)
	f.Add([]byte(`[{"syntax_error": 3}]`), src)
	f.Add([]byte(`[{"syntax_error": -1, "symbols": [{"line": 0}]}]`), src)
	f.Fuzz(func(t *testing.T, out, src []byte) {
		shapes, err := parsePython(out, [][]byte{src})
		if err != nil {
			return
		}
		if len(shapes) != 1 || shapes[0].SyntaxError < 0 || shapes[0].SyntaxError > lineCount(src) {
			t.Fatalf("%+v", shapes)
		}
		check(t, shapes[0].Symbols, lineCount(src), 0)
	})
}

// FuzzSource feeds any text to everything that reads sources in this process.
func FuzzSource(f *testing.F) {
	for _, seed := range []string{
		"package a\n\nimport (\n\t\"x/y\"\n)\n\ntype T[P any] struct{ E }\n\nfunc (t *T[P]) M(\n\ta int,\n) {}\n",
		"from . import (a,\n  b)\nclass A(B, metaclass=M):\n    async def f(self): ...\n",
		"use crate::{a::{self, b}, c as d};\nimpl<T> X for Y<T> {\n    pub fn z(&self) {}\n}\n",
		"export class A<T extends B> extends C<T> implements D {\n  private x = () => {}\n}\n",
		"#include \"a.h\"\n#include <b/c.h>\nstatic int f(int a)\n{\n",
		"func f( {\n", "((((((((((", "use a::{{{{{{", "class", "impl ", "\"\"\"\nimport a",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		src := []byte(text)
		check(t, goShape(src).Symbols, lineCount(src), 0)
		for _, lang := range []string{"Python", "TypeScript", "Rust", "C", "Ruby", "Shell", "C#"} {
			check(t, approximate(lang, src, "").Symbols, lineCount(src), 0)
		}
		for _, family := range []family{goFamily, pythonFamily, scriptFamily, rustFamily, javaFamily, cFamily, rubyFamily} {
			r := resolver{family: family}
			for _, spec := range importSpecs(family, text) {
				if spec == "" || bytes.ContainsAny([]byte(spec), "\t\n\r") {
					t.Fatalf("%q would break the index", spec)
				}
				r.refsOf(spec, "a/b/c.x")
			}
		}
	})
}

// FuzzIndex: whatever the kept index holds, its entries are those of its lines, none
// from within the clock's grain; what is kept is read back as it was.
func FuzzIndex(f *testing.F) {
	store := filepath.Join(f.TempDir(), "index")
	f.Fuzz(func(t *testing.T, raw []byte, rel, spec string, size, mtime int64) {
		if err := os.WriteFile(store, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		lines := strings.Count(string(raw), "\n")
		known := loadIndex(store)
		if len(known) > lines {
			t.Fatalf("%d entries of %d lines", len(known), lines)
		}
		for name, entry := range known {
			if entry.rel != name || !strings.Contains(string(raw), name+"\t") {
				t.Fatalf("%q: %+v", name, entry)
			}
		}
		if strings.ContainsAny(rel+spec, "\t\n") || rel == "" {
			return
		}
		entry := indexed{found{rel, size, mtime}, []string{spec}}
		at := time.Unix(0, min(max(mtime, 0), 1<<60)).Add(time.Hour)
		saveIndex(store, at, []indexed{entry, {found{rel + "2", 1, at.UnixNano()}, nil}})
		known = loadIndex(store)
		if got, ok := known[rel]; mtime <= 1<<60 && (!ok || got.found != entry.found || got.specs[0] != spec) {
			t.Fatalf("%+v came back as %+v", entry, got)
		}
		if _, ok := known[rel+"2"]; ok {
			t.Fatal("believed a file that may have changed unseen")
		}
	})
}

// FuzzKept: a kept shape that is not whole is none; one that is shows within its
// bound, whatever stands in it.
func FuzzKept(f *testing.F) {
	path := filepath.Join(f.TempDir(), "kept")
	f.Fuzz(func(t *testing.T, raw []byte, chars uint16) {
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		var shape Shape
		got, want := recall(path, &shape), json.Unmarshal(raw, &Shape{}) == nil
		if got != want {
			t.Fatalf("understood %t, want %t", got, want)
		}
		if !got {
			return
		}
		limit := 100 + int(chars)%10_000
		if text := newOutline("/p/a.ts", shape).Text(limit); len(text) > limit {
			t.Fatalf("%d bytes in %d", len(text), limit)
		}
	})
}
