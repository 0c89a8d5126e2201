package embed

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// QdrantOptions is how a Qdrant server is reached.
type QdrantOptions struct {
	// Host is "localhost", "host:6334", or an address with a scheme; https
	// asks for TLS. The port is that of gRPC.
	Host  string
	Key   string // empty for none
	Model string // whose vectors these are; points of others are never seen
	// Prefix goes before the names of the collections.
	Prefix  string
	Proxy   bool             // use the proxy that the environment names
	Now     func() time.Time // for when a point was indexed; nil is time.Now
	Retry   Retry
	Timeout time.Duration // of one call; 0 is 30 s
}

// Qdrant is a [Store] in a Qdrant server, for what one machine does not hold or
// what many share. Points of all workspaces lie in the same collections; every
// request names the workspace.
type Qdrant struct {
	o         QdrantOptions
	client    *qdrant.Client
	addr      string
	knownDims map[Collection]int // dimensions of the collections that were seen
}

const (
	qdrantPort    = 6334
	qdrantTimeout = 30 * time.Second
	// upsertBytes is about the most of one request: servers take 32 MiB.
	upsertBytes = 2 << 20
	scrollPage  = 1000
	deleteBatch = 1000
	// maxPoints of one workspace; a server that gives more is broken.
	maxPoints = 10_000_000
)

// NewQdrant checks the address. Nothing is sent yet.
func NewQdrant(o QdrantOptions) (*Qdrant, error) {
	host, port, tls, err := qdrantAddress(o.Host)
	if err != nil {
		return nil, err
	}
	if o.Model == "" {
		return nil, errors.New("Qdrant: no model; vectors of two models must not be mixed")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Timeout == 0 {
		o.Timeout = qdrantTimeout
	}
	c := &qdrant.Config{Host: host, Port: port, UseTLS: tls, PoolSize: 1, SkipCompatibilityCheck: true, KeepAliveTime: -1}
	if !o.Proxy {
		c.GrpcOptions = append(c.GrpcOptions, grpc.WithNoProxy())
	}
	if o.Key != "" {
		c.Headers = map[string]string{"api-key": o.Key} // not APIKey: the client would log a warning
	}
	client, err := qdrant.NewClient(c)
	if err != nil {
		return nil, fmt.Errorf("Qdrant: address %q: %s", redacted(o.Host), scrub(err.Error(), o.Key))
	}
	return &Qdrant{o: o, client: client, addr: fmt.Sprintf("%s:%d", host, port), knownDims: map[Collection]int{}}, nil
}

// qdrantAddress reads QDRANT_HOST in the ways people write it.
func qdrantAddress(host string) (name string, port int, tls bool, err error) {
	raw := strings.TrimSpace(host)
	if !strings.Contains(raw, "://") {
		raw = "http://" + raw
	}
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", 0, false, fmt.Errorf("Qdrant: address %q: want host, host:port or https://host", redacted(host))
	}
	port = qdrantPort
	if p := u.Port(); p != "" {
		if port, err = strconv.Atoi(p); err != nil || port > 65535 {
			return "", 0, false, fmt.Errorf("Qdrant: address %q: port %s is none", redacted(host), p)
		}
	}
	name = u.Hostname()
	if strings.Contains(name, ":") {
		name = "[" + name + "]"
	}
	return name, port, u.Scheme == "https", nil
}

// Address is where points are sent.
func (q *Qdrant) Address() string { return q.addr }

// Close implements [Store].
func (q *Qdrant) Close() error { return q.client.Close() }

// call runs one request with the policy's retries.
func (q *Qdrant) call(ctx context.Context, op string, fn func(ctx context.Context) error) error {
	return q.o.Retry.do(ctx, func(outer context.Context) error {
		ctx, cancel := context.WithTimeout(outer, q.o.Timeout)
		defer cancel()
		if err := fn(ctx); err != nil {
			return q.failed(outer, op, err)
		}
		return nil
	})
}

func (q *Qdrant) failed(ctx context.Context, op string, err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	e = &Error{Service: "Qdrant at " + q.addr, Op: op, err: ctx.Err()}
	var limited *qdrant.QdrantResourceExhaustedError
	if errors.As(err, &limited) {
		e.Reason, e.retry, e.after = scrub(limited.Reason, q.o.Key), true, time.Duration(min(max(limited.RetryAfterS, 0), 1e6))*time.Second
		return e
	}
	st, _ := status.FromError(errors.Unwrap(err))
	e.Reason = scrub(st.Code().String()+": "+st.Message(), q.o.Key)
	switch st.Code() {
	case codes.Unavailable:
		e.retry = !strings.Contains(st.Message(), "connection refused")
		e.Hint = "is it there? Its port of gRPC is 6334"
	case codes.ResourceExhausted, codes.Aborted, codes.DeadlineExceeded:
		e.retry = true
	case codes.Unauthenticated, codes.PermissionDenied:
		e.Hint = "check its key"
	}
	return e
}

// collection is the name of a collection at the server.
func (q *Qdrant) collection(c Collection) string { return q.o.Prefix + string(c) }

// ensureCollection makes the collection with its indexes of payloads, or checks the one
// that is there.
func (q *Qdrant) ensureCollection(ctx context.Context, c Collection, dims int) error {
	if have := q.knownDims[c]; have == dims {
		return nil
	}
	name := q.collection(c)
	return q.call(ctx, "prepare "+name, func(ctx context.Context) error {
		have, err := q.dims(ctx, name)
		if err != nil {
			return err
		}
		if have == 0 {
			if err := q.create(ctx, name, dims); err != nil {
				return err
			}
			have = dims
		}
		if have != dims {
			return &Error{Service: "Qdrant at " + q.addr, Op: "prepare " + name, Reason: fmt.Sprintf("it holds vectors of %d dimensions, model %s gives %d", have, q.o.Model, dims),
				Hint: "take the model that the others use, or other collections by TOPO_QDRANT_PREFIX"}
		}
		q.knownDims[c] = dims
		return nil
	})
}

// dims is the number of dimensions of a collection, 0 when it is not there.
func (q *Qdrant) dims(ctx context.Context, name string) (int, error) {
	ok, err := q.client.CollectionExists(ctx, name)
	if err != nil || !ok {
		return 0, err
	}
	info, err := q.client.GetCollectionInfo(ctx, name)
	if err != nil {
		return 0, err
	}
	return int(info.GetConfig().GetParams().GetVectorsConfig().GetParams().GetSize()), nil
}

func (q *Qdrant) create(ctx context.Context, name string, dims int) error {
	err := q.client.CreateCollection(ctx, &qdrant.CreateCollection{
		CollectionName: name,
		VectorsConfig:  qdrant.NewVectorsConfig(&qdrant.VectorParams{Size: uint64(dims), Distance: qdrant.Distance_Cosine}),
		// One graph for each workspace instead of one across all of them:
		// nothing is ever searched across workspaces.
		HnswConfig: &qdrant.HnswConfigDiff{M: qdrant.PtrOf(uint64(0)), PayloadM: qdrant.PtrOf(uint64(16))},
	})
	if err != nil && status.Code(errors.Unwrap(err)) != codes.AlreadyExists { // another was faster
		return err
	}
	for _, field := range []string{fieldWorkspace, fieldPath, fieldType, fieldModel} {
		_, err := q.client.CreateFieldIndex(ctx, &qdrant.CreateFieldIndexCollection{
			CollectionName: name, Wait: qdrant.PtrOf(true), FieldName: field, FieldType: qdrant.PtrOf(qdrant.FieldType_FieldTypeKeyword),
			FieldIndexParams: qdrant.NewPayloadIndexParamsKeyword(&qdrant.KeywordIndexParams{IsTenant: qdrant.PtrOf(field == fieldWorkspace)}),
		})
		if err != nil {
			return err
		}
	}
	return nil
}
