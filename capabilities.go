package topo

import (
	"context"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/detect/rules"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/render"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/scan/lang"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/embed"
	"github.com/topo-dev/topo/score/signal"
)

// Capabilities lists what this build can do, from its registries.
type Capabilities struct {
	RenderFormats []Named
	LanguageInfo  []LanguageInfo
	ScoringInfo   []Named
	Fusions       []Named
	PresetInfo    []PresetInfo
	Signals       []Named
	Tokenizers    []Named
	Detectors     []DetectorInfo
}

// Named is a name with its one line of help.
type Named struct {
	Name string
	Doc  string
}

// LanguageInfo is a language that files are recognised in.
type LanguageInfo struct {
	Name       string
	Display    string
	Extensions []string `json:",omitempty"`
	Chunks     string   `json:",omitempty"` // how definitions are found; empty: they are not
}

// PresetInfo is a depth of ranking.
type PresetInfo struct {
	Name    string
	Doc     string
	Index   string
	Fresh   bool
	Scoring string
	Groups  []string `json:",omitempty"` // of signals that the default fusion computes
	Signals []string // that the default fusion computes
	RRF     []string `json:"RRFSignals"` // that --fusion rrf joins
}

// DetectorInfo is what a detector looks for.
type DetectorInfo struct {
	Name     string
	Category string
	Doc      string
	Why      string
}

// Describe lists what this build can do.
func Describe() Capabilities {
	var c Capabilities
	for _, r := range render.Formats() {
		c.RenderFormats = append(c.RenderFormats, Named{r.Name, r.Doc})
	}
	how := map[string]string{}
	for _, s := range chunk.Supported() {
		how[s.Language] = s.How
	}
	for _, l := range lang.All() {
		c.LanguageInfo = append(c.LanguageInfo, LanguageInfo{l.Name, l.Display, l.Extensions, how[l.Name]})
	}
	for _, m := range score.Modes() {
		c.ScoringInfo = append(c.ScoringInfo, Named{m.Name, m.Doc})
	}
	for _, f := range score.FusionDocs() {
		c.Fusions = append(c.Fusions, Named(f))
	}
	for _, p := range score.Presets() {
		c.PresetInfo = append(c.PresetInfo, PresetInfo{p.Name, p.Doc, p.Index, p.Fresh, p.Scoring, score.PresetGroups(p), score.PresetSignals(p), p.Signals})
	}
	for _, s := range score.Signals() {
		c.Signals = append(c.Signals, Named{s.Name, s.Doc})
	}
	for _, k := range signal.Signals() {
		if _, counts := signal.Weights[k.Name]; counts {
			c.Signals = append(c.Signals, Named{k.Name, k.Doc})
		}
	}
	for _, t := range render.Tokenizers() {
		c.Tokenizers = append(c.Tokenizers, Named{t.Name, t.Doc})
	}
	for _, r := range rules.All() {
		c.Detectors = append(c.Detectors, DetectorInfo{r.ID, r.Category, r.Doc, r.Why})
	}
	return c
}

// Names of what options may hold, the default first where there is one.
func names[T any](list []T, name func(T) string) (out []string) {
	for _, v := range list {
		out = append(out, name(v))
	}
	return out
}

// Fusions are the names of the ways to join signals, the default first.
func Fusions() []string { return score.Fusions() }

// Presets are the names of the depths of ranking.
func Presets() []string { return names(score.Presets(), func(p score.Preset) string { return p.Name }) }

// ScoringModes are the names of what may count in a ranking.
func ScoringModes() []string {
	return names(score.Modes(), func(m score.Mode) string { return m.Name })
}

// CheckDetectors reports which of the IDs is none of a detector's.
func CheckDetectors(ids []string) error {
	_, err := rules.Lookup(ids)
	return fault.Of(fault.Usage, err)
}

const (
	// MaxTask is how many bytes of a task count.
	MaxTask = score.MaxQuery
	// CacheFolder holds the index inside of the root unless another folder is chosen.
	CacheFolder = fresh.Folder
)

// FeaturesFile holds the feature scopes of a project, relative to the root.
func FeaturesFile() string { return score.ScopeFiles[0] }

// TermMatch is a word of the task in an explained file.
type TermMatch = score.TermMatch

// Services are services of embeddings, rerankers and vector stores that the user
// configured.
type Services = embed.Services

// ServiceVariable is a name by which a user configures a service.
type ServiceVariable = embed.Variable

// ServiceVariables lists the names that [ConfigureServices] looks up.
func ServiceVariables() []ServiceVariable { return embed.Variables() }

// ConfigureServices makes the services that lookup names; it returns the value of a
// variable or "". Nothing is sent.
func ConfigureServices(lookup func(name string) string) (*Services, error) {
	s, err := embed.Configure(lookup)
	return s, fault.Of(fault.Usage, err)
}

// Refs are up to limit branches and tags of the repository at root whose names begin
// with a prefix.
func Refs(ctx context.Context, root, prefix string, limit int) ([]string, error) {
	return scan.Refs(ctx, root, prefix, limit)
}
