package scan

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Commit is one commit of the history.
type Commit struct {
	ID      string   // full, hex
	Time    int64    // of the committer, Unix seconds
	Author  string   // name as recorded
	Subject string   // first paragraph on one line
	Body    string   // the rest of the message, at most MaxBody bytes
	Files   []string // paths it changed, relative to the root; none for a merge
}

// MaxBody is how many bytes of a commit message's body are kept. The length of
// a message is the author's choice, and no signal needs more.
const MaxBody = 16 << 10

// logFormat puts an empty field before each commit. No path is empty, so the
// list of files of a commit ends where the next commit starts.
const logFormat = "--format=tformat:%x00%H%x00%ct%x00%an%x00%s%x00%b%x00"

// History lists the commits reachable from rev (empty is HEAD), newest first,
// at most max of them (0 is all), with the files below root that each changed.
// It is nil outside git and in a repository without commits. A merge is listed
// without files, since its branches carry the changes; the oldest commits of a
// shallow clone also are, since their parents are unknown. In a clone that
// lacks trees the list ends where they do.
func History(ctx context.Context, root, rev string, max int) ([]Commit, error) {
	return HistoryFrom(ctx, root, rev, max, nil)
}

// HistoryFrom is [History] for a caller that knows some of the commits, in any
// order: git is asked for the others only. What is known of a commit is taken as
// it is, so it must come from the same root.
func HistoryFrom(ctx context.Context, root, rev string, max int, known []Commit) ([]Commit, error) {
	root, err := resolveRoot(root)
	if err != nil {
		return nil, err
	}
	repo, ok := discover(root)
	if !ok {
		return nil, nil
	}
	if rev == "" {
		if repo.head() == "" && !repo.reftable() {
			return nil, nil
		}
		rev = "HEAD"
	}
	id, err := resolveRev(ctx, root, rev)
	if err != nil {
		return nil, err
	}
	// Below a folder, which commits count needs their trees: as expensive as the log.
	// In a clone that is cut off, what is known may have been cut off elsewhere.
	if len(known) == 0 || repo.prefix != "" || repo.partial() || len(repo.shallow()) > 0 {
		return readLog(ctx, root, repo, "", logArgs(repo, id, max))
	}
	return extend(ctx, root, repo, id, max, known)
}

// extend lists the ids and reads the commits that are not known.
func extend(ctx context.Context, root string, repo gitRepo, id string, max int, known []Commit) ([]Commit, error) {
	args := []string{"rev-list"}
	if max > 0 {
		args = append(args, "-n", strconv.Itoa(max))
	}
	out, err := gitOutput(ctx, root, append(args, id, "--")...)
	if err != nil {
		return nil, err
	}
	ids := strings.Fields(string(out))
	at := make(map[string]*Commit, len(known))
	for i := range known {
		at[known[i].ID] = &known[i]
	}
	var missing strings.Builder
	n := 0
	for _, id := range ids {
		if at[id] == nil {
			missing.WriteString(id + "\n")
			n++
		}
	}
	if n > 0 {
		fresh, err := readLog(ctx, root, repo, missing.String(), logArgs(repo, "", 0))
		if err != nil {
			return nil, err
		}
		for i := range fresh {
			at[fresh[i].ID] = &fresh[i]
		}
	}
	commits := make([]Commit, 0, len(ids))
	for _, id := range ids {
		c := at[id]
		if c == nil {
			return nil, &Error{Reason: ErrGit, Where: root, Err: errors.New("git log did not list commit " + id), Advice: "check the repository with git fsck"}
		}
		commits = append(commits, *c)
	}
	return commits, nil
}

// readLog runs git log, with ids to show on its input where it is asked to take
// them from there.
func readLog(ctx context.Context, root string, repo gitRepo, ids string, args []string) ([]Commit, error) {
	cmd, errs, err := gitCommand(ctx, root, args...)
	if err != nil {
		return nil, err
	}
	cmd.Stdin = strings.NewReader(ids)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, gitFailed(ctx, root, err, errs)
	}
	commits, perr := parseLog(out, repo.shallow())
	_, _ = io.Copy(io.Discard, out)
	switch err := cmd.Wait(); {
	case err != nil && len(commits) > 0 && repo.partial() && ctx.Err() == nil:
		return commits, nil
	case err != nil:
		return nil, gitFailed(ctx, root, err, errs)
	case perr != nil:
		return nil, &Error{Reason: ErrGit, Where: root, Err: perr, Advice: "check the repository with git fsck"}
	}
	return commits, nil
}

// logArgs asks for the history of a commit, or for just the commits on git's
// input where there is none.
func logArgs(repo gitRepo, id string, max int) []string {
	args := []string{"log", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv",
		"--no-color", "--no-decorate", "--no-notes", "--encoding=UTF-8", logFormat}
	if id == "" {
		return append(args, "--no-walk=unsorted", "--stdin", "--")
	}
	if max > 0 {
		args = append(args, "-n", strconv.Itoa(max))
	}
	if repo.prefix != "" {
		return append(args, "--relative", id, "--", ".")
	}
	return append(args, id, "--")
}

// parseLog reads the output of git log in logFormat. The files of the commits
// in shallow are dropped.
func parseLog(r io.Reader, shallow map[string]bool) ([]Commit, error) {
	p := logParser{br: bufio.NewReaderSize(r, 1<<16), names: map[string]string{}}
	var commits []Commit
	tok, err := p.token(0)
	for err == nil {
		if len(tok) != 0 {
			return commits, errors.New("git log: a commit does not start with an empty field")
		}
		var c Commit
		if c, err = p.header(); err != nil {
			break
		}
		for {
			if tok, err = p.token(0); err != nil || len(tok) == 0 {
				break
			}
			if len(c.Files) == 0 && tok[0] == '\n' {
				tok = tok[1:]
			}
			c.Files = append(c.Files, p.intern(tok))
		}
		if shallow[c.ID] {
			c.Files = nil
		}
		commits = append(commits, c)
	}
	if err == io.EOF {
		err = nil
	}
	return commits, err
}

type logParser struct {
	br    *bufio.Reader
	buf   []byte
	names map[string]string
}

// header reads the fields of a commit and the end of its message.
func (p *logParser) header() (c Commit, err error) {
	var when string
	fields := []struct {
		to    *string
		limit int
	}{{&c.ID, 0}, {&when, 0}, {&c.Author, MaxBody}, {&c.Subject, MaxBody}, {&c.Body, MaxBody}}
	for _, f := range fields {
		tok, terr := p.token(f.limit)
		if terr != nil {
			return c, errCut
		}
		*f.to = strings.ToValidUTF8(string(tok), "\uFFFD")
	}
	if tok, terr := p.token(0); terr != nil || len(tok) != 0 {
		return c, errCut
	}
	if len(c.ID) != 40 && len(c.ID) != 64 {
		return c, errors.New("git log: not a commit id: " + strconv.Quote(c.ID))
	}
	c.Body = strings.TrimRight(c.Body, "\n")
	c.Time, err = strconv.ParseInt(when, 10, 64)
	return c, err
}

var errCut = errors.New("git log: cut short inside a commit")

// token reads up to the next NUL and keeps at most limit bytes, 0 being
// maxToken. The result is valid until the next call. At the end of the input it
// is io.EOF, also when the last token has no NUL.
func (p *logParser) token(limit int) ([]byte, error) {
	const maxToken = 64 << 10 // far above any path that a system takes
	if limit == 0 {
		limit = maxToken
	}
	p.buf = p.buf[:0]
	for {
		part, err := p.br.ReadSlice(0)
		if err == nil {
			part = part[:len(part)-1]
		}
		p.buf = append(p.buf, part[:min(len(part), max(0, limit-len(p.buf)))]...)
		switch err {
		case nil:
			return p.buf, nil
		case bufio.ErrBufferFull:
		default:
			return nil, err
		}
	}
}

// intern gives equal paths one string: a history names the same few files over
// and over.
func (p *logParser) intern(b []byte) string {
	if s, ok := p.names[string(b)]; ok {
		return s
	}
	s := string(b)
	p.names[s] = s
	return s
}

// shallow is the set of commits whose parents this clone does not have.
func (g gitRepo) shallow() map[string]bool {
	data, err := readBounded(filepath.Join(g.commonDir, "shallow"), 16<<20)
	if err != nil {
		return nil
	}
	set := map[string]bool{}
	for _, id := range strings.Fields(string(data)) {
		set[id] = true
	}
	return set
}

// readBounded reads a regular file of at most limit bytes. It opens without
// blocking, since the path may be a pipe.
func readBounded(name string, limit int64) ([]byte, error) {
	st, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, &os.PathError{Op: "read", Path: name, Err: ErrNotRegular}
	}
	f, err := os.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = &os.PathError{Op: "read", Path: name, Err: ErrTooLarge}
	}
	return data, err
}
