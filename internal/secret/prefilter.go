package secret

import "encoding/binary"

// anchor is a literal that candidates contain, with what examines the place.
type anchor struct {
	text  string
	fold  bool // upper and lower case are equal; text is lower case
	at    int  // offset in text of the three bytes that the prefilter looks for
	check func(s *scanner, start, end int)
}

// prefilter finds all anchors in one pass. Each position costs one look-up of its
// next three bytes; only where they begin the chosen part of an anchor is the
// whole anchor compared.
type prefilter struct {
	bucket  [1 << tableBits]uint8 // 1 + index in anchors; 0: no anchor has these bytes
	anchors [][]anchor
}

// tableBits makes the table 32 KiB: it stays in the first-level cache, and of
// ordinary positions few collide with the one or two hundred entries.
const tableBits = 15

// hash maps the three low bytes of v, without regard to case, to a bucket.
func hash(v uint32) uint32 {
	return (v | 0x202020) << 8 * 0x9E3779B1 >> (32 - tableBits)
}

func (p *prefilter) add(a anchor) {
	a.at = rarest(a.text)
	h := hash(uint32(a.text[a.at]) | uint32(a.text[a.at+1])<<8 | uint32(a.text[a.at+2])<<16)
	if p.bucket[h] == 0 {
		if len(p.anchors) == 255 {
			panic("secret: more buckets than a byte can number")
		}
		p.anchors = append(p.anchors, nil)
		p.bucket[h] = uint8(len(p.anchors))
	}
	i := p.bucket[h] - 1
	p.anchors[i] = append(p.anchors[i], a)
}

// rarest returns the offset of the three bytes of text that words hold least.
func rarest(text string) int {
	best, lowest := 0, 1<<10
	for i := 0; i+3 <= len(text); i++ {
		if n := pairScore(text[i], text[i+1]) + pairScore(text[i+1], text[i+2]); n < lowest {
			best, lowest = i, n
		}
	}
	return best
}

// run calls the check of every anchor in s.b.
func (p *prefilter) run(s *scanner) {
	b := s.b
	i := 0
	for ; i+8 <= len(b); i += 6 {
		v := binary.LittleEndian.Uint64(b[i:])
		k0, k1, k2 := p.bucket[hash(uint32(v))], p.bucket[hash(uint32(v>>8))], p.bucket[hash(uint32(v>>16))]
		k3, k4, k5 := p.bucket[hash(uint32(v>>24))], p.bucket[hash(uint32(v>>32))], p.bucket[hash(uint32(v>>40))]
		if k0|k1|k2|k3|k4|k5 == 0 {
			continue
		}
		for j, k := range [...]uint8{k0, k1, k2, k3, k4, k5} {
			if k != 0 {
				p.examine(s, i+j, k)
			}
		}
	}
	for ; i+3 <= len(b); i++ {
		if k := p.bucket[hash(uint32(b[i])|uint32(b[i+1])<<8|uint32(b[i+2])<<16)]; k != 0 {
			p.examine(s, i, k)
		}
	}
}

func (p *prefilter) examine(s *scanner, i int, bucket uint8) {
	for _, a := range p.anchors[bucket-1] {
		start := i - a.at
		end := start + len(a.text)
		if start < 0 || end > len(s.b) {
			continue
		}
		if a.fold && equalFold(s.b[start:end], a.text) || !a.fold && string(s.b[start:end]) == a.text {
			a.check(s, start, end)
		}
	}
}

// equalFold reports whether b is lower, which is lower case, but for case.
func equalFold(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i, c := range b {
		if toLower(c) != lower[i] {
			return false
		}
	}
	return true
}

func toLower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}
