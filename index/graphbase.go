package index

import "github.com/topo-dev/topo/chunk"

// GraphBase is the index that is brought up to date, as far as its graph was
// made by the same builder from files of the same paths, languages and roles.
type GraphBase struct {
	Index *Index
	// Same tells of each file, by its number, which is the same in both, whether
	// its content is as it was.
	Same []bool
}

// Load decodes what the base keeps of file i, as [GraphFile.Load] does.
func (b *GraphBase) Load(i int) (chunks []chunk.Chunk, imports []chunk.ImportRef, facts []byte, err error) {
	x := b.Index
	if chunks, err = x.Chunks(i); err != nil {
		return nil, nil, nil, err
	}
	if imports, err = x.Imports(i); err != nil {
		return nil, nil, nil, err
	}
	facts, err = x.Facts(i)
	return chunks, imports, facts, err
}

// Coded is what the index keeps of the file's content in its coded form: names,
// types and chains are in it as they are. Empty for a file whose content is
// not used. It must not be changed, nor used after the build.
func (f *GraphFile) Coded() ([]byte, error) {
	if f.ent == nil {
		return nil, nil
	}
	blob, _, err := f.ent.load()
	return blob, err
}

// graphBase is the base for a builder of that version, nil when it cannot serve.
func (p *plan) graphBase(version uint32) (*GraphBase, error) {
	x := p.base
	if x == nil || version == 0 || x.head.grapher != version || p.removed != 0 || x.NumFiles() != len(p.docs) {
		return nil, nil
	}
	b := &GraphBase{x, make([]bool, len(p.docs))}
	for i := range p.docs { // the same number of files and none gone: the paths are the same
		d := &p.docs[i]
		row, err := x.fileRow(i)
		if err != nil {
			return nil, err
		}
		language, err := x.str(row.lang)
		if err != nil {
			return nil, err
		}
		role, err := x.str(row.role)
		if err != nil {
			return nil, err
		}
		if language != d.file.Language || role != string(d.file.Role) || (row.entry != noEntry) != (d.ent != nil) {
			return nil, nil
		}
		b.Same[i] = d.old == i
	}
	return b, nil
}
