package scan

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/topo-dev/topo/stream"
)

func parseMode(meta string) (uint32, error) {
	first, _, _ := strings.Cut(meta, " ")
	mode, err := strconv.ParseUint(first, 8, 32)
	return uint32(mode), err
}

// runRev scans a commit from git's objects. Every file of a commit is tracked,
// so .gitignore does not apply; .topoignore is read from the commit.
func runRev(ctx context.Context, root string, sc scope, o Options) (*Result, error) {
	repo, ok := discover(root)
	if !ok {
		return nil, notRepo(o.Root)
	}
	id, err := resolveRev(ctx, root, o.Rev)
	if err != nil {
		return nil, err
	}
	list, err := lsTree(ctx, root, repo, id)
	if err != nil {
		return nil, err
	}
	if err := sc.checkRevPaths(list, o.Rev); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cat, err := startCatFile(ctx, root)
	if err != nil {
		return nil, err
	}
	list, err = filterTree(list, sc, cat, o)
	if err != nil {
		cancel()
		_ = cat.Close()
		return nil, err
	}
	rd := &reader{max: o.MaxFileSize, progress: o.Progress}
	files, problems, err := readBlobs(ctx, cat, list, rd, o.Workers)
	if err != nil {
		cancel()
	}
	if cerr := cat.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	sortFound(files)
	rd.report()
	res := newResult(files, problems)
	res.Rev = id
	return res, nil
}

// checkRevPaths checks the paths that the caller asked for.
func (sc scope) checkRevPaths(list []blob, rev string) error {
	for _, p := range sc {
		if !slices.ContainsFunc(list, func(b blob) bool { return below(b.path, p) }) {
			return &Error{Reason: ErrNoPath, Where: p, Advice: "give paths that exist at " + rev}
		}
	}
	return nil
}

// filterTree drops the files that .topoignore, Include and Exclude leave out
// and those that were not asked for.
func filterTree(list []blob, sc scope, cat *catFile, o Options) ([]blob, error) {
	ignoreFiles := map[string]string{}
	for _, b := range list {
		dir, name := splitPath(b.path)
		if name == ".topoignore" && b.mode&modeType == modeRegular && b.size >= 0 && b.size <= maxIgnoreFile {
			ignoreFiles[dir] = b.id
		}
	}
	var failed error
	load := func(dir string) *ruleList {
		id, ok := ignoreFiles[dir]
		if !ok || failed != nil {
			return nil
		}
		if failed = cat.request(id); failed != nil {
			return nil
		}
		data, err := cat.read(nil, maxIgnoreFile)
		if err != nil && !errors.Is(err, ErrMissing) {
			failed = err
		}
		return parseIgnore(data, false)
	}
	lv := levels{filter: filter{0, newRules(o.Include, false), newRules(o.Exclude, false)}, load: load, memo: map[string]*level{}}
	kept := list[:0]
	for _, b := range list {
		if sc.covers(b.path) && usablePath(b.path) && lv.admits(b.path, b.mode&modeType == modeGitlink) {
			kept = append(kept, b)
		}
	}
	return kept, failed
}

// loaded is a blob with its content, in a buffer that goes back to its pool.
type loaded struct {
	blob
	content []byte
}

// readBlobs reads the contents through one git process, in order, and has the
// workers look at them.
func readBlobs(ctx context.Context, cat *catFile, list []blob, rd *reader, workers int) ([]found, []Problem, error) {
	work := make(chan loaded, 4*workers)
	pool := &sync.Pool{New: func() any { return new([]byte) }}
	collectors := make([]collector, workers+1)
	var wg sync.WaitGroup
	for i := range collectors {
		c := &collectors[i]
		c.reader = rd
		if i == workers {
			continue // for this goroutine
		}
		wg.Go(func() {
			for l := range work {
				c.blob(l)
				pool.Put(&l.content)
			}
		})
	}
	own := &collectors[workers]
	asked := slices.DeleteFunc(slices.Clone(list), own.addUnread)
	go requestAll(cat, asked)
	err := own.feed(ctx, cat, asked, work, pool)
	close(work)
	wg.Wait()
	var files []found
	var problems []Problem
	for i := range collectors {
		files = append(files, collectors[i].files...)
		problems = append(problems, collectors[i].problems...)
	}
	return files, problems, err
}

// feed reads the blobs that were asked for and hands them to the workers.
func (c *collector) feed(ctx context.Context, cat *catFile, asked []blob, work chan<- loaded, pool *sync.Pool) error {
	for _, b := range asked {
		content, err := cat.read(*pool.Get().(*[]byte), c.reader.max)
		if errors.Is(err, ErrMissing) || errors.Is(err, ErrTooLarge) {
			c.blobSkipped(b, err)
			continue
		}
		if err != nil {
			return err
		}
		select {
		case work <- loaded{b, content}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (c *collector) blob(l loaded) {
	if l.mode&modeType == modeLink {
		c.linkTo(l.path, string(l.content))
	} else {
		c.add(c.content(l.path, l.content), nil)
	}
}

// requestAll requests the blobs while another goroutine reads them. An error here
// is seen there.
func requestAll(cat *catFile, list []blob) {
	var req strings.Builder
	for i, b := range list {
		req.WriteString(b.id)
		req.WriteByte('\n')
		if req.Len() > 16<<10 || i == len(list)-1 {
			if _, err := cat.in.Write([]byte(req.String())); err != nil {
				return
			}
			req.Reset()
		}
	}
}

// addUnread adds an entry whose content is not to be read.
func (c *collector) addUnread(b blob) bool {
	switch {
	case b.mode&modeType == modeGitlink:
		c.submodule(b.path)
	case b.size < 0:
		c.blobSkipped(b, ErrMissing)
	case b.size > c.reader.max:
		c.blobSkipped(b, ErrTooLarge)
	default:
		return false
	}
	return true
}

func (c *collector) blobSkipped(b blob, err error) {
	st := fileStat{size: max(0, b.size)}
	if errors.Is(err, ErrTooLarge) {
		c.skipped(b.path, st, stream.SkipLarge, nil)
	} else {
		c.skipped(b.path, st, stream.SkipMissing, err)
	}
}
