package signal

// Tree is a small decision tree over comparable values; a signal that was not
// computed counts as 0.
type Tree struct {
	Splits []Split   // the first is the root
	Leaves []float64 // what a candidate gets
}

// Split sends a candidate left where the signal is at most At, else right. Left
// and Right are places in Tree.Splits, or -1-k for leaf k.
type Split struct {
	Signal      string
	At          float64
	Left, Right int
}

// Value is the sum of the trees' leaves for each of n candidates; names and
// values, by signal and candidate, are those of comparable form. Trees that are
// not well formed are left out.
func Value(trees []Tree, names []string, values [][]float64, n int) []float64 {
	at := make(map[string]int, len(names))
	for k, name := range names {
		at[name] = k
	}
	out := make([]float64, n)
	zeros := make([]float64, n)
	for _, t := range trees {
		columns := make([][]float64, len(t.Splits))
		for s, split := range t.Splits {
			columns[s] = zeros
			if k, ok := at[split.Signal]; ok {
				columns[s] = values[k]
			}
		}
		for i := range out {
			out[i] += t.leaf(columns, i)
		}
	}
	return out
}

// leaf is where candidate i ends; columns holds the values that each split compares.
func (t *Tree) leaf(columns [][]float64, i int) float64 {
	at := 0
	for range t.Splits { // a path is no longer than there are splits
		if at < 0 || at >= len(t.Splits) {
			break
		}
		if s := &t.Splits[at]; columns[at][i] <= s.At {
			at = s.Left
		} else {
			at = s.Right
		}
	}
	if k := -1 - at; k >= 0 && k < len(t.Leaves) {
		return t.Leaves[k]
	}
	return 0
}
