package host

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider"
	"github.com/topo-dev/topo/agent/provider/keyring"
	"github.com/topo-dev/topo/agent/provider/replay"
	"github.com/topo-dev/topo/internal/fault"
)

// Replay is the provider that plays a recorded session.
const Replay = replay.Name

// Model says who answers. The zero value is the first provider that is set up, or
// for a session that goes on the one that it had.
type Model struct {
	Provider  string
	Name      string    // as the provider names the model; empty is its default
	BaseURL   string    // empty is the provider's own
	Effort    string    // low, medium or high; empty is the model's own
	Window    int       // context in tokens; 0 is what is known of the model
	Recording io.Reader // that Replay plays, as a session's log; nil is the demonstration
	// Client answers in the place of a named provider.
	Client agent.Provider
}

// opened is a model that can be asked.
type opened struct {
	client agent.Provider
	name   string
	window int    // tokens
	secret string // the key; empty when there is none
}

// preferred are the providers that are tried in this order when none is named:
// the first whose key is set counts.
var preferred = []string{"anthropic", "openai", "openrouter", "deepinfra"}

// ErrNoProvider says that no provider was named and none has a key.
var ErrNoProvider = errors.New("none is set up")

// open opens the model. What m leaves out is that of the session's state.
func (h *Host) open(m Model, state *agent.State) (opened, error) {
	if m.Provider == "" {
		m.Provider = state.Provider
	}
	if m.Name == "" && m.Provider == state.Provider {
		m.Name = state.Model
	}
	switch {
	case m.Client != nil:
		return opened{client: m.Client, name: m.Name, window: m.Window}, nil
	case m.Provider == Replay:
		return replayed(m)
	}
	info, err := h.choose(m.Provider)
	if err != nil {
		return opened{}, err
	}
	out := opened{name: m.Name, window: m.Window}
	if out.name == "" {
		out.name = info.Model
	}
	if out.name == "" {
		return opened{}, optionf("model", "provider %s has no default; name a model", info.Name)
	}
	if out.window == 0 {
		out.window = info.Window
	}
	var ring provider.Ring
	if info.NeedsKey {
		ring = keyring.Ring{}
	}
	key, _ := info.Key(h.getenv, ring)
	cfg := provider.Config{Key: key, BaseURL: m.BaseURL, Agent: program + "/" + h.o.Version, Context: m.Window, Proxy: h.o.Proxy}
	if cfg.BaseURL == "" {
		cfg.BaseURL = info.Base(h.getenv)
	}
	if out.client, err = info.Open(cfg); err != nil {
		return opened{}, fault.Of(fault.Usage, err)
	}
	out.secret = key.Reveal()
	return out, nil
}

// choose returns the provider that is named, else the first whose key is set.
func (h *Host) choose(name string) (provider.Info, error) {
	if name == "" {
		name = h.getenv(providerEnv)
	}
	if name != "" {
		info, err := provider.Find(name)
		if err != nil {
			return info, optionf("provider", "%w", err)
		}
		return info, nil
	}
	var keys []string
	for _, name := range preferred {
		info, err := provider.Find(name)
		if err != nil {
			return info, err
		}
		if key, _ := info.Key(h.getenv, nil); !key.Empty() {
			return info, nil
		}
		keys = append(keys, info.KeyEnv[0])
	}
	return provider.Info{}, fault.Usagef("provider: %w; set %s", ErrNoProvider, strings.Join(keys, " or "))
}

// replayed opens a recorded session.
func replayed(m Model) (opened, error) {
	rec := replay.Demo()
	if m.Recording != nil {
		var err error
		if rec, err = replay.Read(m.Recording); err != nil {
			return opened{}, optionf("recording", "%w", err)
		}
	}
	out := opened{client: replay.New(rec), name: rec.Model, window: m.Window}
	if out.name == "" {
		out.name = "recorded"
	}
	return out, nil
}

// WriteDemo writes the little repository that the demonstration of [Replay] works
// on into dir and returns the task.
func WriteDemo(dir string) (task string, err error) {
	return replay.Demo().Title, os.CopyFS(dir, replay.DemoFiles())
}

// secrets are the values that may not be in any event: the keys of all providers,
// since a command or a file could print another one than is used.
func (h *Host) secrets(used string) (out []string) {
	for _, i := range provider.All() {
		for _, name := range i.KeyEnv {
			if v := h.getenv(name); v != "" {
				out = append(out, v)
			}
		}
	}
	if used != "" && !slices.Contains(out, used) {
		out = append(out, used)
	}
	return out
}
