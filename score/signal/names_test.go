package signal

import "testing"

func TestTopicHistory(t *testing.T) {
	c := sample()
	c.subjects = []string{"net: sort fields", "store: flush later", "Wrap lines"}
	c.touched["net/pool.py"], c.touched["store/cache.py"], c.touched["util/text.py"] = []uint32{0}, []uint32{1}, []uint32{2}
	in := c.input("fix(net): the pool evicts words of blocks")
	for path, want := range map[string][2]bool{
		"net/pool.py":    {true, true},
		"net/dial.py":    {false, true}, // its folder was touched
		"store/cache.py": {false, false},
		"util/text.py":   {false, false},
	} {
		file, folder := value(t, in, "TopicHistory", path), value(t, in, "TopicHistoryFolder", path)
		if file > 0 != want[0] || folder > 0 != want[1] {
			t.Errorf("%s: %v for the file and %v for its folder, want %v", path, file, folder, want)
		}
	}
	if v := value(t, c.input("the pool evicts words"), "TopicHistory", "net/pool.py"); v != 0 {
		t.Errorf("a query without a topic gives %v", v)
	}
}

func TestNearStem(t *testing.T) {
	c := newToy(map[string]string{
		"src/render_data.py": "def render data data data table\n",
		"lib/data_table.py":  "def other table\n",
		"lib/frame.py":       "def other table\n",
	})
	in := c.input("render the data table")
	if near, far := value(t, in, "NearStem", "lib/data_table.py"), value(t, in, "NearStem", "lib/frame.py"); near <= far || far != 0 {
		t.Errorf("a file that shares a word with the name of the best file has %v, another %v", near, far)
	}
}

func TestTaskWeight(t *testing.T) {
	fix, cache, rare := taskWeight("fix"), taskWeight("cache"), taskWeight("quaternion")
	if !(fix < cache && cache < rare && rare == 1) {
		t.Errorf("fix %v, cache %v, quaternion %v: want them to rise to 1", fix, cache, rare)
	}
	seen := map[string]bool{}
	for _, w := range taskWords {
		if w.weight <= 0 || w.weight >= 1 {
			t.Errorf("weight %v", w.weight)
		}
	}
	for w := range taskWeights() {
		seen[w] = true
	}
	if len(seen) < 500 {
		t.Errorf("only %d words", len(seen))
	}
}

func TestTreesValue(t *testing.T) {
	tree := Tree{Splits: []Split{{"A", 0.5, -1, 1}, {"B", 0.2, -2, -3}}, Leaves: []float64{1, 2, 3}}
	values := [][]float64{{0.5, 0.6, 0.6}, {9, 0.2, 0.3}}
	if got := Value([]Tree{tree, tree}, []string{"A", "B"}, values, 3); got[0] != 2 || got[1] != 4 || got[2] != 6 {
		t.Errorf("%v, want 2, 4, 6", got)
	}
	if got := Value([]Tree{tree}, []string{"A"}, values[:1], 3); got[1] != 2 {
		t.Errorf("a signal that is not computed counts as %v", got)
	}
	for _, bad := range []Tree{{}, {Splits: []Split{{"A", 0, 0, 0}}}, {Splits: []Split{{"A", 0, 7, -9}}, Leaves: []float64{1}}} {
		for i, x := range Value([]Tree{bad}, []string{"A", "B"}, values, 3) {
			if x != 0 {
				t.Errorf("a tree that is not well formed gives candidate %d %v", i, x)
			}
		}
	}
	for _, tr := range trees {
		if len(tr.Leaves) != len(tr.Splits)+1 {
			t.Errorf("%d leaves of %d splits", len(tr.Leaves), len(tr.Splits))
		}
		for _, s := range tr.Splits {
			if _, ok := byName()[s.Signal]; !ok {
				t.Errorf("a tree asks for %s, which is no signal", s.Signal)
			}
		}
	}
}
