package wrap

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const shimWord = "statusline"

// step is one layer of ours, found.
type step struct {
	rest     string // the command without it
	sole     bool   // the layer was the whole command
	draws    bool   // nothing stands inside it
	program  string
	settings string
}

// peel finds the first layer of ours that has something inside, else one that
// draws the line itself.
func peel(command string) (step, bool) {
	if !speaksOfUs(command) {
		return step{}, false
	}
	file, err := parse(command, syntax.LangBash)
	if err != nil {
		return step{}, false
	}
	if s, ok := peelSole(command, file); ok {
		return s, true
	}
	var found, drawing step
	var ok, draws bool
	syntax.Walk(file, func(node syntax.Node) bool {
		if call, isCall := node.(*syntax.CallExpr); isCall && !ok {
			if s, hit := peelCall(command, call); hit && !s.draws {
				found, ok = s, true
			} else if hit {
				drawing, draws = s, true
			}
		}
		return !ok
	})
	if ok {
		return found, true
	}
	return drawing, draws
}

// peelSole takes off a layer that is the whole command.
func peelSole(command string, file *syntax.File) (step, bool) {
	call := soleCall(file)
	if call == nil || call.Pos().Offset() != 0 {
		return step{}, false
	}
	at, inner, ok := layerIn(call.Args)
	if !ok || at != 0 || !assignsUs(call.Assigns) {
		return step{}, false
	}
	start := int(call.Args[0].Pos().Offset())
	s := step{sole: true, program: programOf(call.Args[0]), settings: command[:start]}
	if inner == len(call.Args) {
		s.draws = true
		return s, true
	}
	s.rest = fromTail(command[int(call.Args[inner-1].End().Offset())+1:])
	return s, true
}

// assignsUs reports whether all assignments are meant for us and go with our layer.
func assignsUs(assigns []*syntax.Assign) bool {
	for _, a := range assigns {
		if a.Name == nil || !strings.HasPrefix(a.Name.Value, "CTXGUARD_") {
			return false
		}
	}
	return true
}

// peelCall takes a layer out of the middle of a command's words, or out of the
// text that a shell among them is to run.
func peelCall(command string, call *syntax.CallExpr) (step, bool) {
	if at, inner, ok := layerIn(call.Args); ok {
		start := int(call.Args[at].Pos().Offset())
		s := step{program: programOf(call.Args[at])}
		if inner == len(call.Args) {
			s.draws = true
			return s, true
		}
		s.rest = command[:start] + command[call.Args[inner].Pos().Offset():]
		return s, true
	}
	word := scriptOf(call.Args)
	if word == nil {
		return step{}, false
	}
	return peelScript(command, word)
}

// peelScript looks into a word that is itself a command.
func peelScript(command string, word *syntax.Word) (step, bool) {
	start, end := int(word.Pos().Offset()), int(word.End().Offset())
	source := command[start:end]
	quote := Quote
	script, ok := literal(word)
	if !ok {
		// Between double quotes the text can be read as it stands, as long as
		// nothing in it is escaped.
		if len(word.Parts) != 1 || len(source) < 2 || source[0] != '"' || strings.ContainsAny(source, "\\`") {
			return step{}, false
		}
		script = source[1 : len(source)-1]
		quote = func(s string) string { return `"` + s + `"` }
	}
	s, found := peel(script)
	if !found {
		return step{}, false
	}
	if s.draws {
		return step{draws: true, program: s.program}, true
	}
	return step{program: s.program, rest: command[:start] + quote(s.rest) + command[end:]}, true
}

// layerIn finds `ctxguard statusline [--]` among words: where it begins, and
// where the words inside it do.
func layerIn(words []*syntax.Word) (at, inner int, ok bool) {
	if len(words) > 0 && talks(words[0]) {
		return 0, 0, false
	}
	for i := 0; i+1 < len(words); i++ {
		second, isLiteral := literal(words[i+1])
		if !isLiteral || second != shimWord || !isUs(named(words[i])) {
			continue
		}
		inner = i + 2
		if inner < len(words) && words[inner].Lit() == "--" {
			inner++
		}
		return i, inner, true
	}
	return 0, 0, false
}

// talks reports whether the words of a command are text for it, not commands.
func talks(word *syntax.Word) bool {
	switch name, _ := literal(word); name {
	case "echo", "printf", "print", "test", "[", ":", "export", "read", "set", "alias":
		return true
	}
	return false
}

// scriptOf is the word that a shell is to run: `sh -c WORD`, also behind other
// words (env, exec, another tool's wrapper).
func scriptOf(words []*syntax.Word) *syntax.Word {
	if len(words) > 0 && talks(words[0]) {
		return nil
	}
	for i := 0; i+2 < len(words); i++ {
		if !isShell(baseName(named(words[i]))) {
			continue
		}
		for j := i + 1; j+1 < len(words); j++ {
			option, _ := literal(words[j])
			if !strings.HasPrefix(option, "-") {
				break
			}
			if strings.HasSuffix(option, "c") {
				return words[j+1]
			}
		}
	}
	return nil
}

func isShell(base string) bool {
	switch strings.TrimSuffix(base, ".exe") {
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "busybox":
		return true
	}
	return false
}

// named is the text of a word as far as it is known; a gap for the rest.
func named(word *syntax.Word) string {
	var b strings.Builder
	for _, part := range word.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			b.WriteString(part.Value)
		case *syntax.SglQuoted:
			b.WriteString(part.Value)
		case *syntax.DblQuoted:
			b.WriteString(named(&syntax.Word{Parts: part.Parts}))
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// programOf is the program that a word names: what the shell makes of it, else
// what is known of it.
func programOf(word *syntax.Word) string {
	if path, ok := literal(word); ok {
		return path
	}
	return named(word)
}

func baseName(path string) string { return path[strings.LastIndexAny(path, `/\ `)+1:] }

// isUs reports whether a path names our program, on any system.
func isUs(path string) bool {
	base := baseName(path)
	return base == "ctxguard" || strings.EqualFold(base, "ctxguard.exe")
}

func speaksOfUs(command string) bool {
	return strings.Contains(strings.ToLower(command), "ctxguard") && strings.Contains(command, shimWord)
}

// renameProgram names our program anew where it draws a line inside another's
// wrapper.
func renameProgram(command, bin string) string {
	file, err := parse(command, syntax.LangBash)
	if err != nil {
		return command
	}
	renamed := command
	syntax.Walk(file, func(node syntax.Node) bool {
		call, isCall := node.(*syntax.CallExpr)
		if !isCall || renamed != command {
			return renamed == command
		}
		if at, _, ok := layerIn(call.Args); ok {
			word := call.Args[at]
			renamed = command[:word.Pos().Offset()] + bin + command[word.End().Offset():]
		}
		return true
	})
	return renamed
}

// Remove is the command as it was without us, for taking setup back; false when
// nothing is left.
func Remove(command string) (inner string, left bool) {
	r := Read(command)
	if r.Draws {
		return "", false
	}
	if !r.Within {
		return r.Inner, true
	}
	file, err := parse(r.Inner, syntax.LangBash)
	if err != nil {
		return r.Inner, true
	}
	rest := r.Inner
	syntax.Walk(file, func(node syntax.Node) bool {
		if call, isCall := node.(*syntax.CallExpr); isCall && rest == r.Inner {
			if at, inner, ok := layerIn(call.Args); ok {
				start := call.Args[at].Pos().Offset()
				rest = strings.TrimRight(rest[:start], " ") + rest[call.Args[inner-1].End().Offset():]
			}
		}
		return rest == r.Inner
	})
	return rest, true
}
