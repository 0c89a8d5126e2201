package score

import (
	"fmt"
	"slices"
	"strings"
)

// Names of the signals, as in [topo.File].Signals.
const (
	SignalBM25F      = "Bm25f"
	SignalHeuristic  = "Heuristic"
	SignalPageRank   = "Pagerank"
	SignalGitRecency = "GitRecency"
	SignalPassage    = "Passage"
)

// Signal is one way to value a file.
type Signal struct {
	Name string
	Doc  string // one line
	// Content says that the signal reads what files hold, not only their paths.
	Content bool
	// Service says that it needs a service that the caller brings, and is
	// left out without one.
	Service bool
}

// Signals lists every signal in the order in which they are computed.
func Signals() []Signal {
	return []Signal{
		{SignalBM25F, "terms in filename, symbols and body, weighted 5, 3, 1 (BM25F)", true, false},
		{SignalHeuristic, "query words in the path, times role, depth, size and well-known folders; scales bm25f where it is computed", false, false},
		{SignalPageRank, "PageRank over imports; scales bm25f and ranks only relevant files", true, false},
		{SignalGitRecency, "commits of the 90 days before the newest one; scales bm25f and ranks only relevant files", true, false},
		{SignalSemantic, "similarity of the file's vector to the query's, where a service of embeddings is configured", true, true},
		{SignalPassage, "best single definition of the file against the query, for the best files by the other signals", true, false},
		{SignalRerank, "what a reranker thinks of the file's best definition, for the best files by all other signals, where one is configured", true, true},
	}
}

// Mode is one scoring mode.
type Mode struct {
	Name string
	Doc  string // one line
	uses func(Signal) bool
}

// Modes lists the scoring modes, sorted by name.
func Modes() []Mode {
	return []Mode{
		{"content", "what files hold, without the path heuristic", func(s Signal) bool { return s.Content }},
		{"heuristic", "paths alone; reads no file", func(s Signal) bool { return !s.Content }},
		{"hybrid", "every signal of the preset, joined by the fusion", func(Signal) bool { return true }},
	}
}

// Preset is a depth of analysis (specification 9.2).
type Preset struct {
	Name    string
	Doc     string   // one line
	Index   string   // shallow or deep: what it needs to be exact
	Fresh   bool     // the index is brought up to date first, unless the caller asks the index as it is
	Scoring string   // the mode when none is given
	Signals []string // what --fusion rrf joins; [PresetSignals] is what the default fusion computes
}

// Presets lists the presets from the fastest to the most thorough.
func Presets() []Preset {
	return []Preset{
		{"fast", "paths only, no content is read", "shallow", false, "heuristic", []string{SignalHeuristic}},
		{"balanced", "content, paths and history", "deep", false, "hybrid", []string{SignalBM25F, SignalHeuristic}},
		{"deep", "as balanced, and imports; the index is brought up to date first, save by topo query", "deep", true, "hybrid",
			[]string{SignalBM25F, SignalHeuristic, SignalPageRank, SignalGitRecency}},
		{"thorough", "as deep with three times the files read closely, what tests support, and embeddings and a reranker where they are configured", "deep", true, "hybrid",
			[]string{SignalBM25F, SignalHeuristic, SignalPageRank, SignalGitRecency, SignalSemantic, SignalPassage, SignalRerank}},
	}
}

// DefaultPreset is used when none is named.
const DefaultPreset = "balanced"

// LookupPreset finds a preset, the default for an empty name. The error lists
// the known ones.
func LookupPreset(name string) (Preset, error) {
	if name == "" {
		name = DefaultPreset
	}
	var names []string
	for _, p := range Presets() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Preset{}, fmt.Errorf("unknown preset %q; known: %s", name, strings.Join(names, ", "))
}

// LookupMode finds a scoring mode. The error lists the known ones.
func LookupMode(name string) (Mode, error) {
	var names []string
	for _, m := range Modes() {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Mode{}, fmt.Errorf("unknown scoring %q; known: %s", name, strings.Join(names, ", "))
}

// Plan is what a preset and a scoring mode come to.
type Plan struct {
	Preset  Preset
	Mode    Mode
	Signals []string // to compute, in the order of [Signals]
}

// NewPlan checks the names, empty ones being defaults. A preset that computes
// nothing of what the mode asks for is a contradiction and an error.
func NewPlan(preset, scoring string) (Plan, error) {
	p, err := LookupPreset(preset)
	if err != nil {
		return Plan{}, err
	}
	if scoring == "" {
		scoring = p.Scoring
	}
	m, err := LookupMode(scoring)
	if err != nil {
		return Plan{}, err
	}
	plan := Plan{Preset: p, Mode: m}
	content := false
	for _, s := range Signals() {
		if slices.Contains(p.Signals, s.Name) && m.uses(s) {
			plan.Signals = append(plan.Signals, s.Name)
			content = content || s.Content
		}
	}
	if m.Name != "heuristic" && !content {
		return Plan{}, fmt.Errorf("preset %q reads no content, but scoring %q needs it; drop one of the two or take preset %q", p.Name, m.Name, DefaultPreset)
	}
	return plan, nil
}

// Reads reports whether the plan needs what files hold: an index, or a
// [Lexical] corpus.
func (p Plan) Reads() bool { return slices.Contains(p.Signals, SignalBM25F) }
