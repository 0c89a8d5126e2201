package scan

import "strings"

// A glob is a compiled pattern in the sense of git's wildmatch: * and ? stop at
// a slash, ** between slashes does not, [ ] is a set of bytes, a backslash
// takes the next byte literally.
//
// Matching keeps one point of return for * and one for **, which is enough: a
// later wildcard of a kind reaches everything that an earlier one of its kind
// could still reach. Time is therefore bounded by the product of the lengths
// for each path segment, whatever the pattern.
type glob struct{ ops []globOp }

// noGlob is what a malformed pattern becomes: git matches nothing with it.
func noGlob() glob { return glob{[]globOp{{kind: opSet, set: new(byteSet)}}} }

type globOp struct {
	kind opKind
	lit  byte
	set  *byteSet
}

type opKind uint8

const (
	opByte     opKind = iota // the byte lit
	opAny                    // any byte but a slash
	opSet                    // a byte in set
	opStar                   // any bytes but slashes
	opAll                    // any bytes
	opSegments               // nothing, or any bytes up to a slash: **/
)

type byteSet [4]uint64

func (s *byteSet) add(c byte)      { s[c>>6] |= 1 << (c & 63) }
func (s *byteSet) has(c byte) bool { return s[c>>6]&(1<<(c&63)) != 0 }

// compileGlob compiles p. With fold, ASCII letters match in either case, by the
// rules of git, which are not quite symmetric inside a set.
func compileGlob(p string, fold bool) glob {
	var g glob
	for i := 0; i < len(p); {
		switch c := p[i]; c {
		case '\\':
			if i+1 == len(p) {
				return noGlob()
			}
			g.ops = append(g.ops, globOp{lit: foldByte(p[i+1], fold)})
			i += 2
		case '?':
			g.ops = append(g.ops, globOp{kind: opAny})
			i++
		case '*':
			op, n := starOp(p, i)
			g.ops = append(g.ops, op)
			i += n
		case '[':
			set, n := parseSet(p[i:], fold)
			if n == 0 {
				return noGlob()
			}
			g.ops = append(g.ops, globOp{kind: opSet, set: set})
			i += n
		default:
			g.ops = append(g.ops, globOp{lit: foldByte(c, fold)})
			i++
		}
	}
	return g
}

// starOp reads a run of asterisks at p[i:].
func starOp(p string, i int) (globOp, int) {
	n := 1
	for i+n < len(p) && p[i+n] == '*' {
		n++
	}
	rest := p[i+n:]
	switch {
	case n == 1 || i > 0 && p[i-1] != '/':
		return globOp{kind: opStar}, n
	case strings.HasPrefix(rest, "/"):
		return globOp{kind: opSegments}, n + 1
	case rest == "" || strings.HasPrefix(rest, `\/`):
		return globOp{kind: opAll}, n
	}
	return globOp{kind: opStar}, n
}

func foldByte(c byte, fold bool) byte {
	if fold && c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// match reports whether the whole of s matches. With fold, s must be folded
// byte by byte as it is read.
func (g *glob) match(s string, fold bool) bool {
	ops := g.ops
	oi, si := 0, 0
	starOp, starAt := -1, 0 // where to return to for the last *, and the text it has taken
	allOp, allAt := -1, 0   // the same for the last **
	for {
		if oi < len(ops) {
			op := &ops[oi]
			if op.kind >= opStar {
				if op.kind == opStar {
					starOp, starAt = oi+1, si
				} else {
					allOp, allAt, starOp = oi, si, -1
				}
				oi++
				continue
			}
			if si == len(s) {
				return false // a longer wildcard only leaves less text
			}
			if op.takes(foldByte(s[si], fold)) {
				oi++
				si++
				continue
			}
		} else if si == len(s) {
			return true
		}
		switch {
		case starOp >= 0 && starAt < len(s) && s[starAt] != '/':
			starAt++
			oi, si = starOp, starAt
		case allOp >= 0:
			next := allNext(ops[allOp].kind, s, allAt)
			if next < 0 {
				return false
			}
			allAt, starOp = next, -1
			oi, si = allOp+1, next
		default:
			return false
		}
	}
}

// takes reports whether the operation, which takes one byte, takes c.
func (op *globOp) takes(c byte) bool {
	switch op.kind {
	case opByte:
		return c == op.lit
	case opAny:
		return c != '/'
	}
	return op.set.has(c)
}

// allNext is the next place in s up to which a ** may reach after at, or -1.
func allNext(kind opKind, s string, at int) int {
	if kind == opAll {
		if at == len(s) {
			return -1
		}
		return at + 1
	}
	i := strings.IndexByte(s[at:], '/')
	if i < 0 {
		return -1
	}
	return at + i + 1
}
