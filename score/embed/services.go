package embed

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/internal/secret"
)

// Variable is a name by which a user configures a service.
type Variable struct {
	Name, Doc string
	Secret    bool // its value must not be shown
}

// Variables lists the names that [Configure] looks up.
func Variables() []Variable {
	return []Variable{
		{"TOPO_EMBEDDER", "service of embeddings: ollama, openai or none (default: the first that is configured)", false},
		{"TOPO_EMBED_MODEL", "model of embeddings (default: " + DefaultOllamaModel + " of Ollama, " + DefaultOpenAIModel + " of OpenAI)", false},
		{"OLLAMA_HOST", "address of an Ollama server for embeddings", false},
		{"OPENAI_API_KEY", "key of OpenAI, or of a service that speaks as it does, for embeddings", true},
		{"OPENAI_BASE_URL", "address of a service that speaks as OpenAI does (default: " + DefaultOpenAIURL + ")", false},
		{"TOPO_RERANK_URL", "address below which a reranker serves /rerank: llama.cpp, text-embeddings-inference, Jina", false},
		{"TOPO_RERANK_MODEL", "model of the reranker (default: the server's)", false},
		{"TOPO_RERANK_API_KEY", "key of the reranker", true},
		{"QDRANT_HOST", "address of a Qdrant server that keeps vectors of many repositories, host:port of gRPC (default: none, vectors are searched in memory)", false},
		{"QDRANT_API_KEY", "key of the Qdrant server", true},
		{"TOPO_QDRANT_PREFIX", "goes before the names of the collections", false},
		{"TOPO_WORKSPACE", "name of the repository among others in Qdrant (default: its fingerprint)", false},
	}
}

// Services are what the user configured; nil or empty what they did not.
type Services struct {
	Embedder interface {
		Embedder
		Address() string // where texts are sent
	}
	Kind     string // of the embedder: "ollama" or "openai"
	Reranker *Reranker
	Qdrant   QdrantOptions // Host is empty without one

	Workspace string // name of the repository in Qdrant; empty is its fingerprint
}

// Configure makes the services that lookup, which returns the value of a
// [Variable] or "", names. Nothing is sent. The error says which value is wrong.
func Configure(lookup func(name string) string) (*Services, error) {
	get := func(name string) string { return strings.TrimSpace(lookup(name)) }
	s := &Services{Kind: strings.ToLower(get("TOPO_EMBEDDER")), Workspace: get("TOPO_WORKSPACE")}
	s.Qdrant = QdrantOptions{Host: get("QDRANT_HOST"), Key: get("QDRANT_API_KEY"), Prefix: get("TOPO_QDRANT_PREFIX"), Proxy: true}
	if s.Kind == "" {
		switch {
		case get("OLLAMA_HOST") != "":
			s.Kind = "ollama"
		case get("OPENAI_API_KEY") != "" || get("OPENAI_BASE_URL") != "":
			s.Kind = "openai"
		}
	}
	// Proxies are the user's to configure, as for other programs.
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 10 * time.Second, MaxIdleConnsPerHost: 4}}
	if err := s.embedder(get, client); err != nil {
		return nil, err
	}
	if url := get("TOPO_RERANK_URL"); url != "" {
		var err error
		s.Reranker, err = NewReranker(Service{URL: url, Key: get("TOPO_RERANK_API_KEY"), Model: get("TOPO_RERANK_MODEL"), Client: client})
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Services) embedder(get func(string) string, client *http.Client) error {
	model := get("TOPO_EMBED_MODEL")
	switch s.Kind {
	case "ollama":
		// The address that Ollama itself takes by default.
		e, err := NewOllama(Service{URL: cmp.Or(get("OLLAMA_HOST"), "http://localhost:11434"), Model: model, Client: client})
		if err != nil {
			return err
		}
		s.Embedder = e
	case "openai":
		e, err := NewOpenAI(Service{URL: get("OPENAI_BASE_URL"), Key: get("OPENAI_API_KEY"), Model: model, Client: client})
		if err != nil {
			return err
		}
		s.Embedder = e
	case "", "none":
	default:
		return fmt.Errorf("TOPO_EMBEDDER: unknown service %q; one of ollama, openai, none", s.Kind)
	}
	return nil
}

// Leaves says what goes where when a question asks for it, a sentence each.
func (s *Services) Leaves() []string {
	out := []string{}
	if s.Embedder != nil {
		out = append(out, fmt.Sprintf("to %s, model %s: the task; of each file its path, first comment, names it defines and imports; of the definitions of files that topo retrieve chose their names, signatures and comments, and of documents the beginning of their sections (preset thorough, topo index --embed, topo retrieve)",
			s.Embedder.Address(), s.Embedder.Model()))
	}
	if s.Embedder != nil && s.Qdrant.Host != "" {
		out = append(out, fmt.Sprintf("to Qdrant at %s: the same of the files and definitions, their paths, and their vectors", secret.WithoutPassword(s.Qdrant.Host)))
	}
	if s.Reranker != nil {
		out = append(out, fmt.Sprintf("to the reranker at %s: the task, and of up to 50 files the path and the text of the best definition (preset thorough, --rerank)", s.Reranker.Address()))
	}
	return out
}

// vectorLimit is the size above which a file of vectors is cut in half, bytes.
const vectorLimit = 512 << 20

// KeptSpace is a [Space] whose vectors are kept in a file. Close it.
type KeptSpace struct {
	*Space
	vectors *index.Vectors
}

// Open opens the vectors that dir keeps of a repository, searched in memory.
// There must be an embedder.
func (s *Services) Open(dir, fingerprint, workspace string) (*KeptSpace, error) {
	model := s.Kind + "/" + s.Embedder.Model()
	sum := sha256.Sum256([]byte(model))
	vectors, err := index.OpenVectors(filepath.Join(dir, fingerprint+"."+hex.EncodeToString(sum[:4])+".vec"), model)
	if err != nil {
		return nil, err
	}
	return &KeptSpace{&Space{Embedder: s.Embedder, Cache: vectors, Store: NewLocal(), Workspace: workspace}, vectors}, nil
}

// UseQdrant searches the vectors in the configured server instead. partial says
// that the files to be searched are not all of the repository.
func (s *Services) UseQdrant(sp *KeptSpace, partial bool) error {
	o := s.Qdrant
	o.Model = s.Embedder.Model()
	q, err := NewQdrant(o)
	if err != nil {
		return err
	}
	sp.Store, sp.Contents, sp.Partial = q, true, partial
	return nil
}

// Close releases the vectors and keeps their file from growing without end. A
// nil space is closed already.
func (s *KeptSpace) Close() {
	if s == nil {
		return
	}
	_ = s.vectors.Trim(context.Background(), vectorLimit, s.Live()) // of use next time too
	s.Store.Close()
	s.vectors.Close()
}
