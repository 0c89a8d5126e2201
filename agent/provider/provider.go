// Package provider lists the servers that models can be reached through, and
// makes an adapter for one by its name. What they share is in wire and retry, what
// they cost in price, and each wire format in a package of its own.
//
// What always holds:
//
//   - Every provider passes the suite of providertest.
//   - The package reads no environment: where a key is looked for is data, and
//     looking is the caller's.
package provider

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/anthropic"
	"github.com/topo-dev/topo/agent/provider/ollama"
	"github.com/topo-dev/topo/agent/provider/openai"
	"github.com/topo-dev/topo/agent/provider/replay"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// Config is what a provider is made of.
type Config = wire.Config

// Secret is a key that does not print.
type Secret = wire.Secret

// NewSecret makes a secret.
func NewSecret(s string) Secret { return wire.NewSecret(s) }

// Info describes a provider, for people and for topo describe.
//
//	{"Name":"anthropic","Title":"Anthropic","KeyEnv":["ANTHROPIC_API_KEY"],"BaseEnv":"ANTHROPIC_BASE_URL","BaseURL":"https://api.anthropic.com","Model":"claude-sonnet-5-5","Window":200000,"NeedsKey":true,"Leaves":"…","KeyHelp":"…"}
type Info struct {
	Name     string
	Title    string
	KeyEnv   []string `json:",omitempty"` // variables that may hold the key; the first that is set counts
	BaseEnv  string   `json:",omitempty"` // variable that may hold the base URL
	BaseURL  string   `json:",omitempty"` // default; empty when it has to be named
	Model    string   `json:",omitempty"` // default; empty when it has to be named
	Window   int      // tokens of context to assume of a model nothing more is known of
	NeedsKey bool     // at the default base URL
	Leaves   string   // what leaves the machine, and to where
	KeyHelp  string   // how to get a key, or what is needed instead

	open func(wire.Config) (agent.Provider, error)
	base func(string) string // reads BaseEnv; nil takes it as it is
}

const sends = "the system prompt, the task, the files and command outputs that the agent reads, and its answers"

// All returns every provider, sorted by name.
func All() []Info {
	return []Info{
		{
			Name: anthropic.Name, Title: "Anthropic", KeyEnv: []string{"ANTHROPIC_API_KEY"}, BaseEnv: "ANTHROPIC_BASE_URL",
			BaseURL: anthropic.BaseURL, Model: "claude-sonnet-5-5", Window: 200_000, NeedsKey: true,
			Leaves:  sends + ", to api.anthropic.com",
			KeyHelp: "create one at https://platform.claude.com/settings/keys",
			open:    func(c wire.Config) (agent.Provider, error) { return anthropic.New(c) },
		},
		compatible(openai.DeepInfra, Info{
			Title: "DeepInfra", KeyEnv: []string{"DEEPINFRA_API_KEY", "DEEPINFRA_TOKEN"}, Window: 128_000, NeedsKey: true,
			Leaves:  sends + ", to api.deepinfra.com",
			KeyHelp: "create one at https://deepinfra.com/dash/api_keys",
		}),
		compatible(openai.LlamaCPP, Info{
			Title: "llama.cpp server", BaseEnv: "LLAMACPP_BASE_URL", Window: 32_768, Model: "default",
			Leaves:  "nothing, unless the base URL is that of another machine",
			KeyHelp: "none: start llama-server with --jinja, which tools need",
		}),
		{
			Name: ollama.Name, Title: "Ollama", KeyEnv: []string{"OLLAMA_API_KEY"}, BaseEnv: "OLLAMA_HOST",
			BaseURL: ollama.BaseURL, Window: ollama.DefaultContext,
			Leaves:  "nothing, unless OLLAMA_HOST is another machine or the model runs in Ollama's cloud",
			KeyHelp: "none for a local server: ollama serve, then ollama pull a model that can call tools",
			open:    func(c wire.Config) (agent.Provider, error) { return ollama.New(c) },
			base:    ollama.HostURL,
		},
		compatible(openai.OpenAI, Info{
			Title: "OpenAI", KeyEnv: []string{"OPENAI_API_KEY"}, BaseEnv: "OPENAI_BASE_URL", Model: "gpt-6.2-sol", Window: 272_000, NeedsKey: true,
			Leaves:  sends + ", to api.openai.com",
			KeyHelp: "create one at https://platform.openai.com/api-keys",
		}),
		compatible(openai.Compatible, Info{
			Title: "any server of chat completions", KeyEnv: []string{"TOPO_PROVIDER_KEY"}, BaseEnv: "TOPO_PROVIDER_URL", Window: 32_768,
			Leaves:  sends + ", to the base URL",
			KeyHelp: "ask the server's operator; none when it wants none",
		}),
		compatible(openai.OpenRouter, Info{
			Title: "OpenRouter", KeyEnv: []string{"OPENROUTER_API_KEY"}, Model: "anthropic/claude-sonnet-5.5", Window: 128_000, NeedsKey: true,
			Leaves:  sends + ", to openrouter.ai and the provider that it chooses",
			KeyHelp: "create one at https://openrouter.ai/settings/keys",
		}),
		{
			Name: replay.Name, Title: "a recorded session", Model: "recorded", Window: 200_000,
			Leaves: "nothing", KeyHelp: "none",
			open: func(wire.Config) (agent.Provider, error) { return replay.New(replay.Demo()), nil },
		},
		compatible(openai.VLLM, Info{
			Title: "vLLM", KeyEnv: []string{"VLLM_API_KEY"}, BaseEnv: "VLLM_BASE_URL", Window: 32_768,
			Leaves:  "nothing, unless the base URL is that of another machine",
			KeyHelp: "none unless the server was started with --api-key; tools need --enable-auto-tool-choice",
		}),
	}
}

// compatible completes the description of a server of chat completions.
func compatible(f openai.Flavour, i Info) Info {
	i.Name, i.BaseURL = f.Name, f.BaseURL
	i.open = func(c wire.Config) (agent.Provider, error) { return openai.New(f, c) }
	return i
}

// Names returns the names of all providers, sorted.
func Names() (names []string) {
	for _, i := range All() {
		names = append(names, i.Name)
	}
	return names
}

// Find returns the provider of a name.
func Find(name string) (Info, error) {
	all := All()
	if n := slices.IndexFunc(all, func(i Info) bool { return i.Name == name }); n >= 0 {
		return all[n], nil
	}
	return Info{}, fmt.Errorf("no provider is named %q; known are %s", name, strings.Join(Names(), ", "))
}

// Errors of [Info.Open] about what the caller left out.
var (
	ErrNoKey = errors.New("no key")
	ErrNoURL = errors.New("no base URL")
)

// Open makes the adapter. It sends nothing yet.
func (i Info) Open(cfg Config) (agent.Provider, error) {
	if cfg.BaseURL == "" {
		cfg.BaseURL = i.BaseURL
	}
	switch {
	case cfg.BaseURL == "" && i.Name != replay.Name:
		return nil, fmt.Errorf("provider %s: %w: name the server with --base-url or %s", i.Name, ErrNoURL, i.BaseEnv)
	case i.NeedsKey && cfg.Key.Empty() && cfg.BaseURL == i.BaseURL:
		return nil, fmt.Errorf("provider %s: %w: set %s, or keep one in the system's keyring; %s", i.Name, ErrNoKey, strings.Join(i.KeyEnv, " or "), i.KeyHelp)
	}
	return i.open(cfg)
}

// Ring is the system's keyring. Get returns an error when it has no key of that
// name, or when there is no keyring.
type Ring interface {
	Get(name string) (string, error)
}

// Key looks for the provider's key in the environment and then in the keyring,
// which may be nil. From says where it was found, to be shown.
func (i Info) Key(getenv func(string) string, ring Ring) (key Secret, from string) {
	for _, name := range i.KeyEnv {
		if key = NewSecret(getenv(name)); !key.Empty() {
			return key, name
		}
	}
	if ring == nil || len(i.KeyEnv) == 0 {
		return Secret{}, ""
	}
	if s, err := ring.Get(i.Name); err == nil {
		if key = NewSecret(s); !key.Empty() {
			return key, "keyring"
		}
	}
	return Secret{}, ""
}

// Base looks for the provider's base URL in the environment and returns the
// default when there is none.
func (i Info) Base(getenv func(string) string) string {
	if i.BaseEnv == "" {
		return i.BaseURL
	}
	v := strings.TrimSpace(getenv(i.BaseEnv))
	switch {
	case v == "":
		return i.BaseURL
	case i.base != nil:
		return i.base(v)
	}
	return v
}

// Where is the host that requests to a base URL go to, to be shown.
func Where(baseURL string) string {
	if u, err := url.Parse(baseURL); err == nil {
		return u.Host
	}
	return ""
}
