package embed

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/qdrant/go-client/qdrant"
)

// Fields of a payload that are requested.
const (
	fieldWorkspace = "metadata.workspace_id"
	fieldPath      = "metadata.file_path"
	fieldType      = "metadata.type"
	fieldModel     = "metadata.embedding_model"
	fieldPoint     = "metadata.point_id"
	fieldKey       = "metadata.key"
)

// filter is the condition of every request: nothing outside of the workspace,
// nothing of another model.
func (q *Qdrant) filter(s Scope) *qdrant.Filter {
	must := []*qdrant.Condition{
		qdrant.NewMatchKeyword(fieldWorkspace, s.Workspace),
		qdrant.NewMatchKeyword(fieldModel, q.o.Model),
		qdrant.NewMatchKeyword(fieldType, s.Type),
	}
	if s.Paths != nil {
		paths := make([]string, len(s.Paths))
		for i, p := range s.Paths {
			paths[i] = encodeText(p)
		}
		must = append(must, qdrant.NewMatchKeywords(fieldPath, paths...))
	}
	return &qdrant.Filter{Must: must}
}

// id is the server's identifier of a point: a UUID made of all that tells it
// from others.
func (q *Qdrant) id(s Scope, id string) *qdrant.PointId {
	sum := sha256.Sum256([]byte(strings.Join([]string{s.Workspace, q.o.Model, s.Type, id}, "\x00")))
	h := hex.EncodeToString(sum[:16])
	return qdrant.NewIDUUID(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:])
}

// encodeText makes a path fit for a payload, which must be UTF-8.
func encodeText(s string) string {
	if utf8.ValidString(s) && !strings.HasPrefix(s, "base64:") {
		return s
	}
	return "base64:" + base64.StdEncoding.EncodeToString([]byte(s))
}

func decodeText(s string) string {
	if code, ok := strings.CutPrefix(s, "base64:"); ok {
		if raw, err := base64.StdEncoding.DecodeString(code); err == nil {
			return string(raw)
		}
	}
	return s
}

// readableID is the identifier that a person knows a point by:
// file_src_auth_auth_py, func_authenticate_auth_py_42.
func readableID(p Payload) string {
	plain := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
				return r
			}
			return '_'
		}, s)
	}
	switch p.Type {
	case TypeFile:
		return "file_" + plain(p.FilePath)
	case TypeSection:
		return fmt.Sprintf("section_%s_%s_%d", plain(p.Name), plain(path.Base(p.FilePath)), p.Line)
	}
	return fmt.Sprintf("func_%s_%s_%d", plain(p.Name), plain(path.Base(p.FilePath)), p.Line)
}

// payload of a point, as the specification lays it out.
func (q *Qdrant) payload(s Scope, p Point) map[string]*qdrant.Value {
	text := func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
	meta := map[string]any{
		"type": p.Payload.Type, "file_path": encodeText(p.Payload.FilePath), "file_name": text(path.Base(p.Payload.FilePath)),
		"language": text(p.Payload.Language), "workspace_id": s.Workspace, "embedding_model": q.o.Model,
		"point_id": encodeText(p.ID), "key": hex.EncodeToString(p.Key[:]), "indexed_at": q.o.Now().UTC().Format(time.RFC3339),
	}
	if p.Payload.Type != TypeFile {
		name := "function_name"
		if p.Payload.Type == TypeSection {
			name = "section_name"
		}
		meta[name], meta["line_number"] = text(p.Payload.Name), p.Payload.Line
	}
	if p.Payload.Type == TypeFunction {
		params := make([]any, len(p.Payload.Parameters))
		for i, v := range p.Payload.Parameters {
			params[i] = text(v)
		}
		meta["parameters"], meta["return_type"] = params, text(p.Payload.ReturnType)
	}
	return qdrant.NewValueMap(map[string]any{"id": readableID(p.Payload), "content": text(p.Payload.Content), "metadata": meta})
}

// Put implements [Store].
func (q *Qdrant) Put(ctx context.Context, s Scope, points []Point) error {
	if err := s.check(); err != nil || len(points) == 0 {
		return err
	}
	dims := len(points[0].Vector.Data)
	for _, p := range points {
		if err := checkPoint(s, p); err != nil {
			return err
		}
		if len(p.Vector.Data) != dims {
			return fmt.Errorf("vectors: point %s has %d dimensions, another has %d", p.ID, len(p.Vector.Data), dims)
		}
	}
	if err := q.ensureCollection(ctx, s.Collection, dims); err != nil {
		return err
	}
	step := max(1, upsertBytes/(4*dims+4096))
	for at := 0; at < len(points); at += step {
		if err := q.put(ctx, s, points[at:min(at+step, len(points))]); err != nil {
			return err
		}
	}
	return nil
}

func (q *Qdrant) put(ctx context.Context, s Scope, points []Point) error {
	list := make([]*qdrant.PointStruct, len(points))
	for i, p := range points {
		list[i] = &qdrant.PointStruct{Id: q.id(s, p.ID), Vectors: qdrant.NewVectorsDense(p.Vector.Float()), Payload: q.payload(s, p)}
	}
	name := q.collection(s.Collection)
	return q.call(ctx, "write to "+name, func(ctx context.Context) error {
		_, err := q.client.Upsert(ctx, &qdrant.UpsertPoints{CollectionName: name, Wait: qdrant.PtrOf(true), Points: list})
		return err
	})
}

// collectionDims is the number of dimensions of a collection, 0 when there is none.
func (q *Qdrant) collectionDims(ctx context.Context, c Collection) (dims int, err error) {
	if dims = q.knownDims[c]; dims > 0 {
		return dims, nil
	}
	name := q.collection(c)
	err = q.call(ctx, "look for "+name, func(ctx context.Context) error {
		dims, err = q.dims(ctx, name)
		return err
	})
	return dims, err
}

// Keys implements [Store].
func (q *Qdrant) Keys(ctx context.Context, s Scope) (map[string]Key, error) {
	out := map[string]Key{}
	if err := s.check(); err != nil {
		return nil, err
	}
	if dims, err := q.collectionDims(ctx, s.Collection); err != nil || dims == 0 {
		return out, err
	}
	var offset *qdrant.PointId
	for seen := 0; ; {
		var page []*qdrant.RetrievedPoint
		var next *qdrant.PointId
		err := q.call(ctx, "read "+q.collection(s.Collection), func(ctx context.Context) (err error) {
			page, next, err = q.client.ScrollAndOffset(ctx, &qdrant.ScrollPoints{
				CollectionName: q.collection(s.Collection), Filter: q.filter(s), Offset: offset, Limit: qdrant.PtrOf(uint32(scrollPage)),
				WithPayload: qdrant.NewWithPayloadInclude(fieldPoint, fieldKey), WithVectors: qdrant.NewWithVectors(false),
			})
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, p := range page {
			m := p.GetPayload()["metadata"].GetStructValue().GetFields()
			out[decodeText(m["point_id"].GetStringValue())] = keyOf(m["key"].GetStringValue())
		}
		if seen += len(page); seen > maxPoints {
			return nil, &Error{Service: "Qdrant at " + q.addr, Op: "read " + q.collection(s.Collection), Reason: "it never ends"}
		}
		if offset = next; offset == nil || len(page) == 0 {
			return out, nil
		}
	}
}

// keyOf reads a key; what is none is the zero key, which is nobody's.
func keyOf(text string) (k Key) {
	raw, err := hex.DecodeString(text)
	if err == nil && len(raw) == len(k) {
		copy(k[:], raw)
	}
	return k
}

// Delete implements [Store].
func (q *Qdrant) Delete(ctx context.Context, s Scope, ids []string) error {
	if err := s.check(); err != nil || len(ids) == 0 {
		return err
	}
	if dims, err := q.collectionDims(ctx, s.Collection); err != nil || dims == 0 {
		return err
	}
	for at := 0; at < len(ids); at += deleteBatch {
		var list []*qdrant.PointId
		for _, id := range ids[at:min(at+deleteBatch, len(ids))] {
			list = append(list, q.id(s, id))
		}
		f := q.filter(s)
		f.Must = append(f.Must, qdrant.NewHasID(list...))
		err := q.call(ctx, "delete from "+q.collection(s.Collection), func(ctx context.Context) error {
			_, err := q.client.Delete(ctx, &qdrant.DeletePoints{CollectionName: q.collection(s.Collection), Wait: qdrant.PtrOf(true), Points: qdrant.NewPointsSelectorFilter(f)})
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Search implements [Store]. It requests an exact search, for which both stores
// find the same.
func (q *Qdrant) Search(ctx context.Context, s Scope, v Vector, limit int) ([]Match, error) {
	if err := s.check(); err != nil || limit <= 0 {
		return nil, err
	}
	dims, err := q.collectionDims(ctx, s.Collection)
	if err != nil || dims == 0 {
		return nil, err
	}
	var found []*qdrant.ScoredPoint
	err = q.call(ctx, "search "+q.collection(s.Collection), func(ctx context.Context) (err error) {
		found, err = q.client.Query(ctx, &qdrant.QueryPoints{
			CollectionName: q.collection(s.Collection), Query: qdrant.NewQueryDense(v.Float()), Filter: q.filter(s), Limit: qdrant.PtrOf(uint64(limit)),
			Params: &qdrant.SearchParams{Exact: qdrant.PtrOf(true)}, WithPayload: qdrant.NewWithPayloadInclude(fieldPoint, fieldKey, fieldPath, fieldWorkspace),
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	out := make([]Match, 0, len(found))
	for _, p := range found {
		m := p.GetPayload()["metadata"].GetStructValue().GetFields()
		score := float64(p.GetScore())
		// A server that leaves out the filter must not mix workspaces.
		if m["workspace_id"].GetStringValue() != s.Workspace || math.IsNaN(score) || math.IsInf(score, 0) {
			continue
		}
		out = append(out, Match{decodeText(m["point_id"].GetStringValue()), keyOf(m["key"].GetStringValue()), decodeText(m["file_path"].GetStringValue()), score})
	}
	return best(out, limit), nil
}
