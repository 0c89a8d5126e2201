package topo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/internal/secret"
	"github.com/topo-dev/topo/render"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/stream"
)

// loader finds the contents and definitions of a tree's files: in the deep
// index when it holds the file with the content that the stream means, else in
// the tree itself.
type loader struct {
	ctx      context.Context
	r        *Repo
	deep     *index.Index
	query    *score.Query // nil when the stream was not scored
	passages *score.Passages
	single   *score.Passages // of the one file singleOf, which the index does not hold
	singleOf string

	showSecrets bool // credentials are not masked
}

// loader opens what there is to read from.
func (r *Repo) loader(ctx context.Context, query string) *loader {
	l := &loader{ctx: ctx, r: r}
	x, err := r.openDeep()
	if err == nil {
		l.deep = x
	} else {
		r.o.Report.detail(fmt.Sprintf("%v; reading the tree instead", err))
	}
	if q, err := score.ParseQuery(query); err == nil {
		l.query = q
	}
	return l
}

// indexed finds f in the deep index, by path and content.
func (l *loader) indexed(f stream.File) (id int, ok bool) {
	if l.deep == nil || f.Skipped != "" {
		return 0, false
	}
	id, ok = l.deep.Lookup(f.Path)
	if !ok {
		return 0, false
	}
	have, err := l.deep.File(id)
	if err != nil || have.Skipped != "" || f.Sha256 != "" && hex.EncodeToString(have.Sha256[:]) != f.Sha256 {
		return 0, false
	}
	return id, true
}

// load fills in what a file is printed with. It is render.Input.Load.
func (l *loader) load(d *render.Doc) error {
	if id, ok := l.indexed(d.File); ok {
		content, err := l.deep.Content(id, nil)
		if err == nil {
			chunks, err := l.deep.Chunks(id)
			if err != nil {
				return fault.Of(fault.Environment, err)
			}
			d.Content, d.Outline = nonNil(content), score.Outline(chunks, content)
			l.mask(d)
			d.Stale = l.r.changed(l.ctx, d.File.Path, content)
			return nil
		}
		l.r.o.Report.detail(fmt.Sprintf("%v; reading the tree instead", err))
	}
	src, err := l.r.source(l.ctx)
	if err != nil {
		return err
	}
	content, err := src.ReadFile(d.File.Path, nil)
	if err != nil {
		if l.ctx.Err() != nil {
			return l.ctx.Err()
		}
		d.Missing = whyMissing(err)
		return nil
	}
	d.Content = nonNil(content)
	if d.File.Sha256 != "" {
		sum := sha256.Sum256(content)
		d.Stale = hex.EncodeToString(sum[:]) != d.File.Sha256
	}
	res := chunk.Parse(l.ctx, d.File.Language, d.File.Path, content)
	d.Outline = score.Outline(res.Chunks, content)
	l.mask(d)
	return l.ctx.Err()
}

// mask replaces the credentials in what was loaded. It takes the whole content: a
// part of a file may not tell that it is of a private key.
func (l *loader) mask(d *render.Doc) {
	if l.showSecrets {
		return
	}
	var content []byte
	if content, d.Masked = secret.Mask(d.Content); d.Masked == 0 {
		return
	}
	d.Content = content
	maskSignatures(d.Outline)
}

// changed reports whether the working tree holds another content than the one
// that was indexed.
func (r *Repo) changed(ctx context.Context, path string, indexed []byte) bool {
	if r.rev != "" || r.o.IndexFile != "" || r.files != nil {
		return false // a commit never changes, and a named index may be of another tree
	}
	src, err := r.source(ctx)
	if err != nil {
		return false
	}
	now, err := src.ReadFile(path, nil)
	return err != nil && errors.Is(err, fs.ErrNotExist) || err == nil && string(now) != string(indexed)
}

func whyMissing(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "the file is gone"
	case errors.Is(err, fs.ErrPermission):
		return "the file cannot be read"
	case errors.Is(err, scan.ErrTooLarge):
		return "the file is too large"
	case errors.Is(err, scan.ErrMissing):
		return "the content is not in this clone"
	}
	return "the file cannot be read"
}

// best lists the definitions of f, most relevant first. It is
// score.Selection.Chunks.
func (l *loader) best(f stream.File) ([]stream.Chunk, error) {
	if l.query == nil {
		d := render.Doc{File: f}
		if err := l.load(&d); err != nil {
			return nil, err
		}
		return d.Outline, nil
	}
	p, err := l.passagesOf(f)
	if err != nil {
		return nil, err
	}
	return p.Of(f)
}

// windows cuts f, or a chunk of it, into windows of lines. It is
// score.Selection.Windows.
func (l *loader) windows(f stream.File, within stream.Chunk, size int) ([]stream.Chunk, error) {
	if l.query == nil {
		d := render.Doc{File: f}
		if err := l.load(&d); err != nil {
			return nil, err
		}
		return score.Beginning(d.Content, within, size), nil
	}
	p, err := l.passagesOf(f)
	if err != nil {
		return nil, err
	}
	return p.Windows(f, within, size)
}

// passagesOf ranks what is in f: in the index when it holds f, else in the tree.
func (l *loader) passagesOf(f stream.File) (*score.Passages, error) {
	if _, ok := l.indexed(f); ok {
		if l.passages == nil {
			p, err := score.NewPassages(&score.Deep{Index: l.deep}, l.query)
			if err != nil {
				return nil, fault.Of(fault.Environment, err)
			}
			l.passages = p
		}
		return l.passages, nil
	}
	if l.single != nil && l.singleOf == f.Path {
		return l.single, nil
	}
	// A corpus of this one file: every term weighs alike in it.
	c, err := l.r.lexical(l.ctx, []stream.File{f}, l.query)
	if err != nil {
		return nil, err
	}
	p, err := score.NewPassages(c, l.query)
	if err != nil {
		return nil, fmt.Errorf("definitions of %s: %w", f.Path, err)
	}
	l.single, l.singleOf = p, f.Path
	return p, nil
}

// nonNil tells an empty file from one that was not loaded.
func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
