package signal

import (
	"math"
	"path"
	"slices"
	"strings"

	"github.com/topo-dev/topo/index/token"
	"github.com/topo-dev/topo/internal/lazy"
	"github.com/topo-dev/topo/stream"
)

// A file of such a name represents its folder.
var folderFileNames = []string{"__init__", "index", "mod", "init"}

// auxiliary are the folders that hold what supports a project besides its own
// code. Conventions of many projects; no one project's.
var auxiliary = map[string]bool{
	"bench": true, "benches": true, "benchmark": true, "benchmarks": true, "benchsuite": true, "ci": true, "contrib": true,
	"demo": true, "demos": true, "deps": true, "doc": true, "docs": true, "docs_src": true, "documentation": true, "e2e": true,
	"example": true, "examples": true, "extern": true, "external": true, "fuzz": true, "galleries": true, ".github": true,
	"hack": true, "integration": true, "misc": true, "mocks": true, "playground": true, "sample": true, "samples": true,
	"script": true, "scripts": true, "stubs": true, "support": true, "templates": true, "testing": true, "third_party": true,
	"tool": true, "tools": true, "tutorials": true, "vendor": true, "website": true,
}

// formMatch is the weight of another form of a word in a name, compared with the
// word.
const formMatch = 0.7

// stemFeatures values the names of files: the share of the name that the query holds.
func (m *featureMatrix) stemFeatures() error {
	stem, inTitle := m.addFileFeature("Stem"), m.addFileFeature("StemInTitle")
	n := m.newNameScorer()
	for i := range m.files {
		if !m.ranked[i] {
			continue
		}
		p := m.files[i].Path
		name := stemOf(p)
		if slices.Contains(folderFileNames, name) {
			name = folderOf(p)
		}
		stem[i], inTitle[i] = n.shares(name)
	}
	return nil
}

// folderNameFeatures does the same for the folders that the candidates are in.
func (m *featureMatrix) folderNameFeatures() error {
	folder := m.addCandidateFeature("Folder")
	n := m.newNameScorer()
	for k, i := range m.candidates {
		folder[k], _ = n.shares(folderOf(m.files[i].Path))
	}
	return nil
}

// folderOf is the name of the folder that a file is in, "." for the root.
func folderOf(p string) string {
	dir := dirOf(p)
	if dir == "" {
		return "."
	}
	return dir[strings.LastIndexByte(dir, '/')+1:]
}

// nameScorer values names.
type nameScorer struct {
	*featureMatrix
	nameSplitter
}

func (m *featureMatrix) newNameScorer() *nameScorer { return &nameScorer{m, nameSplitter{set: m.set}} }

// shares are the shares of a name that the query and its title hold.
func (n *nameScorer) shares(name string) (all, title float64) {
	words := 0.0
	n.eachTerm(name, func(k int32) {
		words++
		if k >= 0 {
			all++
			if n.terms[k].title {
				title++
			}
		} else if k != token.None {
			all += formMatch
			title += formMatch
		}
	})
	if words == 0 {
		return 0, 0
	}
	return all / words, title / words
}

// topicPattern is what a title may begin with to say where it belongs:
// "[config] …", "net/http: …", "fix(render): …".
var topicPattern = lazy.Regexp(`^\s*(?:\[([^\]]{2,40})\]|([A-Za-z0-9_./, -]{2,40}?)(?:\(([^)]{2,60})\))?!?:\s)`)

// noTopic are the kinds of change that are written there too.
var noTopic = map[string]bool{"fix": true, "feat": true, "chore": true, "docs": true, "refactor": true, "perf": true, "test": true,
	"build": true, "ci": true, "style": true, "bug": true, "feature": true, "enh": true}

// topicOf are the distinct terms of what a title begins with, none for most.
func topicOf(title string, split *token.Splitter) (terms []string) {
	match := topicPattern().FindStringSubmatch(title)
	if match == nil {
		return nil
	}
	for _, part := range match[1:] {
		split.Each([]byte(part), func(t []byte) {
			if !noTopic[string(t)] && !slices.Contains(terms, string(t)) {
				terms = append(terms, string(t))
			}
		})
	}
	return terms
}

func (m *featureMatrix) topicFeatures() error {
	in, stem := m.addCandidateFeature("TopicInPath"), m.addCandidateFeature("TopicInStem")
	var split token.Splitter
	weight, total := map[string]float64{}, 0.0
	for _, t := range topicOf(m.q.title, &split) {
		df, err := m.corpus.DF(t)
		if err != nil {
			return err
		}
		if df > 0 {
			weight[t] = m.idf(df)
			total += weight[t]
		}
	}
	if total == 0 {
		return nil
	}
	got := map[string]int{} // term → candidate+1 that counted it last
	for k, i := range m.candidates {
		p := strings.TrimSuffix(m.files[i].Path, path.Ext(m.files[i].Path))
		split.Each([]byte(p), func(t []byte) {
			if w := weight[string(t)]; w > 0 && got[string(t)] != k+1 {
				got[string(t)] = k + 1
				in[k] += w / total
			}
		})
		all, n := 0.0, 0.0
		split.Each([]byte(path.Base(p)), func(t []byte) {
			n++
			if weight[string(t)] > 0 {
				all++
			}
		})
		if n > 0 {
			stem[k] = all / n
		}
	}
	return nil
}

// segments are a path's parts in lower case without the extension; a file that
// represents its folder is named by it.
func segments(p string) []string {
	segs := strings.Split(strings.ToLower(p), "/")
	segs[len(segs)-1] = strings.ToLower(stemOf(p))
	if len(segs) > 1 && slices.Contains(folderFileNames, segs[len(segs)-1]) {
		segs = segs[:len(segs)-1]
	}
	return segs
}

// mentionFeatures values the files that the query names by path, file name or module. A
// name that fits several files counts less for each.
func (m *featureMatrix) mentionFeatures() error {
	named, sum, bare := m.addFileFeature("Named"), m.addFileFeature("NamedOften"), m.addFileFeature("NamedBare")
	if len(m.q.mentions) == 0 {
		return nil
	}
	byLast := map[string][]int{}
	segs := make([][]string, len(m.files))
	for i := range m.files {
		if m.ranked[i] {
			segs[i] = segments(m.files[i].Path)
			k := segs[i][len(segs[i])-1]
			byLast[k] = append(byLast[k], i)
		}
	}
	for _, match := range m.q.mentions {
		depth, best := 0, []int(nil)
		// The last part may be an extension, or a name in the module before it.
		for drop := 0; drop < 3 && drop < len(match); drop++ {
			if d, files := longest(match[:len(match)-drop], segs, byLast); d > depth {
				depth, best = d, files
			}
		}
		if depth == 0 {
			continue
		}
		v := 1 / float64(len(best))
		for _, i := range best {
			if depth == 1 {
				bare[i] = max(bare[i], v)
				continue
			}
			named[i] = max(named[i], v)
			sum[i] += v
		}
	}
	return nil
}

// longest lists the files that share the longest end with m.
func longest(match []string, segs [][]string, byLast map[string][]int) (depth int, files []int) {
	for _, i := range byLast[match[len(match)-1]] {
		s, k := segs[i], 0
		for k < len(match) && k < len(s) && match[len(match)-1-k] == s[len(s)-1-k] {
			k++
		}
		if k > depth {
			depth, files = k, files[:0]
		}
		if k == depth {
			files = append(files, i)
		}
	}
	return depth, files
}

// priorFeatures describe a candidate independently of the query.
func (m *featureMatrix) priorFeatures() error {
	depth, size, symbols, siblings := m.addCandidateFeature("Depth"), m.addCandidateFeature("Size"), m.addCandidateFeature("SymbolCount"), m.addCandidateFeature("FolderSize")
	rank, importers := m.addCandidateFeature("PageRank"), m.addCandidateFeature("Importers")
	aux, folder, generated := m.addCandidateFeature("Auxiliary"), m.addCandidateFeature("StandsForFolder"), m.addCandidateFeature("Generated")
	g, hasRank := m.corpus.(Imports)
	total := m.corpus.TotalLen()
	n := float64(max(1, m.corpus.NumFiles()))
	for k, i := range m.candidates {
		p := m.files[i].Path
		depth[k] = float64(strings.Count(p, "/"))
		size[k] = math.Log1p(m.lens[i][2] * max(1, float64(total[2])/n))
		symbols[k] = math.Log1p(m.lens[i][1] * max(1, float64(total[1])/n))
		siblings[k] = math.Log1p(float64(len(m.inDir[m.dir[i]])))
		if hasRank && m.ids[i] >= 0 {
			if r := g.PageRank(int(m.ids[i])); r > 0 {
				rank[k] = math.Log(r*n + 0.01)
			}
		}
		if m.in != nil {
			importers[k] = math.Log1p(float64(len(m.in[i])))
		}
		for dir := range strings.SplitSeq(strings.ToLower(dirOf(p)), "/") {
			if auxiliary[dir] {
				aux[k] = 1
			}
		}
		if slices.Contains(folderFileNames, strings.ToLower(stemOf(p))) {
			folder[k] = 1
		}
		if m.files[i].Role == stream.RoleGenerated {
			generated[k] = 1
		}
	}
	return nil
}

// roleFeatures values files by their role, unless the title asks for that role.
func (m *featureMatrix) roleFeatures() error {
	role := m.addFileFeature("Role")
	inQuery := m.rolesInQuery()
	for i := range m.files {
		if r := m.files[i].Role; !inQuery[r] {
			role[i] = roles[r]
		}
	}
	return nil
}

// roles are what a file of a role has less than the code. By judgement: the
// evaluation ranks source files alone.
var roles = map[stream.Role]float64{stream.RoleTest: -1, stream.RoleDocs: -1.5, stream.RoleConfig: -0.8, stream.RoleBuild: -0.8, stream.RoleOther: -1.5}

// roleWords in the title ask for files of a role.
var roleWords = map[stream.Role][]string{
	stream.RoleTest:   {"test", "tests", "testing", "spec", "specs", "unittest", "testcase"},
	stream.RoleDocs:   {"doc", "docs", "documentation", "readme", "changelog", "tutorial"},
	stream.RoleConfig: {"config", "configuration", "settings", "yaml", "toml"},
	stream.RoleBuild:  {"build", "ci", "makefile", "dockerfile", "docker", "workflow", "dependencies", "dependency", "release"},
}

func (m *featureMatrix) rolesInQuery() map[stream.Role]bool {
	inQuery := map[stream.Role]bool{}
	for role, words := range roleWords {
		for _, w := range words {
			if k, ok := m.q.at[w]; ok && m.q.terms[k].title {
				inQuery[role] = true
			}
		}
	}
	return inQuery
}
