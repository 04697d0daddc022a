package main

import (
	"fmt"
	"strings"
)

// zshCompletion can be sourced, and can lie in fpath under the name _ctxguard.
func zshCompletion(all []completable) string {
	var b strings.Builder
	b.WriteString("#compdef ctxguard\n# ctxguard: completion for zsh.\n_ctxguard() {\n\tlocal -a names\n\tnames=(\n")
	for _, c := range all {
		fmt.Fprintf(&b, "\t\t%s\n", zshQuote(c.name+":"+c.short))
	}
	b.WriteString(`	)
	if ((CURRENT == 2)); then
		_describe -t commands command names
		return
	fi
	shift words
	((CURRENT--))
	case $words[1] in
`)
	for _, c := range all {
		fmt.Fprintf(&b, "\t%s) _arguments", c.name)
		for _, f := range c.flags {
			spec := f.name
			if f.takesWord {
				spec += ":" + strings.TrimLeft(f.name, "-") + ":" + zshAction(f.value)
			}
			b.WriteString(" " + zshQuote(spec))
		}
		switch {
		case c.args.empty():
			b.WriteString(" '*: :'")
		case c.repeats || c.args.files:
			b.WriteString(" " + zshQuote("*:word:"+zshAction(c.args)))
		default:
			b.WriteString(" " + zshQuote("1:word:"+zshAction(c.args)) + " '*: :'")
		}
		b.WriteString(" ;;\n")
	}
	b.WriteString(`	esac
}
if [[ ${funcstack[1]-} == _ctxguard ]]; then
	_ctxguard "$@"
else
	compdef _ctxguard ctxguard
fi
`)
	return b.String()
}

func zshAction(s slot) string {
	switch {
	case s.files:
		return "_files"
	case s.empty():
		return ""
	}
	return "(" + strings.Join(s.words, " ") + ")"
}

func zshQuote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
