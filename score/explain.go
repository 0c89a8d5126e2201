package score

import (
	"context"
	"math"

	"github.com/topo-dev/topo/stream"
)

// Explanation is why a file has its place.
//
//	{"Record":"explanation","Path":"a/b.go","Rank":1,"Score":0.98,"Role":"impl","Language":"go","Signals":[{"Name":"Bm25f","Value":12.3,"Rank":1,"Contribution":0.5}],"Terms":[{"Term":"evict","DF":40,"IDF":5.3,"Weight":1,"TF":{"Filename":0,"Symbols":3,"Body":12},"Score":4.9}]}
type Explanation struct {
	Path     string
	Rank     int     // 1-based place in the ranking
	Score    float64 // as in the ranking: the sum of the contributions
	Role     stream.Role
	Language string
	Reasons  []Reason      // why, in words, what counts most first
	Signals  []SignalValue // in the order of computation; under the linear fusion without those that add nothing
	Terms    []TermMatch   // terms of the query that the file holds, in the order of the query
}

// RecordKind is the name of the records of explanations.
func (Explanation) RecordKind() string { return "explanation" }

// Scale multiplies the score and what adds up to it.
func (e *Explanation) Scale(by float64) {
	e.Score = rounded(e.Score * by)
	for i := range e.Signals {
		e.Signals[i].Contribution *= by
	}
	for i := range e.Reasons {
		e.Reasons[i].Adds = math.Round(e.Reasons[i].Adds*by*1e4) / 1e4
	}
}

// SignalValue is one signal's value of a file.
type SignalValue struct {
	Name         string
	Value        float64 // in the signal's own unit
	Rank         int     // 1-based among the files that the signal ranks; 0 when it has no value
	Contribution float64 // what it adds to the score
}

// TermMatch is a term of the query in a file.
type TermMatch struct {
	Term   string
	DF     int     // files of the corpus that hold it
	IDF    float64 // see [IDF]
	Weight float64 // in the query
	TF     FieldCounts
	Score  float64 // what it adds to bm25f
}

// FieldCounts is how often a term occurs in each field of a file.
type FieldCounts struct {
	Filename uint32
	Symbols  uint32
	Body     uint32
}

// Explain ranks as [Rank] does and explains the first top files, all of them
// when top is 0. Files of score 0 are left out.
func Explain(ctx context.Context, c Corpus, files []stream.File, o Options, top int) ([]Explanation, error) {
	r, err := newRun(ctx, c, files, o)
	if err != nil {
		return nil, err
	}
	order := r.order(nil)
	if top > 0 {
		order = order[:min(top, len(order))]
	}
	out := make([]Explanation, 0, len(order))
	for k, i := range order {
		if r.fused[i] == 0 {
			break
		}
		f := &r.files[i]
		out = append(out, Explanation{Path: f.Path, Rank: k + 1, Score: r.fused[i], Role: f.Role, Language: f.Language, Signals: r.signalValues(i)})
	}
	if err := r.explainTerms(order[:len(out)], out); err != nil {
		return nil, err
	}
	w, err := newReasoner(r)
	for k := 0; k < len(out) && err == nil; k++ {
		out[k].Reasons, err = w.of(&out[k], r.files[order[k]])
	}
	return out, err
}

func (r *run) signalValues(i int) []SignalValue {
	out := make([]SignalValue, 0, len(r.signals))
	fused, parts := 0, 0.0 // signals joined by their ranks; what the others add
	for k := range r.signals {
		s := &r.signals[k]
		if s.part == nil {
			fused++
		} else {
			_, part := r.signalValue(s, i)
			parts += part
		}
	}
	for k := range r.signals {
		s := &r.signals[k]
		raw, part := r.signalValue(s, i)
		if s.part != nil && raw == 0 && part == 0 {
			continue // dozens say nothing of any one file
		}
		v := SignalValue{Name: s.name, Value: raw, Contribution: part, Rank: s.rankOf(i, raw)}
		switch {
		case s.part != nil:
		case fused == 1:
			v.Contribution = r.fused[i] - parts
		default:
			v.Contribution = rrf(s.rank[i]) / (float64(fused) * rrf(1))
		}
		out = append(out, v)
	}
	return out
}

// rankOf is the place of a file in the signal's order, 0 for no value.
func (s *computed) rankOf(i int, raw float64) int {
	if s.rank != nil {
		return int(s.rank[i])
	}
	if raw <= 0 {
		return 0
	}
	rank := 1
	for _, v := range s.raw {
		if v > raw {
			rank++
		}
	}
	return rank
}

// explainTerms goes through the postings again for the explained files alone.
func (r *run) explainTerms(order []int, out []Explanation) error {
	if r.terms == nil && r.plan.Reads() { // the linear fusion chooses its own
		var err error
		if r.terms, err = r.q.choose(r.corpus); err != nil {
			return err
		}
	}
	if len(r.terms) == 0 || len(order) == 0 {
		return nil
	}
	lens, err := newLengths(r.corpus)
	if err != nil {
		return err
	}
	at := map[int]int{} // number in the corpus → position in out
	for k, i := range order {
		if r.ids[i] >= 0 {
			at[int(r.ids[i])] = k
		}
	}
	for _, t := range r.terms {
		err := r.corpus.Each(t.Text, func(id int, tf [3]uint32) {
			if k, ok := at[id]; ok {
				out[k].Terms = append(out[k].Terms, TermMatch{t.Text, t.df, t.idf, t.Weight,
					FieldCounts{tf[0], tf[1], tf[2]}, t.Weight * t.idf * lens.saturation(id, tf)})
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}
