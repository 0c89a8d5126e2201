package signal

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index/token"
	"github.com/topo-dev/topo/scan/lang"
	"github.com/topo-dev/topo/stream"
)

// toy is a corpus of texts: a line "def name" defines name up to the next "end".
type toy struct {
	paths, texts []string
	subjects     []string
	touched      map[string][]uint32
	imports      map[string][]string
}

func newToy(texts map[string]string) *toy {
	t := &toy{touched: map[string][]uint32{}, imports: map[string][]string{}}
	for p := range texts {
		t.paths = append(t.paths, p)
	}
	slices.Sort(t.paths)
	for _, p := range t.paths {
		t.texts = append(t.texts, texts[p])
	}
	return t
}

func (t *toy) tf(id int, term string) (tf [3]uint32) {
	for f, text := range t.fields(id) {
		for _, x := range token.Terms(text) {
			if x == term {
				tf[f]++
			}
		}
	}
	return tf
}

func (t *toy) fields(id int) [3]string {
	chunks, _ := t.Chunks(id)
	var names []string
	for _, c := range chunks {
		names = append(names, c.Name)
	}
	return [3]string{t.paths[id], strings.Join(names, " "), t.texts[id]}
}

func (t *toy) NumFiles() int { return len(t.paths) }
func (t *toy) TotalLen() (n [3]uint64) {
	for id := range t.paths {
		l, _ := t.FileLen(id)
		for f := range n {
			n[f] += uint64(l[f])
		}
	}
	return n
}
func (t *toy) FileLen(id int) (n [3]uint32, err error) {
	for f, text := range t.fields(id) {
		n[f] = uint32(len(token.Terms(text)))
	}
	return n, nil
}
func (t *toy) DF(term string) (n int, err error) {
	return n, t.Each(term, func(int, [3]uint32) { n++ })
}
func (t *toy) Each(term string, fn func(int, [3]uint32)) error {
	for id := range t.paths {
		if tf := t.tf(id, term); tf != ([3]uint32{}) {
			fn(id, tf)
		}
	}
	return nil
}
func (t *toy) Chunks(id int) (out []chunk.Chunk, err error) {
	at := 0
	for line := range strings.Lines(t.texts[id]) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "def "); ok {
			out = append(out, chunk.Chunk{Kind: chunk.Function, Name: name, StartByte: at, EndByte: len(t.texts[id])})
		}
		at += len(line)
	}
	for i := range out {
		if i+1 < len(out) {
			out[i].EndByte = out[i+1].StartByte
		}
	}
	return out, nil
}
func (t *toy) Content(id int, buf []byte) ([]byte, error) {
	return append(buf[:0], t.texts[id]...), nil
}
func (t *toy) NumCommits() int                     { return len(t.subjects) }
func (t *toy) CommitSubject(i int) (string, error) { return t.subjects[i], nil }
func (t *toy) FileCommits(id int, buf []uint32) ([]uint32, error) {
	return append(buf[:0], t.touched[t.paths[id]]...), nil
}
func (t *toy) PageRank(int) float64 { return 1 / float64(len(t.paths)) }
func (t *toy) Imported(id int, buf []uint32) ([]uint32, error) {
	buf = buf[:0]
	for _, p := range t.imports[t.paths[id]] {
		buf = append(buf, uint32(slices.Index(t.paths, p)))
	}
	return buf, nil
}
func (t *toy) TermsWithPrefix(prefix string, fn func(string) bool) error {
	var all []string
	for _, text := range t.texts {
		all = append(all, token.Terms(text)...)
	}
	slices.Sort(all)
	for _, x := range slices.Compact(all) {
		if strings.HasPrefix(x, prefix) && !fn(x) {
			break
		}
	}
	return nil
}

func (t *toy) input(query string) Input {
	in := Input{Corpus: t, Query: query, All: true}
	for i, p := range t.paths {
		role := stream.RoleImpl
		if strings.Contains(p, "test") {
			role = stream.RoleTest
		}
		in.Files = append(in.Files, stream.File{Path: p, Language: "python", Role: role})
		in.IDs, in.Ranked = append(in.IDs, int32(i)), append(in.Ranked, role == stream.RoleImpl)
	}
	return in
}

// value of a signal for a path.
func value(t *testing.T, in Input, name, path string) float64 {
	t.Helper()
	table, err := Compute(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	for k, i := range table.Candidates {
		for _, c := range table.Features {
			if c.Name == name && in.Files[i].Path == path {
				return c.Values[k]
			}
		}
	}
	return 0
}

func sample() *toy {
	t := newToy(map[string]string{
		"net/pool.py":        "def drain\nclose idle connections # connections time out\nraise Error(\"pool is already drained\")\nend\n",
		"net/dial.py":        "def dial\nopen connections and keep the idle pool\ndrained already is pool\n",
		"store/cache.py":     "def CacheStore\nevict entries of the dataset\n",
		"store/disk.py":      "def write_block\nfsync the pool of blocks\n",
		"tests/test_disk.py": "def test_block\nclose idle connections connections already drained pool\n",
		"util/text.py":       "def wrap\nwords and lines\n",
	})
	t.subjects = []string{"Close idle connections sooner", "Wrap lines", "Bump"}
	t.touched["store/cache.py"] = []uint32{0}
	t.touched["net/pool.py"] = []uint32{0, 2}
	t.touched["util/text.py"] = []uint32{1}
	t.imports["tests/test_disk.py"] = []string{"store/disk.py"}
	t.imports["net/dial.py"] = []string{"net/pool.py"}
	return t
}

// TestSignalsFindWhatTheyAreFor gives each kind of signal a query that one file
// answers in just that way, and another file that does not.
func TestSignalsFindWhatTheyAreFor(t *testing.T) {
	for _, tc := range []struct{ signal, query, yes, no string }{
		{"Body", "evict entries", "store/cache.py", "net/pool.py"},
		{"Stem", "disk pool", "store/disk.py", "net/dial.py"},
		{"TopicInPath", "store: pool is wrong", "store/disk.py", "net/pool.py"},
		{"Named", "see net/dial.py line 3 of the pool", "net/dial.py", "net/pool.py"},
		{"Named", "net.dial fails on a pool", "net/dial.py", "net/pool.py"},
		{"NamedBare", "dial.py: pool", "net/dial.py", "net/pool.py"},
		{"Strings", "pool is already drained", "net/pool.py", "net/dial.py"},
		{"Comments", "connections time out", "net/pool.py", "net/dial.py"},
		{"LongestRun", "pool is already drained", "net/pool.py", "net/dial.py"},
		{"Pairs", "idle connections", "net/pool.py", "net/dial.py"},
		{"DefinesCode", "`CacheStore` and the pool", "store/cache.py", "net/pool.py"},
		{"IdentifiersCode", "`write_block` in the pool", "store/disk.py", "net/pool.py"},
		{"Compounds", "evict the data set", "store/cache.py", "net/pool.py"},
		{"FormsInSymbols", "blocks of the pool", "store/disk.py", "net/pool.py"},
		{"Fuzzy", "connectons pool", "net/pool.py", "store/disk.py"},
		{"History", "close idle connections entries", "store/cache.py", "net/dial.py"},
		{"LikeCommits", "close idle connections entries", "store/cache.py", "net/dial.py"},
		{"LastTouched", "pool entries lines", "net/pool.py", "net/dial.py"},
		{"TestByName", "close idle pool", "store/disk.py", "net/dial.py"},
		{"TestByImport", "close idle pool", "store/disk.py", "net/dial.py"},
		{"ImportedBy", "idle pool", "net/pool.py", "store/disk.py"},
		{"FolderLikeLate", "close idle connections words", "net/dial.py", "util/text.py"},
		{"CoChange", "close idle connections entries", "store/cache.py", "net/dial.py"},
		{"PreciseName", "drain the pool", "net/pool.py", "net/dial.py"},
		{"BodyStemmed", "a connection of the dataset", "net/pool.py", "store/disk.py"},
		{"BodyLevel", "evict entries", "store/cache.py", "net/pool.py"},
		{"RareName", "write_block and the idle pool", "store/disk.py", "net/pool.py"},
		{"RareNameTitle", "write_block and the idle pool\nsee dial", "store/disk.py", "net/pool.py"},
		{"NamesShare", "write_block and the idle pool", "store/disk.py", "net/pool.py"},
		{"OnlyDefines", "CacheStore of the pool", "store/cache.py", "net/pool.py"},
		{"OnlyDefinesTitle", "CacheStore of the pool\nsee dial", "store/cache.py", "net/pool.py"},
	} {
		in := sample().input(tc.query)
		yes, no := value(t, in, tc.signal, tc.yes), value(t, in, tc.signal, tc.no)
		if yes <= no {
			t.Errorf("%s for %q: %s has %v, %s has %v", tc.signal, tc.query, tc.yes, yes, tc.no, no)
		}
	}
}

// TestRarityIsAbsolute: a name that all candidates hold is worth nothing, however
// few other names the query has.
func TestRarityIsAbsolute(t *testing.T) {
	in := newToy(map[string]string{"a.py": "write_block here\n", "b.py": "write_block there\n"}).input("write_block")
	for _, p := range []string{"a.py", "b.py"} {
		if v := value(t, in, "RareName", p); v > 0.4 {
			t.Errorf("%s has %v for a name that all hold", p, v)
		}
	}
}

// TestOtherFormStandsIn: a word that no file holds is looked for in another form,
// once for several such words.
func TestOtherFormStandsIn(t *testing.T) {
	for _, query := range []string{"a connection", "a connection connectioned", "evicted"} {
		want := "net/pool.py"
		if query == "evicted" {
			want = "store/cache.py"
		}
		if v := value(t, sample().input(query), "Body", want); v == 0 {
			t.Errorf("%q does not find %s", query, want)
		}
	}
	m, err := newFeatureMatrix(context.Background(), sample().input("a connection connectioned"))
	if err != nil || len(m.terms) != 1 || m.term["connection"] != m.term["connectioned"] {
		t.Errorf("%v, %d terms for two forms of one word", err, len(m.terms))
	}
}

// TestQueryFeaturesAreEqual: what describes the query is the same for every file.
func TestQueryFeaturesAreEqual(t *testing.T) {
	for _, name := range []string{"QueryLength", "QueryNames"} {
		in := sample().input("close idle connections in write_block")
		a, b := value(t, in, name, "net/pool.py"), value(t, in, name, "net/dial.py")
		if a != b || a == 0 {
			t.Errorf("%s is %v for one and %v for the other", name, a, b)
		}
		if short := value(t, sample().input("close"), name, "net/pool.py"); short >= a {
			t.Errorf("%s is %v for a short query and %v for a longer one", name, short, a)
		}
	}
}

// TestPriorLiftsNothingAlone: lately touched files that no other signal supports
// are no candidates.
func TestPriorLiftsNothingAlone(t *testing.T) {
	table, err := Compute(context.Background(), sample().input("evict entries"))
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range table.Candidates {
		if p := sample().paths[i]; p == "util/text.py" {
			t.Errorf("%s is a candidate: it was touched lately and holds nothing of the query", p)
		}
	}
	if table, _ := Compute(context.Background(), sample().input("zyzzyva")); len(table.Candidates) != 0 {
		t.Errorf("candidates for a word that is nowhere: %v", table.Candidates)
	}
}

func TestComputeIsDeterministic(t *testing.T) {
	in := sample().input("close idle connections of the pool\nraise Error pool is already drained, write_block")
	first, err := Compute(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if again, _ := Compute(context.Background(), in); !reflect.DeepEqual(first, again) {
			t.Fatal("another run gives other values")
		}
	}
	if len(first.Features) != len(Signals()) {
		t.Errorf("%d features for %d signals", len(first.Features), len(Signals()))
	}
}

func TestRegistry(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Signals() {
		if seen[k.Name] || k.Doc == "" || k.Group == "" {
			t.Errorf("%+v is listed twice or says too little", k)
		}
		seen[k.Name] = true
	}
	for name := range Weights {
		if !seen[name] {
			t.Errorf("there is a weight for %s, which is no signal", name)
		}
	}
}

// TestWithoutData leaves out history, imports and vocabulary.
func TestWithoutData(t *testing.T) {
	in := sample().input("close idle connections")
	in.Corpus = struct{ Corpus }{in.Corpus}
	table, err := Compute(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range table.Features {
		if g := byName()[c.Name].Group; (g == "history" || g == "imports") && slices.Max(c.Values) != 0 {
			t.Errorf("%s is %v without data", c.Name, c.Values)
		}
	}
}

func TestNormalize(t *testing.T) {
	if got := normalize([]float64{0, 2, 4}, relative); !reflect.DeepEqual(got, []float64{0, 0.5, 1}) {
		t.Errorf("relative: %v", got)
	}
	got := normalize([]float64{1, 3}, standard)
	if math.Abs(got[0]+0.5) > 1e-5 || math.Abs(got[1]-0.5) > 1e-5 {
		t.Errorf("standard: %v", got)
	}
	if got := normalize([]float64{0, 0}, relative); got[0] != 0 {
		t.Errorf("nothing at all: %v", got)
	}
}

// FuzzRuns checks that every byte but line ends is in one piece, in order.
func FuzzRuns(f *testing.F) {
	f.Add([]byte("a = \"b\\\n# c\n'''d\n'''"), "python")
	f.Add([]byte("/* a */ b // c\n`d\\"), "go")
	f.Fuzz(func(t *testing.T, text []byte, language string) {
		at := 0
		runs(text, lang.SyntaxOf(language), func(part []byte, off int, _ uint8) {
			for ; at < off; at++ {
				if text[at] != '\n' {
					t.Fatalf("byte %d is in no piece", at)
				}
			}
			if off != at {
				t.Fatalf("piece at %d, want %d", off, at)
			}
			at += len(part)
		})
		for ; at < len(text); at++ {
			if text[at] != '\n' {
				t.Fatalf("byte %d is in no piece", at)
			}
		}
	})
}

// FuzzCompute asks anything.
func FuzzCompute(f *testing.F) {
	f.Add("fix(net): drain the `pool`\n\n```\nFile \"net/pool.py\", line 3\n```\nwrite_block CacheStore")
	f.Fuzz(func(t *testing.T, query string) {
		table, err := Compute(context.Background(), sample().input(query))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range table.Features {
			for _, v := range c.Values {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%s is %v", c.Name, v)
				}
			}
		}
	})
}
