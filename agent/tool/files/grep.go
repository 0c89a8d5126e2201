package files

import (
	"context"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/spill"
)

type grepInput struct {
	Pattern    string `json:"pattern" jsonschema:"regular expression (RE2), matched within lines" tool:"min=1,max=2000"`
	Path       string `json:"path,omitempty" jsonschema:"file or directory to search, or the handle of an output" tool:"default=."`
	Glob       string `json:"glob,omitempty" jsonschema:"only files of these names, such as *.go; several with spaces between, ! to leave out" tool:"max=500"`
	Literal    bool   `json:"literal,omitempty" jsonschema:"take the pattern literally"`
	IgnoreCase bool   `json:"ignore_case,omitempty"`
	Output     string `json:"output,omitempty" tool:"enum=content|files|count,default=content"`
	Context    int    `json:"context,omitempty" jsonschema:"lines to show around each match" tool:"min=0,max=20,default=0"`
	Limit      int    `json:"limit,omitempty" jsonschema:"how many matching lines (or files) to show" tool:"min=1,max=2000,default=100"`
}

func (t *tools) grepAccess(in grepInput) ([]agent.Access, error) {
	if spill.IsHandle(in.Path) {
		return nil, nil
	}
	return t.access(agent.OpRead, orRoot(in.Path))
}

// query is a pattern made ready to be searched for.
type query struct {
	re     *regexp.Regexp
	tree   *syntax.Regexp
	needle []byte // every match holds it; empty when nothing is known
	limit  int
	around int
	output string
}

func newQuery(in grepInput) (*query, error) {
	q := &query{limit: in.Limit, around: in.Context, output: in.Output}
	if q.limit == 0 {
		q.limit = 100
	}
	if in.Literal {
		in.Pattern = regexp.QuoteMeta(in.Pattern)
	}
	if in.IgnoreCase {
		in.Pattern = "(?i:" + in.Pattern + ")"
	}
	var err error
	if q.tree, err = syntax.Parse(in.Pattern, syntax.Perl); err != nil {
		return nil, fmt.Errorf("the pattern is not a regular expression that is understood: %w; escape what is meant literally, or set literal", err)
	}
	if q.re, err = regexp.Compile(in.Pattern); err != nil {
		return nil, fmt.Errorf("the pattern is too large: %w", err)
	}
	q.needle = []byte(needle(q.tree))
	return q, nil
}

// needle is the longest text that every match holds, found for
// expressions where it is explicit.
func needle(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		// Bytes that are no UTF-8 are U+FFFD to the expression and not in the file.
		if re.Flags&syntax.FoldCase == 0 && !slices.Contains(re.Rune, unicode.ReplacementChar) {
			return string(re.Rune)
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needle(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needle(re.Sub[0])
		}
	case syntax.OpConcat:
		best := ""
		for _, sub := range re.Sub {
			if n := needle(sub); len(n) > len(best) {
				best = n
			}
		}
		return best
	}
	return ""
}

func (t *tools) grep(ctx context.Context, in grepInput) (agent.Output, error) {
	q, err := newQuery(in)
	if err != nil {
		return agent.Output{}, err
	}
	if spill.IsHandle(in.Path) {
		return t.grepKept(in.Path, q)
	}
	names, single, err := t.candidates(ctx, in)
	if err != nil {
		return agent.Output{}, t.explain(orRoot(in.Path), err)
	}
	total := len(names)
	if !single && t.Ripgrep != "" && len(names) >= minRipgrep {
		if fewer, err := ripgrep(ctx, t.Ripgrep, t.w.Dir(), q, names); err == nil {
			names = fewer
		} else if ctx.Err() != nil {
			return agent.Output{}, ctx.Err()
		} // what rg cannot do is searched here
	}
	r := &report{q: q}
	if err := t.search(ctx, names, q, single, r); err != nil {
		return agent.Output{}, err
	}
	return r.answer(total), nil
}

// candidates are the files to search. single is set when the path names one.
func (t *tools) candidates(ctx context.Context, in grepInput) (names []string, single bool, err error) {
	rel, err := t.w.Resolve(orRoot(in.Path))
	if err != nil {
		return nil, false, err
	}
	st, err := t.w.Stat(rel)
	if err != nil {
		return nil, false, err
	}
	if !st.IsDir() {
		return []string{rel}, true, nil
	}
	patterns := strings.Fields(in.Glob)
	if names, err = t.list(ctx, rel, patterns); err != nil || len(names) > 0 || rel == "." || len(patterns) > 0 {
		return names, false, err
	}
	names, err = t.unlisted(ctx, rel)
	return names, false, err
}

func (t *tools) grepKept(handle string, q *query) (agent.Output, error) {
	if t.Outputs == nil {
		return agent.Output{}, fmt.Errorf("%s: no outputs are kept here", handle)
	}
	f, err := t.Outputs.Open(handle)
	if err != nil {
		return agent.Output{}, err
	}
	defer f.Close()
	data, err := readBounded(f, 4*maxWhole)
	if err != nil {
		return agent.Output{}, fmt.Errorf("%s: %w", handle, err)
	}
	r := &report{q: q}
	r.file(handle, q.matches(data))
	return r.answer(1), nil
}
