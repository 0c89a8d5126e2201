package token

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestTerms(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{" \t\n.,;", ""},
		{"insertBreak", "insert break"},
		{"PascalCase", "pascal case"},
		{"HTTPServer", "http server"},
		{"NewHTTP2Server", "new http2 server"},
		{"parse_url", "parse url"},
		{"MAX_LINE_LEN", "max line len"},
		{"__init__", "init"},
		{"userID", "user id"},
		{"PodIPs allURLs URLsByName", "pod ip all url url name"},
		{"URLsafe", "ur lsafe"}, // only a lone s is a plural
		{"utf8 UTF8 utf8Reader", "utf8 utf8 utf8 reader"},
		{"sha256Sum SHA256Sum SHA256", "sha256 sum sha256 sum sha256"},
		{"X509Certificate x509", "x509 certificate x509"},
		{"K8s k8sClient v1beta1", "k8s k8s client v1beta1"},
		{"I18N B2B 3D 2DArray 12ab", "i18n b2b 3d 2d array 12ab"},
		{"0xFF 404 8", "0x ff 404"},
		{"a b C x1", "x1"},
		{"the quick and THE Is this", "quick"},
		{"isReady ifNotPresent", "ready not present"},
		{"don't doesn't it's", ""},
		{"src/main/kubelet.go", "src main kubelet go"},
		{"func (m *managerImpl) synchronize()", "func manager impl synchronize"},
		{"größe Straße ÜberGröße", "größe straße über größe"},
		{"КэшПамяти кэш", "кэш памяти кэш"},
		{"内存pressure驱逐", "内 存 pressure 驱 逐"},
		{"naïveBayes", "naïve bayes"},
		{"cafe\u0301 x", "cafe\u0301"},
		{"foo—bar “baz”", "foo bar baz"},
		{"bad\xff\xfebytes", "bad bytes"},
		{"é è", "é è"},
	}
	for _, tt := range tests {
		if got := strings.Join(Terms(tt.text), " "); got != tt.want {
			t.Errorf("Terms(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestLimit(t *testing.T) {
	for n, want := range map[int]int{2: 1, MaxTerm: 1, MaxTerm + 1: 0, 5000: 0} {
		for _, unit := range []string{"q", "Q", "7"} {
			if got := len(Terms(strings.Repeat(unit, n))); got != want {
				t.Errorf("%d times %s gives %d terms, want %d", n, unit, got, want)
			}
		}
	}
	for n, want := range map[int]int{MaxTerm / 2: 1, MaxTerm/2 + 1: 0, 3000: 0} {
		if got := len(Terms(strings.Repeat("é", n))); got != want {
			t.Errorf("%d times é gives %d terms, want %d", n, got, want)
		}
	}
}

func TestStopWords(t *testing.T) {
	if !slices.IsSorted(StopWords) {
		t.Error("StopWords is not sorted")
	}
	for _, w := range StopWords {
		if len(w) > stopLen || len(w) < 2 {
			t.Errorf("%q does not fit the table", w)
		}
		if !isStop([]byte(w)) || len(Terms(w)) != 0 || len(Terms(strings.ToUpper(w))) != 0 {
			t.Errorf("%q is not dropped", w)
		}
		if isStop([]byte(w + "q")) {
			t.Errorf("%qq is dropped", w)
		}
	}
}

// reference is the rule of the package written for reading: cut into words,
// cut words into parts, drop.
func reference(text string) (out []string) {
	classOf := func(r rune) uint8 {
		if r == utf8.RuneError {
			return sep
		}
		return runeClass(r)
	}
	var word []rune
	flush := func() {
		for len(word) > 0 {
			n := referencePart(word)
			term := strings.Map(unicode.ToLower, string(word[:n]))
			word = word[n:]
			if len(term) == 1 || len(term) > MaxTerm || slices.Contains(StopWords, term) {
				continue
			}
			out = append(out, term)
		}
	}
	for _, r := range text {
		switch classOf(r) {
		case sep:
			flush()
		case han:
			flush()
			out = append(out, string(r))
		default:
			word = append(word, r)
		}
	}
	flush()
	return out
}

// referencePart is the number of runes up to the first cut inside a word.
func referencePart(word []rune) int {
	class := func(i int) uint8 {
		if i < 0 || i >= len(word) {
			return sep
		}
		return runeClass(word[i])
	}
	for i := 1; i < len(word); i++ {
		side := class(i - 1) // a digit takes the side of what is before it
		for k := i - 1; side == digit && k >= 0; k-- {
			side = class(k)
		}
		if side == digit {
			side = upper
		}
		plural := class(i-2) == upper && class(i-1) == upper && word[i] == 's' && class(i+1) != lower && class(i+1) != digit
		switch {
		case plural && allSide(word[:i]):
			return i
		case class(i) == upper && side == lower:
			return i
		case class(i) == upper && side == upper && class(i+1) == lower:
			if word[i+1] == 's' && class(i-1) == upper && class(i+2) != lower && class(i+2) != digit {
				continue
			}
			return i
		}
	}
	return len(word)
}

func allSide(part []rune) bool {
	return !slices.ContainsFunc(part, func(r rune) bool { return runeClass(r) == lower })
}

func check(t *testing.T, text string) {
	t.Helper()
	got, want := Terms(text), reference(text)
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("Terms(%q) = %q, reference %q", text, got, want)
	}
	for _, term := range got {
		if again := Terms(term); len(again) != 1 || again[0] != term {
			t.Fatalf("Terms(%q) = %q, want itself (from %q)", term, again, text)
		}
	}
}

func TestAgainstReference(t *testing.T) {
	alphabet := []string{"a", "b", "s", "s", "A", "B", "S", "1", "9", "_", " ", ".", "é", "É", "ß", "я", "Я", "中", "\u0301", "—", "\xff", "the", "IPs", "\u0130", "\U0001D400", "ǅ", "\u2167"}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200000 {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteString(alphabet[rng.IntN(len(alphabet))])
		}
		check(t, b.String())
	}
}

func FuzzTerms(f *testing.F) {
	f.Add("func (s *HTTPServer) ServeURLs(w http.ResponseWriter) { utf8.RuneLen('中') }")
	f.Add("don't PANIC\xff\xfe\u0301É1s")
	f.Fuzz(check)
}

func TestNoAllocations(t *testing.T) {
	text := []byte("func (s *HTTPServer) parse_url größe ÜBER 内存 the")
	var s Splitter
	n := 0
	count := func([]byte) { n++ }
	if got := testing.AllocsPerRun(100, func() { s.Each(text, count) }); got != 0 {
		t.Errorf("%v allocations a run, want 0", got)
	}
	if n == 0 {
		t.Error("no terms")
	}
}

func BenchmarkEach(b *testing.B) {
	text := []byte(strings.Repeat(`// synchronize is the main control loop that enforces eviction thresholds.
func (m *managerImpl) synchronize(diskInfoProvider DiskInfoProvider, podFunc ActivePodsFunc) ([]*v1.Pod, error) {
	ctx := context.Background()
	// if we have nothing to do, just return
	thresholds := m.config.Thresholds
	if len(thresholds) == 0 && !m.localStorageCapacityIsolation {
		return nil, nil
	}
`, 100))
	var s Splitter
	n := 0
	count := func(term []byte) { n += len(term) }
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s.Each(text, count)
	}
}
