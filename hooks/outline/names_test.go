package outline

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// T3: what a file imports from its project, who imports it, and which tests name
// it, by the rules of each language.
func TestProject(t *testing.T) {
	cases := map[string]struct {
		files     map[string]string
		of        string
		imports   []string
		importers []string
		tests     []string
	}{
		"Go: packages of one module, and a nested module of its own": {
			files: map[string]string{
				"go.mod": "module example.test/a\n", "b/b.go": "package b\n", "tool/go.mod": "module example.test/tool\n",
				"main.go":      "package main\n\nimport (\n\t\"fmt\"\n\tb2 \"example.test/a/b\"\n)\n",
				"c/c.go":       "package c\n\nimport \"example.test/a/b\"\n",
				"c/c_test.go":  "package c\n\nimport _ \"example.test/a/b\"\n",
				"tool/main.go": "package main\n\nimport \"example.test/tool/b\"\n", "tool/b/b.go": "package b\n",
			},
			of: "b/b.go", importers: []string{"c/c.go", "main.go"}, tests: []string{"c/c_test.go"},
		},
		"Go: imports are folders": {
			files: map[string]string{
				"go.mod": "module example.test/a\n", "b/b.go": "package b\n", "b/bb.go": "package b\n",
				"main.go": "package main\n\nimport \"fmt\"\nimport b \"example.test/a/b\"\n",
			},
			of: "main.go", imports: []string{"example.test/a/b b/"},
		},
		"Go: a test of the same package that uses one of its names": {
			files: map[string]string{
				"go.mod": "module example.test/a\n", "b/one.go": "package b\n\nfunc One() {}\n",
				"b/all_test.go": "package b\n\nfunc f() { One() }\n", "b/other_test.go": "package b\n\nfunc g() { NotOne() }\n",
				"b/one_test.go": "package b\n", "c/one_test.go": "package c\n",
			},
			of: "b/one.go", tests: []string{"b/all_test.go", "b/one_test.go"},
		},
		"Python: absolute, relative, and groups over lines": {
			files: map[string]string{
				"pkg/__init__.py": "", "pkg/mod.py": "", "pkg/sub/__init__.py": "",
				"pkg/sub/near.py":  "from .. import mod\n",
				"pkg/beside.py":    "from .mod import f\n",
				"app.py":           "import pkg.mod as m, os\n",
				"group.py":         "from pkg import (  # these\n    other,\n    mod,\n)\n",
				"doc.py":           "\"\"\"\nimport pkg.mod\n\"\"\"\n",
				"other/mod.py":     "",
				"other/use.py":     "import mod\n",
				"tests/test_it.py": "def test():\n    from pkg.mod import f\n",
			},
			of: "pkg/mod.py", importers: []string{"app.py", "group.py", "pkg/beside.py", "pkg/sub/near.py"},
			tests: []string{"tests/test_it.py"},
		},
		"Python: a source folder, and a package by its name": {
			files: map[string]string{
				"src/pkg/__init__.py": "from pkg.core import *\n", "src/pkg/core.py": "from . import util\n", "src/pkg/util.py": "",
				"run.py": "import pkg\n",
			},
			of: "src/pkg/core.py", imports: []string{".util src/pkg/util.py"}, importers: []string{"src/pkg/__init__.py"},
		},
		"Python: a bare name means the file beside it, not a stranger of that name": {
			files: map[string]string{"a/json.py": "", "a/use.py": "import json\n", "b/use.py": "import json\n"},
			of:    "a/json.py", importers: []string{"a/use.py"},
		},
		"TypeScript: extensions, index files, aliases, require and dynamic import": {
			files: map[string]string{
				"src/a.ts":         "export const a = 1\n",
				"src/js.ts":        "import { a } from './a.js'\n",
				"src/over.ts":      "import {\n  a,\n  type B,\n} from \"./a\";\n",
				"src/again.ts":     "export * from './a'\n",
				"src/deep/x.ts":    "const { a } = require('../a')\n",
				"src/deep/y.ts":    "const m = await import('../a')\n",
				"src/deep/z.tsx":   "import { a } from '@/a'\n",
				"src/comment.ts":   "// import { a } from './a'\n",
				"src/package.ts":   "import a from 'a'\n",
				"src/a.spec.ts":    "import { a } from './a'\n",
				"__tests__/all.ts": "import { a } from '../src/a'\n",
			},
			of: "src/a.ts",
			importers: []string{
				"src/again.ts", "src/deep/x.ts", "src/deep/y.ts", "src/deep/z.tsx", "src/js.ts", "src/over.ts",
			},
			tests: []string{"__tests__/all.ts", "src/a.spec.ts"},
		},
		"JavaScript: a folder means its index": {
			files: map[string]string{"lib/index.js": "module.exports = 1\n", "main.js": "import x from './lib'\n"},
			of:    "main.js", imports: []string{"./lib lib/index.js"},
		},
		"Rust: crate paths, groups over lines, super and mod": {
			files: map[string]string{
				"Cargo.toml": "", "src/lib.rs": "pub mod a;\nmod c;\n", "src/a/mod.rs": "mod b;\n",
				"src/a/b.rs": "pub struct B;\n",
				"src/c.rs":   "use crate::{\n    a::b::{self, B},\n};\nuse std::fmt;\n",
				"src/a/d.rs": "use super::b::B;\n",
				"src/e.rs":   "use other::b::B;\n",
			},
			of: "src/a/b.rs", importers: []string{"src/a/d.rs", "src/a/mod.rs", "src/c.rs"},
		},
		"Java: a class, a static member, a whole package": {
			files: map[string]string{
				"src/main/java/x/y/A.java": "package x.y;\nclass A {}\n",
				"src/main/java/x/B.java":   "import x.y.A;\n", "src/main/java/x/C.java": "import static x.y.A.f;\n",
				"src/main/java/x/D.java": "import x.y.*;\n", "src/main/java/x/E.java": "import x.z.A;\n",
				"src/test/java/x/y/ATest.java": "package x.y;\n",
			},
			of:        "src/main/java/x/y/A.java",
			importers: []string{"src/main/java/x/B.java", "src/main/java/x/C.java", "src/main/java/x/D.java"},
			tests:     []string{"src/test/java/x/y/ATest.java"},
		},
		"C: beside the file first, then anywhere": {
			files: map[string]string{
				"a/config.h": "", "b/config.h": "", "a/main.c": "#include \"config.h\"\n",
				"b/main.c": "#  include \"config.h\"\n#include <stdio.h>\n", "c/main.c": "#include \"a/config.h\"\n",
			},
			of: "a/config.h", importers: []string{"a/main.c", "c/main.c"},
		},
		"Ruby: relative and from lib": {
			files: map[string]string{
				"lib/a/b.rb": "", "lib/a/c.rb": "require_relative 'b'\n", "bin/x.rb": "require \"a/b\"\n",
				"spec/a/b_spec.rb": "require 'a/b'\n",
			},
			of: "lib/a/b.rb", importers: []string{"bin/x.rb", "lib/a/c.rb"}, tests: []string{"spec/a/b_spec.rb"},
		},
		"folders of dependencies and results are not searched": {
			files: map[string]string{
				"a.py": "", "node_modules/m/u.py": "import a\n", "vendor/v.py": "import a\n", "target/t.py": "import a\n",
				"dist/d.py": "import a\n", ".git/hooks/h.py": "import a\n", ".venv/lib/l.py": "import a\n", "ok.py": "import a\n",
			},
			of: "a.py", importers: []string{"ok.py"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			req := withoutHelpers(t, projectOf(t, c.files), c.of)
			r := renderSoon(t, req)
			o := r.Outline
			if o == nil {
				// A file with nothing in it and nobody who knows it.
				require.Equal(t, NothingToSay, r.State)
				o = &Outline{Importers: &Files{}, Tests: &Files{}}
			}
			var imports []string
			for _, i := range o.Imports {
				imports = append(imports, i.Name+" "+i.Path)
			}
			require.Equal(t, c.imports, imports, "imports")
			require.Equal(t, c.importers, o.Importers.Paths, "importers")
			require.Equal(t, c.tests, o.Tests.Paths, "tests")
		})
	}
}

// T9: the walk is bounded, and says so when it stopped.
func TestWalkIsBounded(t *testing.T) {
	files := map[string]string{"a.py": "def f(): pass\n"}
	req := withoutHelpers(t, projectOf(t, files), "a.py")
	r := renderSoon(t, req)
	require.True(t, r.Outline.Importers.Complete)
	require.NotContains(t, r.Text, "perhaps more")

	for i := range maxFiles + 10 {
		files["pkg/m"+strconv.Itoa(i)+".py"] = "import a\n"
	}
	req = withoutHelpers(t, projectOf(t, files), "a.py")
	r = renderSoon(t, req)
	require.False(t, r.Outline.Importers.Complete)
	require.Equal(t, maxFiles-1, len(r.Outline.Importers.Paths), "the file itself is one of those searched")
	require.Contains(t, r.Text, "perhaps more (the search stops at 5000 files or 64 MiB)")
}
