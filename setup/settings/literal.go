package settings

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// quoted is the JSON string of s with no more escapes than JSON asks for.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		b.WriteString(spell(r))
	}
	b.WriteByte('"')
	return b.String()
}

func spell(r rune) string {
	const hex = "0123456789abcdef"
	switch r {
	case '"':
		return `\"`
	case '\\':
		return `\\`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	if r < 0x20 {
		return `\u00` + string(hex[r>>4]) + string(hex[r&15])
	}
	return string(r)
}

// letter is one character of a JSON string as it is spelled in the file.
type letter struct {
	r   rune
	raw string
}

// letters takes a valid JSON string apart.
func letters(literal string) []letter {
	body := literal[1 : len(literal)-1]
	var all []letter
	for len(body) > 0 {
		next := nextLetter(body)
		all = append(all, next)
		body = body[len(next.raw):]
	}
	return all
}

func nextLetter(body string) letter {
	if body[0] != '\\' {
		r, size := utf8.DecodeRuneInString(body)
		return letter{r, body[:size]}
	}
	if body[1] != 'u' {
		named := map[byte]rune{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}
		if r, ok := named[body[1]]; ok {
			return letter{r, body[:2]}
		}
		return letter{rune(body[1]), body[:2]}
	}
	r := hex4(body[2:6])
	if utf16.IsSurrogate(r) {
		if len(body) >= 12 && body[6] == '\\' && body[7] == 'u' {
			if pair := utf16.DecodeRune(r, hex4(body[8:12])); pair != utf8.RuneError {
				return letter{pair, body[:12]}
			}
		}
		return letter{utf8.RuneError, body[:6]}
	}
	return letter{r, body[:6]}
}

func hex4(s string) rune {
	var r rune
	for i := range 4 {
		c := rune(s[i])
		switch {
		case c >= 'a':
			c -= 'a' - 10
		case c >= 'A':
			c -= 'A' - 10
		default:
			c -= '0'
		}
		r = r<<4 | c
	}
	return r
}

// respell is the JSON string of text, in which what was in the old literal keeps
// its spelling. Characters are paired from the end, in the longer of the two from
// the first that fits, so that respelling back gives the old literal again:
// wrapping a command puts something before its characters and between them, and
// never changes their order.
func respell(old, text string) string {
	was, now := letters(old), []rune(text)
	raws := make([]string, len(now))
	for i, r := range now {
		raws[i] = spell(r)
	}
	if !pair(was, now, raws) {
		pairEnds(was, now, raws)
	}
	return `"` + strings.Join(raws, "") + `"`
}

// pair takes over spellings when the shorter text is in the longer one in order.
func pair(was []letter, now []rune, raws []string) bool {
	i, j := len(was)-1, len(now)-1
	taken := make(map[int]string)
	for i >= 0 && j >= 0 {
		switch {
		case was[i].r == now[j]:
			taken[j] = was[i].raw
			i--
			j--
		case len(was) < len(now):
			j--
		default:
			i--
		}
	}
	if i >= 0 && len(was) < len(now) || j >= 0 && len(was) >= len(now) {
		return false
	}
	for at, raw := range taken {
		raws[at] = raw
	}
	return true
}

// pairEnds takes over the spellings of what both begin and end with.
func pairEnds(was []letter, now []rune, raws []string) {
	n := min(len(was), len(now))
	head := 0
	for head < n && was[head].r == now[head] {
		raws[head] = was[head].raw
		head++
	}
	for k := 1; k <= n-head && was[len(was)-k].r == now[len(now)-k]; k++ {
		raws[len(now)-k] = was[len(was)-k].raw
	}
}
