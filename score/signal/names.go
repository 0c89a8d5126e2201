package signal

import (
	"math"
	"slices"
	"strings"

	"github.com/topo-dev/topo/index/token"
)

// nameSeeds is how many of the best files of the first pass support files with
// similar names.
const nameSeeds = 25

// similarNameFeatures values the candidates by the best files of the first pass
// that have similar names, in any folder.
func (m *featureMatrix) similarNameFeatures(firstPass []float64) {
	near := m.addCandidateFeature("NearStem")
	seeds := m.top(firstPass, nameSeeds)
	var split token.Splitter
	words := make([][]string, len(seeds))
	for k, i := range seeds {
		words[k] = m.nameWords(i, &split)
	}
	for k, i := range m.candidates {
		own := m.nameWords(i, &split)
		for n, j := range seeds {
			if j == i {
				continue
			}
			shared := 0
			for _, w := range own {
				if slices.Contains(words[n], w) {
					shared++
				}
			}
			if shared > 0 {
				near[k] = max(near[k], firstPass[j]*float64(2*shared)/float64(len(own)+len(words[n])))
			}
		}
	}
}

// nameWords are the words of a file's name, or of its folder for a file such as index.
func (m *featureMatrix) nameWords(i int, split *token.Splitter) (out []string) {
	name := stemOf(m.files[i].Path)
	if slices.Contains(folderFileNames, name) {
		name = folderOf(m.files[i].Path)
	}
	split.Each([]byte(name), func(t []byte) { out = append(out, string(t)) })
	return out
}

// folderHistoryFeatures values the candidates by the commits that are similar to
// the query and touched their folders.
func (m *featureMatrix) folderHistoryFeatures() error {
	like, lately := m.addCandidateFeature("FolderLike"), m.addCandidateFeature("FolderLikeLate")
	if m.commit == nil {
		return nil
	}
	for k, i := range m.candidates {
		like[k], lately[k] = math.Cbrt(m.dirLike[m.dir[i]]), math.Cbrt(m.dirLate[m.dir[i]])
	}
	return nil
}

// topicHistoryFeatures values the candidates, and their folders, by the commits whose
// subjects begin with the same topic as the query.
func (m *featureMatrix) topicHistoryFeatures() error {
	file, folder := m.addCandidateFeature("TopicHistory"), m.addCandidateFeature("TopicHistoryFolder")
	var split token.Splitter
	own := topicOf(m.q.title, &split)
	if len(own) == 0 || m.commit == nil {
		return nil
	}
	files, folders := make([]float64, len(m.files)), make([]float64, len(m.inDir))
	counted := make([]int32, len(m.inDir))
	h := m.corpus.(History)
	for c, touched := range m.commit {
		if len(touched) == 0 || len(touched) > sweepingCommit {
			continue
		}
		subject, err := h.CommitSubject(c)
		if err != nil {
			return err
		}
		if strings.IndexByte(subject, ':') < 0 {
			continue // spares most of them the pattern
		}
		v := topicSimilarity(own, topicOf(subject, &split)) * recencyWeight(float64(c)) / math.Sqrt(float64(len(touched)))
		for _, i := range touched {
			files[i] += v
			if d := m.dir[i]; m.ranked[i] && counted[d] != int32(c)+1 {
				counted[d] = int32(c) + 1
				folders[d] += v
			}
		}
	}
	for k, i := range m.candidates {
		file[k], folder[k] = math.Sqrt(files[i]), math.Sqrt(folders[m.dir[i]])
	}
	return nil
}

// topicSimilarity is the number of words that two topics share over the length
// of the longer one.
func topicSimilarity(a, b []string) float64 {
	n := 0
	for _, t := range a {
		if slices.Contains(b, t) {
			n++
		}
	}
	return float64(n) / float64(max(len(a), len(b), 1))
}
