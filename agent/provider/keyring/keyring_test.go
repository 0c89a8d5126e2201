package keyring

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"
)

func TestRing(t *testing.T) {
	keyring.MockInit()
	r := Ring{}
	if _, err := r.Get("anthropic"); !errors.Is(err, ErrNotFound) {
		t.Errorf("an empty ring: %v", err)
	}
	if err := r.Set("anthropic", "k"); err != nil {
		t.Fatal(err)
	}
	if k, err := r.Get("anthropic"); k != "k" || err != nil {
		t.Errorf("%q, %v", k, err)
	}
	if _, err := r.Get("openai"); !errors.Is(err, ErrNotFound) {
		t.Errorf("another name: %v", err)
	}
	if err := r.Delete("anthropic"); err != nil {
		t.Error(err)
	}
	if err := r.Delete("anthropic"); !errors.Is(err, ErrNotFound) {
		t.Errorf("deleted twice: %v", err)
	}
	keyring.MockInitWithError(errors.New("no D-Bus"))
	if _, err := r.Get("anthropic"); err == nil || errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "keyring: no D-Bus") {
		t.Errorf("no keyring: %v", err)
	}
}

// A keyring that waits for a person does not hold up the command for long.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		locked, start := make(chan struct{}), time.Now()
		_, err := bounded(func() (string, error) { <-locked; return "", nil })
		if err == nil || time.Since(start) != patience || !strings.Contains(err.Error(), "unlock it") {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		close(locked)
	})
}
