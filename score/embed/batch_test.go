package embed

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/topo-dev/topo/score/embed/embedtest"
)

// toy embeds by itself and fails from request failAt on, when that is not 0.
type toy struct {
	mu     sync.Mutex
	calls  [][]string
	failAt int
}

func (*toy) Model() string { return "toy" }

func (e *toy) Embed(_ context.Context, texts []string, _ Purpose) ([][]float32, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls = append(e.calls, texts)
	if e.failAt > 0 && len(e.calls) >= e.failAt {
		return nil, &Error{Service: "toy", Reason: "broken"}
	}
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = embedtest.Vector(t)
	}
	return out, nil
}

func texts(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("text %c%c", 'a'+i%26, 'a'+i/26)
	}
	return out
}

func TestAll(t *testing.T) {
	for _, n := range []int{0, 1, 31, 32, 33, 200} {
		e := &toy{}
		want := texts(n)
		have := make([]bool, n)
		err := All(context.Background(), e, want, Batches{}, func(first int, vectors [][]float32) error {
			for i, v := range vectors {
				if have[first+i] || Cosine(Quantize(v), Quantize(embedtest.Vector(want[first+i]))) < 0.99 {
					t.Errorf("%d texts: vector %d came twice or is another one", n, first+i)
				}
				have[first+i] = true
			}
			return nil
		})
		if err != nil || strings.Contains(fmt.Sprint(have), "false") {
			t.Errorf("%d texts: %v, %v", n, err, have)
		}
		if want := (n + 31) / 32; len(e.calls) != want {
			t.Errorf("%d texts in %d requests, want %d", n, len(e.calls), want)
		}
	}
}

func TestBatchesByBytes(t *testing.T) {
	long := strings.Repeat("x", 30)
	ends := Batches{Texts: 3, Bytes: 50, Workers: 1}.cut([]string{long, long, "a", "b", "c", "d", strings.Repeat("y", 99), "e"})
	if want := []int{1, 4, 6, 7, 8}; fmt.Sprint(ends) != fmt.Sprint(want) {
		t.Errorf("requests end at %v, want %v", ends, want)
	}
}

// TestAllKeepsWhatArrived fails in the middle: what came before was handed over.
func TestAllKeepsWhatArrived(t *testing.T) {
	e := &toy{failAt: 4}
	got := 0
	err := All(context.Background(), e, texts(320), Batches{Workers: 1}, func(_ int, v [][]float32) error { got += len(v); return nil })
	var own *Error
	if !errors.As(err, &own) || got != 96 || len(e.calls) != 4 {
		t.Errorf("%v; %d vectors handed over in %d requests", err, got, len(e.calls))
	}
	full := errors.New("disk full")
	e = &toy{}
	if err := All(context.Background(), e, texts(320), Batches{Workers: 1}, func(int, [][]float32) error { return full }); !errors.Is(err, full) || len(e.calls) != 1 {
		t.Errorf("%v after %d requests; must stop when vectors cannot be kept", err, len(e.calls))
	}
}
