package secret

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// minRecall is the share of the generated secrets that must be found.
const minRecall = 0.95

// trial is a generated text and the secret in it.
type trial struct{ kind, place, text, secret string }

func trials(seed uint64) (all []trial) {
	r := source{rand.New(rand.NewPCG(seed, 1))}
	for i, k := range kinds {
		for j, p := range places {
			secret := k.make(r)
			name := styles[(i+j)%len(styles)](k.name)
			all = append(all, trial{k.provider + " " + k.name, p.kind, fmt.Sprintf(p.text, name, secret), secret})
		}
	}
	for _, s := range structured {
		for range 10 {
			before, secret, after := s.make(r)
			all = append(all, trial{"structure", s.kind, before + secret + after, secret})
		}
	}
	return all
}

// leaks reports whether masked still shows a part of the secret that would help
// to guess the rest: half of its last 16 bytes.
func leaks(masked []byte, secret string) bool {
	secret = strings.TrimSuffix(secret, ";EndpointSuffix=core.windows.net")
	tail := secret[len(secret)-min(16, len(secret)):]
	for i := 0; i+len(tail)/2 <= len(tail); i++ {
		if bytes.Contains(masked, []byte(tail[i:i+len(tail)/2])) {
			return true
		}
	}
	return false
}

func TestRecall(t *testing.T) {
	missed := map[string]int{}
	total, misses := 0, 0
	providers := map[string]bool{}
	for seed := range uint64(5) {
		for _, c := range trials(seed) {
			provider, _, _ := strings.Cut(c.kind, " ")
			providers[provider] = true
			total++
			masked, _ := Mask([]byte(c.text))
			if leaks(masked, c.secret) {
				misses++
				missed[c.kind]++
				missed["in "+c.place]++
				if testing.Verbose() {
					t.Logf("%s: %s", c.kind, masked)
				}
			}
		}
	}
	recall := 1 - float64(misses)/float64(total)
	t.Logf("%d secrets of %d providers, recall %.4f", total, len(providers), recall)
	keys := make([]string, 0, len(missed))
	for k := range missed {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int { return missed[b] - missed[a] })
	for _, k := range keys {
		t.Logf("missed %3d %s", missed[k], k)
	}
	if recall < minRecall {
		t.Errorf("recall %.4f, want at least %.2f", recall, minRecall)
	}
}
