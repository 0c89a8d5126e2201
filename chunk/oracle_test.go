package chunk

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"
)

// tag is one definition that universal-ctags found.
type tag struct {
	Name, Path, Kind, Scope string
	Line                    int
}

// oracleLanguages says how ctags names each language and which of its kinds
// are functions, methods and types.
var oracleLanguages = map[string]struct {
	ctags string
	exts  []string
	kinds string
}{
	"go":         {"Go", []string{".go"}, "func type struct interface talias"},
	"rust":       {"Rust", []string{".rs"}, "function method struct interface enum typedef"},
	"python":     {"Python", []string{".py"}, "function member class"},
	"javascript": {"JavaScript", []string{".js", ".mjs", ".cjs"}, "function method class generator getter setter"},
	"typescript": {"TypeScript", []string{".ts"}, "function method class interface enum alias generator"},
	"java":       {"Java", []string{".java"}, "class interface enum method annotation"},
	"ruby":       {"Ruby", []string{".rb"}, "class module method singletonMethod"},
	"c":          {"C", []string{".c"}, "function struct union enum typedef"},
	"cpp":        {"C++", []string{".cpp", ".cc", ".cxx", ".hpp", ".h"}, "function class struct union enum typedef"},
}

// ctagsOf runs ctags over the files and gives its definitions by file.
func ctagsOf(t *testing.T, language string, files []string) map[string][]tag {
	t.Helper()
	exe, err := exec.LookPath("ctags")
	if err != nil {
		t.Skip("needs universal-ctags (apt-get install universal-ctags, brew install universal-ctags)")
	}
	o := oracleLanguages[language]
	cmd := exec.Command(exe, "--options=NONE", "--output-format=json", "--fields=NFnKs", "--language-force="+o.ctags, "-L", "-", "-f", "-")
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n"))
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("this ctags cannot write JSON, universal-ctags with JSON output is needed: %v", err)
	}
	kinds := strings.Fields(o.kinds)
	tags := map[string][]tag{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var x tag
		if json.Unmarshal(lines.Bytes(), &x) != nil || !contains(kinds, x.Kind) {
			continue
		}
		tags[x.Path] = append(tags[x.Path], x)
	}
	return tags
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// recall counts which tags have a chunk of that name over their line.
func recall(t *testing.T, language string, files []string) (found, all int, missed []tag) {
	tags := ctagsOf(t, language, files)
	for _, path := range files {
		if len(tags[path]) == 0 {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil || minified(src) {
			continue
		}
		lines := bytes.Split(src, []byte("\n"))
		cs := Parse(context.Background(), language, path, src).Chunks
		for _, x := range tags[path] {
			if exempt(language, x, lines) {
				continue
			}
			all++
			if covered(cs, x) {
				found++
			} else {
				missed = append(missed, x)
			}
		}
	}
	return found, all, missed
}

func covered(cs []Chunk, x tag) bool {
	for _, c := range cs {
		if c.StartLine <= x.Line && x.Line <= c.EndLine && bare(c.Name) == bare(x.Name) {
			return true
		}
	}
	return false
}

// bare is a name without the spaces, sigils and quotes that differ by taste.
func bare(s string) string {
	return strings.Trim(strings.Join(strings.Fields(s), ""), "\"'`")
}

// exempt reports tags that are no definitions, by the mistakes ctags makes.
func exempt(language string, x tag, lines [][]byte) bool {
	// ctags makes names up for what has none.
	if strings.HasPrefix(x.Name, "__anon") || strings.HasPrefix(x.Name, "Anonymous") || strings.HasPrefix(x.Name, "anonymous") {
		return true
	}
	if x.Line < 1 || x.Line > len(lines) {
		return true
	}
	line := string(lines[x.Line-1])
	switch language {
	case "javascript":
		switch {
		case len(line) > 400: // minified
			return true
		case x.Name == "exports": // "module.exports = class A" has the name A
			return true
		case x.Kind == "class" && !hasWord(line, "class") && !hasWord(line, "function"):
			return true // an object literal with properties: "const options = {a: 1}"
		case x.Kind == "method" && !hasWord(line, "function") && strings.Contains(line, x.Name+" = "):
			return true // another name for a function: "A.prototype.b = A.prototype.c"
		case strings.Contains(line, x.Name+".") || strings.Contains(line, x.Name+"["):
			return true // the holder, not what is defined: "app.get = function"
		}
		return strings.Contains(line, x.Name+" = (function") // the result of a function called at once
	case "typescript":
		// Names in an import list are "aliases" to ctags: "import {A, B} from".
		return x.Kind == "alias" && (!strings.Contains(line, "type "+x.Name) || strings.HasSuffix(strings.TrimSpace(line), ",") ||
			strings.Contains(line, "import") || strings.Contains(line, "}") && !strings.Contains(line, "="))
	case "ruby":
		// "class << self" is named "self", and "def obj.name" is named "obj".
		return x.Name == "self" || strings.Contains(line, "def "+x.Name+".") || inRubyText(lines, x.Line)
	case "java":
		// Enum constants with a body or arguments are "methods" to ctags.
		return x.Kind == "method" && strings.ToUpper(x.Name) == x.Name && strings.HasPrefix(strings.TrimSpace(line), x.Name) || inJavaText(lines, x.Line)
	case "c", "cpp":
		// A macro call before a body or a declaration is a function to ctags:
		// "TEST_BEGIN(name) {", "API_DEPRECATED(1.2, old())". The chunk has the
		// name of what is defined.
		return x.Kind == "function" && (macroName(x.Name) || strings.Contains(line, x.Name+"())"))
	}
	return false
}

func hasWord(line, word string) bool {
	for _, f := range strings.FieldsFunc(line, func(r rune) bool { return r < 0x80 && !identByte(byte(r)) }) {
		if f == word {
			return true
		}
	}
	return false
}

var heredoc = regexp.MustCompile(`<<[~-]?['"` + "`" + `]?([A-Za-z_]\w*)`)

// inRubyText reports whether a line is inside a heredoc, which ctags reads as code.
func inRubyText(lines [][]byte, line int) bool {
	end := ""
	for i := 0; i < line-1; i++ {
		if end != "" {
			if string(bytes.TrimSpace(lines[i])) == end {
				end = ""
			}
		} else if m := heredoc.FindSubmatch(lines[i]); m != nil {
			end = string(m[1])
		}
	}
	return end != ""
}

// inJavaText reports whether a line is inside a text block.
func inJavaText(lines [][]byte, line int) bool {
	quotes := 0
	for i := 0; i < line-1; i++ {
		quotes += bytes.Count(lines[i], []byte(`"""`))
	}
	return quotes%2 == 1
}

// The samples of testdata, against ctags.
func TestOracleSamples(t *testing.T) {
	for language, o := range oracleLanguages {
		t.Run(language, func(t *testing.T) {
			src, err := os.ReadFile(filepath.Join("testdata", language+".src"))
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "sample"+o.exts[0])
			if err := os.WriteFile(path, src, 0o644); err != nil {
				t.Fatal(err)
			}
			found, all, missed := recall(t, language, []string{path})
			if all == 0 || found < all {
				t.Errorf("%d of %d, missed %+v", found, all, missed)
			}
		})
	}
}

// TestOracleRepositories measures recall over real repositories: one folder
// each in the directory TOPO_ORACLE_REPOS.
func TestOracleRepositories(t *testing.T) {
	dir := os.Getenv("TOPO_ORACLE_REPOS")
	if dir == "" {
		t.Skip("set TOPO_ORACLE_REPOS to a directory with a checkout of a repository in each folder")
	}
	var languages []string
	for l := range oracleLanguages {
		if only := os.Getenv("TOPO_ORACLE_LANGUAGE"); only == "" || only == l {
			languages = append(languages, l)
		}
	}
	sort.Strings(languages)
	repos, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range languages {
		t.Run(l, func(t *testing.T) {
			found, all := 0, 0
			var missed []tag
			var table strings.Builder
			for _, r := range repos {
				f, a, m := recall(t, l, sources(filepath.Join(dir, r.Name()), oracleLanguages[l].exts))
				if a > 50 {
					fmt.Fprintf(&table, "| %s | %s | %d | %d | %.4f |\n", l, r.Name(), a, f, float64(f)/float64(a))
				}
				found, all, missed = found+f, all+a, append(missed, m...)
			}
			if all == 0 {
				t.Skip("no definitions in the repositories")
			}
			got := float64(found) / float64(all)
			t.Logf("\n%s| %s | all | %d | %d | %.4f |", table.String(), l, all, found, got)
			if path := os.Getenv("TOPO_ORACLE_MISSED"); path != "" {
				writeMissed(t, filepath.Join(path, l), missed)
			}
			if got < 0.98 {
				t.Errorf("recall %.4f, want at least 0.98; among the missed: %+v", got, missed[:min(len(missed), 10)])
			}
		})
	}
}

func writeMissed(t *testing.T, path string, missed []tag) {
	var b strings.Builder
	for _, m := range missed {
		fmt.Fprintf(&b, "%s:%d\t%s\t%s\n", m.Path, m.Line, m.Kind, m.Name)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func sources(root string, exts []string) []string {
	var out []string
	filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && contains(exts, filepath.Ext(p)) {
			if info, err := d.Info(); err == nil && info.Size() < 1<<20 {
				out = append(out, p)
			}
		}
		return nil
	})
	return out
}
