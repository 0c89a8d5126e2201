package chunk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// The coded form of facts is a table of strings, then the lists in the order
// of the struct. A number is a varint of encoding/binary; a string is its
// number in the table, where 0 is the empty string; a list is its length and
// its entries; chunks and lines are differences to those of the entry before.

// factsFormat is the first byte of coded facts.
const factsFormat = 3

// ErrFacts is the error of coded facts that are damaged or of another version.
var ErrFacts = errors.New("coded facts are damaged; build the index again")

// Append appends the coded form of f, to be read with [DecodeFacts]. Equal
// facts give equal bytes. Facts with nothing in them give none.
func (f *Facts) Append(buf []byte) []byte {
	if f.empty() {
		return buf
	}
	c := factsCoder{ids: map[string]uint64{"": 0}}
	c.all(f)
	buf = append(buf, factsFormat)
	buf = binary.AppendUvarint(buf, uint64(len(c.table)))
	for _, s := range c.table {
		buf = binary.AppendUvarint(buf, uint64(len(s)))
	}
	for _, s := range c.table {
		buf = append(buf, s...)
	}
	return append(buf, c.b...)
}

func (f *Facts) empty() bool {
	return f.Package == "" && len(f.Binds)+len(f.Types)+len(f.Funcs)+len(f.Vars)+len(f.Calls)+len(f.Refs) == 0
}

// DecodeFacts reads what [Facts.Append] wrote. Any other bytes give [ErrFacts]
// or facts whose numbers may mean nothing: chunks are to be checked against
// the number of chunks there are.
func DecodeFacts(b []byte) (Facts, error) {
	var f Facts
	if len(b) == 0 {
		return f, nil
	}
	if b[0] != factsFormat {
		return f, fmt.Errorf("%w: format %d, want %d", ErrFacts, b[0], factsFormat)
	}
	r := factsReader{b: b[1:]}
	r.strings()
	r.all(&f)
	if r.bad || len(r.b) > 0 {
		return Facts{}, fmt.Errorf("%w: %d bytes of %d not understood", ErrFacts, len(r.b), len(b))
	}
	return f, nil
}

// DecodePackage is the package of coded facts, "" for none and for damaged ones.
func DecodePackage(b []byte) string {
	if len(b) == 0 || b[0] != factsFormat {
		return ""
	}
	r := factsReader{b: b[1:]}
	r.strings()
	return r.string()
}

// DecodeDeclarations is [DecodeFacts] without Calls, Refs and the Locals of
// functions, which are most of the facts. Calls and Refs are not even looked at.
func DecodeDeclarations(b []byte) (Facts, error) { return decodeFirst(b, (*factsReader).declarations) }

// DecodeCalls is [DecodeDeclarations] with Calls.
func DecodeCalls(b []byte) (Facts, error) {
	return decodeFirst(b, func(r *factsReader, f *Facts) {
		r.declarations(f)
		r.calls(f)
	})
}

// decodeFirst decodes the lists at the beginning of the facts, without Locals.
func decodeFirst(b []byte, lists func(*factsReader, *Facts)) (Facts, error) {
	var f Facts
	if len(b) == 0 {
		return f, nil
	}
	if b[0] != factsFormat {
		return f, fmt.Errorf("%w: format %d, want %d", ErrFacts, b[0], factsFormat)
	}
	r := factsReader{b: b[1:], noLocals: true}
	r.strings()
	lists(&r, &f)
	if r.bad {
		return Facts{}, fmt.Errorf("%w: %d bytes of %d not understood", ErrFacts, len(r.b), len(b))
	}
	return f, nil
}

// Within tells whether the facts refer only to the first n chunks.
func (f *Facts) Within(n int) bool {
	in := func(c, least int) bool { return c >= least && c < n }
	for i := range f.Types {
		if !in(f.Types[i].Chunk, 0) {
			return false
		}
	}
	for i := range f.Funcs {
		if !in(f.Funcs[i].Chunk, 0) {
			return false
		}
	}
	for i := range f.Vars {
		if !in(f.Vars[i].Chunk, 0) {
			return false
		}
	}
	for i := range f.Calls {
		if !in(f.Calls[i].Chunk, -1) {
			return false
		}
	}
	for i := range f.Refs {
		if !in(f.Refs[i].Chunk, -1) {
			return false
		}
	}
	return true
}

type factsCoder struct {
	b           []byte
	ids         map[string]uint64
	table       []string
	chunk, line int // of the entry before
}

func (c *factsCoder) count(n int) {
	c.b = binary.AppendUvarint(c.b, uint64(n))
	c.chunk, c.line = 0, 0
}

func (c *factsCoder) string(s string) {
	id, ok := c.ids[s]
	if !ok {
		id = uint64(len(c.ids))
		c.ids[s] = id
		c.table = append(c.table, s)
	}
	c.b = binary.AppendUvarint(c.b, id)
}

func (c *factsCoder) at(chunk int) {
	c.b = binary.AppendVarint(c.b, int64(chunk-c.chunk))
	c.chunk = chunk
}

func (c *factsCoder) onLine(line int) {
	c.b = binary.AppendVarint(c.b, int64(line-c.line))
	c.line = line
}

func (c *factsCoder) texts(list []string) {
	c.b = binary.AppendUvarint(c.b, uint64(len(list)))
	for _, s := range list {
		c.string(s)
	}
}

func (c *factsCoder) pairs(list []NameType) {
	c.b = binary.AppendUvarint(c.b, uint64(len(list)))
	for _, p := range list {
		c.string(p.Name)
		c.string(p.Type)
	}
}

func (c *factsCoder) all(f *Facts) {
	c.string(f.Package)
	c.count(len(f.Binds))
	for _, b := range f.Binds {
		c.string(b.Name)
		c.string(b.Path)
		c.string(b.Member)
		c.onLine(b.Line)
	}
	c.count(len(f.Types))
	for _, t := range f.Types {
		c.at(t.Chunk)
		c.string(t.Kind)
		c.texts(t.Bases)
		c.pairs(t.Fields)
	}
	c.count(len(f.Funcs))
	for _, u := range f.Funcs {
		c.function(u)
	}
	c.count(len(f.Vars))
	for _, v := range f.Vars {
		c.at(v.Chunk)
		c.string(v.Type)
		c.string(v.Expr)
	}
	c.calls(f.Calls)
	c.count(len(f.Refs))
	for _, k := range f.Refs {
		c.at(k.Chunk)
		c.onLine(k.Line)
		c.string(k.Chain)
	}
}

// calls codes whether any has arguments, and with them all or none.
func (c *factsCoder) calls(list []Call) {
	c.count(len(list))
	args := slices.ContainsFunc(list, func(k Call) bool { return k.Args != "" })
	if len(list) > 0 {
		c.flag(args)
	}
	for _, k := range list {
		c.at(k.Chunk)
		c.onLine(k.Line)
		c.string(k.Chain)
		if args {
			c.string(k.Args)
		}
	}
}

func (c *factsCoder) flag(yes bool) {
	b := byte(0)
	if yes {
		b = 1
	}
	c.b = append(c.b, b)
}

func (c *factsCoder) function(u FuncFact) {
	c.at(u.Chunk)
	c.string(u.Recv)
	c.pairs(u.Params)
	more := uint64(max(u.Optional, 0))<<4 | uint64(u.Form&7)<<1
	if u.Variadic {
		more |= 1
	}
	c.b = binary.AppendUvarint(c.b, more)
	c.texts(u.Results)
	c.b = binary.AppendUvarint(c.b, uint64(len(u.Locals)))
	for _, l := range u.Locals {
		c.string(l.Name)
		c.string(l.Type)
		c.string(l.Expr)
	}
	m := u.Metrics
	for _, n := range [...]int{m.Cyclomatic, m.Cognitive, m.Nesting, m.Params, m.Lines} {
		c.b = binary.AppendUvarint(c.b, uint64(max(n, 0)))
	}
}
