package outline

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// large is an outline that fits nowhere, with a seed's own proportions.
func large(seed uint64) Outline {
	random := rand.New(rand.NewPCG(seed, 1))
	o := Outline{Path: "/project/large.py", Shape: Shape{Language: "Python"}, Importers: &Files{Complete: true}, Tests: &Files{}}
	line := 0
	symbol := func(kind string) Symbol {
		line += 1 + random.IntN(40)
		name := fmt.Sprintf("name_%d", line)
		return Symbol{Kind: kind, Name: name, Line: line, Public: random.IntN(2) == 0,
			Signature: "def " + name + "(" + strings.Repeat("argument: int, ", random.IntN(8)) + ")"}
	}
	for range random.IntN(200) {
		s := symbol(kindType)
		s.Bases = []string{"Base"}
		for range random.IntN(20) {
			s.Members = append(s.Members, symbol(kindMethod))
		}
		o.Symbols = append(o.Symbols, s)
	}
	for i := range random.IntN(300) {
		o.Importers.Paths = append(o.Importers.Paths, fmt.Sprintf("some/folder/importer_%d.py", i))
		o.Tests.Paths = append(o.Tests.Paths, fmt.Sprintf("tests/test_%d.py", i))
		o.Imports = append(o.Imports, Import{"pkg.x", fmt.Sprintf("pkg/x_%d.py", i)})
	}
	return o
}

func (o Outline) total() int {
	n := 0
	for _, s := range o.Symbols {
		n += size(s)
	}
	return n
}

// T6: whatever the outline, it fits, and what was left out is counted to the
// last declaration.
func TestTextFitsAndCountsWhatIsLeftOut(t *testing.T) {
	declared := regexp.MustCompile(`(?m)^ +\d+ +(?:def )?name_\d+`)
	left := regexp.MustCompile(`(\d+) (private|members|others)`)
	more := regexp.MustCompile(`(?m)^  and (\d+) more$`)
	for seed := range uint64(60) {
		o := large(seed)
		for _, limit := range []int{900, 3000, 6000, 10_000} {
			text := o.Text(limit)
			require.LessOrEqual(t, len(text), limit)
			counted := len(declared.FindAllString(text, -1))
			for _, m := range left.FindAllStringSubmatch(text, -1) {
				n, err := strconv.Atoi(m[1])
				require.NoError(t, err)
				counted += n
			}
			require.Equal(t, o.total(), counted, "seed %d, limit %d:\n%s", seed, limit, text)

			_, after, _ := strings.Cut(text, "Imported by: ")
			after, _, _ = strings.Cut(after, "Tests that name it")
			named := strings.Count(after, "some/folder/importer_")
			for _, m := range more.FindAllStringSubmatch(after, -1) {
				n, err := strconv.Atoi(m[1])
				require.NoError(t, err)
				named += n
			}
			require.Equal(t, len(o.Importers.Paths), named)
		}
		require.Equal(t, o.total(), len(declared.FindAllString(o.Text(0), -1)), "without a bound nothing is left out")
	}
}

// T6: the least important goes first.
func TestTextKeepsWhatMattersMost(t *testing.T) {
	o := Outline{Path: "/p/a.py", Shape: Shape{Language: "Python"}, Importers: &Files{Complete: true}, Tests: &Files{Complete: true}}
	for i := range 40 {
		o.Symbols = append(o.Symbols,
			Symbol{Kind: kindFunction, Name: "open", Signature: fmt.Sprintf("def open_%d(some: int)", i), Line: i + 1, Public: true},
			Symbol{Kind: kindFunction, Name: "_shut", Signature: fmt.Sprintf("def _shut_%d(some: int)", i), Line: i + 1})
	}
	for i := range 40 {
		o.Importers.Paths = append(o.Importers.Paths, fmt.Sprintf("importer_%d.py", i))
	}
	text := o.Text(2000)
	require.Contains(t, text, "def open_39")
	require.NotContains(t, text, "_shut_")
	require.Contains(t, text, "Declarations left out for size: 40 private")
	require.Contains(t, text, "Imported by: 40 files of this project")
	require.Contains(t, text, "importer_0.py")
}

// Text of the project's files cannot leave its line.
func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"a\nb\tc":            "a b c",
		"a\x1b[31mb":         "a[31mb",
		"a\u202eb\u2028c":    "abc",
		"a\xffb":             "ab",
		"  spaced   out  ":   "spaced out",
		"ordinary – ünïcode": "ordinary – ünïcode",
	} {
		require.Equal(t, want, oneLine(in))
	}
}
