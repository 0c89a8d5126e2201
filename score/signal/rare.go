package signal

import "math"

// rareNameFeatures values names by how few candidates hold or define them. Unlike those of
// most signals the values are on one scale for all queries: where all candidates
// share a common name, none of them gets much for it.
func (s *secondPass) rareNameFeatures() {
	s.held()
	s.definedAlone()
	s.queryFeatures()
}

// held values names of several words that the query spells.
func (s *secondPass) held() {
	best, inTitle, share := s.addFeature("RareName"), s.addFeature("RareNameTitle"), s.addFeature("NamesShare")
	df := make([]float64, len(s.q.idents))
	for k := range s.files {
		for _, p := range s.files[k].idents {
			df[p.col]++
		}
	}
	rarity, total := make([]float64, len(df)), 1e-9
	for i, n := range df {
		if n > 0 {
			rarity[i] = 1 - math.Log(n)/math.Log(float64(len(s.files)+1))
			total += rarity[i]
		}
	}
	for k := range s.files {
		for _, p := range s.files[k].idents {
			r := rarity[p.col]
			best[k] = max(best[k], r)
			share[k] += r / total
			if s.q.idents[p.col].title {
				inTitle[k] = max(inTitle[k], r)
			}
		}
	}
}

// definedAlone values definitions of what the query names: fully where no other
// candidate defines it and its words are rare.
func (s *secondPass) definedAlone() {
	only, onlyTitle := s.addFeature("OnlyDefines"), s.addFeature("OnlyDefinesTitle")
	df := make([]float64, len(s.q.idents))
	for k := range s.files {
		for _, d := range s.files[k].defs {
			df[d.col]++
		}
	}
	most := math.Log(float64(s.corpus.NumFiles()) + 2)
	for k := range s.files {
		for _, d := range s.files[k].defs {
			idf := 0.0
			for _, t := range s.identTerm[d.col] {
				idf += s.terms[t].idf * min(1, s.terms[t].weight)
			}
			x := min(1, idf/most) / df[d.col]
			only[k] = max(only[k], x)
			if s.q.idents[d.col].title {
				onlyTitle[k] = max(onlyTitle[k], x)
			}
		}
	}
}

// queryFeatures tell the trees what kind of query it is. They are the same for
// all candidates and add nothing by themselves.
func (s *secondPass) queryFeatures() {
	length, names := s.addFeature("QueryLength"), s.addFeature("QueryNames")
	code := 0.0
	for _, id := range s.q.idents {
		if id.code {
			code++
		}
	}
	for k := range s.files {
		length[k] = math.Log1p(float64(len(s.q.terms))) / 6
		names[k] = math.Log1p(code) / 4
	}
}
