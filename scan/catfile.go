package scan

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// catFile is a running git cat-file --batch, which serves any number of blobs
// from one process. It is not safe for concurrent use, but one goroutine may
// ask while another reads.
type catFile struct {
	ctx  context.Context
	dir  string
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs *tail
}

func startCatFile(ctx context.Context, dir string) (*catFile, error) {
	cmd, errs, err := gitCommand(ctx, dir, "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, gitFailed(ctx, dir, err, errs)
	}
	return &catFile{ctx, dir, cmd, in, bufio.NewReaderSize(out, 1<<16), errs}, nil
}

// request requests a blob by its id.
func (c *catFile) request(id string) error {
	_, err := io.WriteString(c.in, id+"\n")
	return err
}

// read appends the next blob asked for to buf[:0]. The error is [ErrMissing]
// when the clone does not have it and [ErrTooLarge], with the content skipped,
// when it is over limit; any other error ends the use of c.
func (c *catFile) read(buf []byte, limit int64) ([]byte, error) {
	line, err := c.out.ReadSlice('\n')
	if err != nil {
		return buf[:0], c.failed(err)
	}
	fields := strings.Fields(string(line))
	if len(fields) >= 2 && fields[len(fields)-1] == "missing" {
		return buf[:0], ErrMissing
	}
	if len(fields) != 3 {
		return buf[:0], c.failed(fmt.Errorf("git cat-file: unexpected answer %q", line))
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 {
		return buf[:0], c.failed(fmt.Errorf("git cat-file: unexpected size in %q", line))
	}
	if size > limit {
		if _, err := io.CopyN(io.Discard, c.out, size+1); err != nil {
			return buf[:0], c.failed(err)
		}
		return buf[:0], ErrTooLarge
	}
	buf = grow(buf, int(size))
	if _, err = io.ReadFull(c.out, buf); err == nil {
		_, err = c.out.Discard(1)
	}
	if err != nil {
		return buf[:0], c.failed(err)
	}
	return buf, nil
}

func grow(buf []byte, n int) []byte {
	if cap(buf) < n {
		return make([]byte, n)
	}
	return buf[:n]
}

func (c *catFile) failed(err error) error { return gitFailed(c.ctx, c.dir, err, c.errs) }

// Close ends the process.
func (c *catFile) Close() error {
	_ = c.in.Close()
	_, _ = io.Copy(io.Discard, c.out)
	if err := c.cmd.Wait(); err != nil {
		return c.failed(err)
	}
	return nil
}
