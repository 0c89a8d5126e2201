package measure

import (
	"math/rand/v2"
	"slices"
)

// maxPasses bounds how often the files are gone through on one level. Few
// graphs need more than ten; the last moves gain next to nothing.
const maxPasses = 50

// louvain divides the files by the method of Blondel, Guillaume, Lambiotte and
// Lefebvre, "Fast unfolding of communities in large networks" (2008): each file
// moves to the neighbouring group that raises the modularity most, until none
// does; then each group becomes one file and it starts over. It returns the
// group of each file, numbered from 0 in the order of their first files.
func louvain(l *Links, seed uint64) []int32 {
	r := rand.New(rand.NewPCG(seed, 0))
	of := make([]int32, l.len())
	for i := range of {
		of[i] = int32(i)
	}
	for {
		groups, n, moved := l.move(r)
		for i := range of {
			of[i] = groups[of[i]]
		}
		if !moved || n == l.len() {
			return of
		}
		l = l.joined(groups, n)
	}
}

// mover is one level at work.
type mover struct {
	*Links
	group []int32
	sum   []int64 // of the degrees in each group
	near  []int64 // weight from the current file to each group
	seen  []int32 // groups with such a weight
}

// move moves single files until no move helps. The groups are numbered in the
// order of their first files; n is their number.
func (l *Links) move(r *rand.Rand) (groups []int32, n int, moved bool) {
	m := &mover{Links: l, group: make([]int32, l.len()), sum: slices.Clone(l.degree), near: make([]int64, l.len())}
	for i := range m.group {
		m.group[i] = int32(i)
	}
	order := r.Perm(l.len())
	for range maxPasses {
		again := false
		for _, i := range order {
			again = m.place(i) || again
		}
		if moved = moved || again; !again {
			break
		}
	}
	number := make([]int32, l.len())
	for i := range number {
		number[i] = -1
	}
	for i, g := range m.group {
		if number[g] < 0 {
			number[g] = int32(n)
			n++
		}
		m.group[i] = number[g]
	}
	return m.group, n, moved
}

// place moves file i to its best group: the first of equal ones, its own
// before others.
func (m *mover) place(i int) bool {
	own := m.group[i]
	m.seen = m.seen[:0]
	for k := m.start[i]; k < m.start[i+1]; k++ {
		g := m.group[m.to[k]]
		if m.near[g] == 0 {
			m.seen = append(m.seen, g)
		}
		m.near[g] += m.weight[k]
	}
	m.sum[own] -= m.degree[i]
	best, most := own, m.gain(i, own)
	slices.Sort(m.seen)
	for _, g := range m.seen {
		if gain := m.gain(i, g); gain > most {
			best, most = g, gain
		}
	}
	m.sum[best] += m.degree[i]
	m.group[i] = best
	for _, g := range m.seen {
		m.near[g] = 0
	}
	return best != own
}

// gain is what the modularity gains by file i in group g, times the square of
// the sum of all weights. The products are rounded on their own: a fused
// multiplication would give other bits on some processors.
func (m *mover) gain(i int, g int32) float64 {
	in := float64(float64(m.near[g]) * float64(m.total))
	chance := float64(float64(m.degree[i]) * float64(m.sum[g]))
	return in - chance
}

// joined are the links between n groups, each taken as one file.
func (l *Links) joined(groups []int32, n int) *Links {
	own := make([]int64, n)
	var list []Link
	for i, a := range groups {
		own[a] += l.own[i]
		for k := l.start[i]; k < l.start[i+1]; k++ {
			b := groups[l.to[k]]
			if a == b {
				own[a] += l.weight[k] // from both ends: twice
			} else if a < b {
				list = append(list, Link{a, b, l.weight[k]})
			}
		}
	}
	return newLinks(n, list, own)
}

// modularity is Newman's Q of a division into n groups.
func (l *Links) modularity(of []int32, n int) float64 {
	inside, sum := make([]int64, n), make([]int64, n)
	for i, g := range of {
		sum[g] += l.degree[i]
		inside[g] += l.own[i]
		for k := l.start[i]; k < l.start[i+1]; k++ {
			if of[l.to[k]] == g {
				inside[g] += l.weight[k]
			}
		}
	}
	q := 0.0
	for g := range n {
		share := float64(sum[g]) / float64(l.total)
		q += float64(inside[g])/float64(l.total) - float64(share*share)
	}
	return q
}
