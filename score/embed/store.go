package embed

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/topo-dev/topo/index"
)

// Collection is a set of points that are searched together.
type Collection string

// The collections, by the names that they have in Qdrant.
const (
	Files     Collection = "workspace_files"     // files, and sections of documents
	Functions Collection = "workspace_functions" // definitions
)

// Types of points ([Payload].Type).
const (
	TypeFile     = "file"
	TypeSection  = "section"
	TypeFunction = "function"
)

// Key is made of all that a vector depends on but the model.
type Key = index.VectorKey

// Point is one vector with what it represents.
type Point struct {
	ID      string // within its workspace and collection; a path, or path#name@line
	Key     Key
	Vector  Vector
	Payload Payload
}

// Payload describes what a point represents.
type Payload struct {
	Type       string // [TypeFile], [TypeSection] or [TypeFunction]
	FilePath   string // relative to the root, slash-separated
	Language   string
	Name       string // of the definition or section, qualified; empty for a file
	Line       int    // 1-based; 0 for a file
	Parameters []string
	ReturnType string
	Content    string // the text that was embedded
}

// Scope says which points are meant.
type Scope struct {
	Collection Collection
	Workspace  string   // never empty
	Type       string   // never empty
	Paths      []string // only points of these files; nil is all
}

func (s Scope) check() error {
	if s.Collection == "" || s.Workspace == "" || s.Type == "" {
		return errors.New("vectors: a scope without collection, workspace or type")
	}
	return nil
}

// Match is a point that was found.
type Match struct {
	ID    string
	Key   Key
	Path  string
	Score float64 // cosine, −1 to 1
}

// Store keeps the points of workspaces. No call reaches points outside of its
// scope. [Local] and [Qdrant] implement it.
type Store interface {
	// Put adds points of one scope's type; those with the ID of one that is
	// there replace it. All vectors of a workspace have as many dimensions.
	Put(ctx context.Context, s Scope, points []Point) error
	// Keys are the points that are there, by ID.
	Keys(ctx context.Context, s Scope) (map[string]Key, error)
	// Delete removes points; unknown IDs are not an error.
	Delete(ctx context.Context, s Scope, ids []string) error
	// Search returns the limit points most like v, best first, equal ones by ID.
	Search(ctx context.Context, s Scope, v Vector, limit int) ([]Match, error)
	Close() error
}

// best sorts matches and keeps the first limit.
func best(list []Match, limit int) []Match {
	slices.SortFunc(list, func(a, b Match) int {
		if c := cmp.Compare(b.Score, a.Score); c != 0 {
			return c
		}
		return cmp.Compare(a.ID, b.ID)
	})
	return list[:min(limit, len(list))]
}
