package transcript

import "io"

// condenser makes a long line of JSON short while it streams by, so that a line
// of hundreds of megabytes costs no more memory than one of a megabyte. Two
// things are taken away, neither of which says who spoke or which tool was
// called: the rest of a string longer than the bound, and a whole object or
// list that is still too large then, which becomes null.
//
// It is no validator: what is taken away is not looked at.
type condenser struct {
	out []byte
	limits

	depth    int
	inString bool
	escaped  bool
	// kept is how much of the current string was copied; clipped says that the
	// rest of it is dropped.
	kept    int
	clipped bool
	// escapeAt is where in out the last escape sequence begins.
	escapeAt int
	// starts[d] is where in out the open container at depth d begins.
	starts [condensedLevels]int
	// skipping is the depth whose container became null and is still open.
	skipping int
	failed   bool
}

// condensedLevels is how many levels of nesting have a bound of their own: the
// line, a member of it (message), a member of that (content), one block of
// the content, and a member of the block (input).
const condensedLevels = 5

const notSkipping = -1

// condense reads one line and gives its condensed form. It reports false for a
// line that stays too long.
func condense(r io.Reader, buf []byte, l limits) ([]byte, bool, error) {
	c := &condenser{limits: l, skipping: notSkipping}
	for {
		n, err := r.Read(buf)
		c.feed(buf[:n])
		if c.failed {
			return nil, false, nil
		}
		if err == io.EOF {
			return c.out, true, nil
		}
		if err != nil {
			return nil, false, err
		}
	}
}

func (c *condenser) feed(p []byte) {
	for len(p) > 0 && !c.failed {
		if c.inString {
			p = p[c.stringBytes(p):]
			continue
		}
		c.structure(p[0])
		p = p[1:]
	}
}

// stringBytes takes the first part of p, which continues a string, and gives
// its length: up to and with a quote, or an escaped byte, or all.
func (c *condenser) stringBytes(p []byte) int {
	if c.escaped {
		c.escaped = false
		c.keep(p[:1])
		return 1
	}
	for i, b := range p {
		switch b {
		case '"':
			c.keep(p[:i])
			c.inString = false
			c.write(p[i : i+1])
			return i + 1
		case '\\':
			c.keep(p[:i])
			c.escapeAt = len(c.out)
			c.keep(p[i : i+1])
			c.escaped = true
			return i + 1
		}
	}
	c.keep(p)
	return len(p)
}

// keep copies a part of a string, as far as the bound allows.
func (c *condenser) keep(p []byte) {
	if c.clipped || c.skipping != notSkipping {
		return
	}
	if c.kept+len(p) <= c.text {
		c.kept += len(p)
		c.write(p)
		return
	}
	c.clipped = true
	p = p[:c.text-c.kept]
	c.out = append(c.out, p...)
	c.out = c.out[:c.wholeCharacters()]
}

// wholeCharacters is where the string at the end of out can be cut without
// leaving a part of an escape sequence or of a character.
func (c *condenser) wholeCharacters() int {
	const longestEscape = len(`\u0000`)
	end := len(c.out)
	if c.escapeAt >= 0 && end-c.escapeAt < longestEscape {
		return c.escapeAt
	}
	for back := 1; back <= 3 && back <= end; back++ {
		b := c.out[end-back]
		if b < 0x80 {
			return end - back + 1
		}
		if b >= 0xC0 {
			return end - back
		}
	}
	return end
}

// structure takes one byte outside of any string.
func (c *condenser) structure(b byte) {
	switch b {
	case '"':
		c.inString, c.clipped, c.kept, c.escapeAt = true, false, 0, -1
	case '{', '[':
		if c.depth < condensedLevels && c.skipping == notSkipping {
			c.starts[c.depth] = len(c.out)
		}
		c.depth++
	case '}', ']':
		c.depth--
		if c.depth < 0 {
			c.failed = true
			return
		}
		if c.depth == c.skipping {
			c.skipping = notSkipping
			return
		}
	}
	c.write([]byte{b})
}

// write copies p and then looks whether an open container has become too large.
func (c *condenser) write(p []byte) {
	if c.skipping != notSkipping {
		return
	}
	c.out = append(c.out, p...)
	for level := min(c.depth, condensedLevels) - 1; level >= 1; level-- {
		if len(c.out)-c.starts[level] > c.bound(level) {
			c.out = append(c.out[:c.starts[level]], "null"...)
			c.skipping = level
			return
		}
	}
	c.failed = len(c.out) > c.line
}

// bound is the size at which the container at that level becomes null: the
// deeper, the smaller, so that the smallest part that is too large goes.
func (c *condenser) bound(level int) int {
	return c.line - c.line*3*level/16
}
