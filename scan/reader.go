package scan

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"sync"
	"sync/atomic"

	"github.com/topo-dev/topo/stream"
)

// reader is what the workers share when they read files.
type reader struct {
	max      int64
	names    bool       // nothing is opened
	cache    *statCache // nil without one
	done     atomic.Int64
	mu       sync.Mutex
	progress func(done int)
}

// progressStep is how many files lie between two reports of progress.
const progressStep = 64

func (r *reader) countFile() {
	n := r.done.Add(1)
	if r.progress != nil && n%progressStep == 0 {
		r.report()
	}
}

func (r *reader) report() {
	if r.progress != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.progress(int(r.done.Load()))
	}
}

// found is a file with what the stat cache needs to know of it.
type found struct {
	stream.File
	stat  fileStat
	sha   [32]byte
	keep  bool // belongs in the stat cache
	fresh bool // was read by this scan
}

// collector gathers the files that one goroutine looks at.
type collector struct {
	reader   *reader
	files    []found
	problems []Problem
	buf      []byte
}

func (c *collector) add(f found, err error) {
	switch f.Skipped {
	case "", stream.SkipSymlink, stream.SkipSubmodule:
	default:
		c.problems = append(c.problems, Problem{Path: f.Path, Why: f.Skipped, Err: err})
	}
	f.Tokens = stream.EstimateTokens(f.Size)
	c.files = append(c.files, f)
	c.reader.countFile()
}

func (c *collector) submodule(path string) {
	c.add(found{File: stream.File{Path: path, Role: stream.RoleOther, Skipped: stream.SkipSubmodule}}, nil)
}

func (c *collector) link(d folder, path, name string) {
	target, err := d.readlink(name)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	c.linkTo(path, target)
}

func (c *collector) linkTo(path, target string) {
	f := found{File: stream.File{Path: path, Size: int64(len(target)), Skipped: stream.SkipSymlink, Target: target}}
	f.Language, f.Role = classify(path, nil)
	c.add(f, nil)
}

// regular looks at a regular file, or at what has taken its place since.
func (c *collector) regular(d folder, path, name string) {
	st, err := d.stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && (st.typ == typeDir || st.typ == typeOther):
		return
	case err == nil && st.typ == typeLink:
		c.link(d, path, name)
		return
	case err != nil:
		c.skipped(path, st, stream.SkipUnreadable, err)
		return
	case st.size > c.reader.max:
		c.skipped(path, st, stream.SkipLarge, nil)
		return
	case c.reader.names:
		c.add(found{File: stream.File{Path: path, Size: st.size}}, nil)
		return
	}
	if r := c.reader.cache.lookup(path, st); r != nil {
		f := found{stat: st, sha: r.sha, keep: true}
		f.File = stream.File{Path: path, Size: st.size, Language: r.language, Role: r.role, Skipped: r.skipped}
		if r.skipped == "" {
			f.Sha256 = hexSum(&r.sha)
		}
		c.add(f, nil)
		return
	}
	content, st, err := d.read(name, c.buf, c.reader.max)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrNotRegular):
		return
	case errors.Is(err, ErrTooLarge):
		c.skipped(path, st, stream.SkipLarge, nil)
	case err != nil:
		c.skipped(path, st, stream.SkipUnreadable, err)
	default:
		c.buf = content
		f := c.content(path, content)
		f.stat, f.keep, f.fresh = st, true, true
		c.add(f, nil)
	}
}

func (c *collector) skipped(path string, st fileStat, why string, err error) {
	f := found{File: stream.File{Path: path, Size: st.size, Skipped: why}}
	f.Language, f.Role = classify(path, nil)
	c.add(f, err)
}

// content says what there is to say of a file's content.
func (c *collector) content(path string, content []byte) found {
	f := found{File: stream.File{Path: path, Size: int64(len(content))}}
	if isBinary(content) {
		f.Skipped = stream.SkipBinary
		f.Language, f.Role = classify(path, nil)
		return f
	}
	f.Language, f.Role = classify(path, head(content))
	f.sha = sha256.Sum256(content)
	f.Sha256 = hexSum(&f.sha)
	return f
}

func hexSum(sum *[32]byte) string {
	var b [64]byte
	hex.Encode(b[:], sum[:])
	return string(b[:])
}
