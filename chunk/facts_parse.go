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
	if table := factTableOf(as); table != nil && !minified(src) {
		if r, f, ok := grammarOf(as).chunksAndFacts(src, table); ok {
			return r, f
		}
	}
	return Parse(ctx, language, path, src), Facts{}
}
