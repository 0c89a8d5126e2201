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

// lsTree lists the files of a commit below the root, sorted by path.
func lsTree(ctx context.Context, root string, repo gitRepo, commit string) ([]blob, error) {
	args := []string{"ls-tree", "-r", "-z", "--full-tree", commit + ":" + repo.prefix}
	partial := repo.partial()
	if !partial {
		args = append(args[:4:4], "-l", args[4])
	}
	out, err := gitOutput(ctx, root, args...)
	if err != nil {
		if repo.prefix != "" && !errors.Is(err, ErrNoGit) && ctx.Err() == nil {
			return nil, &Error{Reason: ErrNoRoot, Where: root, Advice: "choose a revision that has this directory", Err: err}
		}
		return nil, err
	}
	list, err := parseTree(out)
	if err == nil && partial {
		err = presentSizes(ctx, root, commit, list)
	}
	return list, err
}

// presentSizes finds the sizes in a clone that lacks objects. Asking for the
// size of a missing one makes git try to fetch it, whatever the settings say,
// and give up when it may not; so the missing ones are found first, by the one
// command that is made for it.
func presentSizes(ctx context.Context, root, commit string, list []blob) error {
	out, err := gitOutput(ctx, root, "rev-list", "--objects", "--no-walk", "--missing=print", commit)
	if err != nil {
		return err
	}
	missing := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if id, ok := strings.CutPrefix(line, "?"); ok {
			missing[strings.TrimSpace(id)] = true
		}
	}
	var ask strings.Builder
	for _, b := range list {
		if !missing[b.id] && b.mode&modeType != modeGitlink {
			ask.WriteString(b.id + "\n")
		}
	}
	out, err = gitFilter(ctx, root, ask.String(), "cat-file", "--batch-check=%(objectname) %(objectsize)")
	if err != nil {
		return err
	}
	sizes := map[string]int64{}
	for line := range strings.Lines(string(out)) {
		id, size, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.ParseInt(size, 10, 64); err == nil {
			sizes[id] = n
		}
	}
	for i := range list {
		if n, ok := sizes[list[i].id]; ok {
			list[i].size = n
		}
	}
	return nil
}

// parseTree reads "mode type id size\tpath\0" records; the size may be left out.
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
		if !ok || len(f) != 3 && len(f) != 4 || len(path) == 0 {
			return nil, errors.New("git ls-tree: unexpected record " + strconv.Quote(string(rec)))
		}
		mode, err := strconv.ParseUint(string(f[0]), 8, 32)
		if err != nil {
			return nil, errors.New("git ls-tree: unexpected mode " + strconv.Quote(string(f[0])))
		}
		size := int64(-1)
		if len(f) == 4 {
			if size, err = strconv.ParseInt(string(f[3]), 10, 64); err != nil {
				size = -1 // "-" for a submodule, "BAD" for a missing blob
			}
		}
		blobs = append(blobs, blob{string(path), string(f[2]), uint32(mode), size})
	}
	return blobs, nil
}
