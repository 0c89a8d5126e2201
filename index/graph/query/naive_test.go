package query

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/graphtest"
)

// The oracle: a query as data, matched by trying every node and every edge in
// the order written, with conditions as Go functions. It shares no code with
// the planner, the executor or the evaluator.

type edge struct {
	from, to int
	kind     graph.EdgeKind
	conf     graph.Confidence
}

type world struct {
	nodes []graph.Node
	edges []edge
}

func worldOf(g *graphtest.Graph) *world {
	w := &world{}
	for id := range g.NumNodes() {
		n, _ := g.Node(id)
		w.nodes = append(w.nodes, n)
		out, _ := g.Out(id)
		for _, e := range out {
			w.edges = append(w.edges, edge{id, e.Other, e.Kind, e.Confidence})
		}
	}
	return w
}

type naiveRel struct {
	name  string
	kinds []graph.EdgeKind // nil for all
	dir   direction
	far   bool
	min   int
	max   int
}

type naiveChain struct {
	nodes []string // variables
	kinds [][]graph.NodeKind
	rels  []naiveRel
}

type match map[string][]edge // of a relationship's variable
type binding struct {
	nodes map[string]int
	rels  match
}

// walks calls f with every way the chain fits, from element i on.
func (w *world) walks(c *naiveChain, i int, b *binding, used []edge, f func(used []edge)) {
	if i == 0 {
		w.place(c, 0, b, -1, func() { w.walks(c, 1, b, used, f) })
		return
	}
	if i == len(c.nodes) {
		f(used)
		return
	}
	r := c.rels[i-1]
	w.trails(r, b.nodes[c.nodes[i-1]], nil, used, func(trail []edge, at int) {
		if slices.Contains(c.nodes[:i], c.nodes[i]) && b.nodes[c.nodes[i]] != at {
			return
		}
		w.place(c, i, b, at, func() {
			b.rels[r.name] = trail
			w.walks(c, i+1, b, slices.Concat(used, trail), f)
			delete(b.rels, r.name)
		})
	})
}

// place binds node i of the chain to at, or to every node when at is -1.
func (w *world) place(c *naiveChain, i int, b *binding, at int, f func()) {
	name := c.nodes[i]
	have, bound := b.nodes[name]
	for id := range w.nodes {
		if at >= 0 && id != at || bound && id != have || c.kinds[i] != nil && !slices.Contains(c.kinds[i], w.nodes[id].Kind) {
			continue
		}
		b.nodes[name] = id
		f()
		if !bound {
			delete(b.nodes, name)
		}
	}
}

func (w *world) trails(r naiveRel, at int, trail, used []edge, f func([]edge, int)) {
	if len(trail) >= r.min {
		f(slices.Clone(trail), at)
	}
	if len(trail) == r.max {
		return
	}
	for _, e := range w.edges {
		if r.kinds != nil && !slices.Contains(r.kinds, e.kind) || slices.Contains(used, e) || slices.Contains(trail, e) {
			continue
		}
		if e.from == at && r.dir != left {
			w.trails(r, e.to, append(trail, e), used, f)
		} else if e.to == at && r.dir != right {
			w.trails(r, e.from, append(trail, e), used, f)
		}
	}
}

// all finds every match of the chains, which are one MATCH.
func (w *world) all(chains []*naiveChain, b *binding, used []edge, f func()) {
	if len(chains) == 0 {
		f()
		return
	}
	w.walks(chains[0], 0, b, used, func(used []edge) { w.all(chains[1:], b, used, f) })
}

func (c *naiveChain) String() string {
	var s strings.Builder
	for i, n := range c.nodes {
		if i > 0 {
			r := c.rels[i-1]
			var kinds []string
			for _, k := range r.kinds {
				kinds = append(kinds, edgeNames[k])
			}
			body := r.name
			if kinds != nil {
				body += ":" + strings.Join(kinds, "|")
			}
			if r.far {
				body += fmt.Sprintf("*%d..%d", r.min, r.max)
			}
			s.WriteString(map[direction]string{either: "-[" + body + "]-", right: "-[" + body + "]->", left: "<-[" + body + "]-"}[r.dir])
		}
		if strings.HasPrefix(n, "_") { // anonymous
			n = ""
		}
		var kinds []string
		for _, k := range c.kinds[i] {
			kinds = append(kinds, kindNames[k])
		}
		if kinds != nil {
			n += ":" + strings.Join(kinds, "|")
		}
		s.WriteString("(" + n + ")")
	}
	return s.String()
}

// condition of the oracle: text and meaning.
type naiveCond struct {
	text  string
	holds func(*world, *binding) bool
}

func randomKinds[K ~uint8](r *rand.Rand, n int) []K {
	if r.IntN(3) > 0 {
		return nil
	}
	kinds := []K{K(r.IntN(n))}
	for r.IntN(2) == 0 {
		kinds = append(kinds, K(r.IntN(n)))
	}
	return kinds
}

func randomChain(r *rand.Rand, next *int, vars *[]string, named bool) *naiveChain {
	c := &naiveChain{}
	for i := range 1 + r.IntN(3) {
		if i > 0 {
			rel := naiveRel{kinds: randomKinds[graph.EdgeKind](r, 7), dir: direction(r.IntN(3)), min: 1, max: 1}
			if r.IntN(3) == 0 {
				rel.far, rel.min = true, r.IntN(3)
				rel.max = rel.min + r.IntN(3)
			}
			if named {
				*next++
				rel.name = fmt.Sprintf("r%d", *next)
			}
			c.rels = append(c.rels, rel)
		}
		name := ""
		if len(*vars) > 0 && r.IntN(4) == 0 {
			name = (*vars)[r.IntN(len(*vars))]
		} else {
			*next++
			if name = fmt.Sprintf("v%d", *next); r.IntN(5) == 0 {
				name = "_" + name
			} else {
				*vars = append(*vars, name)
			}
		}
		c.nodes = append(c.nodes, name)
		c.kinds = append(c.kinds, randomKinds[graph.NodeKind](r, 7))
	}
	return c
}

func randomCond(r *rand.Rand, vars []string, next *int, depth int) naiveCond {
	v := vars[r.IntN(len(vars))]
	of := func(w *world, b *binding) *graph.Node { return &w.nodes[b.nodes[v]] }
	switch k := r.IntN(9); {
	case k == 0 && depth > 0:
		a, b := randomCond(r, vars, next, depth-1), randomCond(r, vars, next, depth-1)
		return naiveCond{"(" + a.text + " AND " + b.text + ")", func(w *world, m *binding) bool { return a.holds(w, m) && b.holds(w, m) }}
	case k == 1 && depth > 0:
		a, b := randomCond(r, vars, next, depth-1), randomCond(r, vars, next, depth-1)
		return naiveCond{"(" + a.text + " OR " + b.text + ")", func(w *world, m *binding) bool { return a.holds(w, m) || b.holds(w, m) }}
	case k == 2 && depth > 0: // only conditions that are never unknown stand here
		a := randomCond(r, vars, next, depth-1)
		return naiveCond{"NOT " + a.text, func(w *world, m *binding) bool { return !a.holds(w, m) }}
	case k == 3:
		chain := randomChain(r, next, &[]string{v}, false)
		for i, n := range chain.nodes { // names of its own are not allowed
			if n != v {
				chain.nodes[i] = fmt.Sprintf("_p%d.%d", *next, i)
			}
		}
		if len(chain.rels) > 0 {
			return naiveCond{chain.String(), func(w *world, m *binding) bool {
				found := false
				inner := &binding{nodes: map[string]int{v: m.nodes[v]}, rels: match{}}
				w.walks(chain, 0, inner, nil, func([]edge) { found = true })
				return found
			}}
		}
	case k == 4:
		name := string(rune('a' + r.IntN(5)))
		return naiveCond{v + ".name = '" + name + "'", func(w *world, m *binding) bool { return of(w, m).Name == name }}
	case k == 5:
		return naiveCond{v + ".short IN ['a', 'c']", func(w *world, m *binding) bool {
			s := graph.LastPart(of(w, m).Kind, of(w, m).Name)
			return s == "a" || s == "c"
		}}
	case k == 6:
		u := vars[r.IntN(len(vars))]
		return naiveCond{v + " <> " + u, func(_ *world, m *binding) bool { return m.nodes[v] != m.nodes[u] }}
	case k == 7:
		return naiveCond{v + ".path IS NULL", func(w *world, m *binding) bool { return of(w, m).Path == "" }}
	}
	n := r.IntN(3)
	return naiveCond{fmt.Sprintf("%s.fanin >= %d", v, n), func(w *world, m *binding) bool { return of(w, m).FanIn >= n }}
}

// rowsOf runs a query and prints its rows.
func rowsOf(t *testing.T, g graph.Store, q string) []string {
	t.Helper()
	res, err := Run(context.Background(), g, q, Options{Rows: 1 << 20})
	if err != nil {
		t.Fatalf("%v\n%s", err, q)
	}
	rows := make([]string, len(res.Rows))
	for i, row := range res.Rows {
		rows[i] = fmt.Sprint(row...)
	}
	return rows
}

func sorted(rows []string) []string {
	rows = slices.Clone(rows)
	slices.Sort(rows)
	return rows
}

func TestAgainstEveryAssignment(t *testing.T) {
	rounds := 2500
	if testing.Short() {
		rounds = 200
	}
	rows, reached := 0, 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		g := graphtest.Random(r, 2+r.IntN(5), r.IntN(18))
		rows += compareOne(t, r, g, &reached)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if rows < 10*rounds || reached < rounds/50 {
		t.Errorf("the random queries found only %d rows and took the short cut %d times", rows, reached)
	}
}

func compareOne(t *testing.T, r *rand.Rand, g *graphtest.Graph, reached *int) int {
	w := worldOf(g)
	next, vars := 0, []string{}
	named := r.IntN(2) == 0
	var chains []*naiveChain
	var texts []string
	for range 1 + r.IntN(2) {
		c := randomChain(r, &next, &vars, named)
		chains, texts = append(chains, c), append(texts, c.String())
	}
	if len(vars) == 0 {
		return 0
	}
	cond := randomCond(r, vars, &next, 2)
	body := "MATCH " + strings.Join(texts, ", ") + " WHERE " + cond.text
	ids := make([]string, len(vars))
	for i, v := range vars {
		ids[i] = "id(" + v + ")"
	}
	if named {
		for _, c := range chains {
			for _, rel := range c.rels {
				if rel.far {
					ids = append(ids, "size("+rel.name+")", "coalesce(head("+rel.name+").confidence, 'none')")
				} else {
					ids = append(ids, "type("+rel.name+")", rel.name+".confidence")
				}
			}
		}
	}
	var want []string
	groups := map[int]int{}
	b := &binding{nodes: map[string]int{}, rels: match{}}
	w.all(chains, b, nil, func() {
		if !cond.holds(w, b) {
			return
		}
		var row []any
		for _, v := range vars {
			row = append(row, b.nodes[v])
		}
		if named {
			row = append(row, relColumns(chains, b)...)
		}
		want = append(want, fmt.Sprint(row...))
		groups[b.nodes[vars[0]]]++
	})
	compareShapes(t, g, body, strings.Join(ids, ", "), want, groups, vars[0])
	if q, err := Compile(body + " RETURN DISTINCT " + strings.Join(ids, ", ")); err == nil && usesReach(t, q, g) {
		*reached++
	}
	return len(want)
}

func relColumns(chains []*naiveChain, b *binding) (row []any) {
	for _, c := range chains {
		for _, rel := range c.rels {
			es := b.rels[rel.name]
			switch {
			case !rel.far:
				row = append(row, edgeNames[es[0].kind], float64(es[0].conf)/100)
			case len(es) == 0:
				row = append(row, 0, "none")
			default:
				row = append(row, len(es), float64(es[0].conf)/100)
			}
		}
	}
	return row
}

func usesReach(t *testing.T, q *Query, g graph.Store) bool {
	r := &run{query: q, store: g, ctx: context.Background()}
	steps, err := r.plan(q.stmt.matches, q.ignoresDuplicates, q.uses)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(steps, func(s *step) bool { return s.reach })
}

// compareShapes asks for the same matches in every shape RETURN has.
func compareShapes(t *testing.T, g graph.Store, body, ids string, want []string, groups map[int]int, first string) {
	t.Helper()
	check := func(shape string, got, want []string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s\n%s\ngot  %q\nwant %q", shape, body, got, want)
		}
	}
	want = sorted(want)
	got := rowsOf(t, g, body+" RETURN "+ids)
	check("all rows", sorted(got), want)
	check("the same order again", rowsOf(t, g, body+" RETURN "+ids), got)
	check("DISTINCT", sorted(rowsOf(t, g, body+" RETURN DISTINCT "+ids)), slices.Compact(slices.Clone(want)))
	check("count", rowsOf(t, g, body+" RETURN count(*)"), []string{fmt.Sprint(len(want))})
	check("count DISTINCT", rowsOf(t, g, body+" RETURN count(DISTINCT id("+first+"))"), []string{fmt.Sprint(len(groups))})
	var grouped []string
	for id := range 16 {
		if n := groups[id]; n > 0 {
			grouped = append(grouped, fmt.Sprint(id, n))
		}
	}
	check("groups", rowsOf(t, g, body+" RETURN id("+first+") AS k, count(*) ORDER BY k"), grouped)
	page := rowsOf(t, g, body+" RETURN "+ids+" SKIP 1 LIMIT 3")
	check("a page", page, got[min(1, len(got)):min(4, len(got))])
}

func TestTheShortCutFindsTheSameNodes(t *testing.T) {
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 8))
		g := graphtest.Random(r, 2+r.IntN(5), r.IntN(10))
		low := r.IntN(2)
		rel := naiveRel{dir: direction(r.IntN(3)), far: true, min: low, max: low + r.IntN(4)}
		end := []string{"a", "b"}[r.IntN(2)]
		c := &naiveChain{nodes: []string{"a", end}, kinds: make([][]graph.NodeKind, 2), rels: []naiveRel{rel}}
		w, b := worldOf(g), &binding{nodes: map[string]int{}, rels: match{}}
		var want []string
		w.all([]*naiveChain{c}, b, nil, func() { want = append(want, fmt.Sprint(b.nodes["a"], b.nodes[end])) })
		q := "MATCH " + c.String() + " RETURN DISTINCT id(a), id(" + end + ") AS e"
		if got := sorted(rowsOf(t, g, q)); !slices.Equal(got, slices.Compact(sorted(want))) {
			t.Fatalf("seed %d: %s\ngot  %q\nwant %q", seed, q, got, slices.Compact(sorted(want)))
		}
	}
}
