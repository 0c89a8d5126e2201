package index

import "github.com/topo-dev/topo/chunk"

// LinkFile is one file as the link function sees it.
type LinkFile struct {
	Path     string
	Language string
	Imports  []chunk.ImportRef
	// Types returns the qualified names of the types that the file declares, in
	// source order; nil for a file that was not read.
	Types func() []string
	// Declared reads the package that the file declares and the names at its top
	// level, for languages whose imports name those; nil when nothing is known.
	Declared func() (pkg string, names []string)
}

// LinkInput is what a link function may use. It must depend on nothing else,
// so the same tree gives the same index.
type LinkInput struct {
	Files []LinkFile // sorted by path; the position is the file's number
	// Read returns the content of a file of the same tree, listed or not,
	// such as go.mod or package.json. The error of a file that is not there
	// satisfies errors.Is(err, fs.ErrNotExist).
	Read func(path string) ([]byte, error)
}

// Links are file → file import edges in compressed sparse rows: the targets
// of file i are To[Off[i]:Off[i+1]], ascending, without repeats.
type Links struct {
	Off      []uint32  // len(Files)+1 offsets into To; nil when there are no edges
	To       []uint32  // file numbers
	PageRank []float32 // one value a file, sums to 1; nil when not computed
}

// TypesOf are the qualified names of the types among chunks.
func TypesOf(chunks []chunk.Chunk) (out []string) {
	for i := range chunks {
		if chunks[i].Kind == chunk.Type {
			out = append(out, chunks[i].Qualified())
		}
	}
	return out
}

// Linker computes the import edges of a tree and the PageRank over them.
type Linker func(LinkInput) Links
