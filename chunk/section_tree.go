package chunk

// partTree gathers the parts of a nested format: members of objects, elements of
// markup. The parts of a part are kept only when it is large, so that a file of
// many small records has one section for each.
type partTree struct {
	b     *builder
	parts []part
	open  []int // parts around the current one; -1 for one that is not listed
	large int   // bytes from which the parts of a part are kept
}

type part struct {
	name, scope string
	start, end  int
}

// maxPartDepth is how deep parts are listed.
const maxPartDepth = 6

// begin opens a part that starts at an offset.
func (t *partTree) begin(name string, start int) {
	at := -1
	if len(t.open) < maxPartDepth && len(t.parts) < maxSections && name != "" {
		scope := ""
		if n := len(t.open); n > 0 && t.open[n-1] >= 0 {
			holder := t.parts[t.open[n-1]]
			scope = join(holder.scope, holder.name)
		}
		at = len(t.parts)
		t.parts = append(t.parts, part{name: sectionName(name), scope: clip(scope), start: start})
	}
	t.open = append(t.open, at)
}

// finish closes the part opened last at an offset.
func (t *partTree) finish(end int) {
	if len(t.open) == 0 {
		return
	}
	at := t.open[len(t.open)-1]
	t.open = t.open[:len(t.open)-1]
	if at < 0 {
		return
	}
	t.parts[at].end = end
	if end-t.parts[at].start < t.large {
		t.parts = t.parts[:at+1]
	}
}

// add turns the parts into sections. Parts still open end with the file, and what
// follows the last part of a full list is a section of its own.
func (t *partTree) add() {
	for len(t.open) > 0 {
		t.finish(len(t.b.src))
	}
	last := 0
	for _, p := range t.parts {
		t.b.add(Chunk{Kind: Section, Name: p.name, Scope: p.scope, StartByte: p.start, EndByte: p.end,
			SigEnd: p.start + min(lineLength(t.b.src[p.start:]), maxName)})
		last = max(last, p.end)
	}
	if len(t.parts) == maxSections && last < len(t.b.src) {
		t.b.section("rest of the file", last, len(t.b.src))
	}
}
