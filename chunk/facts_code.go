package chunk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The coded form of facts is a table of strings, then the lists in the order
// of the struct. A number is a varint of encoding/binary; a string is its
// number in the table, where 0 is the empty string; a list is its length and
// its entries; chunks and lines are differences to those of the entry before.

// factsFormat is the first byte of coded facts.
const factsFormat = 1

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

// Within tells whether the facts speak of no chunks but the first n.
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
	c.count(len(f.Calls))
	for _, k := range f.Calls {
		c.at(k.Chunk)
		c.onLine(k.Line)
		c.string(k.Chain)
	}
	c.count(len(f.Refs))
	for _, k := range f.Refs {
		c.at(k.Chunk)
		c.onLine(k.Line)
		c.string(k.Chain)
	}
}

func (c *factsCoder) function(u FuncFact) {
	c.at(u.Chunk)
	c.string(u.Recv)
	c.pairs(u.Params)
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

// factsReader reads coded facts. After the first defect bad is set and every
// result is zero.
type factsReader struct {
	b           []byte
	table       []string
	bad         bool
	noLocals    bool // skip them
	chunk, line int
}

func (r *factsReader) fail() { r.b, r.bad = nil, true }

func (r *factsReader) uint() uint64 {
	if len(r.b) > 0 && r.b[0] < 0x80 {
		v := r.b[0]
		r.b = r.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *factsReader) int() int {
	v := r.uint()
	if v > math.MaxInt32 {
		r.fail()
		return 0
	}
	return int(v)
}

// length reads the length of a list whose entries take at least size bytes.
func (r *factsReader) length(size int) int {
	n := r.uint()
	if n > uint64(len(r.b)/size) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *factsReader) count(size int) int {
	r.chunk, r.line = 0, 0
	return r.length(size)
}

func (r *factsReader) step(from int) int {
	u := r.uint()
	v := int64(from) + (int64(u>>1) ^ -int64(u&1))
	if v > math.MaxInt32 || v < -1 || u > 1<<33 {
		r.fail()
		return 0
	}
	return int(v)
}

func (r *factsReader) at() int     { r.chunk = r.step(r.chunk); return r.chunk }
func (r *factsReader) onLine() int { r.line = r.step(r.line); return r.line }

// strings reads the table; its strings share one copy of the bytes.
func (r *factsReader) strings() {
	lengths := make([]int, r.length(1))
	total := 0
	for i := range lengths {
		lengths[i] = r.int()
		if total += lengths[i]; total > len(r.b) {
			r.fail()
			return
		}
	}
	if total > len(r.b) {
		r.fail()
		return
	}
	text := string(r.b[:total])
	r.b = r.b[total:]
	r.table = make([]string, len(lengths)+1)
	for i, n := range lengths {
		r.table[i+1], text = text[:n], text[n:]
	}
}

func (r *factsReader) string() string {
	i := r.uint()
	if i >= uint64(len(r.table)) {
		if i > 0 || !r.bad {
			r.fail()
		}
		return ""
	}
	return r.table[i]
}

func (r *factsReader) texts() []string {
	n := r.length(1)
	if n == 0 {
		return nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = r.string()
	}
	return out
}

func (r *factsReader) pairs() []NameType {
	n := r.length(2)
	if n == 0 {
		return nil
	}
	out := make([]NameType, n)
	for i := range out {
		out[i] = NameType{r.string(), r.string()}
	}
	return out
}

// read fills a list of n entries, nil when there are none.
func read[T any](n int, one func() T) []T {
	if n == 0 {
		return nil
	}
	out := make([]T, n)
	for i := range out {
		out[i] = one()
	}
	return out
}

func (r *factsReader) all(f *Facts) {
	r.declarations(f)
	r.calls(f)
	f.Refs = read(r.count(3), func() Ref { return Ref{r.at(), r.onLine(), r.string()} })
}

func (r *factsReader) calls(f *Facts) {
	f.Calls = read(r.count(3), func() Call { return Call{r.at(), r.onLine(), r.string()} })
}

func (r *factsReader) declarations(f *Facts) {
	f.Package = r.string()
	f.Binds = read(r.count(4), func() Bind { return Bind{r.string(), r.string(), r.string(), r.onLine()} })
	f.Types = read(r.count(4), func() TypeFact { return TypeFact{r.at(), r.string(), r.texts(), r.pairs()} })
	f.Funcs = read(r.count(10), r.function)
	f.Vars = read(r.count(3), func() VarFact { return VarFact{r.at(), r.string(), r.string()} })
}

func (r *factsReader) function() FuncFact {
	u := FuncFact{Chunk: r.at(), Recv: r.string(), Params: r.pairs(), Results: r.texts()}
	if n := r.length(3); r.noLocals {
		for range 3 * n {
			r.uint()
		}
	} else {
		u.Locals = read(n, func() Local { return Local{r.string(), r.string(), r.string()} })
	}
	u.Metrics = Metrics{r.int(), r.int(), r.int(), r.int(), r.int()}
	return u
}
