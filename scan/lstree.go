package scan

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"
)

// blob is one entry of a commit's tree.
type blob struct {
	path string // relative to the root
	id   string
	mode uint32
	size int64 // -1 when the clone does not have it, or for a submodule
}

// Modes of a tree entry and of an entry of git's index.
const (
	modeType    = 0o170000
	modeRegular = 0o100000
	modeLink    = 0o120000
	modeGitlink = 0o160000
)

// resolveRev gives the full id of the commit that rev names.
func resolveRev(ctx context.Context, root, rev string) (string, error) {
	unknown := &Error{Reason: ErrUnknownRev, Where: rev, Advice: "give a commit, branch or tag of this repository; git log shows them (a shallow clone lacks the older ones)"}
	if rev == "" || rev[0] == '-' || strings.ContainsAny(rev, "\x00\n") {
		return "", unknown
	}
	out, err := gitOutput(ctx, root, "rev-parse", "--verify", "--quiet", rev+"^{commit}")
	if err != nil {
		if e := (*Error)(nil); errors.As(err, &e) && e.Reason == ErrGit && !strings.Contains(e.Error(), "another user") {
			return "", unknown
		}
		return "", err
	}
	id := strings.TrimSpace(string(out))
	if !isID(id) {
		return "", unknown
	}
	return id, nil
}

// lsTree lists the files of a commit below the prefix, sorted by path.
func lsTree(ctx context.Context, root, commit, prefix string) ([]blob, error) {
	out, err := gitOutput(ctx, root, "ls-tree", "-r", "-z", "-l", "--full-tree", commit+":"+prefix)
	if err != nil {
		if prefix != "" && !errors.Is(err, ErrNoGit) && ctx.Err() == nil {
			return nil, &Error{Reason: ErrNoRoot, Where: root, Advice: "choose a revision that has this directory", Err: err}
		}
		return nil, err
	}
	return parseTree(out)
}

// parseTree reads "mode type id size\tpath\0" records.
func parseTree(out []byte) ([]blob, error) {
	blobs := make([]blob, 0, bytes.Count(out, []byte{0}))
	for len(out) > 0 {
		rec, rest, ok := bytes.Cut(out, []byte{0})
		if !ok {
			return nil, errors.New("git ls-tree: cut short")
		}
		out = rest
		meta, path, ok := bytes.Cut(rec, []byte{'\t'})
		f := bytes.Fields(meta)
		if !ok || len(f) != 4 || len(path) == 0 {
			return nil, errors.New("git ls-tree: unexpected record " + strconv.Quote(string(rec)))
		}
		mode, err := strconv.ParseUint(string(f[0]), 8, 32)
		if err != nil {
			return nil, errors.New("git ls-tree: unexpected mode " + strconv.Quote(string(f[0])))
		}
		size, err := strconv.ParseInt(string(f[3]), 10, 64)
		if err != nil {
			size = -1 // "-" for a submodule, "BAD" for a missing blob
		}
		blobs = append(blobs, blob{string(path), string(f[2]), uint32(mode), size})
	}
	return blobs, nil
}
