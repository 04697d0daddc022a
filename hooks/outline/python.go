package outline

import (
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// pythonProgram is what the interpreter is given on its standard input. With -I
// neither the working folder nor the environment is on the path that modules
// come from, and with -S no site module runs: a project's ast.py is never seen.
//
//go:embed python_outline.py
var pythonProgram string

var errHelperOutput = errors.New("the helper printed something that is not understood")

// pythonShapes reads sources with the interpreter's own ast, all in one process.
// A source with a syntax error is looked through line by line.
func pythonShapes(ctx context.Context, box sandbox, python string, sources [][]byte) ([]Shape, error) {
	out, whole, err := box.run(ctx, pythonInput(sources), python, "-I", "-S", "-")
	if err != nil {
		return nil, err
	}
	if !whole {
		return nil, fmt.Errorf("%w: more than %d MiB", errHelperOutput, maxOutput>>20)
	}
	return parsePython(out, sources)
}

// pythonInput is the program with the sources as literals of base64, in which
// nothing can end the literal.
func pythonInput(sources [][]byte) []byte {
	var b strings.Builder
	b.WriteString(pythonProgram)
	b.WriteString("\n\nmain([\n")
	for _, src := range sources {
		b.WriteString("\"")
		b.WriteString(base64.StdEncoding.EncodeToString(src))
		b.WriteString("\",\n")
	}
	b.WriteString("])\n")
	return []byte(b.String())
}

// parsePython understands the program's output, which must have one element for
// each source.
func parsePython(out []byte, sources [][]byte) ([]Shape, error) {
	var parsed []struct {
		Symbols     []Symbol `json:"symbols"`
		SyntaxError int      `json:"syntax_error"`
		// TooMuch says that the source is nested too deep, or too much for the memory
		// that the interpreter is allowed.
		TooMuch bool `json:"too_much"`
	}
	if err := json.Unmarshal(out, &parsed); err != nil || len(parsed) != len(sources) {
		return nil, errHelperOutput
	}
	shapes := make([]Shape, len(sources))
	for i, p := range parsed {
		if p.TooMuch {
			shapes[i] = approximate("Python", sources[i], "it is too much for python3")
			continue
		}
		if p.SyntaxError != 0 {
			shapes[i] = approximate("Python", sources[i], "it has a syntax error")
			shapes[i].SyntaxError = min(max(1, p.SyntaxError), lineCount(sources[i]))
			continue
		}
		shapes[i] = Shape{Language: "Python", Symbols: tidied(p.Symbols, sources[i])}
	}
	return shapes, nil
}
