package score

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/topo-dev/topo/index/token"
	"github.com/topo-dev/topo/internal/secret"
	"github.com/topo-dev/topo/score/signal"
	"github.com/topo-dev/topo/stream"
)

// Reason is one of the reasons why a file has its place, in words.
//
//	{"Kind":"defines","Text":"evictPod, lines 410-431","Adds":0.31,"Lines":[{"Line":412,"Text":"func evictPod(pod *v1.Pod) error {"}]}
type Reason struct {
	Kind  string  // words, defines, path, history, imports, tests, kind
	Text  string  // on one line
	Adds  float64 // what its signals add to the score, together
	Lines []Line  `json:",omitempty"` // of the file, that show it
}

// Line is a line of a file, 1-based, cut to a width for reading.
type Line struct {
	Line int
	Text string
}

const (
	maxReasons     = 4
	reasonWords    = 6   // listed of a file
	reasonNames    = 2   // definitions listed
	maxReasonWidth = 120 // bytes of a line that is shown
)

// reasonKinds say for each group of signals what kind of reason it gives.
var reasonKinds = map[string]string{
	"text": "words", "read": "defines", "path": "path", "history": "history", "imports": "imports", "tests": "tests", "prior": "kind",
	SignalBM25F: "words", SignalHeuristic: "path", SignalPageRank: "imports", SignalGitRecency: "history", SignalPassage: "defines",
}

// reasoner finds the reasons for files.
type reasoner struct {
	r        *run
	groups   map[string]string // of each signal
	passages *Passages
	split    token.Splitter
}

func newReasoner(r *run) (*reasoner, error) {
	w := &reasoner{r: r, groups: map[string]string{}}
	for _, k := range signal.Signals() {
		w.groups[k.Name] = k.Group
	}
	if r.corpus == nil {
		return w, nil
	}
	var err error
	w.passages, err = NewPassages(r.corpus, r.q)
	return w, err
}

// of lists the reasons for a file, the words first and what a person cannot check last.
func (w *reasoner) of(e *Explanation, f stream.File) ([]Reason, error) {
	adds := map[string]float64{}
	for _, s := range e.Signals {
		kind, ok := reasonKinds[cmp.Or(w.groups[s.Name], s.Name)]
		if ok {
			adds[kind] += s.Contribution
		}
	}
	var out []Reason
	add := func(kind, text string, lines []Line) {
		if text != "" {
			out = append(out, Reason{kind, text, math.Round(adds[kind]*1e4) / 1e4, lines})
		}
	}
	defines, lines, err := w.definitions(f)
	if err != nil {
		return nil, err
	}
	add("defines", defines, lines)
	add("words", w.words(e), nil)
	add("path", w.path(e), nil)
	for kind, text := range map[string]string{
		"history": historyReason(e), "imports": "it is close to the best files by imports", "tests": "tests of it match the task",
	} {
		if adds[kind] > 0 {
			add(kind, text, nil)
		}
	}
	if f.Role != stream.RoleImpl && adds["kind"] < 0 {
		add("kind", fmt.Sprintf("counts less as %s", f.Role), nil)
	}
	first := []string{"path", "defines", "words"} // what a person can check comes first
	slices.SortStableFunc(out, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(slices.Index(first, b.Kind), slices.Index(first, a.Kind)),
			cmp.Compare(math.Abs(b.Adds), math.Abs(a.Adds)), strings.Compare(a.Kind, b.Kind))
	})
	return out[:min(len(out), maxReasons)], nil
}

// words tells which words of the task the file holds, the rarest first, and how
// often.
func (w *reasoner) words(e *Explanation) string {
	terms := slices.Clone(e.Terms)
	slices.SortStableFunc(terms, func(a, b TermMatch) int { return cmp.Compare(b.IDF*b.Weight, a.IDF*a.Weight) })
	var parts []string
	for _, t := range terms[:min(len(terms), reasonWords)] {
		parts = append(parts, fmt.Sprintf("%s %d×", t.Term, max(t.TF.Body, t.TF.Filename)))
	}
	if len(parts) == 0 {
		return ""
	}
	if more := len(terms) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("%d of the task's %d: %s", len(terms), len(w.r.q.Terms), strings.Join(parts, ", "))
}

// historyReason tells whether what commits say or how late they are counts more.
func historyReason(e *Explanation) string {
	words := 0.0
	late := 0.0
	for _, s := range e.Signals {
		switch s.Name {
		case "History", "LikeCommits", "LikeLateCommits", "FolderLike", "FolderLikeLate", "TopicHistory", "TopicHistoryFolder", "CoChange":
			words += s.Contribution
		case "Churn", "LastTouched", "Touched15", "Touched60", "Touched250", "Touched1000", SignalGitRecency:
			late += s.Contribution
		}
	}
	if late > words {
		return "changed recently or often"
	}
	return "its commit messages match the task"
}

func (w *reasoner) path(e *Explanation) string {
	var parts []string
	for _, t := range e.Terms {
		if t.TF.Filename > 0 {
			parts = append(parts, t.Term)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "its path names " + strings.Join(parts, ", ")
}

// definitions names the best definitions of a file, with the line of each that
// holds most words of the task.
func (w *reasoner) definitions(f stream.File) (text string, lines []Line, err error) {
	if w.passages == nil {
		return "", nil, nil
	}
	chunks, err := w.passages.Of(f)
	if err != nil {
		return "", nil, err
	}
	var parts []string
	// The whole content is masked: a part of a line may not tell that it is a key.
	content, _ := secret.Mask(w.passages.buf)
	source := bytes.Split(content, []byte("\n"))
	for _, c := range chunks[:min(len(chunks), reasonNames)] {
		if c.Score == 0 {
			break
		}
		parts = append(parts, fmt.Sprintf("%s, lines %d-%d", c.Name, c.StartLine, c.EndLine))
		if l, ok := w.tellingLine(source, c); ok {
			lines = append(lines, l)
		}
	}
	return strings.Join(parts, "; "), lines, nil
}

// tellingLine is the line of a definition that holds most of the task's words.
func (w *reasoner) tellingLine(source [][]byte, c stream.Chunk) (best Line, ok bool) {
	most := 0
	for n := max(c.StartLine, 1); n <= min(c.EndLine, len(source)); n++ {
		held := map[string]bool{}
		w.split.Each(source[n-1], func(term []byte) {
			for _, t := range w.r.q.Terms {
				if t.Text == string(term) {
					held[t.Text] = true
				}
			}
		})
		if len(held) > most {
			most, best = len(held), Line{n, excerpt(source[n-1])}
		}
	}
	return best, most > 0
}

func excerpt(line []byte) string {
	s := strings.TrimSpace(strings.ToValidUTF8(string(line), "\uFFFD"))
	if len(s) <= maxReasonWidth {
		return s
	}
	return strings.ToValidUTF8(s[:maxReasonWidth], "") + "…"
}
