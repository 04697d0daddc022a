package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"ctxguard/hooks/dispatch"
	"ctxguard/statusline/printable"
	"ctxguard/statusline/seam"
)

const maxExplained = 64 << 20

const explainHelp = `
FILE holds one hook event or one payload of the status line, as the client sent it; without
FILE it comes from standard input. Nothing is changed, and what would be printed is shown.
`

func runExplain(p process) int {
	rest, code, ok := words(p, "explain", func(*flag.FlagSet) {})
	if !ok {
		return code
	}
	if len(rest) > 1 {
		return wrongWords(p, "explain takes one file at most; `ctxguard help explain` shows its words")
	}
	raw, err := readExplained(p, rest)
	if err != nil {
		return fail(p, err)
	}
	lines, err := dispatch.Explain(dispatch.System{
		Getenv:  p.getenv,
		Now:     p.started,
		Elapsed: func() time.Duration { return time.Since(p.started) },
	}, raw)
	if errors.Is(err, seam.ErrNotObject) || errors.Is(err, dispatch.ErrNeither) {
		return fail(p, fmt.Errorf("explain: this is %w; record one with `cat > event.json` in place of a hook", err))
	}
	if err != nil {
		return fail(p, err)
	}
	for _, line := range lines {
		fmt.Fprintln(p.stdout, printable.Line(line))
	}
	return exitDone
}

func readExplained(p process, files []string) ([]byte, error) {
	if len(files) == 1 && files[0] != "-" {
		return seam.ReadFile(files[0], maxExplained)
	}
	return io.ReadAll(io.LimitReader(p.stdin, maxExplained))
}
