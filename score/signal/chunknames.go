package signal

import (
	"math"
	"slices"
	"strings"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index/token"
)

// names values definitions for what they and their holders are called.
func (f *chunkFile) names() {
	for i := range f.spans {
		c := &f.spans[i].chunk
		f.cols[cNameCovered][i] = f.covered(c.Name)
		f.cols[cHolderCovered][i] = f.covered(c.Scope)
		lower := strings.ToLower(c.Name)
		holder := strings.ToLower(lastPart(c.Scope))
		flag := func(col int, is bool) {
			if is {
				f.cols[col][i] = 1
			}
		}
		if k, ok := f.reader.names[lower]; ok && lower != "" {
			id := &f.q.idents[k]
			flag(cNamed, id.code && id.name == c.Name)
			flag(cNamedTitle, id.title)
		}
		flag(cNameHolds, f.sharesPart(lower))
		flag(cCalled, f.called[lower])
		if holder != "" {
			k, ok := f.reader.names[holder]
			flag(cHolderNamed, ok && (f.q.idents[k].code || f.q.idents[k].name != holder))
			flag(cMember, f.members[holder+"."+lower])
		}
		flag(cSpecial, strings.HasPrefix(c.Name, "__"))
		flag(cPrivate, strings.HasPrefix(c.Name, "_") && !strings.HasPrefix(c.Name, "__"))
		flag(cMaker, lower != "" && lower == holder || slices.Contains(constructorNames, c.Name))
		f.cols[cFrame][i] = f.frameDepth(f.path, c)
	}
}

// constructorNames are what constructors are called.
var constructorNames = []string{"New", "__init__", "constructor", "init", "initialize", "new"}

func lastPart(scope string) string { return scope[strings.LastIndexByte(scope, '.')+1:] }

// covered is the share of a name's terms that the query holds; another form
// counts 0.6.
func (f *chunkFile) covered(name string) float64 {
	n, hit := 0.0, 0.0
	f.eachTerm(name, func(k int32) {
		n++
		if k >= 0 {
			hit++
		} else if k != token.None {
			hit += 0.6
		}
	})
	return hit / max(n, 1)
}

// holders values definitions by the text of the types that hold them, which in
// Go are declared next to them.
func (f *chunkFile) holders() {
	text := map[string]float64{}
	for i := range f.spans {
		if c := &f.spans[i].chunk; c.Kind == chunk.Type || c.Kind == chunk.Impl {
			name := c.Qualified()
			text[name] = max(text[name], f.cols[cText][i])
		}
	}
	for i := range f.spans {
		if s := f.spans[i].chunk.Scope; s != "" {
			f.cols[cHolder][i] = text[s]
		}
	}
}

// phrases values adjacent words in definition i.
func (f *chunkFile) phrases(i int) {
	hits := f.hits[f.spans[i].hits[0]:f.spans[i].hits[1]]
	var seen []int32
	run, weight, n := 0.0, 0.0, 0
	for h := range hits {
		p, ok := int32(0), false
		if h+1 < len(hits) && hits[h].term >= 0 && hits[h+1].term >= 0 && hits[h+1].seq-hits[h].seq <= 1 {
			p, ok = f.pairs[[2]int32{hits[h].term, hits[h+1].term}]
		}
		if !ok {
			if n >= 2 {
				run = max(run, weight)
			}
			n = 0
			continue
		}
		if n++; n == 1 {
			weight = f.terms[hits[h].term].idf
		}
		weight += f.terms[hits[h+1].term].idf
		if !slices.Contains(seen, p) {
			seen = append(seen, p)
			a, b := &f.terms[hits[h].term], &f.terms[hits[h+1].term]
			f.cols[cPairs][i] += (a.idf + b.idf) / 2 * math.Sqrt(a.weight*b.weight)
		}
	}
	f.cols[cRun][i] = run
}
