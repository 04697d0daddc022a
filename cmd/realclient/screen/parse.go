package screen

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxSequence bounds a control sequence. A longer one is dropped, so that
// garbage cannot grow.
const maxSequence = 4096

// parser cuts the stream into characters, control bytes and sequences. It works
// byte by byte, since reads end anywhere.
type parser struct {
	state state
	buf   []byte // of the character or sequence under way
}

type state uint8

const (
	ground  state = iota
	escape        // after ESC
	charset       // after ESC and an intermediate byte such as "("
	control       // after ESC [
	str           // an operating system command or another string, up to its end
	strEnd        // ESC inside such a string
)

const esc = 0x1b

func (p *parser) feed(s *Screen, b byte) {
	switch p.state {
	case ground:
		p.inGround(s, b)
	case escape:
		p.inEscape(s, b)
	case charset:
		p.state = ground
	case control:
		p.inControl(s, b)
	case str:
		switch b {
		case 0x07:
			p.state = ground
		case esc:
			p.state = strEnd
		}
	case strEnd:
		p.state = ground
		if b != '\\' { // not the terminator: a new sequence begins here
			p.inEscape(s, b)
		}
	}
}

func (p *parser) inGround(s *Screen, b byte) {
	if len(p.buf) > 0 { // inside a character of several bytes
		if b&0xc0 != 0x80 { // it was cut off
			p.buf = p.buf[:0]
			s.put(utf8.RuneError)
			p.inGround(s, b)
			return
		}
		p.buf = append(p.buf, b)
		if utf8.FullRune(p.buf) {
			r, _ := utf8.DecodeRune(p.buf)
			p.buf = p.buf[:0]
			s.put(r)
		}
		return
	}
	switch {
	case b == esc:
		p.state = escape
	case b < 0x20 || b == 0x7f:
		s.controlByte(b)
	case b < utf8.RuneSelf:
		s.put(rune(b))
	default:
		p.buf = append(p.buf, b)
		if utf8.FullRune(p.buf) { // a byte that begins no character
			p.buf = p.buf[:0]
			s.put(utf8.RuneError)
		}
	}
}

func (p *parser) inEscape(s *Screen, b byte) {
	p.state = ground
	switch {
	case b == '[':
		p.state, p.buf = control, p.buf[:0]
	case b == ']' || b == 'P' || b == 'X' || b == '^' || b == '_':
		p.state = str
	case b >= 0x20 && b <= 0x2f:
		p.state = charset
	case b == esc:
		p.state = escape
	default:
		s.escapeByte(b)
	}
}

func (p *parser) inControl(s *Screen, b byte) {
	switch {
	case b == esc: // cut off by the next one
		p.state, p.buf = escape, p.buf[:0]
	case b < 0x20: // carried out in the middle of a sequence
		s.controlByte(b)
	case b >= 0x40 && b <= 0x7e:
		seq := parseSequence(p.buf, b)
		p.state, p.buf = ground, p.buf[:0]
		s.control(seq)
	case len(p.buf) == maxSequence:
		p.state, p.buf = ground, p.buf[:0]
	default:
		p.buf = append(p.buf, b)
	}
}

// sequence is one control sequence: ESC [ private params intermediate final.
type sequence struct {
	private      byte // one of < = > ?, or 0
	params       []int
	intermediate string
	final        byte
}

func parseSequence(body []byte, final byte) sequence {
	seq := sequence{final: final}
	if len(body) > 0 && body[0] >= '<' && body[0] <= '?' {
		seq.private, body = body[0], body[1:]
	}
	end := len(body)
	for end > 0 && body[end-1] >= 0x20 && body[end-1] <= 0x2f {
		end--
	}
	seq.intermediate = string(body[end:])
	if end == 0 {
		return seq
	}
	// Colons separate the parts of one parameter; for what is followed here
	// they read like semicolons.
	for _, field := range strings.Split(strings.ReplaceAll(string(body[:end]), ":", ";"), ";") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 0 {
			n = -1 // left out: the default of whoever asks
		}
		seq.params = append(seq.params, min(n, 1<<16))
	}
	return seq
}

// param gives the i-th parameter, or a default where it is missing or zero, as
// most sequences want it.
func (q sequence) param(i, fallback int) int {
	if i >= len(q.params) || q.params[i] <= 0 {
		return fallback
	}
	return q.params[i]
}
