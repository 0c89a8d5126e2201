package embedtest

import (
	"cmp"
	"context"
	"math"
	"net"
	"slices"
	"strings"
	"sync"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Qdrant serves the part of Qdrant's gRPC interface that topo uses, over TCP on
// this machine, and holds to what its documentation says of it: filters, exact
// search, pages, selected payloads, and errors for what does not fit.
type Qdrant struct {
	// Addr is host:port.
	Addr string
	// Fault, when not nil, may fail a call; method is as in "Points/Query".
	Fault func(method string) error
	// Key, when not empty, must come with each call.
	Key string

	mu          sync.Mutex
	collections map[string]*collection
	calls       []string
	unfiltered  []string
	server      *grpc.Server
}

type collection struct {
	dims    int
	points  map[string]*qdrant.PointStruct
	indexes []string
}

// NewQdrant starts a server, which the caller closes.
func NewQdrant() (*Qdrant, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	q := &Qdrant{Addr: l.Addr().String(), collections: map[string]*collection{}}
	q.server = grpc.NewServer(grpc.UnaryInterceptor(q.intercept))
	qdrant.RegisterPointsServer(q.server, points{q: q})
	qdrant.RegisterCollectionsServer(q.server, collections{q: q})
	go func() { _ = q.server.Serve(l) }()
	return q, nil
}

// Close stops the server.
func (q *Qdrant) Close() { q.server.Stop() }

// Calls lists the methods that were called.
func (q *Qdrant) Calls() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.calls)
}

// Unfiltered lists the calls that read or deleted points without naming one
// workspace.
func (q *Qdrant) Unfiltered() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.unfiltered)
}

// Payloads are those of a collection's points, by their identifier in metadata.
func (q *Qdrant) Payloads(name string) map[string]map[string]*qdrant.Value {
	q.mu.Lock()
	defer q.mu.Unlock()
	out := map[string]map[string]*qdrant.Value{}
	if c := q.collections[name]; c != nil {
		for _, p := range c.points {
			v, _ := field(p.Payload, "metadata.point_id")
			out[v.GetStringValue()] = p.Payload
		}
	}
	return out
}

// Indexes lists a collection's indexes of payloads.
func (q *Qdrant) Indexes(name string) []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.collections[name].indexes)
}

func (q *Qdrant) intercept(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	method := strings.TrimPrefix(info.FullMethod, "/qdrant.")
	md, _ := metadata.FromIncomingContext(ctx)
	q.mu.Lock()
	q.calls = append(q.calls, method)
	if f, ok := req.(interface{ GetFilter() *qdrant.Filter }); ok && !namesWorkspace(f.GetFilter()) {
		q.unfiltered = append(q.unfiltered, method)
	}
	if d, ok := req.(*qdrant.DeletePoints); ok && !namesWorkspace(d.GetPoints().GetFilter()) {
		q.unfiltered = append(q.unfiltered, method)
	}
	fault := q.Fault
	q.mu.Unlock()
	if q.Key != "" && !slices.Equal(md.Get("api-key"), []string{q.Key}) {
		return nil, status.Error(codes.Unauthenticated, "Invalid API key "+strings.Join(md.Get("api-key"), ","))
	}
	if fault != nil {
		if err := fault(method); err != nil {
			return nil, err
		}
	}
	return next(ctx, req)
}

func namesWorkspace(f *qdrant.Filter) bool {
	return slices.ContainsFunc(f.GetMust(), func(c *qdrant.Condition) bool {
		return c.GetField().GetKey() == "metadata.workspace_id" && c.GetField().GetMatch().GetKeyword() != ""
	})
}

func (q *Qdrant) find(name string) (*collection, error) {
	c := q.collections[name]
	if c == nil {
		return nil, status.Errorf(codes.NotFound, "Not found: Collection `%s` doesn't exist!", name)
	}
	return c, nil
}

type collections struct {
	qdrant.UnimplementedCollectionsServer
	q *Qdrant
}

func (s collections) CollectionExists(_ context.Context, r *qdrant.CollectionExistsRequest) (*qdrant.CollectionExistsResponse, error) {
	s.q.mu.Lock()
	defer s.q.mu.Unlock()
	return &qdrant.CollectionExistsResponse{Result: &qdrant.CollectionExists{Exists: s.q.collections[r.GetCollectionName()] != nil}}, nil
}

func (s collections) Create(_ context.Context, r *qdrant.CreateCollection) (*qdrant.CollectionOperationResponse, error) {
	s.q.mu.Lock()
	defer s.q.mu.Unlock()
	if s.q.collections[r.GetCollectionName()] != nil {
		return nil, status.Errorf(codes.AlreadyExists, "Wrong input: Collection `%s` already exists!", r.GetCollectionName())
	}
	p := r.GetVectorsConfig().GetParams()
	if p.GetSize() == 0 || p.GetDistance() != qdrant.Distance_Cosine {
		return nil, status.Error(codes.InvalidArgument, "the vectors have no size or another distance")
	}
	s.q.collections[r.GetCollectionName()] = &collection{dims: int(p.GetSize()), points: map[string]*qdrant.PointStruct{}}
	return &qdrant.CollectionOperationResponse{Result: true}, nil
}

func (s collections) Get(_ context.Context, r *qdrant.GetCollectionInfoRequest) (*qdrant.GetCollectionInfoResponse, error) {
	s.q.mu.Lock()
	defer s.q.mu.Unlock()
	c, err := s.q.find(r.GetCollectionName())
	if err != nil {
		return nil, err
	}
	params := &qdrant.CollectionParams{VectorsConfig: qdrant.NewVectorsConfig(&qdrant.VectorParams{Size: uint64(c.dims), Distance: qdrant.Distance_Cosine})}
	return &qdrant.GetCollectionInfoResponse{Result: &qdrant.CollectionInfo{Config: &qdrant.CollectionConfig{Params: params}}}, nil
}

type points struct {
	qdrant.UnimplementedPointsServer
	q *Qdrant
}

func (s points) CreateFieldIndex(_ context.Context, r *qdrant.CreateFieldIndexCollection) (*qdrant.PointsOperationResponse, error) {
	s.q.mu.Lock()
	defer s.q.mu.Unlock()
	c, err := s.q.find(r.GetCollectionName())
	if err != nil {
		return nil, err
	}
	c.indexes = append(c.indexes, r.GetFieldName())
	return &qdrant.PointsOperationResponse{}, nil
}

func (s points) Upsert(_ context.Context, r *qdrant.UpsertPoints) (*qdrant.PointsOperationResponse, error) {
	s.q.mu.Lock()
	defer s.q.mu.Unlock()
	c, err := s.q.find(r.GetCollectionName())
	if err != nil {
		return nil, err
	}
	for _, p := range r.GetPoints() {
		if n := len(dense(p)); n != c.dims {
			return nil, status.Errorf(codes.InvalidArgument, "Wrong input: Vector dimension error: expected dim: %d, got %d", c.dims, n)
		}
		c.points[p.GetId().GetUuid()] = p
	}
	return &qdrant.PointsOperationResponse{}, nil
}

func dense(p *qdrant.PointStruct) []float32 { return p.GetVectors().GetVector().GetDense().GetData() }

func (s points) Delete(_ context.Context, r *qdrant.DeletePoints) (*qdrant.PointsOperationResponse, error) {
	s.q.mu.Lock()
	defer s.q.mu.Unlock()
	c, err := s.q.find(r.GetCollectionName())
	if err != nil {
		return nil, err
	}
	for id, p := range c.points {
		if matches(r.GetPoints().GetFilter(), p) {
			delete(c.points, id)
		}
	}
	return &qdrant.PointsOperationResponse{}, nil
}

func (s points) Scroll(_ context.Context, r *qdrant.ScrollPoints) (*qdrant.ScrollResponse, error) {
	s.q.mu.Lock()
	defer s.q.mu.Unlock()
	c, err := s.q.find(r.GetCollectionName())
	if err != nil {
		return nil, err
	}
	var ids []string
	for id, p := range c.points {
		if matches(r.GetFilter(), p) && id >= r.GetOffset().GetUuid() {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	out := &qdrant.ScrollResponse{}
	if limit := int(r.GetLimit()); len(ids) > limit {
		out.NextPageOffset = qdrant.NewIDUUID(ids[limit])
		ids = ids[:limit]
	}
	for _, id := range ids {
		out.Result = append(out.Result, &qdrant.RetrievedPoint{Id: c.points[id].GetId(), Payload: included(c.points[id].Payload, r.GetWithPayload())})
	}
	return out, nil
}

func (s points) Query(_ context.Context, r *qdrant.QueryPoints) (*qdrant.QueryResponse, error) {
	s.q.mu.Lock()
	defer s.q.mu.Unlock()
	c, err := s.q.find(r.GetCollectionName())
	if err != nil {
		return nil, err
	}
	v := r.GetQuery().GetNearest().GetDense().GetData()
	if len(v) != c.dims {
		return nil, status.Errorf(codes.InvalidArgument, "Wrong input: Vector dimension error: expected dim: %d, got %d", c.dims, len(v))
	}
	out := &qdrant.QueryResponse{}
	for _, p := range c.points {
		if matches(r.GetFilter(), p) {
			out.Result = append(out.Result, &qdrant.ScoredPoint{Id: p.GetId(), Score: cosine(v, dense(p)), Payload: included(p.Payload, r.GetWithPayload())})
		}
	}
	slices.SortFunc(out.Result, func(a, b *qdrant.ScoredPoint) int {
		if c := cmp.Compare(b.Score, a.Score); c != 0 {
			return c
		}
		return cmp.Compare(a.GetId().GetUuid(), b.GetId().GetUuid())
	})
	out.Result = out.Result[:min(len(out.Result), int(r.GetLimit()))]
	return out, nil
}

func cosine(a, b []float32) float32 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return float32(ab / math.Sqrt(aa*bb))
}

// matches evaluates the conditions that all must hold.
func matches(f *qdrant.Filter, p *qdrant.PointStruct) bool {
	for _, c := range f.GetMust() {
		if ids := c.GetHasId(); ids != nil {
			if !slices.ContainsFunc(ids.GetHasId(), func(id *qdrant.PointId) bool { return id.GetUuid() == p.GetId().GetUuid() }) {
				return false
			}
			continue
		}
		v, ok := field(p.GetPayload(), c.GetField().GetKey())
		if !ok {
			return false
		}
		m := c.GetField().GetMatch()
		words := m.GetKeywords().GetStrings()
		if m.GetKeywords() == nil {
			words = []string{m.GetKeyword()}
		}
		if !slices.Contains(words, v.GetStringValue()) {
			return false
		}
	}
	return true
}

// field finds "metadata.type" in a payload.
func field(payload map[string]*qdrant.Value, name string) (*qdrant.Value, bool) {
	first, rest, nested := strings.Cut(name, ".")
	v, ok := payload[first]
	if !nested || !ok {
		return v, ok
	}
	return field(v.GetStructValue().GetFields(), rest)
}

// included keeps the fields of a payload that were requested.
func included(payload map[string]*qdrant.Value, want *qdrant.WithPayloadSelector) map[string]*qdrant.Value {
	meta := map[string]*qdrant.Value{}
	for _, name := range want.GetInclude().GetFields() {
		if v, ok := field(payload, name); ok {
			meta[strings.TrimPrefix(name, "metadata.")] = v
		}
	}
	return map[string]*qdrant.Value{"metadata": qdrant.NewValueFromFields(meta)}
}
