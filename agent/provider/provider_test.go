package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/price"
	"github.com/topo-dev/topo/agent/provider/providertest"
)

func TestRegistry(t *testing.T) {
	names := Names()
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("%v is not sorted, or has a name twice", names)
	}
	for _, i := range All() {
		if i.Title == "" || i.Leaves == "" || i.KeyHelp == "" || i.Window <= 0 {
			t.Errorf("%s is not described: %+v", i.Name, i)
		}
		if i.NeedsKey && len(i.KeyEnv) == 0 {
			t.Errorf("%s needs a key and says no variable", i.Name)
		}
		p, err := i.Open(Config{BaseURL: "http://127.0.0.1:1", Key: NewSecret("k")})
		if err != nil || p.Name() != i.Name {
			t.Errorf("%s: %v", i.Name, err)
		}
		found, err := Find(i.Name)
		if err != nil || found.Title != i.Title {
			t.Errorf("%s: %v", i.Name, err)
		}
	}
	if _, err := Find("antropic"); err == nil || !strings.Contains(err.Error(), "known are anthropic, deepinfra") {
		t.Error(err)
	}
}

// A price is of a provider that exists, and the default models have one.
func TestPricesFit(t *testing.T) {
	for _, p := range price.Table() {
		if !slices.Contains(Names(), p.Provider) {
			t.Errorf("a price of %s, which is no provider", p.Provider)
		}
	}
	for _, name := range []string{"anthropic", "openai"} {
		if i, _ := Find(name); price.Of(name, i.Model, agent.Usage{Input: 1}) == nil {
			t.Errorf("%s: the default model %s has no price", name, i.Model)
		}
	}
}

func TestOpenSaysWhatIsMissing(t *testing.T) {
	for _, i := range All() {
		_, err := i.Open(Config{})
		switch {
		case i.NeedsKey:
			if !errors.Is(err, ErrNoKey) || !strings.Contains(err.Error(), i.KeyEnv[0]) || !strings.Contains(err.Error(), "https://") {
				t.Errorf("%s: %v", i.Name, err)
			}
			if _, err := i.Open(Config{BaseURL: "http://localhost:9"}); err != nil {
				t.Errorf("%s at a server of one's own: %v", i.Name, err)
			}
		case i.BaseURL == "" && i.Name != "replay":
			if !errors.Is(err, ErrNoURL) || !strings.Contains(err.Error(), i.BaseEnv) {
				t.Errorf("%s: %v", i.Name, err)
			}
		case err != nil:
			t.Errorf("%s: %v", i.Name, err)
		}
	}
}

type ring map[string]string

func (r ring) Get(name string) (string, error) {
	if s, ok := r[name]; ok {
		return s, nil
	}
	return "", errors.New("not there")
}

func TestKey(t *testing.T) {
	i, _ := Find("deepinfra")
	for _, c := range []struct {
		env       map[string]string
		ring      Ring
		key, from string
	}{
		{nil, nil, "", ""},
		{nil, ring{"anthropic": "x"}, "", ""},
		{nil, ring{"deepinfra": "r\n"}, "r", "keyring"},
		{map[string]string{"DEEPINFRA_TOKEN": "t"}, ring{"deepinfra": "r"}, "t", "DEEPINFRA_TOKEN"},
		{map[string]string{"DEEPINFRA_TOKEN": "t", "DEEPINFRA_API_KEY": " k "}, nil, "k", "DEEPINFRA_API_KEY"},
		{map[string]string{"DEEPINFRA_API_KEY": "  "}, nil, "", ""},
	} {
		key, from := i.Key(func(n string) string { return c.env[n] }, c.ring)
		if key.Reveal() != c.key || from != c.from {
			t.Errorf("%+v: %q from %q", c, key.Reveal(), from)
		}
	}
	i, _ = Find("replay")
	if key, _ := i.Key(func(string) string { return "x" }, ring{"replay": "x"}); !key.Empty() {
		t.Error("replay has a key")
	}
}

func TestBase(t *testing.T) {
	for _, c := range []struct{ name, env, want string }{
		{"anthropic", "", "https://api.anthropic.com"},
		{"anthropic", " https://proxy.test/a ", "https://proxy.test/a"},
		{"ollama", "", "http://127.0.0.1:11434"},
		{"ollama", "gpu:8080", "http://gpu:8080"},
		{"openrouter", "ignored", "https://openrouter.ai/api/v1"},
	} {
		i, _ := Find(c.name)
		if got := i.Base(func(string) string { return c.env }); got != c.want {
			t.Errorf("%s with %q: %s, want %s", c.name, c.env, got, c.want)
		}
	}
	if Where("https://openrouter.ai/api/v1") != "openrouter.ai" || Where("::") != "" {
		t.Error("Where")
	}
}

// Whatever of a provider is printed, its key is not.
func TestNothingPrintsAKey(t *testing.T) {
	const key = "topo-test-key-0123456789"
	for _, i := range All() {
		cfg := Config{BaseURL: "http://127.0.0.1:1", Key: NewSecret(key)}
		p, err := i.Open(cfg)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []any{cfg, &cfg, i, struct{ c Config }{cfg}} {
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
				if s := fmt.Sprintf(verb, v); strings.Contains(s, key) || strings.Contains(s, fmt.Sprintf("%x", key)) {
					t.Errorf("%s of %T of %s shows the key", verb, v, p.Name())
				}
			}
		}
		if b, err := json.Marshal(map[string]any{"k": cfg.Key}); err != nil || string(b) != `{"k":"[redacted]"}` {
			t.Errorf("%s, %v", b, err)
		}
	}
}

// Every provider of chat completions, through the registry, plays a task.
func TestEveryServerSpeaks(t *testing.T) {
	for _, i := range All() {
		if i.Name == "replay" {
			continue
		}
		srv := providertest.New(providertest.Turn{providertest.Use("c1", "ls")}, providertest.Turn{providertest.Text("Done.")})
		base := srv.URL
		if i.Name != "anthropic" && i.Name != "ollama" {
			base = srv.OpenAI()
		}
		p, err := i.Open(Config{BaseURL: base})
		if err != nil {
			t.Fatal(err)
		}
		req := agent.Request{Model: "m", Messages: []agent.Message{agent.UserText("x")}}
		res, err := p.Stream(t.Context(), req, func(agent.Delta) {})
		if err != nil || len(res.Message.Calls()) != 1 || res.Stop != agent.StopCalls {
			t.Errorf("%s: %+v, %v", i.Name, res, err)
		}
		srv.Close()
	}
}
