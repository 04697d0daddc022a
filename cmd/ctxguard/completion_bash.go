package main

import (
	"fmt"
	"strings"
)

// bashCompletion keeps to what bash 3.2 has, which is the bash of macOS.
func bashCompletion(all []completable) string {
	var b strings.Builder
	b.WriteString(`# ctxguard: completion for bash.
_ctxguard() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
	local flags='' words='' files='' repeats='' given='' i line
	COMPREPLY=()
	for ((i = 2; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} == -* ]] || given=1
	done
`)
	var names []string
	for _, c := range all {
		names = append(names, c.name)
	}
	fmt.Fprintf(&b, "\tif ((COMP_CWORD == 1)); then\n\t\tcommand='' words='%s'\n\tfi\n", strings.Join(names, " "))
	b.WriteString("\tcase $command in\n")
	for _, c := range all {
		fmt.Fprintf(&b, "\t%s) flags='%s'%s", c.name, strings.Join(c.flagNames(), " "), bashSlot(c.args))
		if c.repeats || c.args.files {
			b.WriteString(" repeats=1")
		}
		b.WriteString(" ;;\n")
	}
	b.WriteString(`	esac
	if [[ -n $given && -z $repeats ]]; then
		words=''
	fi
	case "$command $prev" in
`)
	for _, c := range all {
		for _, f := range c.flags {
			if f.takesWord {
				fmt.Fprintf(&b, "\t'%s %s') flags='' words='' files=''%s ;;\n", c.name, f.name, bashSlot(f.value))
			}
		}
	}
	b.WriteString(`	esac
	if [[ $cur == -* || -z $words$files ]]; then
		words=$flags files=''
	fi
	while IFS= read -r line; do
		COMPREPLY+=("$line")
	done < <(
		compgen -W "$words" -- "$cur"
		[[ -z $files ]] || compgen -f -- "$cur"
	)
	[[ -z $files ]] || compopt -o filenames 2>/dev/null
}
complete -F _ctxguard ctxguard
`)
	return b.String()
}

func bashSlot(s slot) string {
	var set string
	if len(s.words) > 0 {
		set += " words='" + strings.Join(s.words, " ") + "'"
	}
	if s.files {
		set += " files=1"
	}
	return set
}
