package openai

import (
	"testing"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/providertest"
	"github.com/topo-dev/topo/agent/provider/wire"
)

func subject(f Flavour) providertest.Subject {
	return providertest.Subject{
		New:        func(c wire.Config) (agent.Provider, error) { return New(f, c) },
		Base:       func(s *providertest.Server) string { return s.OpenAI() },
		Signatures: true, Cache: true, Fragments: true, Types: true,
		Stops: []agent.StopReason{agent.StopEnd, agent.StopMaxTokens, agent.StopRefusal},
	}
}

func TestConformance(t *testing.T) {
	for _, f := range []Flavour{OpenAI, OpenRouter, Compatible} {
		t.Run(f.Name, func(t *testing.T) { providertest.Conform(t, subject(f)) })
	}
}
