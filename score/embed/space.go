package embed

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"github.com/topo-dev/topo/index"
)

// Cache keeps the vectors of one model. [index.Vectors] implements it.
type Cache interface {
	Dims() int // 0 while there is none
	Get(Key) (index.VectorRow, bool)
	Same(index.VectorText) (index.VectorRow, bool)
	Append(ctx context.Context, rows []index.VectorRow) error
	// Drop forgets all vectors.
	Drop() error
}

// Item is what a point is to be made of.
type Item struct {
	ID      string
	Key     Key
	Payload Payload // without Content
	// Text makes the document; it is called only where there is no vector yet.
	Text func() (string, error)
}

// Space is the vectors of one workspace by one model. It is not safe for
// concurrent use.
type Space struct {
	Embedder  Embedder
	Cache     Cache
	Store     Store
	Workspace string
	// Partial says that items are a part of the workspace: no point is deleted.
	Partial bool
	// Contents puts the documents into the points, for a store that others read.
	Contents bool
	Batches  Batches
	// Progress is called with how many texts of how many are embedded; may be nil.
	Progress func(done, total int)

	lastQuery string // the query that vector is of
	vector    Vector
	current   map[synced]map[string]Key // the points of the last Sync
}

// synced names what a [Space.Sync] was of.
type synced struct {
	collection Collection
	kind       string
}

// Stats is what a [Space.Sync] did.
type Stats struct {
	Embedded int // texts that were sent
	Reused   int // points whose vectors were there, by key or by text
	Written  int // points put into the store
	Removed  int // points deleted from the store
}

const (
	// maxQuery is the most of a query that is embedded, bytes.
	maxQuery = 6000
	// publishBatch is how many documents are made before they are sent, and how many
	// points are handed to the store at once.
	publishBatch = 2048
)

// Query embeds what is searched for. When the model now answers with another
// number of dimensions than it did for the vectors kept, these are dropped.
func (s *Space) Query(ctx context.Context, query string) error {
	query = clip(query, maxQuery)
	if query == s.lastQuery && query != "" {
		return nil
	}
	vectors, err := s.Embedder.Embed(ctx, []string{query}, Query)
	if err != nil {
		return err
	}
	if err := checked(vectors, 1); err != nil {
		return fmt.Errorf("vectors: %s: %w", s.Embedder.Model(), err)
	}
	s.lastQuery, s.vector = query, Quantize(vectors[0])
	if have := s.Cache.Dims(); have != 0 && have != len(s.vector.Data) {
		return s.Cache.Drop()
	}
	return nil
}

// Sync makes the points in scope those of the items. Only texts that no
// vector is kept of are sent; vectors are kept as they arrive. Of the scope the
// workspace is the space's own.
func (s *Space) Sync(ctx context.Context, sc Scope, items []Item) (st Stats, err error) {
	sc.Workspace = s.Workspace
	for range 2 { // vectors of another number of dimensions drop those kept
		missing := slices.DeleteFunc(slices.Clone(items), func(i Item) bool { _, ok := s.Cache.Get(i.Key); return ok })
		if len(missing) == 0 {
			break
		}
		done := 0
		for part := range slices.Chunk(missing, publishBatch) {
			n, err := s.fill(ctx, part, func(n int) { done += n; s.reportProgress(done, len(missing)) })
			if st.Embedded += n; err != nil {
				return st, err
			}
		}
	}
	st.Reused = max(0, len(items)-st.Embedded)
	return st, s.publish(ctx, sc, items, &st)
}

func (s *Space) reportProgress(done, total int) {
	if s.Progress != nil {
		s.Progress(done, total)
	}
}

// fill gets vectors for items that have none and returns how many texts were
// embedded. done counts items.
func (s *Space) fill(ctx context.Context, items []Item, done func(int)) (embedded int, err error) {
	w, err := s.wait(ctx, items)
	if err != nil {
		return 0, err
	}
	if err := s.Cache.Append(ctx, w.known); err != nil {
		return 0, err
	}
	done(len(w.known))
	err = All(ctx, s.Embedder, w.texts, s.Batches, func(first int, vectors [][]float32) error {
		var rows []index.VectorRow
		for i, v := range vectors {
			q := Quantize(v)
			for _, row := range w.rows[first+i] {
				row.Scale, row.Data = q.Scale, q.Data
				rows = append(rows, row)
			}
		}
		embedded += len(vectors)
		done(len(rows))
		// What has been paid for is kept even when the caller has given up.
		return s.Cache.Append(context.WithoutCancel(ctx), rows)
	})
	return embedded, err
}

// waiting are the rows that lack a vector, by their texts, each text once.
type waiting struct {
	texts []string
	rows  [][]index.VectorRow
	known []index.VectorRow // whose text has a vector under another key
}

func (s *Space) wait(ctx context.Context, items []Item) (*waiting, error) {
	w := &waiting{}
	at := map[index.VectorText]int{}
	for _, item := range items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, err := item.Text()
		if err != nil {
			return nil, err
		}
		if text == "" {
			text = item.ID // services refuse empty texts
		}
		row := index.VectorRow{Key: item.Key, Text: textOf(text)}
		if same, ok := s.Cache.Same(row.Text); ok {
			row.Scale, row.Data = same.Scale, same.Data
			w.known = append(w.known, row)
			continue
		}
		k, ok := at[row.Text]
		if !ok {
			k = len(w.texts)
			at[row.Text] = k
			w.texts, w.rows = append(w.texts, text), append(w.rows, nil)
		}
		w.rows[k] = append(w.rows[k], row)
	}
	return w, nil
}

func textOf(text string) (t index.VectorText) {
	sum := sha256.Sum256([]byte(text))
	copy(t[:], sum[:])
	return t
}

// publish brings the store to the items.
func (s *Space) publish(ctx context.Context, sc Scope, items []Item, st *Stats) error {
	have, err := s.Store.Keys(ctx, sc)
	if err != nil {
		return err
	}
	now := make(map[string]Key, len(items))
	var points []Point
	flush := func() error {
		st.Written += len(points)
		err := s.Store.Put(ctx, sc, points)
		points = points[:0]
		return err
	}
	for _, item := range items {
		now[item.ID] = item.Key
		if have[item.ID] == item.Key {
			continue
		}
		p, err := s.point(item)
		if err != nil {
			return err
		}
		if points = append(points, p); len(points) == publishBatch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	gone := slices.DeleteFunc(slices.Sorted(maps.Keys(have)), func(id string) bool { _, ok := now[id]; return ok })
	if s.Partial {
		gone = nil
	}
	st.Removed = len(gone)
	if s.current == nil {
		s.current = map[synced]map[string]Key{}
	}
	s.current[synced{sc.Collection, sc.Type}] = now
	return s.Store.Delete(ctx, sc, gone)
}

func (s *Space) point(item Item) (Point, error) {
	row, ok := s.Cache.Get(item.Key)
	if !ok {
		return Point{}, fmt.Errorf("vectors: %s has none, although it was embedded with %s", item.ID, s.Embedder.Model())
	}
	p := Point{ID: item.ID, Key: item.Key, Vector: Vector{row.Scale, row.Data}, Payload: item.Payload}
	if s.Contents {
		text, err := item.Text()
		if err != nil {
			return Point{}, err
		}
		p.Payload.Content = text
	}
	return p, nil
}

// Search returns the limit points in scope most like the last [Space.Query],
// among those of the last [Space.Sync]. What a store holds of another state of
// the workspace, as another machine may have put it there, is left out.
func (s *Space) Search(ctx context.Context, sc Scope, limit int) ([]Match, error) {
	sc.Workspace = s.Workspace
	found, err := s.Store.Search(ctx, sc, s.vector, limit)
	now := s.current[synced{sc.Collection, sc.Type}]
	return slices.DeleteFunc(found, func(m Match) bool { key, ok := now[m.ID]; return !ok || key != m.Key }), err
}

// Live returns the keys of the last [Space.Sync] of each kind of points.
func (s *Space) Live() func(Key) bool {
	live := map[Key]bool{}
	for _, points := range s.current {
		for _, key := range points {
			live[key] = true
		}
	}
	return func(k Key) bool { return live[k] }
}
