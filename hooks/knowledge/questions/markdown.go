package questions

import (
	"strings"
	"unicode"
)

// Parse reads the text of a questions file (Q2): headings of any level name
// sections, list items are the questions. What is indented below an item belongs
// to it, further items too. Code and comments hold no items.
func Parse(text string) []Question {
	text = strings.TrimPrefix(text, "\ufeff")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	p := parser{lines: strings.Split(text, "\n")}
	for i, line := range p.lines {
		if strings.Contains(line, commentEnd) {
			p.lastCommentEnd = i
		}
	}
	for p.at = range p.lines {
		p.line(p.lines[p.at])
	}
	p.close()
	return p.questions
}

const commentStart, commentEnd = "<!--", "-->"

// parser goes through the lines of a questions file once.
type parser struct {
	lines          []string
	at             int
	lastCommentEnd int

	questions []Question
	section   string

	// fence is the mark that the open code block began with, "" outside of one.
	fence   string
	comment bool

	// item holds the parts of the open item; open is false when there is none.
	open bool
	item []string
	// content is the column at which the open item's text begins.
	content int
	// blank is true behind a blank line inside an item.
	blank bool
	// paragraph is the last line of running text outside of an item: a heading, if
	// a line of = or - follows.
	paragraph string
}

func (p *parser) line(line string) {
	if p.fence != "" {
		if closesFence(line, p.fence) {
			p.fence = ""
		}
		return
	}
	wasComment := p.comment
	line = p.withoutComments(line)
	blank := strings.TrimSpace(line) == ""
	if blank && (wasComment || p.comment) {
		return
	}
	text := strings.TrimLeft(line, " \t")
	indent := columns(line[:len(line)-len(text)])
	text = strings.TrimSpace(text)
	switch {
	case blank:
		p.blank, p.paragraph = true, ""
	case p.open && p.blank && indent < p.content && !isItem(text):
		p.close()
		p.structure(text, indent)
	default:
		p.structure(text, indent)
	}
}

// structure takes a line that holds something.
func (p *parser) structure(text string, indent int) {
	defer func() { p.blank = false }()
	if mark := opensFence(text); mark != "" && (indent < 4 || p.open) {
		p.fence, p.paragraph = mark, ""
		return
	}
	deep := p.open && indent >= p.content
	if heading, ok := headingOf(text); ok && indent < 4 && !deep {
		p.startSection(heading)
		return
	}
	if isUnderline(text) && p.paragraph != "" && indent < 4 {
		p.startSection(p.paragraph)
		return
	}
	if isRule(text) {
		p.paragraph = ""
		if !deep {
			p.close()
		}
		return
	}
	rest, width, isItem := cutMarker(text)
	switch {
	case isItem && !deep && (indent < 4 || p.open):
		p.close()
		p.open, p.content, p.paragraph = true, indent+width, ""
		p.item = append(p.item, rest)
	case p.open:
		p.item = append(p.item, text)
	case indent < 4:
		p.paragraph = text
	}
}

func (p *parser) startSection(heading string) {
	p.close()
	p.section, p.paragraph = firstWord(heading), ""
}

// close ends the open item.
func (p *parser) close() {
	if text := OneLine(strings.Join(p.item, " "), longest); text != "" {
		p.questions = append(p.questions, Question{Section: p.section, Text: text})
	}
	p.open, p.item, p.content = false, nil, 0
}

// withoutComments takes comments out of a line. A comment that begins in the
// middle of a line and is never ended is text.
func (p *parser) withoutComments(line string) string {
	var kept strings.Builder
	for {
		if p.comment {
			_, rest, ended := strings.Cut(line, commentEnd)
			if !ended {
				return kept.String()
			}
			p.comment, line = false, rest
		}
		before, rest, begins := strings.Cut(line, commentStart)
		kept.WriteString(before)
		if !begins {
			return kept.String()
		}
		sofar := kept.String()
		inCode := strings.Count(sofar, "`")%2 == 1
		endless := !strings.Contains(rest, commentEnd) && p.lastCommentEnd <= p.at
		if inCode || endless && strings.TrimSpace(sofar) != "" {
			kept.WriteString(commentStart)
			line = rest
			continue
		}
		p.comment, line = true, rest
	}
}

// headingOf is the text of a line such as "## Open ##".
func headingOf(text string) (string, bool) {
	rest := strings.TrimLeft(text, "#")
	level := len(text) - len(rest)
	if level < 1 || level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", false
	}
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(rest), "#")), true
}

// isUnderline reports whether the line makes a heading of the one above it.
func isUnderline(text string) bool {
	return strings.Trim(text, "=") == "" || len(text) > 1 && strings.Trim(text, "-") == ""
}

// isRule reports whether the line is a rule across the page: three or more of
// one of * - _, with or without blanks between them.
func isRule(text string) bool {
	marks := strings.Join(strings.Fields(text), "")
	return len(marks) >= 3 && strings.ContainsRune("*-_", rune(marks[0])) && strings.Trim(marks, marks[:1]) == ""
}

func isItem(text string) bool {
	_, _, ok := cutMarker(text)
	return ok && !isRule(text)
}

// cutMarker takes "- ", "* ", "+ ", "1. " or "1) " from the front of an item.
// Width is how far the item's text is moved in by it.
func cutMarker(text string) (rest string, width int, ok bool) {
	digits := 0
	for digits < len(text) && digits < 9 && '0' <= text[digits] && text[digits] <= '9' {
		digits++
	}
	if digits == len(text) {
		return "", 0, false
	}
	end := digits + 1
	switch mark := text[digits]; {
	case digits == 0 && (mark == '-' || mark == '*' || mark == '+'):
	case digits > 0 && (mark == '.' || mark == ')'):
	default:
		return "", 0, false
	}
	if end == len(text) {
		return "", end + 1, true
	}
	if text[end] != ' ' && text[end] != '\t' {
		return "", 0, false
	}
	return strings.TrimSpace(text[end:]), end + 1, true
}

// opensFence is the run of ` or ~ that a block of code begins with.
func opensFence(text string) string {
	for _, mark := range []string{"`", "~"} {
		rest := strings.TrimLeft(text, mark)
		n := len(text) - len(rest)
		// What looks like a fence and goes on with ` is code inside a line.
		if n >= 3 && (mark == "~" || !strings.Contains(rest, mark)) {
			return text[:n]
		}
	}
	return ""
}

func closesFence(line, fence string) bool {
	text := strings.TrimSpace(line)
	return len(text) >= len(fence) && strings.Trim(text, fence[:1]) == ""
}

// columns is how far blanks and tabs move a line in.
func columns(blanks string) int {
	n := 0
	for _, c := range blanks {
		if c == '\t' {
			n += 4 - n%4
		} else {
			n++
		}
	}
	return n
}

// firstWord is the first run of letters of a heading, in lower case: "## 1.
// **Blocking** questions" names the section blocking.
func firstWord(heading string) string {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }
	start := strings.IndexFunc(heading, unicode.IsLetter)
	if start < 0 {
		return ""
	}
	word := heading[start:]
	if end := strings.IndexFunc(word, func(r rune) bool { return !inWord(r) }); end >= 0 {
		word = word[:end]
	}
	return strings.ToLower(word)
}
