package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider"
	"github.com/topo-dev/topo/agent/provider/keyring"
	"github.com/topo-dev/topo/agent/provider/replay"
)

// model is who answers.
type model struct {
	provider agent.Provider
	name     string
	window   int    // tokens
	secret   string // the key; empty when there is none
}

func providerNames() []string { return provider.Names() }

// preferred are the providers that are tried in this order when none is named:
// the first whose key is set counts.
var preferred = []string{"anthropic", "openai", "openrouter", "deepinfra"}

// model opens the provider that the flags, the session or the environment name.
func (o *agentOptions) model(state *agent.State) (model, error) {
	if o.Provider == "" {
		o.Provider = state.Provider
	}
	if o.Model == "" && o.Provider == state.Provider {
		o.Model = state.Model
	}
	if o.Provider == replay.Name {
		return o.replayed()
	}
	info, err := o.chosen()
	if err != nil {
		return model{}, err
	}
	m := model{name: o.Model, window: o.Window}
	if m.name == "" {
		m.name = info.Model
	}
	if m.name == "" {
		return model{}, usagef("--model: provider %s has no default; name a model", info.Name)
	}
	if m.window == 0 {
		m.window = info.Window
	}
	var ring provider.Ring
	if info.NeedsKey {
		ring = keyring.Ring{}
	}
	key, _ := info.Key(o.f.env, ring)
	cfg := provider.Config{Key: key, BaseURL: o.BaseURL, Agent: "topo/" + readBuildInfo().Version, Context: o.Window, Proxy: http.ProxyFromEnvironment}
	if cfg.BaseURL == "" {
		cfg.BaseURL = info.Base(o.f.env)
	}
	if m.provider, err = info.Open(cfg); err != nil {
		return model{}, usageError{err}
	}
	m.secret = key.Reveal()
	return m, nil
}

// chosen is the provider that is named, else the first whose key is set.
func (o *agentOptions) chosen() (provider.Info, error) {
	name := o.Provider
	if name == "" {
		name = o.f.env("TOPO_PROVIDER")
	}
	if name != "" {
		info, err := provider.Find(name)
		if err != nil {
			return info, usagef("--provider: %w", err)
		}
		return info, nil
	}
	var keys []string
	for _, name := range preferred {
		info, err := provider.Find(name)
		if err != nil {
			return info, err
		}
		if key, _ := info.Key(o.f.env, nil); !key.Empty() {
			return info, nil
		}
		keys = append(keys, info.KeyEnv[0])
	}
	return provider.Info{}, usagef("provider: none is set up; set %s, or name one with --provider (topo describe lists them); --provider replay shows a recorded session without a key", strings.Join(keys, " or "))
}

// replayed opens a recorded session.
func (o *agentOptions) replayed() (model, error) {
	rec := replay.Demo()
	if o.Recording != "" {
		file, err := os.Open(o.Recording)
		if err != nil {
			return model{}, usagef("--recording %s: %w; give a file that topo agent export --as jsonl wrote", o.Recording, rootCause(err))
		}
		defer file.Close()
		if rec, err = replay.Read(file); err != nil {
			return model{}, usagef("--recording %s: %w", o.Recording, err)
		}
	}
	m := model{provider: replay.New(rec), name: rec.Model, window: o.Window}
	if m.name == "" {
		m.name = "recorded"
	}
	return m, nil
}

// secrets are the values that may not be in any event: the keys of all
// providers, of which a command or a file could print another one than is used.
func secrets(f *factory, used string) (out []string) {
	for _, i := range provider.All() {
		for _, name := range i.KeyEnv {
			if v := strings.TrimSpace(f.env(name)); v != "" {
				out = append(out, v)
			}
		}
	}
	if used != "" && !slices.Contains(out, used) {
		out = append(out, used)
	}
	return out
}

// failedError gives a run that failed its exit code.
func failedError(end agent.End, err error) error {
	var remote *agent.ProviderError
	var wrong *agent.AnswerError
	switch {
	case errors.As(end.Err, &wrong):
		return checkError{err}
	case errors.As(end.Err, &remote) && remote.Provider == replay.Name:
		return usageError{fmt.Errorf("%w", err)}
	case errors.As(end.Err, &remote):
		return remoteError{err}
	}
	return envError{err}
}
