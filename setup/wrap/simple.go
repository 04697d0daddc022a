package wrap

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// isSimple reports whether an argument list can express the command: one program
// named literally, with arguments (S7).
func isSimple(command string) bool {
	backslashes := len(command) - len(strings.TrimRight(command, `\`))
	if strings.ContainsAny(command, "\n\x00") || backslashes%2 == 1 {
		return false
	}
	// The shell may be any: what two kinds do not both take for a plain command is
	// left to the one that the client starts.
	for _, lang := range []syntax.LangVariant{syntax.LangPOSIX, syntax.LangBash} {
		file, err := parse(command, lang)
		if err != nil {
			return false
		}
		call := soleCall(file)
		if call == nil || len(call.Assigns) > 0 || len(call.Args) == 0 || !isProgramName(call.Args[0]) || runsCommands(call) {
			return false
		}
	}
	return true
}

// isProgramName reports whether the first word names a program and nothing that
// only a shell knows. A leading ~ is fine: the shell expands it in arguments too.
func isProgramName(word *syntax.Word) bool {
	for _, part := range word.Parts {
		if lit, ok := part.(*syntax.Lit); ok && strings.ContainsAny(lit.Value, "*?[{$") {
			return false
		}
	}
	name, ok := literal(word)
	return ok && name != "" && name != "--" && !strings.Contains(name, "=") && !syntax.IsKeyword(name) && !isBuiltin(name)
}

// runsCommands reports whether expanding the words runs commands: they would read
// the payload before we could.
func runsCommands(call *syntax.CallExpr) bool {
	found := false
	syntax.Walk(call, func(node syntax.Node) bool {
		switch node.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			found = true
		}
		return !found
	})
	return found
}

// isBuiltin reports whether some shell that may be /bin/sh (dash, bash, ksh, zsh,
// busybox) runs the name itself.
func isBuiltin(name string) bool {
	switch name {
	case ".", ":", "[", "[[", "alias", "autoload", "bg", "bind", "break", "builtin", "caller", "cd", "chdir", "command",
		"compgen", "complete", "compopt", "continue", "declare", "dirs", "disown", "echo", "emulate", "enable", "eval",
		"exec", "exit", "export", "false", "fc", "fg", "float", "functions", "getopts", "hash", "help", "history",
		"integer", "jobs", "kill", "let", "local", "logout", "mapfile", "newgrp", "noglob", "popd", "print", "printf",
		"pushd", "pwd", "read", "readarray", "readonly", "rehash", "return", "set", "setopt", "shift", "shopt",
		"source", "suspend", "test", "time", "times", "trap", "true", "type", "typeset", "ulimit", "umask", "unalias",
		"unset", "unsetopt", "wait", "whence", "where", "which", "zmodload":
		return true
	}
	return false
}

// literal is the text that a word stands for, when that does not depend on
// anything outside it.
func literal(word *syntax.Word) (string, bool) {
	var b strings.Builder
	for _, part := range word.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			b.WriteString(unescape(part.Value, ""))
		case *syntax.SglQuoted:
			if part.Dollar {
				return "", false
			}
			b.WriteString(part.Value)
		case *syntax.DblQuoted:
			if part.Dollar {
				return "", false
			}
			for _, inner := range part.Parts {
				lit, ok := inner.(*syntax.Lit)
				if !ok {
					return "", false
				}
				b.WriteString(unescape(lit.Value, "$`\"\\"))
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}

// unescape takes backslashes off before the characters in only, or before any
// when only is empty; a line end after one goes with it.
func unescape(s, only string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (only == "" || s[i+1] == '\n' || strings.IndexByte(only, s[i+1]) >= 0) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
