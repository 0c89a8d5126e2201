// Package keyring keeps keys in the system's keyring: the Keychain, the
// Credential Manager, or the Secret Service. It is read only when no variable
// holds a key.
package keyring

import (
	"errors"
	"fmt"
	"time"

	"github.com/zalando/go-keyring"
)

// Service is the name under which the keys are kept.
const Service = "topo"

// patience bounds one question: a keyring that is locked may wait for a person
// who is not there.
const patience = 10 * time.Second

// ErrNotFound means that the keyring holds no key of that name.
var ErrNotFound = errors.New("no key of that name in the keyring")

// Ring is the keyring of the system.
type Ring struct{}

// Get returns the key of a provider. The error is [ErrNotFound], or says why the
// keyring cannot be read.
func (Ring) Get(name string) (string, error) {
	return bounded(func() (string, error) { return keyring.Get(Service, name) })
}

// Set keeps the key of a provider.
func (Ring) Set(name, key string) error {
	_, err := bounded(func() (string, error) { return "", keyring.Set(Service, name, key) })
	return err
}

// Delete forgets the key of a provider.
func (Ring) Delete(name string) error {
	_, err := bounded(func() (string, error) { return "", keyring.Delete(Service, name) })
	return err
}

// bounded asks and stops waiting after a while. The question itself cannot be
// taken back; it ends with the process.
func bounded(ask func() (string, error)) (string, error) {
	type answer struct {
		key string
		err error
	}
	done := make(chan answer, 1)
	go func() {
		key, err := ask()
		done <- answer{key, err}
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case a := <-done:
		switch {
		case errors.Is(a.err, keyring.ErrNotFound):
			return "", ErrNotFound
		case a.err != nil:
			return "", fmt.Errorf("the system's keyring: %w", a.err)
		}
		return a.key, nil
	case <-timer.C:
		return "", fmt.Errorf("the system's keyring did not answer within %s; unlock it, or set the variable", patience)
	}
}
