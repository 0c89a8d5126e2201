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

// A file of such a name stands for its folder.
var standIns = []string{"__init__", "index", "mod", "init"}

// auxiliary are the folders that hold what supports a project beside its own
// code. Conventions of many projects; no one project's.
var auxiliary = map[string]bool{
	"bench": true, "benches": true, "benchmark": true, "benchmarks": true, "benchsuite": true, "ci": true, "contrib": true,
	"demo": true, "demos": true, "deps": true, "doc": true, "docs": true, "docs_src": true, "documentation": true, "e2e": true,
	"example": true, "examples": true, "extern": true, "external": true, "fuzz": true, "galleries": true, ".github": true,
	"hack": true, "integration": true, "misc": true, "mocks": true, "playground": true, "sample": true, "samples": true,
	"script": true, "scripts": true, "stubs": true, "support": true, "templates": true, "testing": true, "third_party": true,
	"tool": true, "tools": true, "tutorials": true, "vendor": true, "website": true,
}

// formMatch is what another form of a word counts in a name beside the word.
const formMatch = 0.7

// stems values the names of files: the share of the name that the query holds.
func (l *lab) stems() error {
	stem, inTitle := l.column("Stem"), l.column("StemInTitle")
	n := l.namer()
	for i := range l.files {
		if !l.ranked[i] {
			continue
		}
		p := l.files[i].Path
		name := stemOf(p)
		if slices.Contains(standIns, name) {
			name = folderOf(p)
		}
		stem[i], inTitle[i] = n.shares(name)
	}
	return nil
}

// folderNames does the same for the folders that the candidates are in.
func (l *lab) folderNames() error {
	folder := l.few("Folder")
	n := l.namer()
	for k, i := range l.candidates {
		folder[k], _ = n.shares(folderOf(l.files[i].Path))
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

// namer values names.
type namer struct {
	*lab
	speller
}

func (l *lab) namer() *namer { return &namer{l, speller{set: l.set}} }

// shares are the shares of a name that the query and its title hold.
func (n *namer) shares(name string) (all, title float64) {
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

// noTopic are the kinds of change that stand there too.
var noTopic = map[string]bool{"fix": true, "feat": true, "chore": true, "docs": true, "refactor": true, "perf": true, "test": true,
	"build": true, "ci": true, "style": true, "bug": true, "feature": true, "enh": true}

// topicOf are the distinct terms of what a title begins with, none for most.
func topicOf(title string, split *token.Splitter) (terms []string) {
	m := topicPattern().FindStringSubmatch(title)
	if m == nil {
		return nil
	}
	for _, part := range m[1:] {
		split.Each([]byte(part), func(t []byte) {
			if !noTopic[string(t)] && !slices.Contains(terms, string(t)) {
				terms = append(terms, string(t))
			}
		})
	}
	return terms
}

func (l *lab) topic() error {
	in, stem := l.few("TopicInPath"), l.few("TopicInStem")
	var split token.Splitter
	weight, total := map[string]float64{}, 0.0
	for _, t := range topicOf(l.q.title, &split) {
		df, err := l.corpus.DF(t)
		if err != nil {
			return err
		}
		if df > 0 {
			weight[t] = l.idf(df)
			total += weight[t]
		}
	}
	if total == 0 {
		return nil
	}
	got := map[string]int{} // term → candidate+1 that counted it last
	for k, i := range l.candidates {
		p := strings.TrimSuffix(l.files[i].Path, path.Ext(l.files[i].Path))
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
// stands for its folder is named by it.
func segments(p string) []string {
	segs := strings.Split(strings.ToLower(p), "/")
	segs[len(segs)-1] = strings.ToLower(stemOf(p))
	if len(segs) > 1 && slices.Contains(standIns, segs[len(segs)-1]) {
		segs = segs[:len(segs)-1]
	}
	return segs
}

// named finds the files that the query names by path, file name or module. A
// name that fits several files counts for each the less.
func (l *lab) named() error {
	named, sum, bare := l.column("Named"), l.column("NamedOften"), l.column("NamedBare")
	if len(l.q.mentions) == 0 {
		return nil
	}
	byLast := map[string][]int{}
	segs := make([][]string, len(l.files))
	for i := range l.files {
		if l.ranked[i] {
			segs[i] = segments(l.files[i].Path)
			k := segs[i][len(segs[i])-1]
			byLast[k] = append(byLast[k], i)
		}
	}
	for _, m := range l.q.mentions {
		depth, best := 0, []int(nil)
		// The last part may be an extension, or a name in the module before it.
		for drop := 0; drop < 3 && drop < len(m); drop++ {
			if d, files := longest(m[:len(m)-drop], segs, byLast); d > depth {
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
func longest(m []string, segs [][]string, byLast map[string][]int) (depth int, files []int) {
	for _, i := range byLast[m[len(m)-1]] {
		s, k := segs[i], 0
		for k < len(m) && k < len(s) && m[len(m)-1-k] == s[len(s)-1-k] {
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

// priors say what a candidate is like whatever the query.
func (l *lab) priors() error {
	depth, size, symbols, siblings := l.few("Depth"), l.few("Size"), l.few("SymbolCount"), l.few("FolderSize")
	rank, importers := l.few("PageRank"), l.few("Importers")
	aux, folder, generated := l.few("Auxiliary"), l.few("StandsForFolder"), l.few("Generated")
	g, hasRank := l.corpus.(Imports)
	total := l.corpus.TotalLen()
	n := float64(max(1, l.corpus.NumFiles()))
	for k, i := range l.candidates {
		p := l.files[i].Path
		depth[k] = float64(strings.Count(p, "/"))
		size[k] = math.Log1p(l.lens[i][2] * max(1, float64(total[2])/n))
		symbols[k] = math.Log1p(l.lens[i][1] * max(1, float64(total[1])/n))
		siblings[k] = math.Log1p(float64(len(l.inDir[l.dir[i]])))
		if hasRank && l.ids[i] >= 0 {
			if r := g.PageRank(int(l.ids[i])); r > 0 {
				rank[k] = math.Log(r*n + 0.01)
			}
		}
		if l.in != nil {
			importers[k] = math.Log1p(float64(len(l.in[i])))
		}
		for dir := range strings.SplitSeq(strings.ToLower(dirOf(p)), "/") {
			if auxiliary[dir] {
				aux[k] = 1
			}
		}
		if slices.Contains(standIns, strings.ToLower(stemOf(p))) {
			folder[k] = 1
		}
		if l.files[i].Role == stream.RoleGenerated {
			generated[k] = 1
		}
	}
	return nil
}

// roles values files by the part they play, unless the title asks for it.
func (l *lab) roles() error {
	role := l.column("Role")
	asked := l.askedRoles()
	for i := range l.files {
		if r := l.files[i].Role; !asked[r] {
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

func (l *lab) askedRoles() map[stream.Role]bool {
	asked := map[stream.Role]bool{}
	for role, words := range roleWords {
		for _, w := range words {
			if k, ok := l.q.at[w]; ok && l.q.terms[k].title {
				asked[role] = true
			}
		}
	}
	return asked
}
