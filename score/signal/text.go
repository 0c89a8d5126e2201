package signal

import "sort"

// firstPassText computes BM25 over body, symbols and path for all files: of the
// terms, of their other forms, and of both as one.
func (m *featureMatrix) firstPassText() error {
	p := textPass{featureMatrix: m, body: m.addFileFeature("Body"), sym: m.addFileFeature("Symbols"), path: m.addFileFeature("Path"),
		stemmed: m.addFileFeature("BodyStemmed"), formSym: m.addFileFeature("FormsInSymbols"), formPath: m.addFileFeature("FormsInPath"),
		count: make([]float64, len(m.files))}
	for k := range m.terms {
		t := &m.terms[k]
		if err := p.term(t); err != nil {
			return err
		}
		df := t.df
		if t.title || len(m.terms) < shortQuery {
			var err error
			if df, err = p.forms(t); err != nil {
				return err
			}
		}
		p.flush(t.weight * m.idf(df))
	}
	return nil
}

const (
	// shortQuery is the number of terms below which all terms are looked for in
	// other forms. In a longer query only those of the title are.
	shortQuery = 60
	// formShare is the weight of another form of a word in a text, compared with the word.
	formShare = 0.7
)

type textPass struct {
	*featureMatrix
	body, sym, path, stemmed, formSym, formPath []float64

	count   []float64 // of the current term and its forms in the body, by file
	touched []int32   // files with a count
}

func (p *textPass) add(i int, x float64) {
	if p.count[i] == 0 {
		p.touched = append(p.touched, int32(i))
	}
	p.count[i] += x
}

func (p *textPass) term(t *term) error {
	w := t.weight * t.idf
	return p.eachFile(t.text, func(i int, tf [3]uint32) {
		if tf[2] > 0 {
			p.body[i] += w * p.sat(i, 2, float64(tf[2]), bm25B)
			p.add(i, float64(tf[2]))
		}
		if tf[1] > 0 {
			p.sym[i] += w * p.sat(i, 1, float64(tf[1]), bm25B)
		}
		if tf[0] > 0 {
			p.path[i] += w * p.sat(i, 0, float64(tf[0]), bm25B)
		}
	})
}

// forms looks for other forms of a term; df is that of the most frequent one.
func (p *textPass) forms(t *term) (df int, err error) {
	df = t.df
	for _, v := range Variants(t.text) {
		if _, ok := p.q.at[v]; ok {
			continue
		}
		n, err := p.corpus.DF(v)
		if err != nil {
			return 0, err
		}
		if n == 0 {
			continue
		}
		df = max(df, n)
		w := t.weight * p.idf(max(n, t.df))
		err = p.eachFile(v, func(i int, tf [3]uint32) {
			if tf[2] > 0 {
				p.add(i, formShare*float64(tf[2]))
			}
			if tf[1] > 0 {
				p.formSym[i] += w * p.sat(i, 1, float64(tf[1]), bm25B)
			}
			if tf[0] > 0 {
				p.formPath[i] += w * p.sat(i, 0, float64(tf[0]), bm25B)
			}
		})
		if err != nil {
			return 0, err
		}
	}
	return df, nil
}

func (p *textPass) flush(w float64) {
	for _, i := range p.touched {
		p.stemmed[i] += w * p.sat(int(i), 2, p.count[i], bm25B)
		p.count[i] = 0
	}
	p.touched = p.touched[:0]
}

// textFeatures computes BM25 of the candidates in variants that differ in which terms
// count and how much.
func (m *featureMatrix) textFeatures() error {
	flat, short := m.addCandidateFeature("BodyUnweighted"), m.addCandidateFeature("BodyShortNorm")
	fields, inTitle, inCode := m.addCandidateFeature("Fields"), m.addCandidateFeature("BodyTitle"), m.addCandidateFeature("BodyCode")
	symShare, pthTitle := m.addCandidateFeature("SymbolsShare"), m.addCandidateFeature("PathTitle")
	share, shareTitle, level := m.addCandidateFeature("Share"), m.addCandidateFeature("ShareTitle"), m.addCandidateFeature("BodyLevel")
	total, totalTitle := 1e-9, 1e-9
	for n := range m.terms {
		t := &m.terms[n]
		w := t.weight * t.idf
		total += w
		if t.title {
			totalTitle += t.idf
		}
		err := m.eachCandidate(t.text, func(k, i int, tf [3]uint32) {
			s := m.sat(i, 2, float64(tf[2]), bm25B)
			flat[k] += t.idf * s
			level[k] += w * s
			short[k] += w * m.sat(i, 2, float64(tf[2]), 0.4)
			share[k] += w
			x := 0.0
			for f := range tf {
				x += fieldWeights[f] * float64(tf[f]) / (1 - bm25B + bm25B*m.lens[i][f])
			}
			fields[k] += w * x / (x + bm25K1)
			if t.title {
				inTitle[k] += t.idf * s
				shareTitle[k] += t.idf
			}
			if t.code {
				inCode[k] += t.idf * s
			}
			if tf[1] > 0 {
				symShare[k] += w
			}
			if tf[0] > 0 && t.title {
				pthTitle[k] += t.idf * m.sat(i, 0, float64(tf[0]), bm25B)
			}
		})
		if err != nil {
			return err
		}
	}
	for k := range share {
		share[k] /= total
		symShare[k] /= total
		shareTitle[k] /= totalTitle
		level[k] /= total
	}
	return nil
}

// compoundFeatures looks for two words of the query written as one: data set, dataset.
func (m *featureMatrix) compoundFeatures() error {
	const most = 200
	body, pth := m.addCandidateFeature("Compounds"), m.addCandidateFeature("CompoundsInPath")
	seen := map[string]bool{}
	for k := 0; k+1 < len(m.q.seq) && len(seen) < most; k++ {
		a, b := m.q.seq[k], m.q.seq[k+1]
		if a < 0 || b < 0 {
			continue
		}
		j := m.q.terms[a].text + m.q.terms[b].text
		if seen[j] || len(j) > 60 {
			continue
		}
		seen[j] = true
		if _, ok := m.q.at[j]; ok {
			continue
		}
		df, err := m.corpus.DF(j)
		if err != nil {
			return err
		}
		if df == 0 {
			continue
		}
		w := m.idf(df) * max(m.q.terms[a].weight, m.q.terms[b].weight)
		err = m.eachCandidate(j, func(k, i int, tf [3]uint32) {
			body[k] += w * m.sat(i, 2, float64(tf[2]+3*tf[1]), bm25B)
			pth[k] += w * m.sat(i, 0, float64(tf[0]), bm25B)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Bounds of the search for terms like one that the corpus lacks.
const (
	fuzzyTerms  = 20
	fuzzyPrefix = 4
	fuzzyWalk   = 3000
	fuzzyKeep   = 4
	fuzzyLike   = 0.5
)

// fuzzyFeatures replaces terms that hardly any file holds with terms that have
// the same prefix and share most of their trigrams.
func (m *featureMatrix) fuzzyFeatures() error {
	out := m.addCandidateFeature("Fuzzy")
	voc, ok := m.corpus.(Vocabulary)
	if !ok {
		return nil
	}
	done := 0
	for _, t := range m.q.terms {
		if done > fuzzyTerms {
			break
		}
		if len(t.text) <= fuzzyPrefix || len(t.text) > 40 {
			continue
		}
		if df, err := m.corpus.DF(t.text); err != nil || df > 2 {
			if err != nil {
				return err
			}
			continue
		}
		done++
		type like struct {
			text string
			how  float64
		}
		var found []like
		own, walked := trigrams(t.text), 0
		err := voc.TermsWithPrefix(t.text[:fuzzyPrefix], func(s string) bool {
			if how := dice(own, trigrams(s)); how >= fuzzyLike && s != t.text {
				found = append(found, like{s, how})
			}
			walked++
			return walked < fuzzyWalk
		})
		if err != nil {
			return err
		}
		sort.SliceStable(found, func(a, b int) bool { return found[a].how > found[b].how })
		for _, f := range found[:min(fuzzyKeep, len(found))] {
			df, err := m.corpus.DF(f.text)
			if err != nil {
				return err
			}
			w := t.weight * f.how * m.idf(df)
			err = m.eachCandidate(f.text, func(k, i int, tf [3]uint32) {
				out[k] += w * m.sat(i, 2, float64(tf[2]+3*tf[1]+3*tf[0]), bm25B)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// trigrams are the distinct runs of three bytes of a word with its ends
// marked, sorted.
func trigrams(s string) []string {
	s = "^" + s + "$"
	var out []string
	for i := 0; i+3 <= len(s); i++ {
		out = append(out, s[i:i+3])
	}
	sort.Strings(out)
	n := 0
	for i, t := range out {
		if i == 0 || t != out[n-1] {
			out[n] = t
			n++
		}
	}
	return out[:n]
}

// dice is twice what two sorted sets share over the sum of their sizes.
func dice(a, b []string) float64 {
	n := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			n++
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return float64(2*n) / float64(len(a)+len(b))
}
