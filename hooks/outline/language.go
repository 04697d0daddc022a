package outline

import (
	"errors"
	"path/filepath"
	"strings"
)

// Language names a language and how ctags calls it.
type language struct {
	name  string
	ctags string
}

// family is a set of languages whose files import one another.
type family string

const (
	noFamily     family = ""
	goFamily     family = "go"
	pythonFamily family = "python"
	scriptFamily family = "js"
	rustFamily   family = "rust"
	javaFamily   family = "jvm"
	cFamily      family = "c"
	rubyFamily   family = "ruby"
)

var errLanguage = errors.New("its language is not one that outlines are made for")

// extension is the path's, in lower case, with its dot.
func extension(path string) string { return strings.ToLower(filepath.Ext(path)) }

// languageOf knows programs only: prose, data and configuration are silent (T4).
func languageOf(path string) (language, error) {
	switch extension(path) {
	case ".go":
		return language{"Go", "Go"}, nil
	case ".py", ".pyi":
		return language{"Python", "Python"}, nil
	case ".ts", ".tsx", ".mts", ".cts":
		return language{"TypeScript", "TypeScript"}, nil
	case ".js", ".jsx", ".mjs", ".cjs":
		return language{"JavaScript", "JavaScript"}, nil
	case ".rs":
		return language{"Rust", "Rust"}, nil
	case ".java":
		return language{"Java", "Java"}, nil
	case ".kt", ".kts":
		return language{"Kotlin", "Kotlin"}, nil
	case ".c":
		return language{"C", "C"}, nil
	case ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".h":
		return language{"C++", "C++"}, nil
	case ".rb":
		return language{"Ruby", "Ruby"}, nil
	case ".cs":
		return language{"C#", "C#"}, nil
	case ".php":
		return language{"PHP", "PHP"}, nil
	case ".swift":
		return language{"Swift", ""}, nil
	case ".scala":
		return language{"Scala", ""}, nil
	case ".dart":
		return language{"Dart", ""}, nil
	case ".lua":
		return language{"Lua", "Lua"}, nil
	case ".ex", ".exs":
		return language{"Elixir", "Elixir"}, nil
	case ".pl", ".pm":
		return language{"Perl", "Perl"}, nil
	case ".sh", ".bash", ".zsh":
		return language{"Shell", "Sh"}, nil
	}
	return language{}, errLanguage
}

// familyOf is noFamily where imports are not understood.
func familyOf(path string) family {
	switch extension(path) {
	case ".go":
		return goFamily
	case ".py", ".pyi":
		return pythonFamily
	case ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs":
		return scriptFamily
	case ".rs":
		return rustFamily
	case ".java", ".kt":
		return javaFamily
	case ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx":
		return cFamily
	case ".rb":
		return rubyFamily
	}
	return noFamily
}

// isTest reports whether a file, by its path below the root with forward
// slashes, is a test by the habits of its language.
func isTest(rel string) bool {
	base := rel[strings.LastIndexByte(rel, '/')+1:]
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	switch familyOf(rel) {
	case goFamily:
		return strings.HasSuffix(stem, "_test")
	case pythonFamily:
		if strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") || stem == "conftest" {
			return true
		}
	case scriptFamily:
		if strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") {
			return true
		}
	case javaFamily:
		if strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "Tests") || strings.HasSuffix(stem, "IT") {
			return true
		}
	case cFamily, rustFamily, rubyFamily:
		if strings.HasSuffix(stem, "_test") || strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_spec") {
			return true
		}
	}
	return inTestFolder(rel)
}

func inTestFolder(rel string) bool {
	parts := strings.Split(rel, "/")
	for _, part := range parts[:len(parts)-1] {
		switch part {
		case "test", "tests", "__tests__", "spec", "specs":
			return true
		}
	}
	return false
}

// testedStem is the stem of the file that a test of this name would be the test
// of: shape for shape_test.go, test_shape.py, shape.spec.ts and ShapeTest.java;
// empty when the name says nothing.
func testedStem(rel string) string {
	stem := stemOf(rel)
	for _, suffix := range []string{"_test", ".test", ".spec", "_spec", "Tests", "Test", "IT"} {
		if s, ok := strings.CutSuffix(stem, suffix); ok && s != "" {
			return s
		}
	}
	if s, ok := strings.CutPrefix(stem, "test_"); ok {
		return s
	}
	return ""
}

// stemOf is the file's name without folder and extension.
func stemOf(rel string) string {
	base := rel[strings.LastIndexByte(rel, '/')+1:]
	return strings.TrimSuffix(base, filepath.Ext(base))
}
