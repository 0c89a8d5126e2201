package measure

import "slices"

// Link is a weighted link between two files. Its direction does not matter.
type Link struct {
	A, B   int32
	Weight int64 // 1 or more
}

// Links are the links between files 0 to n−1: those of file i are
// to[start[i]:start[i+1]], ascending and each once, and known to both ends.
type Links struct {
	start  []int
	to     []int32
	weight []int64
	degree []int64 // sum of the weights of a file's links
	own    []int64 // twice the weight within a file that stands for several
	total  int64   // sum of the degrees
}

// NewLinks joins the links of n files. Those between the same two are added up;
// a file's links to itself are left out.
func NewLinks(n int, list []Link) *Links { return newLinks(n, list, make([]int64, n)) }

func newLinks(n int, list []Link, own []int64) *Links {
	l := &Links{start: make([]int, n+1), degree: slices.Clone(own), own: own}
	for _, e := range list {
		if e.A != e.B {
			l.start[e.A+1]++
			l.start[e.B+1]++
		}
	}
	for i := range n {
		l.start[i+1] += l.start[i]
	}
	half := make([]Link, l.start[n])
	at := slices.Clone(l.start)
	for _, e := range list {
		if e.A != e.B {
			half[at[e.A]], half[at[e.B]] = e, Link{e.B, e.A, e.Weight}
			at[e.A]++
			at[e.B]++
		}
	}
	for i := range n {
		row := half[l.start[i]:l.start[i+1]]
		slices.SortFunc(row, func(a, b Link) int { return int(a.B) - int(b.B) })
		l.start[i] = len(l.to)
		for k, e := range row {
			l.degree[i] += e.Weight
			if k > 0 && row[k-1].B == e.B {
				l.weight[len(l.weight)-1] += e.Weight
				continue
			}
			l.to, l.weight = append(l.to, e.B), append(l.weight, e.Weight)
		}
		l.total += l.degree[i]
	}
	l.start[n] = len(l.to)
	return l
}

// len is the number of files.
func (l *Links) len() int { return len(l.degree) }
