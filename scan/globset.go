package scan

import "strings"

// setItem is one member of a bracket expression.
type setItem struct {
	lo, hi byte
	rng    bool
	class  string
}

// parseSet reads the bracket expression that p starts with and returns its
// length, 0 when it is malformed. A slash is never in a set.
func parseSet(p string, fold bool) (*byteSet, int) {
	i, negated := 1, false
	if i < len(p) && (p[i] == '!' || p[i] == '^') {
		negated = true
		i++
	}
	var items []setItem
	prev := byte(0) // the byte that a range may start from
	for first := true; first || i < len(p) && p[i] != ']'; first = false {
		item, n := parseItem(p[min(i, len(p)):], prev)
		if n == 0 {
			return nil, 0
		}
		prev = item.lo
		if item.rng || item.class != "" {
			prev = 0
		}
		items = append(items, item)
		i += n
	}
	if i >= len(p) {
		return nil, 0
	}
	set := new(byteSet)
	for c := range 256 {
		in := false
		for _, it := range items {
			in = in || it.has(byte(c), fold)
		}
		if in != negated && c != '/' {
			set.add(byte(c))
		}
	}
	return set, i + 1
}

func parseItem(p string, prev byte) (setItem, int) {
	switch {
	case p == "":
		return setItem{}, 0
	case p[0] == '\\':
		if len(p) < 2 {
			return setItem{}, 0
		}
		return setItem{lo: p[1]}, 2
	case p[0] == '-' && prev != 0 && len(p) > 1 && p[1] != ']':
		if p[1] != '\\' {
			return setItem{lo: prev, hi: p[1], rng: true}, 2
		}
		if len(p) < 3 {
			return setItem{}, 0
		}
		return setItem{lo: prev, hi: p[2], rng: true}, 3
	case strings.HasPrefix(p, "[:"):
		end := strings.IndexByte(p[2:], ']')
		if end < 0 {
			return setItem{}, 0
		}
		if name, ok := strings.CutSuffix(p[2:2+end], ":"); ok {
			if !knownClass(name) {
				return setItem{}, 0
			}
			return setItem{class: name}, 2 + end + 1
		}
	}
	return setItem{lo: p[0]}, 1
}

// has follows git under fold: the text is in lower case, single bytes are
// compared as they are, ranges and [:upper:] also with the capital.
func (it setItem) has(c byte, fold bool) bool {
	c = foldByte(c, fold)
	lower := c >= 'a' && c <= 'z'
	switch {
	case it.class == "upper" && fold && lower:
		return true
	case it.class != "":
		return inClass(it.class, c)
	case it.rng:
		up := c - ('a' - 'A')
		return c >= it.lo && c <= it.hi || fold && lower && up >= it.lo && up <= it.hi
	}
	return c == it.lo
}

func knownClass(name string) bool {
	switch name {
	case "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit":
		return true
	}
	return false
}

// inClass knows ASCII only, and only the white space that git knows.
func inClass(name string, c byte) bool {
	digit := c >= '0' && c <= '9'
	lower := c >= 'a' && c <= 'z'
	upper := c >= 'A' && c <= 'Z'
	switch name {
	case "alnum":
		return digit || lower || upper
	case "alpha":
		return lower || upper
	case "blank":
		return c == ' ' || c == '\t'
	case "cntrl":
		return c < 0x20 || c == 0x7f
	case "digit":
		return digit
	case "graph":
		return c > 0x20 && c < 0x7f
	case "lower":
		return lower
	case "print":
		return c >= 0x20 && c < 0x7f
	case "punct":
		return c > 0x20 && c < 0x7f && !digit && !lower && !upper
	case "space":
		return c == ' ' || c == '\t' || c == '\n' || c == '\r'
	case "upper":
		return upper
	}
	return isHex(c)
}
