package signal

import (
	"slices"
	"strings"
)

var (
	endings = []string{"s", "es", "ed", "d", "ing", "er", "or", "ion", "ions", "ation", "ment", "ly", "able", "ers", "al", "ally", "ity", "ance", "ence", "ible"}
	joined  = []string{"s", "es", "ed", "ing", "er", "or", "ion", "ation", "d", "r"}
)

// Variants are the forms of an English word that may stand for it: plural,
// -ing, -ed, -er, -ion and back. Many are no words; the corpus knows which are.
func Variants(t string) []string {
	if len(t) < 3 || strings.ContainsAny(t, "0123456789") {
		return nil
	}
	stems := []string{t}
	for _, end := range endings {
		if strings.HasSuffix(t, end) && len(t)-len(end) >= 3 {
			s := t[:len(t)-len(end)]
			stems = append(stems, s)
			if n := len(s); n > 3 && s[n-1] == s[n-2] {
				stems = append(stems, s[:n-1])
			}
		}
	}
	if strings.HasSuffix(t, "ies") || strings.HasSuffix(t, "ied") {
		stems = append(stems, t[:len(t)-3]+"y")
	}
	var out []string
	add := func(s string) {
		if len(s) >= 3 && s != t && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, s := range stems {
		add(s)
		add(s + "e")
		for _, end := range joined {
			add(s + end)
		}
		head := s[:len(s)-1]
		switch s[len(s)-1] {
		case 'e':
			for _, end := range []string{"ing", "ion", "ation", "or"} {
				add(head + end)
			}
		case 'y':
			add(head + "ies")
			add(head + "ied")
		}
		double := s + s[len(s)-1:]
		add(double + "ing")
		add(double + "ed")
	}
	return out
}
