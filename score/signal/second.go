package signal

import (
	"math"

	"github.com/topo-dev/topo/chunk"
)

// kindFactors prefer what does something over what declares something.
var kindFactors = map[chunk.Kind]float64{
	chunk.Function: 1, chunk.Method: 1, chunk.Type: 1, chunk.Impl: 0.9,
	chunk.Const: 0.7, chunk.Var: 0.7, chunk.Section: 0.9, chunk.Other: 0.6,
}

// second computes the signals of the candidates by what they hold. Rarity of
// phrases and names is that among the candidates.
func (l *lab) second(candidates []int) ([]Column, error) {
	q := l.ask()
	files, err := q.readAll(candidates)
	if err != nil {
		return nil, err
	}
	s := &secondPass{questions: q, files: files}
	s.classes()
	s.phrases()
	s.defined()
	s.rare()
	s.passages()
	run, window, precise := s.column("LongestRun"), s.column("Window"), s.column("PreciseName")
	for k, f := range files {
		run[k], window[k], precise[k] = f.run, f.window, f.namePrecise
	}
	return s.cols, nil
}

type secondPass struct {
	*questions
	files []reading
	cols  []Column
}

func (s *secondPass) column(name string) []float64 {
	v := make([]float64, len(s.files))
	s.cols = append(s.cols, Column{name, v})
	return v
}

// classes is BM25 of code, comments and strings by themselves.
func (s *secondPass) classes() {
	all := [3][]float64{s.column("Code"), s.column("Comments"), s.column("Strings")}
	title := [3][]float64{s.column("CodeTitle"), s.column("CommentsTitle"), s.column("StringsTitle")}
	var avg [3]float64
	for k := range s.files {
		for c := range avg {
			avg[c] += s.files[k].length[c] / float64(len(s.files))
		}
	}
	for k := range s.files {
		f := &s.files[k]
		for t, freq := range f.freq {
			if freq == ([3]float64{}) {
				continue
			}
			for c, x := range freq {
				if x == 0 {
					continue
				}
				v := s.terms[t].idf * x / (x + bm25K1*(1-bm25B+bm25B*f.length[c]/max(avg[c], 1)))
				all[c][k] += s.terms[t].weight * v
				if s.terms[t].title {
					title[c][k] += v
				}
			}
		}
	}
}

// phrases values adjacent words and identifiers.
func (s *secondPass) phrases() {
	pairs, pairsTitle := s.column("Pairs"), s.column("PairsTitle")
	identsTitle, identsCode := s.column("IdentifiersTitle"), s.column("IdentifiersCode")
	pairDF, identDF := make([]float64, len(s.pairTerms)), make([]float64, len(s.q.idents))
	for k := range s.files {
		for _, p := range s.files[k].pairs {
			pairDF[p.col]++
		}
		for _, p := range s.files[k].idents {
			identDF[p.col]++
		}
	}
	n := float64(len(s.files) + 1)
	for k := range s.files {
		for _, p := range s.files[k].pairs {
			a, b := &s.terms[s.pairTerms[p.col][0]], &s.terms[s.pairTerms[p.col][1]]
			w := math.Log(n/(pairDF[p.col]+0.5)) * math.Sqrt(a.weight*b.weight) * p.x / (p.x + 1)
			pairs[k] += w
			if a.title && b.title {
				pairsTitle[k] += w
			}
		}
		for _, p := range s.files[k].idents {
			w := math.Log(n/(identDF[p.col]+0.5)) * p.x / (p.x + 1)
			if s.q.idents[p.col].title {
				identsTitle[k] += w
			}
			if s.q.idents[p.col].code {
				identsCode[k] += w
			}
		}
	}
}

// defined values definitions of what the query names, less when several
// candidates define it.
func (s *secondPass) defined() {
	title, code := s.column("DefinesTitle"), s.column("DefinesCode")
	df := make([]float64, len(s.q.idents))
	for k := range s.files {
		for _, d := range s.files[k].defs {
			df[d.col]++
		}
	}
	for k := range s.files {
		for _, d := range s.files[k].defs {
			weight := 0.0
			for _, t := range s.identTerm[d.col] {
				weight += s.terms[t].idf
			}
			w := d.x * weight / df[d.col]
			if s.q.idents[d.col].title {
				title[k] += w
			}
			if s.q.idents[d.col].code {
				code[k] += w
			}
		}
	}
}

// passages is BM25 of the single definitions: the best of each file.
func (s *secondPass) passages() {
	best, share := s.column("PassageShortNorm"), s.column("PassageShare")
	bytes, count := 0.0, 0.0
	for k := range s.files {
		bytes += s.files[k].spanBytes
		count += float64(s.files[k].spanCount)
	}
	avg := max(bytes/max(count, 1), 1)
	for k := range s.files {
		for _, sp := range s.files[k].spans {
			factor := kindFactors[sp.kind]
			sum, held := 0.0, 0.0
			for _, c := range sp.freq {
				t := &s.terms[c.col]
				w := t.weight * t.idf
				sum += w * c.x / (c.x + bm25K1*(0.8+0.2*sp.bytes/avg))
				held += w
			}
			best[k] = max(best[k], sum*factor)
			share[k] = max(share[k], held/s.total)
		}
	}
}
