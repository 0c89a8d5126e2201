package chunk

import "context"

// ParseFacts is [Parse] that reads the facts of the file in the same pass.
// A language whose facts are not read, and source that only patterns could
// read, give empty facts.
func ParseFacts(ctx context.Context, language, path string, src []byte) (Result, Facts) {
	if ctx.Err() != nil || len(src) == 0 || len(src) > maxSource {
		return Result{}, Facts{}
	}
	as := dialect(language, path, src)
	if as == "go" {
		if g, f, r := readGo(src); f != nil {
			return r, factsOfGo(g, f, r)
		}
	}
	if g := grammarOf(as); g != nil && g.facts != nil && !minified(src) {
		if r, f, ok := g.chunksAndFacts(src, g.facts()); ok {
			return r, f
		}
	}
	return Parse(ctx, language, path, src), Facts{}
}
