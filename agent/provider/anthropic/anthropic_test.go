package anthropic

import (
	"testing"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/providertest"
	"github.com/topo-dev/topo/agent/provider/wire"
)

func TestConformance(t *testing.T) {
	providertest.Conform(t, providertest.Subject{
		New:        func(c wire.Config) (agent.Provider, error) { return New(c) },
		Base:       func(s *providertest.Server) string { return s.URL },
		Signatures: true, Cache: true, Fragments: true, Types: true,
		Stops: []agent.StopReason{agent.StopEnd, agent.StopMaxTokens, agent.StopPause, agent.StopRefusal, agent.StopContext},
	})
}
