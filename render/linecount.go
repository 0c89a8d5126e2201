package render

import "bytes"

// lineCounter counts as a bpe does and remembers what each line costs: a selection
// measures the same lines many times. It is not safe for concurrent use.
type lineCounter struct {
	*bpe
	known map[string]int
	size  int // bytes of the lines known
}

// maxKnown bounds the lines that a lineCounter remembers, in bytes.
const maxKnown = 16 << 20

// remember returns a counter for many similar texts.
func remember(c Counter) Counter {
	if b, ok := c.(*bpe); ok {
		return &lineCounter{bpe: b, known: map[string]int{}}
	}
	return c
}

// Count implements [Counter].
func (c *lineCounter) Count(text []byte) int {
	total := 0
	for len(text) > 0 {
		n := apart(text)
		line := text[:n]
		count, ok := c.known[string(line)]
		if !ok {
			count = c.bpe.Count(line)
			if c.size += n; c.size > maxKnown {
				clear(c.known)
				c.size = n
			}
			c.known[string(line)] = count
		}
		total += count
		text = text[n:]
	}
	return total
}

// apart is the length of the first lines of text that are counted apart from the
// rest. A piece of a vocabulary's pattern goes on after a line break with white space
// up to another break, and with slashes: the next line must begin with neither.
func apart(text []byte) int {
	for n := 0; ; {
		i := bytes.IndexByte(text[n:], '\n')
		if i < 0 {
			return len(text)
		}
		n += i + 1
		indent := len(text[n:]) - len(bytes.TrimLeft(text[n:], " \t"))
		if n+indent == len(text) {
			return len(text)
		}
		if c := text[n+indent]; c > ' ' && c < 0x7f && (c != '/' || indent > 0) {
			return n
		}
	}
}
