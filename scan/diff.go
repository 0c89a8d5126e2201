package scan

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// LineRange is a range of lines, 1-based, both ends included. One that ends
// before it starts lies between two lines: something was taken out there.
type LineRange struct{ Start, End int }

// FileDiff is one file that differs between two states of a repository. A file
// whose content cannot be compared by lines has no ranges.
type FileDiff struct {
	Path           string // relative to the root
	From           string // the path before, of a renamed file; else empty
	Added, Deleted bool
	Mode           bool        // it may be run now, or no more
	Old, New       []LineRange // lines that changed, before and after
}

// allLines is the range of a whole file.
var allLines = LineRange{1, math.MaxInt32}

// Diff lists the files below root that differ between the two states, and the
// lines that changed. Compared with the working tree are also files that git
// does not track yet; ignored ones never are. A file that git finds renamed is
// one that changed. Nothing that the repository says makes git run a program: no
// hooks, filters, external diffs or conversions to text.
func Diff(ctx context.Context, root string, r Range) ([]FileDiff, error) {
	abs, err := resolveRoot(root)
	if err != nil {
		return nil, err
	}
	if r, err = r.Resolve(ctx, root); err != nil {
		return nil, err
	}
	files, err := diffTracked(ctx, abs, r)
	if err != nil || r.To != "" || r.Staged {
		return files, err
	}
	out, err := gitOutput(ctx, abs, "ls-files", "-z", "--others", "--exclude-standard", "--", ".")
	if err != nil {
		return nil, err
	}
	for _, path := range strings.Split(string(out), "\x00") {
		if path != "" && !strings.HasSuffix(path, "/") {
			files = append(files, FileDiff{Path: path, Added: true, New: []LineRange{allLines}})
		}
	}
	return files, nil
}

// maxRenames bounds the files that git compares to find renames: the work grows
// with the square of their number. With more of them it finds exact ones only.
const maxRenames = "-l400"

func diffTracked(ctx context.Context, root string, r Range) ([]FileDiff, error) {
	env, err := withoutFilters(ctx, root)
	if err != nil {
		return nil, err
	}
	args := []string{"diff", "--patch-with-raw", "--no-ext-diff", "--no-textconv", "--no-color", "--find-renames", "--no-rename-empty", maxRenames,
		"--unified=0", "--inter-hunk-context=0", "--ignore-submodules=all", "--src-prefix=a/", "--dst-prefix=b/", "--relative"}
	if r.Staged {
		args = append(args, "--cached")
	}
	if args = append(args, r.From); r.To != "" {
		args = append(args, r.To)
	}
	cmd, errs, err := gitCommand(ctx, root, append(args, "--", ".")...)
	if err != nil {
		return nil, err
	}
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, gitFailed(ctx, root, err, errs)
	}
	files, perr := parseDiff(out)
	_, _ = io.Copy(io.Discard, out)
	if err := cmd.Wait(); err != nil {
		return nil, gitFailed(ctx, root, err, errs)
	}
	if perr != nil {
		return nil, &Error{Reason: ErrGit, Where: root, Err: perr, Advice: "check the repository with git fsck"}
	}
	return files, nil
}

// withoutFilters is an environment that turns off the filters the repository's
// settings name: to compare a file of the working tree git would run them.
func withoutFilters(ctx context.Context, root string) ([]string, error) {
	cmd, errs, err := gitCommand(ctx, root, "config", "-z", "--name-only", "--get-regexp", `^filter\.`)
	if err != nil {
		return nil, err
	}
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil, nil // there are none
	} else if err != nil {
		return nil, gitFailed(ctx, root, err, errs)
	}
	env := []string{}
	for _, name := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		value := ""
		if strings.HasSuffix(name, ".required") {
			value = "false"
		}
		n := strconv.Itoa(len(env) / 2)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+name, "GIT_CONFIG_VALUE_"+n+"="+value)
	}
	return append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(len(env)/2)), nil
}

// parseDiff reads the list of the files that differ and a unified diff of them
// without context. A file whose mode alone changed, or that has no lines, is in
// the list only. Lines within a hunk are counted, since their content may look
// like anything.
func parseDiff(r io.Reader) ([]FileDiff, error) {
	br := bufio.NewReaderSize(r, 1<<16)
	d := &diffFiles{at: map[string]int{}, current: -1}
	old := ""
	for {
		line, err := diffLine(br)
		if err == io.EOF {
			return d.files, nil
		} else if err != nil {
			return d.files, err
		}
		switch {
		case strings.HasPrefix(line, ":"):
			err = d.listed(line)
		case strings.HasPrefix(line, "--- "):
			old = diffPath(line[4:], "a/")
		case strings.HasPrefix(line, "+++ "):
			err = d.open(old, diffPath(line[4:], "b/"), line)
		case strings.HasPrefix(line, "@@ "):
			before, after, n, ok := parseHunk(line)
			if !ok || d.current < 0 {
				return d.files, errors.New("git diff: not a hunk: " + strconv.Quote(line))
			}
			f := &d.files[d.current]
			f.Old, f.New = append(f.Old, before), append(f.New, after)
			for range n {
				if _, err := diffLine(br); err != nil {
					return d.files, errors.New("git diff: cut short inside a hunk")
				}
			}
		}
		if err != nil {
			return d.files, err
		}
	}
}

// diffFiles are the files of a diff.
type diffFiles struct {
	files   []FileDiff
	at      map[string]int // by path
	current int            // the one whose hunks follow; -1 for none
}

// listed adds a file of the list: ":mode mode id id status<tab>path", and a second
// path of a renamed file.
func (d *diffFiles) listed(line string) error {
	info, names, ok := strings.Cut(line, "\t")
	f := strings.Fields(info)
	if !ok || len(f) != 5 || f[4] == "" {
		return errors.New("git diff: not a file: " + strconv.Quote(line))
	}
	from, to, renamed := strings.Cut(names, "\t")
	file := FileDiff{Path: diffPath(from, ""), Added: f[4] == "A", Deleted: f[4] == "D"}
	if renamed {
		file.From, file.Path = file.Path, diffPath(to, "")
	}
	if file.Path == "" || renamed && file.From == "" {
		return errors.New("git diff: a file without a path: " + strconv.Quote(line))
	}
	const plain, program = ":100644", "100755"
	file.Mode = f[0] == plain && f[1] == program || f[0] == ":"+program && f[1] == plain[1:]
	if _, twice := d.at[file.Path]; f[4] != "U" && !twice {
		d.add(file)
	}
	return nil
}

func (d *diffFiles) add(f FileDiff) {
	d.current = len(d.files)
	d.at[f.Path] = d.current
	d.files = append(d.files, f)
}

// open begins the hunks of a file; a path is empty on the side that lacks it.
func (d *diffFiles) open(old, now, line string) error {
	path := now
	if path == "" {
		path = old
	}
	if path == "" {
		return errors.New("git diff: a file without a path: " + strconv.Quote(line))
	}
	if i, ok := d.at[path]; ok {
		d.current = i
	} else {
		d.add(FileDiff{Path: path, Added: old == "", Deleted: now == ""})
	}
	return nil
}

// diffLine reads a line and keeps its first bytes: content does not matter.
func diffLine(br *bufio.Reader) (string, error) {
	const keep = 16 << 10
	var line []byte
	for {
		part, err := br.ReadSlice('\n')
		line = append(line, part[:min(len(part), max(0, keep-len(line)))]...)
		switch {
		case err == bufio.ErrBufferFull:
		case err == io.EOF && len(line) > 0, err == nil:
			return strings.TrimSuffix(string(line), "\n"), nil
		default:
			return "", err
		}
	}
}

// diffPath is the path in a header, unquoted; empty for the side that lacks
// the file.
func diffPath(s, prefix string) string {
	s = strings.TrimSuffix(s, "\t") // git ends a path with a space in it so
	if strings.HasPrefix(s, `"`) {
		if u, err := strconv.Unquote(s); err == nil {
			s = u
		}
	}
	if s == os.DevNull {
		return ""
	}
	return strings.TrimPrefix(s, prefix)
}

// parseHunk reads "@@ -a,b +c,d @@"; n is the number of lines that follow.
func parseHunk(line string) (before, after LineRange, n int, ok bool) {
	f := strings.Fields(line)
	if len(f) < 4 || f[0] != "@@" || f[3] != "@@" {
		return before, after, 0, false
	}
	for i, to := range []*LineRange{&before, &after} {
		start, count, hasCount := strings.Cut(f[1+i], ",")
		a, err1 := strconv.Atoi(strings.TrimLeft(start, "+-"))
		c, err2 := 1, error(nil)
		if hasCount {
			c, err2 = strconv.Atoi(count)
		}
		if err1 != nil || err2 != nil || a < 0 || c < 0 || a > math.MaxInt32 || c > math.MaxInt32 {
			return before, after, 0, false
		}
		if c == 0 { // git names the line before the gap
			a++
		}
		*to = LineRange{a, a + c - 1}
		n += c
	}
	return before, after, n, true
}
