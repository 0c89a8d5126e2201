package score

import "github.com/topo-dev/topo/stream"

// distinct are the files without those whose content is that of one before them;
// these are in its choice.
func distinct(files []stream.File) []choice {
	out := make([]choice, 0, len(files))
	at := map[string]int{}
	for _, f := range files {
		if k := f.ContentKey(); k != "" {
			if first, ok := at[k]; ok {
				out[first].same = append(out[first].same, f)
				continue
			}
			at[k] = len(out)
		}
		out = append(out, choice{File: f, source: f})
	}
	return out
}

// nameable are as many of the files as may be named with a file that has that share:
// they take no more than half of it.
func (b *budget) nameable(same []stream.File, share cost) []stream.File {
	if top := b.sel.Budget.Top; top > 0 {
		same = same[:min(len(same), max(top-b.count()-1, 0))]
	}
	left := share.half().size()
	for i, f := range same {
		if left -= stream.CharsPerToken * len(f.Path); left < 0 {
			return same[:i]
		}
	}
	return same
}

// count is the number of files selected, those included that are only named.
func (b *budget) count() (n int) {
	for i := range b.picked {
		n += 1 + len(b.picked[i].same)
	}
	return n
}

// full reports whether no more files may be selected.
func (b *budget) full() bool { return b.sel.Budget.Top > 0 && b.count() >= b.sel.Budget.Top }

// selected are the picked files and those with the same content, in the order of
// the ranking.
func (b *budget) selected(files []stream.File) []stream.File {
	form := map[string]stream.File{}
	for _, c := range b.picked {
		c.Tokens = c.cost.tokens
		form[c.Path] = c.File
		for _, f := range c.same {
			f.Chunks, f.Tokens = nil, 0
			form[f.Path] = f
		}
	}
	out := make([]stream.File, 0, len(form))
	for _, f := range files {
		if chosen, ok := form[f.Path]; ok {
			out = append(out, chosen)
		}
	}
	return out
}
