package main

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/topo-dev/topo/score/embed"
)

// remoteVariables configure the services that topo may ask over the network.
// They come from the environment alone: the repository is not trusted to say
// where its contents are sent.
var remoteVariables = []variable{
	{"TOPO_EMBEDDER", "service of embeddings: ollama, openai or none (default: the first that is configured)", false},
	{"TOPO_EMBED_MODEL", "model of embeddings (default: " + embed.DefaultOllamaModel + " of Ollama, " + embed.DefaultOpenAIModel + " of OpenAI)", false},
	{"OLLAMA_HOST", "address of an Ollama server for embeddings", false},
	{"OPENAI_API_KEY", "key of OpenAI, or of a service that speaks as it does, for embeddings", true},
	{"OPENAI_BASE_URL", "address of a service that speaks as OpenAI does (default: " + embed.DefaultOpenAIURL + ")", false},
	{"TOPO_RERANK_URL", "address below which a reranker serves /rerank: llama.cpp, text-embeddings-inference, Jina", false},
	{"TOPO_RERANK_MODEL", "model of the reranker (default: the server's)", false},
	{"TOPO_RERANK_API_KEY", "key of the reranker", true},
	{"QDRANT_HOST", "address of a Qdrant server that keeps vectors of many repositories, host:port of gRPC (default: none, vectors are searched in memory)", false},
	{"QDRANT_API_KEY", "key of the Qdrant server", true},
	{"TOPO_QDRANT_PREFIX", "goes before the names of the collections", false},
	{"TOPO_WORKSPACE", "name of the repository among others in Qdrant (default: its fingerprint)", false},
}

// embedder is an [embed.Embedder] that tells where it sends texts.
type embedder interface {
	embed.Embedder
	Address() string
}

// services are what the user configured; nil what they did not.
type services struct {
	embedder embedder
	kind     string // of the embedder: "ollama" or "openai"
	reranker *embed.Reranker
	qdrant   string // as given
}

func (f *factory) env(name string) string {
	v, _ := f.lookupEnv(name)
	return strings.TrimSpace(v)
}

// services reads the environment. Nothing is sent.
func (f *factory) services() (*services, error) {
	s := &services{qdrant: f.env("QDRANT_HOST"), kind: strings.ToLower(f.env("TOPO_EMBEDDER"))}
	if s.kind == "" {
		switch {
		case f.env("OLLAMA_HOST") != "":
			s.kind = "ollama"
		case f.env("OPENAI_API_KEY") != "" || f.env("OPENAI_BASE_URL") != "":
			s.kind = "openai"
		}
	}
	// Proxies are the user's to configure, as for other programs.
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 10 * time.Second, MaxIdleConnsPerHost: 4}}
	model := f.env("TOPO_EMBED_MODEL")
	var err error
	switch s.kind {
	case "ollama":
		// The address that Ollama itself takes by default.
		s.embedder, err = embed.NewOllama(embed.Service{URL: cmp.Or(f.env("OLLAMA_HOST"), "http://localhost:11434"), Model: model, Client: client})
	case "openai":
		s.embedder, err = embed.NewOpenAI(embed.Service{URL: f.env("OPENAI_BASE_URL"), Key: f.env("OPENAI_API_KEY"), Model: model, Client: client})
	case "", "none":
	default:
		err = fmt.Errorf("TOPO_EMBEDDER: unknown service %q; one of ollama, openai, none", s.kind)
	}
	if err == nil && f.env("TOPO_RERANK_URL") != "" {
		s.reranker, err = embed.NewReranker(embed.Service{URL: f.env("TOPO_RERANK_URL"), Key: f.env("TOPO_RERANK_API_KEY"), Model: f.env("TOPO_RERANK_MODEL"), Client: client})
	}
	if err != nil {
		return nil, usageError{err}
	}
	return s, nil
}

// leaves says what goes where when a command asks for it.
func (s *services) leaves() []string {
	out := []string{}
	if s.embedder != nil {
		out = append(out, fmt.Sprintf("to %s, model %s: the task; of each file its path, first comment, names it defines and imports; of the definitions of files that topo retrieve chose their names, signatures and comments, and of documents the beginning of their sections (preset thorough, topo index --embed, topo retrieve)",
			s.embedder.Address(), s.embedder.Model()))
	}
	if s.embedder != nil && s.qdrant != "" {
		out = append(out, fmt.Sprintf("to Qdrant at %s: the same of the files and definitions, their paths, and their vectors", withoutPassword(s.qdrant)))
	}
	if s.reranker != nil {
		out = append(out, fmt.Sprintf("to the reranker at %s: the task, and of up to 50 files the path and the text of the best definition (preset thorough, --rerank)", s.reranker.Address()))
	}
	return out
}
