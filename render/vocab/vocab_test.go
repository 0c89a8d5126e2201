package vocab

import (
	"bytes"
	"encoding/binary"
	"flag"
	"os"
	"testing"

	loader "github.com/pkoukk/tiktoken-go-loader"
)

var update = flag.Bool("update", false, "rewrite the assets from tiktoken's vocabularies")

var names = []string{"cl100k", "o200k"}

// theirs is tiktoken's vocabulary.
func theirs(t testing.TB, name string) map[string]int {
	t.Helper()
	ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(name + "_base.tiktoken")
	if err != nil {
		t.Fatal(err)
	}
	return ranks
}

// asset is the asset of a vocabulary.
func asset(t testing.TB, ranks map[string]int) []byte {
	t.Helper()
	tokens := make([]string, len(ranks))
	for token, rank := range ranks {
		if rank < 0 || rank >= len(tokens) || tokens[rank] != "" || token == "" || len(token) > 255 {
			t.Fatalf("token %q of rank %d has no place in the format", token, rank)
		}
		tokens[rank] = token
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(tokens)))
	for _, token := range tokens {
		out = append(out, byte(len(token)))
	}
	for _, token := range tokens {
		out = append(out, token...)
	}
	return out
}

// TestAssets fails when an asset is not tiktoken's vocabulary, byte for byte.
func TestAssets(t *testing.T) {
	for _, name := range names {
		want := asset(t, theirs(t, name))
		if *update {
			if err := os.WriteFile(name+".bin", want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if !bytes.Equal(assets[name], want) {
			t.Errorf("%s.bin is stale; run make generate", name)
		}
	}
}

func TestRanks(t *testing.T) {
	for _, name := range names {
		v, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		want := theirs(t, name)
		if v.Len() != len(want) || v.Len() >= 1<<rankBits {
			t.Fatalf("%s: %d tokens, want %d", name, v.Len(), len(want))
		}
		probe := func(token string) {
			rank, ok := v.Rank([]byte(token))
			if r, isToken := want[token]; ok != isToken || rank != r {
				t.Fatalf("%s: %q has rank %d, %v; want %d, %v", name, token, rank, ok, r, isToken)
			}
		}
		for token, rank := range want {
			if string(v.Token(rank)) != token {
				t.Fatalf("%s: rank %d is %q, want %q", name, rank, v.Token(rank), token)
			}
			probe(token)
			probe(token[1:])
			probe(token + "\xff")
			probe(token + token)
		}
		for b := range 256 {
			if _, ok := v.Rank([]byte{byte(b)}); !ok {
				t.Errorf("%s: byte %d is no token", name, b)
			}
		}
	}
}

func TestUnknownVocabulary(t *testing.T) {
	if v, err := Load("p50k"); err == nil {
		t.Errorf("%d tokens", v.Len())
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Load(name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
