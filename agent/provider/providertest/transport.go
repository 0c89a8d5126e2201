package providertest

import (
	"context"
	"io"
	"net/http"
	"sync"
	"syscall"
)

// Transport reaches the server in memory, without a socket. A test that runs in
// a bubble of testing/synctest can thus let time pass, and is told of every
// goroutine left behind.
func (s *Server) Transport() http.RoundTripper { return transport{s} }

type transport struct{ s *Server }

// RoundTrip runs the handler in a goroutine of its own and returns once it has
// sent a head.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	pr, pw := io.Pipe()
	w := &pipeWriter{header: http.Header{}, body: pw, head: make(chan struct{}), status: http.StatusOK}
	ctx, cancel := context.WithCancel(r.Context())
	req := r.Clone(ctx)
	if req.Body == nil {
		req.Body = http.NoBody
	}
	go func() {
		t.s.ServeHTTP(w, req)
		w.WriteHeader(http.StatusOK)
		_ = pw.Close()
	}()
	// A reader that waits sees the end of its request, and a server that waits
	// the end of its reader.
	stop := context.AfterFunc(ctx, func() { _ = pw.CloseWithError(context.Canceled) })
	body := &pipeBody{PipeReader: pr, cancel: func() { stop(); cancel() }}
	select {
	case <-w.head:
		return &http.Response{StatusCode: w.status, Status: http.StatusText(w.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: w.sent, Body: body, Request: r, ContentLength: -1}, nil
	case <-r.Context().Done():
		_ = body.Close()
		return nil, r.Context().Err()
	}
}

type pipeBody struct {
	*io.PipeReader
	cancel func()
}

func (b *pipeBody) Close() error {
	b.cancel()
	return b.PipeReader.Close()
}

type pipeWriter struct {
	header, sent http.Header
	body         *io.PipeWriter
	head         chan struct{}
	once         sync.Once
	status       int
}

func (w *pipeWriter) Header() http.Header { return w.header }

func (w *pipeWriter) WriteHeader(status int) {
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.head)
	})
}

func (w *pipeWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(b)
}

func (w *pipeWriter) Flush() { w.WriteHeader(http.StatusOK) }

func (w *pipeWriter) reset() { _ = w.body.CloseWithError(syscall.ECONNRESET) }
