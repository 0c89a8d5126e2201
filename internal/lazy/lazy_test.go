package lazy

import (
	"sync"
	"testing"
)

func TestRegexp(t *testing.T) {
	re := Regexp(`^a+$`)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if !re().MatchString("aaa") || re().MatchString("ab") {
				t.Error("does not match as its expression does")
			}
		})
	}
	wg.Wait()
	if first := re(); first != re() {
		t.Error("compiled twice")
	}
}

func TestMatcher(t *testing.T) {
	m := Matcher(`^a+$`)
	if !m("aaa") || m("ab") {
		t.Error("does not match as its expression does")
	}
}

// A wrong expression is no matter of the start.
func TestLate(t *testing.T) {
	re := Regexp(`(`)
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression compiles")
		}
	}()
	re()
}
