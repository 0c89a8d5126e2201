package render

import "github.com/topo-dev/topo/stream"

// pathsEncoder prints one path a line and nothing else, for other programs. A
// path with a control character, a leading quote or bytes that are not UTF-8
// is quoted as Go does. What a budget left out goes unsaid: there is no line
// that is not a path.
type pathsEncoder struct{}

func newPaths(stream.Header, stream.Footer, *Options) encoder { return pathsEncoder{} }

func (pathsEncoder) open([]*Doc) []byte           { return nil }
func (pathsEncoder) close([]*Doc, leftOut) []byte { return nil }
func (pathsEncoder) section(d *Doc, _ int) section {
	return atomic([]byte(safePath(d.File.Path) + "\n"))
}
