package embed

import (
	"context"
	"fmt"
	"math"
)

// Purpose is what a text is embedded for; many models need to know it.
type Purpose uint8

// The purposes.
const (
	Document Purpose = iota // a text to be found
	Query                   // a text to find others by
)

// Embedder turns texts into vectors.
type Embedder interface {
	// Model names what makes the vectors. Vectors of one name are comparable.
	Model() string
	// Embed returns one vector for each text, all of the same length, finite
	// and not zero. Texts must not be empty.
	Embed(ctx context.Context, texts []string, p Purpose) ([][]float32, error)
}

// MaxDims is the most dimensions a vector may have. The largest models in use
// have 4,096; products of int8 stay within int32 up to 133,000.
const MaxDims = 16384

// checked reports an error unless vectors are an answer to n texts.
func checked(vectors [][]float32, n int) error {
	if len(vectors) != n {
		return fmt.Errorf("%d vectors for %d texts", len(vectors), n)
	}
	for i, v := range vectors {
		switch {
		case len(v) == 0 || len(v) > MaxDims:
			return fmt.Errorf("vector %d has %d dimensions", i, len(v))
		case len(v) != len(vectors[0]):
			return fmt.Errorf("vector %d has %d dimensions, the first has %d", i, len(v), len(vectors[0]))
		}
		sum := 0.0
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		if math.IsNaN(sum) || math.IsInf(sum, 0) || sum == 0 {
			return fmt.Errorf("vector %d is zero or not finite", i)
		}
	}
	return nil
}
