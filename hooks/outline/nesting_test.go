package outline

import (
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Go's parser calls itself for each level, and a hook whose stack overruns ends
// with a trace on the person's screen, which nothing can catch. The bound here is
// the hook's own.
func TestGoNestedDeepDoesNotOverrunTheStack(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(64 << 20))
	n := 99_990
	deep := func(before, unit, middle, end, after string) string {
		return "package a\n\nfunc Found() {}\n" + before + strings.Repeat(unit, n) + middle + strings.Repeat(end, n) + after + "\n"
	}
	for name, src := range map[string]string{
		"brackets":          deep("var x = ", "(", "1", ")", ""),
		"hidden brackets":   deep("var x = ", "(/*)*/", "1", "", ""),
		"function literals": deep("var x = ", "func(){_=", "1", "}", ""),
		"goroutines":        deep("func f() {", "go func(){", "", "}()", "}"),
		"loops":             deep("func f() {", "for {", "", "}", "}"),
		"structs":           deep("type T ", "struct{a ", "int", "}", ""),
		"composites":        deep("var x = T", "{", "1", "}", ""),
		"signs":             deep("var x = ", "-", "1", "", ""),
		"pointers":          deep("var x ", "*", "int", "", ""),
		"slices":            deep("var x ", "[]", "int", "", ""),
		"functions":         deep("var x ", "func()", "int", "", ""),
		"else":              deep("func f() {", "if x {} else ", "{}", "", "}"),
		"labels":            deep("func f() {", "a:", "b()", "", "}"),
		"pointers between":  "package a\n\nfunc Found() {}\nvar x " + strings.Repeat(strings.Repeat("*", 999)+"struct{a ", 100) + "int",
	} {
		shape := goShape([]byte(src))
		require.Equal(t, "it is nested too deep", shape.Why, name)
		require.Equal(t, "Found", shape.Symbols[0].Name, name)
	}
	n = 9_990
	for name, src := range map[string]string{
		"labels":   deep("func f() {", "a:", "b()", "", "}"),
		"pointers": deep("var x ", "*", "int", "", ""),
	} {
		require.Empty(t, goShape([]byte(src)).Why, "%s, as deep as is let through", name)
	}
	wide := "package a\n\nvar x = []string{\n" + strings.Repeat("\t\"a\": {1, -2},\n", 50_000) + "}\n"
	require.Empty(t, goShape([]byte(wide)).Why, "a long table is not deep")
	require.Empty(t, goShape([]byte(deep("// ", "(", "", "", ""))).Why, "brackets in a comment are none")
}
