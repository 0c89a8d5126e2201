package token

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// byHand lists the terms of text with their numbers as a caller of [Part],
// [Set.Part] and [Splitter.Other] finds them.
func byHand(s *Set, text []byte) (out []string) {
	var split Splitter
	for i := 0; i < len(text); {
		switch Kind(text[i]) {
		case KindCut:
			i++
			continue
		case KindASCII:
			if end, ok := Part(text, i); ok {
				if k := s.Part(text, i, end); k != Stop {
					out = append(out, fmt.Sprint(strings.ToLower(string(text[i:end])), k))
				}
				i = end
				continue
			}
		}
		term, next := split.Other(text, i)
		if term != nil {
			out = append(out, fmt.Sprint(string(term), s.Term(term)))
		}
		i = next
	}
	return out
}

// byEach lists the same by [Each] and a map.
func byEach(numbers map[string]int32, text []byte) (out []string) {
	Each(text, func(t []byte) {
		k, ok := numbers[string(t)]
		if !ok {
			k = None
		}
		out = append(out, fmt.Sprint(string(t), k))
	})
	return out
}

func checkSet(t *testing.T, terms []string, text []byte) {
	t.Helper()
	numbers := map[string]int32{}
	for i, x := range terms {
		if _, twice := numbers[x]; !twice {
			numbers[x] = int32(i) - 3
		}
	}
	s := NewSet(terms, func(i int) int32 { return int32(i) - 3 })
	got, want := byHand(s, text), byEach(numbers, text)
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("%q in %q:\n got %q\nwant %q", terms, text, got, want)
	}
}

func TestSetFindsWhatEachFinds(t *testing.T) {
	text := "The HTTPServer of evictionManager evicts evictionManagers; URLs, x509 größe 内存 naïveBayes a b parse_url ev EV evict2 " +
		"evictionmanage evictionmanager " + strings.Repeat("q", MaxTerm) + " " + strings.Repeat("q", MaxTerm+1)
	terms := Terms(text)
	checkSet(t, terms, []byte(text))
	checkSet(t, terms[:len(terms)/2], []byte(text))
	checkSet(t, nil, []byte(text))
	checkSet(t, []string{"", "evict", "evict", "abcdefgh", "abcdefghi"}, []byte("Evict abcdefgh abcdefghi ABCDEFGHI abcdefghij abcdefg"))
}

func TestSetOfManyTerms(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		b := make([]byte, 2+rng.IntN(12))
		for i := range b {
			b[i] = "abcdefgh01"[rng.IntN(10)]
		}
		return string(b)
	}
	var terms, words []string
	for range 3000 {
		terms = append(terms, word())
		words = append(words, word(), strings.ToUpper(terms[rng.IntN(len(terms))]))
	}
	checkSet(t, terms, []byte(strings.Join(words, " ")))
}

func FuzzSet(f *testing.F) {
	f.Add("evict pod", "evictPod under THE größe\xff内存")
	f.Add("", "aBc\x00d")
	f.Fuzz(func(t *testing.T, query, text string) {
		checkSet(t, Terms(query), []byte(text))
		checkSet(t, Terms(text), []byte(text))
	})
}

func BenchmarkSet(b *testing.B) {
	text := []byte(strings.Repeat("func (m *managerImpl) synchronize(ctx context.Context) { // evicts a pod under memory pressure\n", 500))
	s := NewSet(Terms("evict pods under node memory pressure"), func(i int) int32 { return int32(i) })
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		n := 0
		for i := 0; i < len(text); {
			if Kind(text[i]) == KindCut {
				i++
				continue
			}
			end, _ := Part(text, i)
			if s.Part(text, i, end) >= 0 {
				n++
			}
			i = end
		}
		if n == 0 {
			b.Fatal("nothing found")
		}
	}
}
