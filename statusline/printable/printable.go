// Package printable makes text harmless that somebody else wrote – the client, a
// project, whoever could write to a log – before it reaches a screen: nothing that
// is left in it moves a cursor, changes a colour, sets a title, writes to the
// clipboard or turns the direction of what stands beside it.
//
// It knows characters alone. How wide a text may be, and what is worth showing,
// belongs to whoever shows it.
package printable

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Line is what of s can be printed within one line: line ends and tabs go, too.
func Line(s string) string {
	return strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
}

// Text is s, of any number of lines, without what steers a terminal or turns the
// direction of writing. Unlike Line it keeps the invisible characters that some
// scripts and pictures are joined by: it is for text that is read as a whole, by a
// model too.
func Text(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\ufeff':
			return -1
		}
		return r
	}, s)
}

// JSON is the same JSON with everything that cannot be printed spelled as escapes:
// encoding/json leaves the controls above ASCII and the turns of direction as they
// are. The bytes must be valid JSON in UTF-8; line ends and tabs between its values
// stay.
func JSON(raw []byte) []byte {
	var b strings.Builder
	for _, r := range string(raw) {
		switch {
		case r < unicode.MaxASCII || unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return []byte(b.String())
}
