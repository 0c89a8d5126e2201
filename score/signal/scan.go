package signal

import "github.com/topo-dev/topo/index/token"

// classGap is how many words away a comment is from the code before it: words
// of different classes are not adjacent.
const classGap = 4

// scanner goes once through a text, word by word. Its pieces are stretches of
// one class that start at the end of the line before or at what opens or
// closes; every byte is in one.
type scanner struct {
	*lexer
	set    *token.Set
	split  *token.Splitter
	hits   []hit
	length [3]int // words by class

	in    *state
	piece int // where the piece starts; -1 when what closed has just ended
	last  uint8
	seq   int32
}

func (s *scanner) scan(text []byte) {
	s.in, s.piece, s.last, s.seq, s.length = s.code, 0, inCode, 0, [3]int{}
	s.hits = s.hits[:0]
	for i := 0; i < len(text); {
		kind := s.in.bytes[text[i]]
		if s.piece < 0 && kind < byteLine {
			s.begin(i)
		}
		switch kind {
		case byteCut:
			i++
		case byteWord:
			i = s.word(text, i)
		case byteOther:
			i = s.other(text, i)
		default:
			i = s.turn(text, i, kind)
		}
	}
}

// begin starts a piece.
func (s *scanner) begin(i int) {
	s.piece = i
	if s.in.class != s.last {
		s.seq += classGap
		s.last = s.in.class
	}
}

func (s *scanner) word(text []byte, i int) int {
	end, ok := token.Part(text, i)
	if !ok {
		return s.other(text, i)
	}
	if k := s.set.Part(text, i, end); k != token.Stop {
		s.found(k)
	}
	return end
}

// other takes a part with letters beyond ASCII.
func (s *scanner) other(text []byte, i int) int {
	term, next := s.split.Other(text, i)
	if term != nil {
		s.found(s.set.Term(term))
	}
	return next
}

func (s *scanner) found(k int32) {
	s.seq++
	s.length[s.last]++
	if k != token.None {
		s.hits = append(s.hits, hit{k, s.seq, int32(s.piece), s.last})
	}
}

// turn handles a byte that may end a piece.
func (s *scanner) turn(text []byte, i int, kind uint8) int {
	switch kind {
	case byteLine:
		if s.in.line {
			s.in = s.code
		}
		s.begin(i)
	case byteOpen:
		if o := s.opens(text, i); o != nil {
			s.in = o.to
			s.begin(i)
			return i + len(o.text)
		}
		if s.piece < 0 {
			s.begin(i)
		}
	case byteClose:
		if startsWith(text[i:], s.in.close) {
			i += len(s.in.close)
			s.in, s.piece = s.code, -1
			return i
		}
	case byteEscape:
		if i+1 < len(text) && s.in.bytes[text[i+1]] != byteLine && token.Kind(text[i+1]) == token.KindCut {
			return i + 2 // a quote that closes nothing
		}
	}
	return i + 1
}

// nameSplitter splits names.
type nameSplitter struct {
	set   *token.Set
	split token.Splitter
	name  []byte
}

// eachTerm calls fn for the terms of a name: the number of those of the query,
// -1-k for another form of term k, [token.None] for others.
func (s *nameSplitter) eachTerm(name string, fn func(k int32)) {
	s.name = append(s.name[:0], name...)
	s.each(s.name, func(_, _ int, k int32) { fn(k) })
}

// each is eachTerm of a text, with the place of each term.
func (s *nameSplitter) each(text []byte, fn func(from, to int, k int32)) {
	for i := 0; i < len(text); {
		kind := token.Kind(text[i])
		if kind == token.KindCut {
			i++
			continue
		}
		if kind == token.KindASCII {
			if end, ok := token.Part(text, i); ok {
				if k := s.set.Part(text, i, end); k != token.Stop {
					fn(i, end, k)
				}
				i = end
				continue
			}
		}
		term, next := s.split.Other(text, i)
		if term != nil {
			fn(i, next, s.set.Term(term))
		}
		i = next
	}
}
