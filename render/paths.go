package render

import "github.com/topo-dev/topo/stream"

// pathsEncoder prints one path a line and nothing else, for other programs. A
// path with a control character, a leading quote or bytes that are not UTF-8
// is quoted as Go does. With [Options.Null] each path ends with a zero byte and
// is never quoted. What a budget left out goes unsaid: there is no line that is
// not a path.
type pathsEncoder struct{ null bool }

func newPaths(_ stream.Header, _ stream.Footer, o *Options) encoder { return pathsEncoder{o.Null} }

func (pathsEncoder) open([]*Doc) []byte           { return nil }
func (pathsEncoder) close([]*Doc, leftOut) []byte { return nil }
func (p pathsEncoder) section(d *Doc, _ int) section {
	if p.null {
		return atomic([]byte(d.File.Path + "\x00"))
	}
	return atomic([]byte(safePath(d.File.Path) + "\n"))
}
