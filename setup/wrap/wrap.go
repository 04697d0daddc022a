// Package wrap understands a status line command, and a hook's, as the shell
// does: it finds ctxguard's own layer wherever it stands, takes it off, and puts
// it on again around whatever is inside, so that the screen shows what it showed.
//
// It is text in and text out. It runs nothing, and reads no files.
package wrap

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxLayers bounds the taking off; a text that has more is left as it is.
const maxLayers = 64

// Reading is a status line command, understood.
type Reading struct {
	// Layers is how many layers of ours stand in the command.
	Layers int
	// Inner is the command without them: what the person's line is. Empty, with
	// Draws, when ctxguard draws the line itself.
	Inner string
	Draws bool
	// Outermost says that the whole command is our layer around the rest.
	Outermost bool
	// Within says that ctxguard draws the line inside another tool's wrapper;
	// there it stays, because the wrapper would have nothing to show.
	Within bool
	// Program is our program as the outermost layer names it, without quotes.
	Program string
	// Odd says why the command cannot be understood although it speaks of
	// ctxguard; it is then left as it is.
	Odd string

	settings string // assignments for us alone, in front of the outermost layer
}

// Read finds our layers in a status line command.
func Read(command string) Reading {
	r := Reading{Inner: command}
	for r.Layers < maxLayers {
		step, ok := peel(r.Inner)
		if !ok {
			break
		}
		if r.Layers == 0 {
			r.Program, r.Outermost, r.settings = step.program, step.sole, step.settings
		}
		r.Layers++
		if step.draws && step.sole {
			r.Inner, r.Draws = "", true
			return r
		}
		if step.draws {
			r.Within = true
			return r
		}
		r.Inner = step.rest
	}
	if r.Layers == maxLayers {
		r.Odd = "it has more layers of ctxguard than anybody would put there"
	}
	_, err := parse(command, syntax.LangBash)
	switch {
	case len(r.Inner) > maxCommand:
		r.Odd = "it is longer than any command that people write"
	case err != nil && speaksOfUs(command):
		r.Odd = "the shell would not understand it: " + err.Error()
	}
	return r
}

// Wrap is the command with exactly one layer of ours, outermost, whatever layers
// it had; bin is our program as the shell is to read it. The command of a person
// without a status line is "", false.
func Wrap(bin, command string, present bool) string {
	if !present {
		return bin + " statusline"
	}
	r := Read(command)
	switch {
	case r.Odd != "":
		return command
	case r.Within:
		return renameProgram(command, bin)
	case r.Draws:
		return r.settings + bin + " statusline"
	default:
		return r.settings + bin + " statusline -- " + tail(r.Inner)
	}
}

// tail is what stands after `statusline --`: the command itself when an argument
// list can express it, else a shell that runs it (S7).
func tail(command string) string {
	if !isSimple(command) {
		return shellForm(command)
	}
	// A person's own `sh -c '…'` reads like ours; a second blank before it tells
	// the two apart, and means nothing to the shell.
	if _, ours := fromShellForm(strings.TrimLeft(command, " \t")); ours {
		return " " + command
	}
	return command
}

// fromTail is the command that tail was made from.
func fromTail(text string) string {
	trimmed := strings.TrimLeft(text, " \t")
	inner, ours := fromShellForm(trimmed)
	switch {
	case !ours:
		return text
	case trimmed == text:
		return inner
	default:
		return text[1:]
	}
}

// shellForm runs a command under sh. One that asks for its own name is given the
// one that it had.
func shellForm(command string) string {
	form := "sh -c " + singleQuote(command)
	if strings.Contains(command, "$0") || strings.Contains(command, "${0") {
		form += ` "$0"`
	}
	return form
}

// fromShellForm is the command in text, when text is exactly what shellForm makes.
func fromShellForm(text string) (command string, ok bool) {
	word, ok := strings.CutPrefix(text, "sh -c ")
	if !ok {
		return "", false
	}
	word = strings.TrimPrefix(strings.TrimSuffix(strings.TrimSuffix(word, ` "$0"`), "'"), "'")
	// By the characters, because the parser takes the CR out of CRLF.
	command = strings.ReplaceAll(word, `'\''`, "'")
	return command, shellForm(command) == text && !isSimple(command)
}

// Quote is s as one word for a POSIX shell.
func Quote(s string) string {
	if quoted, err := syntax.Quote(s, syntax.LangPOSIX); err == nil {
		return quoted
	}
	// The library has no form for line ends and other unprintable characters.
	return singleQuote(s)
}

// singleQuote holds every character as it is, which keeps a wrapped command
// readable in the settings.
func singleQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// The parser goes down one call for each level of nesting, and Go ends a process
// whose stack has grown too far, so what is parsed is bounded.
const (
	// maxCommand is longer than anybody's command.
	maxCommand = 32 << 10
	// maxParsed lets the longest one, quoted for sh -c, be taken off again.
	maxParsed = 5 * maxCommand
)

var errTooLong = errors.New("it is too long")

func parse(text string, lang syntax.LangVariant) (*syntax.File, error) {
	if len(text) > maxParsed {
		return nil, errTooLong
	}
	return syntax.NewParser(syntax.Variant(lang), syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
}

// soleCall is the one plain command that a file consists of, or nil: nothing
// before, behind or around it.
func soleCall(file *syntax.File) *syntax.CallExpr {
	if len(file.Stmts) != 1 || len(file.Last) > 0 {
		return nil
	}
	stmt := file.Stmts[0]
	if len(stmt.Comments) > 0 || len(stmt.Redirs) > 0 || stmt.Negated || stmt.Background || stmt.Coprocess || stmt.Disown || stmt.Semicolon.IsValid() {
		return nil
	}
	call, _ := stmt.Cmd.(*syntax.CallExpr)
	return call
}
