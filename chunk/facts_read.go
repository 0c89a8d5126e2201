package chunk

import (
	"encoding/binary"
	"math"
)

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
	n := r.count(3)
	args := n > 0 && r.uint() == 1
	f.Calls = read(n, func() Call {
		c := Call{Chunk: r.at(), Line: r.onLine(), Chain: r.string()}
		if args {
			c.Args = r.string()
		}
		return c
	})
}

func (r *factsReader) declarations(f *Facts) {
	f.Package = r.string()
	f.Binds = read(r.count(4), func() Bind { return Bind{r.string(), r.string(), r.string(), r.onLine()} })
	f.Types = read(r.count(4), func() TypeFact { return TypeFact{r.at(), r.string(), r.texts(), r.pairs()} })
	f.Funcs = read(r.count(11), r.function)
	f.Vars = read(r.count(3), func() VarFact { return VarFact{r.at(), r.string(), r.string()} })
}

func (r *factsReader) function() FuncFact {
	u := FuncFact{Chunk: r.at(), Recv: r.string(), Params: r.pairs()}
	more := r.int()
	u.Optional, u.Form, u.Variadic, u.Results = more>>4, FuncForm(more>>1&7), more&1 == 1, r.texts()
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
