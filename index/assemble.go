package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/topo-dev/topo/index/token"
)

// assembly is an index that is ready to be written but for its contents.
type assembly struct {
	docs    []doc
	entries []*entry // in the order of the first file that has each
	first   []uint32 // that file
	head    header
	terms   *termSections
	links   [3][]byte // EDGF, EDGB, RANK
	graphs  [len(graphTags)][]byte
	history [3][]byte // HCOM, HSTR, HFIL
}

// numberEntries numbers the entries in the order of their first files.
func (a *assembly) numberEntries(unify bool) {
	byKey := map[key]*entry{}
	for i := range a.docs {
		d := &a.docs[i]
		if d.ent == nil {
			continue
		}
		if unify { // a file changed while it was read, maybe into another's content
			if e := byKey[d.key()]; e != nil {
				d.ent = e
			} else {
				byKey[d.key()] = d.ent
			}
		}
		if d.ent.id < 0 {
			d.ent.id = int32(len(a.entries))
			a.entries = append(a.entries, d.ent)
			a.first = append(a.first, uint32(i))
		}
	}
}

// link computes the import edges over the files of the new index.
func (a *assembly) link(in *Input) (links Links, err error) {
	if in.Links == nil {
		return links, nil
	}
	li := LinkInput{Files: make([]LinkFile, len(a.docs)), Read: func(path string) ([]byte, error) { return in.Source.ReadFile(path, nil) }}
	for i := range a.docs {
		d := &a.docs[i]
		li.Files[i] = LinkFile{Path: d.file.Path, Language: d.file.Language}
		if d.ent == nil {
			continue
		}
		imports, err := d.ent.imports()
		if err != nil {
			return links, err
		}
		li.Files[i].Imports = imports
		li.Files[i].Types = func() []string {
			chunks, bad := d.ent.chunks()
			err = cmp.Or(err, bad)
			return TypesOf(chunks)
		}
		li.Files[i].Declared = d.ent.declared
	}
	links = in.Links(li)
	if err != nil {
		return links, err
	}
	a.links[0], a.links[1], a.links[2], err = encodeLinks(links, len(a.docs))
	a.head.linker = in.LinksVersion
	return links, err
}

func (a *assembly) addHistory(in *Input) (err error) {
	paths := make([]string, len(a.docs))
	for i := range a.docs {
		paths[i] = a.docs[i].file.Path
	}
	a.history[0], a.history[1], a.history[2], err = encodeHistory(in.History, paths)
	a.head.head, a.head.history, a.head.commits = in.Head, historyDigest(in.History), uint32(len(in.History))
	return err
}

// write writes all sections in the order of sectionTags.
func (a *assembly) write(ctx context.Context, to sink) error {
	w := newFileWriter(to)
	if err := a.writeFiles(w); err != nil {
		return err
	}
	t := a.terms
	w.section(secTermIdx, t.dict.index, 0)
	w.section(secTerms, t.dict.terms, t.dict.raw)
	w.section(secPostings, t.post, t.raw*16)
	if err := a.writeEntries(ctx, w); err != nil {
		return err
	}
	h := &a.head
	h.chunker, h.tokenizer = parserVersion, token.Version
	h.files, h.entries, h.terms = uint32(len(a.docs)), uint32(len(a.entries)), t.dict.n
	for i := range a.docs {
		for f, n := range a.docs[i].lens {
			h.lens[f] += uint64(n)
		}
	}
	return w.finish(h)
}

// writeFiles writes FILE, PATH, STRS and TARG.
func (a *assembly) writeFiles(w *fileWriter) error {
	names, strs, err := a.strings()
	if err != nil {
		return err
	}
	var files, paths, targets []byte
	last := 0
	for i := range a.docs {
		d := &a.docs[i]
		f := &d.file
		row := fileRow{path: uint32(len(paths)), lang: names[f.Language], role: names[string(f.Role)], skip: names[f.Skipped],
			entry: noEntry, size: uint64(f.Size), lens: d.lens, sha: d.sha}
		if d.ent != nil {
			row.entry = uint32(d.ent.id)
		}
		files = row.append(files)
		paths = append(paths, f.Path...)
		if target := indexedTarget(f); target != "" {
			targets = binary.AppendUvarint(targets, uint64(i-last))
			targets = appendString(targets, target)
			last = i
		}
	}
	if len(paths) > math.MaxUint32 {
		return errTooLarge("paths")
	}
	w.section(secFiles, files, 0)
	w.section(secPaths, paths, 0)
	w.section(secStrings, strs, 0)
	w.section(secTargets, targets, 0)
	return nil
}

// strings numbers the languages, roles and reasons, sorted.
func (a *assembly) strings() (map[string]uint16, []byte, error) {
	ids := map[string]uint16{}
	for i := range a.docs {
		f := &a.docs[i].file
		ids[f.Language], ids[string(f.Role)], ids[f.Skipped] = 0, 0, 0
	}
	var list []string
	for s := range ids {
		list = append(list, s)
	}
	if len(list) > math.MaxUint16 {
		return nil, nil, errTooLarge("languages")
	}
	slices.Sort(list)
	var b []byte
	for i, s := range list {
		ids[s] = uint16(i)
		b = appendString(b, s)
	}
	return ids, b, nil
}

// writeEntries writes ENTR, CHNK, the links, the history and CONT.
func (a *assembly) writeEntries(ctx context.Context, w *fileWriter) error {
	repeats, raw, err := a.writeEntryTable(w)
	if err != nil {
		return err
	}
	w.begin(secChunks)
	for _, e := range a.entries {
		blob, _, err := e.load()
		if err != nil {
			return err
		}
		w.Write(blob)
	}
	w.end(0)
	for i, tag := range []string{secForward, secBackward, secRank} {
		w.section(tag, a.links[i], 0)
	}
	for i, tag := range graphTags {
		w.section(tag, a.graphs[i], 0)
	}
	for i, tag := range []string{secCommits, secHistStr, secFileHist} {
		w.section(tag, a.history[i], 0)
	}
	w.begin(secContent)
	for i, e := range a.entries {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if repeats[i] {
			continue
		}
		_, block, err := e.load()
		if err != nil {
			return err
		}
		w.Write(block)
	}
	w.end(raw)
	return w.err
}

// writeEntryTable writes ENTR. Entries with equal content, which differ in
// language or extension, share its block: repeats tells all but the first of
// them. raw is the length of all blocks' contents.
func (a *assembly) writeEntryTable(w *fileWriter) (repeats []bool, raw uint64, err error) {
	var table []byte
	blocks := make(map[[32]byte]uint64, len(a.entries))
	repeats = make([]bool, len(a.entries))
	var chunkOff, contentOff uint64
	for i, e := range a.entries {
		blob, block, err := e.load()
		if err != nil {
			return nil, 0, err
		}
		sha := a.docs[a.first[i]].sha
		off, ok := blocks[sha]
		if repeats[i] = ok; !ok {
			off = contentOff
			blocks[sha] = off
			contentOff += uint64(len(block))
			raw += uint64(e.raw)
		}
		row := entryRow{a.first[i], e.raw, chunkOff, uint32(len(blob)), uint32(len(block)), off}
		table = row.append(table)
		chunkOff += uint64(len(blob))
	}
	w.section(secEntries, table, 0)
	return repeats, raw, nil
}
