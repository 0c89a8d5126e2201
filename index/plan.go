package index

import (
	"context"
	"sync/atomic"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index/token"
	"github.com/topo-dev/topo/stream"
)

// plan says for every file where its postings and its entry come from.
type plan struct {
	docs    []doc
	groups  []*group
	base    *Index   // whose postings are taken over; nil when there is none
	entries []*entry // of the base, by number, those that are used
	same    int      // docs that are as in the base in every respect
	removed int      // files of the base that are gone

	contentChanged atomic.Bool // a file's content was not what the scan had seen
}

// group is the files that share one entry and must be counted again.
type group struct {
	key  key
	docs []int
	ent  *entry // nil when the content must be parsed
}

// parserVersion changes whenever entries of the same content may differ.
const parserVersion = chunk.FactsVersion<<16 | chunk.Version

// entriesUsable tells whether entries of x are what this build would make.
func (x *Index) entriesUsable() bool { return x.head.chunker == parserVersion }

// postingsUsable tells whether postings of x are, too.
func (x *Index) postingsUsable() bool { return x.entriesUsable() && x.head.tokenizer == token.Version }

// keepUnchanged finds the files that are in the base under the same path with the
// same content: their postings and entries hold.
func (p *plan) keepUnchanged() error {
	x := p.base
	if x == nil {
		return nil
	}
	p.entries = make([]*entry, x.head.entries)
	old, n := 0, x.NumFiles()
	found := 0
	for i := range p.docs {
		d := &p.docs[i]
		for old < n {
			path, err := x.pathBytes(old)
			if err != nil {
				return err
			}
			if string(path) >= d.file.Path {
				break
			}
			old++
		}
		if old == n {
			break
		}
		if path, err := x.pathBytes(old); err != nil {
			return err
		} else if string(path) != d.file.Path {
			continue
		}
		found++
		if err := p.compareFile(d, old); err != nil {
			return err
		}
	}
	p.removed = n - found
	return nil
}

// compareFile compares d with file old of the base, which has the same path.
func (p *plan) compareFile(d *doc, old int) error {
	x := p.base
	row, err := x.fileRow(old)
	if err != nil {
		return err
	}
	var was [3]string // language, role, skipped
	for i, id := range [3]uint16{row.lang, row.role, row.skip} {
		if was[i], err = x.str(id); err != nil {
			return err
		}
	}
	used := d.file.Skipped == ""
	if used != (row.entry != noEntry) || used && (d.sha != row.sha || d.sha == [32]byte{} || d.file.Language != was[0]) {
		return nil
	}
	d.old, d.lens = old, row.lens
	if used {
		if d.ent, err = p.entry(row.entry); err != nil {
			return err
		}
	}
	if d.sha == row.sha && d.file.Size == int64(row.size) && d.file.Language == was[0] && string(d.file.Role) == was[1] && d.file.Skipped == was[2] {
		target := ""
		if was[2] == stream.SkipSymlink {
			if target, err = x.target(old); err != nil {
				return err
			}
		}
		if target == indexedTarget(&d.file) {
			p.same++
		}
	}
	return nil
}

// indexedTarget is the target that the index keeps of a file.
func indexedTarget(f *stream.File) string {
	if f.Skipped != stream.SkipSymlink {
		return ""
	}
	return f.Target
}

// entry returns entry i of the base.
func (p *plan) entry(i uint32) (*entry, error) {
	if i >= uint32(len(p.entries)) {
		return nil, p.base.files.corrupt("no entry %d", i)
	}
	if p.entries[i] == nil {
		row, err := p.base.entryRow(i)
		if err != nil {
			return nil, err
		}
		p.entries[i] = &entry{id: -1, raw: row.raw, from: p.base, row: row}
	}
	return p.entries[i], nil
}

// unchanged tells whether the base already shows the input.
func (p *plan) unchanged(in *Input) bool {
	if p.base == nil || p.same != len(p.docs) || p.removed != 0 {
		return false
	}
	h := p.base.head
	linker, grapher := in.LinksVersion, in.GraphVersion
	if in.Links == nil {
		linker = 0
	}
	if in.Graph == nil {
		grapher = 0
	}
	return h.chunker == parserVersion && h.tokenizer == token.Version && h.linker == linker && h.grapher == grapher &&
		h.head == in.Head && int(h.commits) == len(in.History) && h.history == historyDigest(in.History)
}

// group gathers the files that are not kept by the entry they need.
func (p *plan) group(ctx context.Context, source Reader) error {
	byKey := map[key]*group{}
	var buf []byte
	for i := range p.docs {
		d := &p.docs[i]
		if d.old >= 0 {
			continue
		}
		if d.file.Skipped == "" && d.sha == [32]byte{} { // a stream without hashes
			text, err := d.read(ctx, source, buf)
			if err != nil {
				return err
			}
			buf = text
		}
		if d.file.Skipped != "" {
			p.groups = append(p.groups, &group{docs: []int{i}})
			continue
		}
		k := d.key()
		g := byKey[k]
		if g == nil {
			g = &group{key: k}
			byKey[k] = g
			p.groups = append(p.groups, g)
		}
		g.docs = append(g.docs, i)
	}
	return nil
}

// missingEntries are the groups that have no entry yet, by key.
func (p *plan) missingEntries() map[key]*group {
	m := map[key]*group{}
	for _, g := range p.groups {
		if g.ent == nil && g.key != (key{}) {
			m[g.key] = g
		}
	}
	return m
}

// reuseEntries fills missing from the entries of x.
func reuseEntries(missing map[key]*group, x *Index, take func(i uint32) (*entry, error)) error {
	if len(missing) == 0 || !x.entriesUsable() {
		return nil
	}
	hashes := make(map[[32]byte]bool, len(missing))
	for k := range missing {
		hashes[k.sha] = true
	}
	for i := range x.head.entries {
		row, err := x.entryRow(i)
		if err != nil {
			return err
		}
		f, err := x.fileRow(int(row.file))
		if err != nil {
			return err
		}
		if !hashes[f.sha] {
			continue
		}
		k, err := x.entryKey(i)
		if err != nil {
			return err
		}
		if g := missing[k]; g != nil {
			if g.ent, err = take(i); err != nil {
				return err
			}
			delete(missing, k)
		}
	}
	return nil
}

// droppedEntries are the numbers of the base's entries that the new index lacks.
func (p *plan) droppedEntries() (out []uint32) {
	for i, e := range p.entries {
		if e == nil || e.id < 0 {
			out = append(out, uint32(i))
		}
	}
	return out
}
