package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// stdio carries messages as lines over a pair of streams. Unlike the SDK's it
// answers a line that is no message with an error and continues, and when the
// input ends it waits for the running calls: a file of
// requests may be piped in.
type stdio struct {
	in  io.Reader
	out io.Writer
}

// Connect implements [mcp.Transport].
func (t stdio) Connect(ctx context.Context) (mcp.Connection, error) {
	c := &stdioConn{out: t.out, got: make(chan received), closed: make(chan struct{}), idle: make(chan struct{}, 1), open: map[any]bool{}}
	go c.read(bufio.NewReaderSize(t.in, 64<<10))
	return c, nil
}

type received struct {
	msg jsonrpc.Message
	err error
}

type stdioConn struct {
	got    chan received
	closed chan struct{}
	once   sync.Once

	writing sync.Mutex
	out     io.Writer

	mu   sync.Mutex
	open map[any]bool  // ids of the calls that are not answered
	idle chan struct{} // signalled when open becomes empty
}

// SessionID implements [mcp.Connection]; there is one client.
func (c *stdioConn) SessionID() string { return "" }

// Close implements [mcp.Connection]. The streams are the caller's.
func (c *stdioConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// read sends what comes in to Read, until the input ends or nobody listens.
func (c *stdioConn) read(in *bufio.Reader) {
	for {
		line, err := readLine(in, maxMessage)
		var r received
		switch {
		case errors.Is(err, errLongLine):
			c.reject(jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message is longer than %d bytes", maxMessage))
			continue
		case err != nil:
			r.err = err
		case len(bytes.TrimSpace(line)) == 0:
			continue
		default:
			msg, code, err := decode(line)
			if err != nil {
				c.reject(code, err.Error())
				continue
			}
			r.msg = msg
		}
		select {
		case c.got <- r:
		case <-c.closed:
			return
		}
		if r.err != nil {
			return
		}
	}
}

// decode reads one message. The code is that of the error.
func decode(line []byte) (msg jsonrpc.Message, code int64, err error) {
	defer func() {
		if p := recover(); p != nil { // a decoder that is not ours
			msg, code, err = nil, jsonrpc.CodeInvalidRequest, fmt.Errorf("the message cannot be read: %v", p)
		}
	}()
	if trimmed := bytes.TrimSpace(line); trimmed[0] != '{' {
		return nil, jsonrpc.CodeParseError, errors.New("expected one JSON object a line")
	}
	msg, err = jsonrpc.DecodeMessage(line)
	if err != nil {
		return nil, jsonrpc.CodeParseError, fmt.Errorf("the line is no JSON-RPC message: %w", err)
	}
	return msg, 0, nil
}

// reject answers what has no id that is known.
func (c *stdioConn) reject(code int64, why string) {
	message, err := json.Marshal(why)
	if err != nil {
		return // strings have JSON
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	// An error here shows again when the next answer is written.
	_, _ = fmt.Fprintf(c.out, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%s}}`+"\n", code, message)
}

// Read implements [mcp.Connection].
func (c *stdioConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case r := <-c.got:
		if r.err != nil {
			c.drain(ctx)
			return nil, r.err
		}
		c.note(r.msg)
		return r.msg, nil
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// note keeps count of the calls that want an answer.
func (c *stdioConn) note(msg jsonrpc.Message) {
	req, ok := msg.(*jsonrpc.Request)
	if !ok {
		return
	}
	if req.IsCall() {
		c.mu.Lock()
		c.open[req.ID.Raw()] = true
		c.mu.Unlock()
		return
	}
	var cancelled struct {
		RequestID any `json:"requestId"`
	}
	if req.Method == "notifications/cancelled" && json.Unmarshal(req.Params, &cancelled) == nil {
		if id, err := jsonrpc.MakeID(cancelled.RequestID); err == nil {
			c.answered(id)
		}
	}
}

// answered forgets a call.
func (c *stdioConn) answered(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, id.Raw())
	if len(c.open) > 0 {
		return
	}
	select {
	case c.idle <- struct{}{}:
	default:
	}
}

// drain waits until every call is answered, and no longer than a call may take.
func (c *stdioConn) drain(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	for {
		c.mu.Lock()
		n := len(c.open)
		c.mu.Unlock()
		if n == 0 {
			return
		}
		select {
		case <-c.idle:
		case <-c.closed:
			return
		case <-ctx.Done():
			return
		}
	}
}

// Write implements [mcp.Connection].
func (c *stdioConn) Write(_ context.Context, msg jsonrpc.Message) error {
	b, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	c.writing.Lock()
	_, err = c.out.Write(append(b, '\n'))
	c.writing.Unlock()
	if res, ok := msg.(*jsonrpc.Response); ok {
		c.answered(res.ID)
	}
	return err
}

var errLongLine = errors.New("the line is too long")

// readLine reads a line of at most limit bytes. A longer one is passed over and
// is errLongLine. The last line may lack its end.
func readLine(in *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > limit; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case long:
			return nil, errLongLine
		case err == io.EOF && len(line) > 0:
			return line, nil
		}
		return line, err
	}
}
