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

// secondPassFeatures reads the candidates and computes the features that depend
// on their text. Phrases and names are rare when few candidates have them.
func (m *featureMatrix) secondPassFeatures(candidates []int) ([]Feature, error) {
	q := m.searchTargets()
	files, err := q.readAll(candidates)
	if err != nil {
		return nil, err
	}
	s := &secondPass{targets: q, files: files}
	s.classFeatures()
	s.phraseFeatures()
	s.definitionFeatures()
	s.rareNameFeatures()
	s.passageFeatures()
	run, window, precise := s.addFeature("LongestRun"), s.addFeature("Window"), s.addFeature("PreciseName")
	for k, f := range files {
		run[k], window[k], precise[k] = f.run, f.window, f.namePrecise
	}
	return s.features, nil
}

type secondPass struct {
	*targets
	files    []reading
	features []Feature
}

func (s *secondPass) addFeature(name string) []float64 {
	v := make([]float64, len(s.files))
	s.features = append(s.features, Feature{name, v})
	return v
}

// classFeatures is BM25 of code, comments and strings by themselves.
func (s *secondPass) classFeatures() {
	all := [3][]float64{s.addFeature("Code"), s.addFeature("Comments"), s.addFeature("Strings")}
	title := [3][]float64{s.addFeature("CodeTitle"), s.addFeature("CommentsTitle"), s.addFeature("StringsTitle")}
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

// phraseFeatures values adjacent words and identifiers.
func (s *secondPass) phraseFeatures() {
	pairs, pairsTitle := s.addFeature("Pairs"), s.addFeature("PairsTitle")
	identsTitle, identsCode := s.addFeature("IdentifiersTitle"), s.addFeature("IdentifiersCode")
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

// definitionFeatures values definitions of what the query names, less when several
// candidates define it.
func (s *secondPass) definitionFeatures() {
	title, code := s.addFeature("DefinesTitle"), s.addFeature("DefinesCode")
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

// passageFeatures is BM25 of the single definitions: the best of each file.
func (s *secondPass) passageFeatures() {
	best, share := s.addFeature("PassageShortNorm"), s.addFeature("PassageShare")
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
