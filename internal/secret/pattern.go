package secret

import (
	"fmt"
	"strconv"
	"strings"
)

// A pattern is literal text with elements in braces: a class of bytes and how
// many of them, as in "ghp_{w36}" (exactly), "{d8-10}:AA{u33}" (from, to) and
// "ey{u10-}" (from). An element takes as many bytes as it can and gives none
// back, so matching costs one pass. The first literal of at least three bytes, or
// else the longest, is the anchor that is searched for. A bar ends what only leads to the secret, as in "key=|{h32}".
//
// Classes: d digit, h hexadecimal, l lower case or digit, A upper case or digit,
// w letter or digit, u as w with "_-", b as w with "+/", p as u with ".~+/=%",
// v what a value without quotes may hold.

// maxRun is the most bytes that an element without a limit takes.
const maxRun = 8192

// classes has a bit for each class that a byte belongs to.
type classes [256]uint16

const classNames = "dhlAwubpv"

// valueEnds are the bytes that end a value without quotes.
const valueEnds = " \t\r\n\"'`,;&<>(){}[]\\"

func makeClasses() *classes {
	t := new(classes)
	put := func(class byte, chars string) {
		for _, c := range []byte(chars) {
			t[c] |= classBit(class)
		}
	}
	const digits, lower = "0123456789", "abcdefghijklmnopqrstuvwxyz"
	upper := strings.ToUpper(lower)
	put('d', digits)
	put('h', digits+"abcdefABCDEF")
	put('l', digits+lower)
	put('A', digits+upper)
	put('w', digits+lower+upper)
	put('u', digits+lower+upper+"_-")
	put('b', digits+lower+upper+"+/")
	put('p', digits+lower+upper+"_-.~+/=%")
	for c := range t {
		if strings.IndexByte(valueEnds, byte(c)) < 0 {
			t[c] |= classBit('v')
		}
	}
	return t
}

// element is a literal or a run of a class.
type element struct {
	literal  string
	class    uint16 // bit in classes; 0 for a literal
	min, max int
}

// classBit returns the bit of a class in classes.
func classBit(class byte) uint16 { return 1 << strings.IndexByte(classNames, class) }

type pattern struct {
	elements []element
	anchor   int // index of the literal that is searched for, -1 without any
	secret   int // index of the element that the secret begins with
	t        *classes
}

// parse compiles a pattern. A wrong pattern is an error of the program.
func parse(t *classes, text string) (p pattern, err error) {
	p = pattern{anchor: -1, t: t}
	for text != "" {
		if after, ok := strings.CutPrefix(text, "|"); ok {
			p.secret, text = len(p.elements), after
		}
		lit, rest, braces := strings.Cut(text, "{")
		if i := strings.IndexByte(lit, '|'); i >= 0 {
			lit, rest, braces = text[:i], text[i:], false
		}
		if lit != "" {
			if p.anchor < 0 || len(lit) > len(p.elements[p.anchor].literal) && len(p.elements[p.anchor].literal) < 3 {
				p.anchor = len(p.elements)
			}
			p.elements = append(p.elements, element{literal: lit, min: len(lit), max: len(lit)})
		}
		if !braces {
			text = rest
			continue
		}
		spec, after, ok := strings.Cut(rest, "}")
		if !ok || len(spec) < 2 {
			return p, fmt.Errorf("secret: element without end or count in %q", text)
		}
		e, err := parseElement(spec)
		if err != nil {
			return p, err
		}
		p.elements = append(p.elements, e)
		text = after
	}
	return p, nil
}

func parseElement(spec string) (e element, err error) {
	i := strings.IndexByte(classNames, spec[0])
	if i < 0 {
		return e, fmt.Errorf("secret: unknown class in %q", spec)
	}
	e.class = 1 << i
	from, to, ranged := strings.Cut(spec[1:], "-")
	if e.min, err = strconv.Atoi(from); err != nil {
		return e, err
	}
	switch {
	case !ranged:
		e.max = e.min
	case to == "":
		e.max = maxRun
	default:
		e.max, err = strconv.Atoi(to)
	}
	return e, err
}

// around matches the pattern where its anchor is b[start:end] and returns where
// the whole match, its secret and both end.
func (p *pattern) around(b []byte, start, end int) (from, secret, to int, ok bool) {
	for i := p.anchor - 1; i >= 0; i-- {
		n := p.elements[i].backward(p.t, b[:start])
		if n < 0 {
			return 0, 0, 0, false
		}
		start -= n
	}
	secret = start
	for i, e := range p.elements[p.anchor+1:] {
		if p.anchor+1+i == p.secret {
			secret = end
		}
		n := e.forward(p.t, b[end:])
		if n < 0 {
			return 0, 0, 0, false
		}
		end += n
	}
	return start, secret, end, true
}

// full reports whether the pattern is all of b.
func (p *pattern) full(b []byte) bool {
	at := 0
	for _, e := range p.elements {
		n := e.forward(p.t, b[at:])
		if n < 0 {
			return false
		}
		at += n
	}
	return at == len(b)
}

func (e *element) forward(t *classes, b []byte) int {
	if e.class == 0 {
		if len(b) < e.min || string(b[:e.min]) != e.literal {
			return -1
		}
		return e.min
	}
	n := 0
	for n < len(b) && n < e.max && t[b[n]]&e.class != 0 {
		n++
	}
	if n < e.min {
		return -1
	}
	return n
}

func (e *element) backward(t *classes, b []byte) int {
	if e.class == 0 {
		if len(b) < e.min || string(b[len(b)-e.min:]) != e.literal {
			return -1
		}
		return e.min
	}
	n := 0
	for n < len(b) && n < e.max && t[b[len(b)-1-n]]&e.class != 0 {
		n++
	}
	if n < e.min {
		return -1
	}
	return n
}
