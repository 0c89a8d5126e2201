// Package vocab holds the vocabularies of byte-pair tokenizers.
//
// A vocabulary is part of the binary. What always holds: every single
// byte is a token, ranks are the numbers from 0 without a gap, and no token is empty
// or longer than 255 bytes. A test compares each with that of tiktoken.
//
// An asset holds the tokens in the order of their ranks. It is not compressed: that
// would save 0.9 MB of two assets and take a third longer to load.
//
//	offset  size  meaning
//	0       4     u32 n, the number of tokens, little endian
//	4       n     length of each token in bytes
//	4+n     rest  the tokens, one after the other
package vocab

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/cespare/xxhash/v2"
)

//go:generate go test -run TestAssets . -update

//go:embed o200k.bin
var o200k []byte

//go:embed cl100k.bin
var cl100k []byte

var assets = map[string][]byte{"cl100k": cl100k, "o200k": o200k}

// Vocabulary tells the rank of a token. It does not change and is safe for
// concurrent use.
//
// Tokens are found in a table of slots, at the hash of the token or after it. A slot
// has the rank + 1 in its low bits and part of the hash in its high bits, which
// spares most comparisons; 0 is an empty slot.
type Vocabulary struct {
	text  []byte   // all tokens
	end   []uint32 // of each token in text, by rank
	slots []uint32 // a power of two
}

const (
	rankBits = 18 // holds the ranks of all assets
	tagBits  = 32 - rankBits
	maxToken = 255 // length in bytes
)

// Load prepares the vocabulary of that name, "cl100k" or "o200k". It takes a few
// milliseconds: keep what it returns.
func Load(name string) (*Vocabulary, error) {
	plain := assets[name]
	if len(plain) < 4 {
		return nil, fmt.Errorf("vocabulary %s: not in this build", name)
	}
	n := int(binary.LittleEndian.Uint32(plain))
	lengths, text := plain[4:4+n], plain[4+n:]
	v := &Vocabulary{text: text, end: make([]uint32, n), slots: make([]uint32, 1<<bits.Len(uint(2*n)))}
	at := uint32(0)
	for rank, l := range lengths {
		v.insert(text[at:at+uint32(l)], uint32(rank))
		at += uint32(l)
		v.end[rank] = at
	}
	return v, nil
}

func (v *Vocabulary) insert(token []byte, rank uint32) {
	h := xxhash.Sum64(token)
	for i := v.home(h); ; i = (i + 1) & (len(v.slots) - 1) {
		if v.slots[i] == 0 {
			v.slots[i] = tag(h) | (rank + 1)
			return
		}
	}
}

// Len is the number of tokens.
func (v *Vocabulary) Len() int { return len(v.end) }

// Token is the text of a token. It must not be changed.
func (v *Vocabulary) Token(rank int) []byte {
	start := uint32(0)
	if rank > 0 {
		start = v.end[rank-1]
	}
	return v.text[start:v.end[rank]:v.end[rank]]
}

// Rank is the rank of a token; ok reports whether there is one.
func (v *Vocabulary) Rank(token []byte) (rank int, ok bool) {
	if len(token) > maxToken {
		return 0, false
	}
	h := xxhash.Sum64(token)
	t := tag(h)
	for i := v.home(h); v.slots[i] != 0; i = (i + 1) & (len(v.slots) - 1) {
		if s := v.slots[i]; s>>rankBits<<rankBits == t {
			if rank = int(s&(1<<rankBits-1)) - 1; string(v.Token(rank)) == string(token) {
				return rank, true
			}
		}
	}
	return 0, false
}

// home is the first slot for a hash, by its low bits.
func (v *Vocabulary) home(h uint64) int { return int(h) & (len(v.slots) - 1) }

// tag is the part of a hash that a slot holds, its high bits.
func tag(h uint64) uint32 { return uint32(h>>(64-tagBits)) << rankBits }
