package wrap

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const hookWord = "hook"

// IsHook reports whether a hook entry is ours by what it runs: ctxguard with the
// word hook, and nothing of another's beside it (S13). args is nil for the shell
// form.
func IsHook(command string, args []string) bool {
	if args != nil {
		return isUs(command) && len(args) > 0 && args[0] == hookWord
	}
	if !strings.Contains(strings.ToLower(command), "ctxguard") {
		return false
	}
	file, err := parse(command, syntax.LangBash)
	if err != nil {
		return looksLikeHook(command)
	}
	ours, others := false, false
	for _, stmt := range file.Stmts {
		weigh(stmt, &ours, &others)
	}
	return ours && !others
}

// HookProgram is the program that a hook entry of ours runs, as it is named.
func HookProgram(command string, args []string) string {
	if args != nil {
		return command
	}
	file, err := parse(command, syntax.LangBash)
	if err != nil {
		return ""
	}
	program := ""
	syntax.Walk(file, func(node syntax.Node) bool {
		if call, ok := node.(*syntax.CallExpr); ok && program == "" {
			if at := hookIn(call.Args); at >= 0 {
				program = programOf(call.Args[at])
			}
		}
		return program == ""
	})
	return program
}

// weigh looks at everything that a statement runs.
func weigh(stmt *syntax.Stmt, ours, others *bool) {
	switch cmd := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		weighCall(cmd, ours, others)
	case *syntax.BinaryCmd:
		weigh(cmd.X, ours, others)
		weigh(cmd.Y, ours, others)
	case *syntax.Block:
		for _, s := range cmd.Stmts {
			weigh(s, ours, others)
		}
	case *syntax.Subshell:
		for _, s := range cmd.Stmts {
			weigh(s, ours, others)
		}
	default:
		*others = true
	}
}

func weighCall(call *syntax.CallExpr, ours, others *bool) {
	if len(call.Args) == 0 {
		return
	}
	first, _ := literal(call.Args[0])
	if at := hookIn(call.Args); at == 0 || at > 0 && launches(first) {
		*ours = true
		return
	}
	if script := scriptOf(call.Args); script != nil {
		if text, ok := literal(script); ok && IsHook(text, nil) {
			*ours = true
			return
		}
	}
	switch first {
	case ":", "true", "false", "exit", "cd", "export", "set", "umask":
		return
	}
	*others = true
}

func hookIn(words []*syntax.Word) int {
	for i := 0; i+1 < len(words); i++ {
		if second, ok := literal(words[i+1]); ok && second == hookWord && isUs(named(words[i])) {
			return i
		}
	}
	return -1
}

// launches reports whether a command only starts the command in its arguments.
func launches(name string) bool {
	switch baseName(name) {
	case "exec", "command", "env", "nice", "ionice", "nohup", "setsid", "stdbuf", "time", "timeout":
		return true
	}
	return false
}

// looksLikeHook reads what no POSIX shell would, such as PowerShell's `& "…" hook`.
func looksLikeHook(command string) bool {
	words := strings.Fields(command)
	for i := 0; i+1 < len(words); i++ {
		if isUs(strings.Trim(words[i], `"'`)) && strings.Trim(words[i+1], `"'`) == hookWord {
			return true
		}
	}
	return false
}
