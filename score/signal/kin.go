package signal

import (
	"math"
	"slices"
	"strings"

	"github.com/topo-dev/topo/index/token"
)

// kinLeaders is how many of the leaders vouch for files of a like name.
const kinLeaders = 25

// kin values the candidates by the leaders of a like name, in any folder.
func (l *lab) kin(lead []float64) {
	near := l.few("NearStem")
	leaders := l.top(lead, kinLeaders)
	var split token.Splitter
	words := make([][]string, len(leaders))
	for k, i := range leaders {
		words[k] = l.nameWords(i, &split)
	}
	for k, i := range l.candidates {
		own := l.nameWords(i, &split)
		for n, j := range leaders {
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
				near[k] = max(near[k], lead[j]*float64(2*shared)/float64(len(own)+len(words[n])))
			}
		}
	}
}

// nameWords are the words of a file's name, or of the folder it stands for.
func (l *lab) nameWords(i int, split *token.Splitter) (out []string) {
	name := stemOf(l.files[i].Path)
	if slices.Contains(standIns, name) {
		name = folderOf(l.files[i].Path)
	}
	split.Each([]byte(name), func(t []byte) { out = append(out, string(t)) })
	return out
}

// folderHistory values the candidates by the commits like the query that
// touched their folders.
func (l *lab) folderHistory() error {
	like, lately := l.few("FolderLike"), l.few("FolderLikeLate")
	if l.commit == nil {
		return nil
	}
	for k, i := range l.candidates {
		like[k], lately[k] = math.Cbrt(l.dirLike[l.dir[i]]), math.Cbrt(l.dirLate[l.dir[i]])
	}
	return nil
}

// topicHistory values the candidates, and their folders, by the commits whose
// subjects begin with the same topic as the query.
func (l *lab) topicHistory() error {
	file, folder := l.few("TopicHistory"), l.few("TopicHistoryFolder")
	var split token.Splitter
	own := topicOf(l.q.title, &split)
	if len(own) == 0 || l.commit == nil {
		return nil
	}
	files, folders := make([]float64, len(l.files)), make([]float64, len(l.inDir))
	counted := make([]int32, len(l.inDir))
	h := l.corpus.(History)
	for c, touched := range l.commit {
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
		v := alike(own, topicOf(subject, &split)) * late(float64(c)) / math.Sqrt(float64(len(touched)))
		for _, i := range touched {
			files[i] += v
			if d := l.dir[i]; l.ranked[i] && counted[d] != int32(c)+1 {
				counted[d] = int32(c) + 1
				folders[d] += v
			}
		}
	}
	for k, i := range l.candidates {
		file[k], folder[k] = math.Sqrt(files[i]), math.Sqrt(folders[l.dir[i]])
	}
	return nil
}

// alike is what two topics share over the larger one.
func alike(a, b []string) float64 {
	n := 0
	for _, t := range a {
		if slices.Contains(b, t) {
			n++
		}
	}
	return float64(n) / float64(max(len(a), len(b), 1))
}
