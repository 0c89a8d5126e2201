package scan

import (
	"context"
	"strconv"
	"strings"

	"github.com/topo-dev/topo/stream"
)

// Range says which two states of a repository are compared.
type Range struct {
	From   string // a commit; empty is HEAD
	To     string // a commit; empty is the working tree
	Staged bool   // what is staged, instead of the working tree
	Fork   bool   // from where To, or HEAD, forked off From
}

// ParseRange reads a range as git writes it: "A" compares commit A with the
// working tree, "A..B" with commit B, "A...B" what B has since it forked off A.
// A side that is left out is HEAD.
func ParseRange(spec string) Range {
	from, to, two := strings.Cut(spec, "..")
	if !two {
		return Range{From: spec}
	}
	to, three := strings.CutPrefix(to, ".")
	if to == "" {
		to = "HEAD"
	}
	return Range{From: from, To: to, Fork: three}
}

// String is the range as it is given on a command line.
func (r Range) String() string {
	from := r.From
	if from == "" {
		from = "HEAD"
	}
	switch {
	case r.To != "" && r.Fork:
		return from + "..." + r.To
	case r.To != "":
		return from + ".." + r.To
	}
	return from
}

// Resolve replaces the names of commits by their full ids, and From by where To
// forked off it when that is what is asked for.
func (r Range) Resolve(ctx context.Context, root string) (Range, error) {
	abs, err := resolveRoot(root)
	if err != nil {
		return r, err
	}
	if _, ok := discover(abs); !ok {
		return r, notRepo(root)
	}
	if r.From == "" {
		r.From = "HEAD"
	}
	name := r.String()
	if r.From, err = resolveRev(ctx, abs, r.From); err != nil {
		return r, err
	}
	if r.To != "" {
		if r.To, err = resolveRev(ctx, abs, r.To); err != nil {
			return r, err
		}
	}
	if r.Fork {
		r.Fork = false
		other := r.To
		if other == "" {
			other = "HEAD"
		}
		out, err := gitOutput(ctx, abs, "merge-base", r.From, other)
		id := strings.TrimSpace(string(out))
		if err != nil || !isID(id) {
			return r, &Error{Reason: ErrUnknownRev, Where: name, Advice: "the two have no commit in common; compare them with two dots", Err: err}
		}
		r.From = id
	}
	return r, nil
}

// OpenStaged opens what is staged in the repository at root, as [OpenSource]
// opens a commit.
func OpenStaged(ctx context.Context, root string, maxSize int64) (*Source, error) {
	abs, err := resolveRoot(root)
	if err != nil {
		return nil, err
	}
	if _, ok := discover(abs); !ok {
		return nil, notRepo(root)
	}
	if maxSize <= 0 {
		maxSize = DefaultMaxFileSize
	}
	out, err := gitOutput(ctx, abs, "ls-files", "-z", "--stage", "--", ".")
	if err != nil {
		return nil, err
	}
	s := &Source{max: maxSize, blobs: map[string]blob{}}
	for _, line := range strings.Split(string(out), "\x00") {
		b, ok := stagedBlob(line)
		if ok && stream.CheckPath(b.path) == nil {
			s.blobs[b.path] = b
		}
	}
	s.cat, err = startCatFile(ctx, abs)
	return s, err
}

// stagedBlob reads "mode id stage\tpath". It holds no size; that of the
// content is checked when it is read.
func stagedBlob(line string) (b blob, ok bool) {
	head, path, ok := strings.Cut(line, "\t")
	f := strings.Fields(head)
	if !ok || len(f) != 3 || f[2] != "0" || !isID(f[1]) {
		return b, false
	}
	mode, err := strconv.ParseUint(f[0], 8, 32)
	return blob{path: path, id: f[1], mode: uint32(mode)}, err == nil
}
