package index

import (
	"context"
	"crypto/sha256"
	"runtime"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index/token"
)

// worker parses, counts and packs one file after the other.
type worker struct {
	in     *Input
	table  *termTable
	split  token.Splitter
	enc    *zstd.Encoder
	dec    *zstd.Decoder
	buf    []byte // content
	field  int
	addFn  func(term []byte)
	parsed int
}

func newWorker(in *Input) (*worker, error) {
	w := &worker{in: in, table: newTermTable()}
	w.addFn = func(term []byte) { w.table.add(term, w.field) }
	var err error
	if w.enc, err = newEncoder(); err != nil {
		return nil, err
	}
	w.dec, err = newDecoder()
	return w, err
}

func (w *worker) close() {
	w.enc.Close()
	w.dec.Close()
}

// count does all groups of the plan, in parallel, and returns the tables that
// the postings refer to and the number of files parsed.
func (p *plan) count(ctx context.Context, in *Input) (tables []*termTable, parsed int, err error) {
	n := in.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	n = max(1, min(n, len(p.groups)))
	workers := make([]*worker, n)
	eg, ctx := errgroup.WithContext(ctx)
	total := 0
	for _, g := range p.groups {
		total += len(g.docs)
	}
	var next, done atomic.Int64
	for i := range workers {
		w, err := newWorker(in)
		if err != nil {
			return nil, 0, err
		}
		defer w.close()
		workers[i] = w
		eg.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(p.groups) {
					return nil
				}
				if err := w.group(ctx, p, p.groups[i]); err != nil {
					return err
				}
				if in.Progress != nil {
					in.Progress(int(done.Add(int64(len(p.groups[i].docs)))), total)
				}
			}
		})
	}
	if err := eg.Wait(); err != nil {
		return nil, 0, err
	}
	for _, w := range workers {
		tables = append(tables, w.table)
		parsed += w.parsed
	}
	return tables, parsed, nil
}

// group counts the files of g and makes its entry if it has none.
func (w *worker) group(ctx context.Context, p *plan, g *group) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if len(w.table.arena) > maxArena {
		return errTooLarge("terms")
	}
	if g.ent != nil {
		text, chunks, err := w.unpackReused(g.ent, g.key)
		if err == nil {
			for _, i := range g.docs {
				p.docs[i].ent = g.ent
				w.file(&p.docs[i], text, chunks)
			}
			return nil
		}
		if g.ent.from != nil && g.ent.from == p.base {
			return err
		}
		g.ent = nil // a damaged seed: parse
	}
	return w.readGroup(ctx, p, g)
}

// readGroup reads the files of g until one is what the scan saw, which makes the
// entry for the rest. A file that changed since gets an entry of its own.
func (w *worker) readGroup(ctx context.Context, p *plan, g *group) error {
	var text []byte
	var chunks []chunk.Chunk
	for _, i := range g.docs {
		d := &p.docs[i]
		if g.ent != nil {
			d.ent = g.ent
			w.file(d, text, chunks)
			continue
		}
		text = nil
		if d.file.Skipped == "" {
			var err error
			if text, err = d.read(ctx, w.in.Source, w.buf); err != nil {
				return err
			}
			w.buf = text
		}
		if d.file.Skipped != "" { // it may be gone by now
			w.file(d, nil, nil)
			continue
		}
		var err error
		if d.ent, chunks, err = w.parse(ctx, d, text); err != nil {
			return err
		}
		w.file(d, text, chunks)
		if d.sha == g.key.sha {
			g.ent = d.ent
		} else {
			p.contentChanged.Store(true)
		}
	}
	return nil
}

// parse makes the entry of a file that was just read.
func (w *worker) parse(ctx context.Context, d *doc, text []byte) (*entry, []chunk.Chunk, error) {
	res, facts := chunk.ParseFacts(ctx, d.file.Language, d.key().dialectPath(), text)
	if ctx.Err() != nil { // the result may be short of something
		return nil, nil, context.Cause(ctx)
	}
	if !isInside(res.Chunks, len(text)) || !facts.Within(len(res.Chunks)) {
		res.Chunks, facts = nil, chunk.Facts{} // a defect of the parser must not spoil the index
	}
	w.parsed++
	return &entry{id: -1, raw: uint32(len(text)), blob: facts.Append(encodeResult(nil, res)), block: pack(w.enc, text)}, res.Chunks, nil
}

// unpackReused unpacks an entry that another index had and makes sure that it is
// what its key says.
func (w *worker) unpackReused(e *entry, k key) ([]byte, []chunk.Chunk, error) {
	blob, block, err := e.load()
	if err != nil {
		return nil, nil, err
	}
	text, err := unpack(w.dec, block, e.raw, w.buf)
	if err != nil {
		return nil, nil, e.corrupt(err.Error())
	}
	w.buf = text
	chunks, ok := decodeChunks(blob)
	if !ok || !isInside(chunks, len(text)) || sha256.Sum256(text) != k.sha {
		return nil, nil, e.corrupt("an entry")
	}
	return text, chunks, nil
}

// file counts the terms of one file in its three fields.
func (w *worker) file(d *doc, text []byte, chunks []chunk.Chunk) {
	w.table.begin()
	w.terms(FieldFilename, []byte(d.file.Path))
	for _, c := range chunks {
		if c.Kind != chunk.Import {
			w.terms(FieldSymbols, []byte(c.Name))
		}
	}
	if d.file.Skipped == "" {
		w.terms(FieldBody, text)
	}
	d.lens, d.count = w.table.lens, counted{w.table, w.table.finish()}
}

func (w *worker) terms(field int, text []byte) {
	w.field = field
	w.split.Each(text, w.addFn)
}
