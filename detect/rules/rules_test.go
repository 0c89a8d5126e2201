package rules

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/topo-dev/topo/detect"
	"github.com/topo-dev/topo/index/fresh"
)

// small are the detectors with limits that a testdata file can reach.
var small = map[string]detect.Detector{
	"cognitive-complexity":  CognitiveComplexity(5, 8, 100),
	"cyclomatic-complexity": CyclomaticComplexity(5, 9),
	"deep-nesting":          DeepNesting(3, 4),
	"god-type":              GodType(3, 6),
	"hub-without-tests":     HubWithoutTests(2, 1),
	"import-cycle":          ImportCycle(),
	"large-file":            LargeFile(12, 100),
	"long-function":         LongFunction(8, 100),
	"long-parameter-list":   LongParameterList(4, 6),
	"unstable-hotspot":      UnstableHotspot(3, 2, 1),
	"unused-function":       UnusedFunction(),
}

// codeOf is the code of the tree at root.
func codeOf(t testing.TB, root string) *detect.Code {
	t.Helper()
	p, err := fresh.At(context.Background(), root, "")
	if err != nil {
		t.Fatal(err)
	}
	k := fresh.NewServer(fresh.Options{Place: p, Patience: time.Hour})
	t.Cleanup(k.Close)
	v, err := k.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	c, err := detect.NewCode(context.Background(), v.Index, v.Graph)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func put(t testing.TB, root, name, content string) {
	t.Helper()
	name = filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

var want = regexp.MustCompile(`want(-file)?: (low|medium|high) (.*)`)

// annotation is a comment that asks for a finding. It is taken out before the
// file is read: its words are not those of the code.
var annotation = regexp.MustCompile(`(//|#|/\*) want(-file)?: .*`)

// wanted are the findings that the comments of a file ask for: "want: severity
// message" on the line of the finding, "want-file:" for the file as a whole.
func wanted(name, content string) (out []string) {
	for i, line := range strings.Split(content, "\n") {
		m := want.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		at := i + 1
		if m[1] != "" {
			at = 0
		}
		out = append(out, fmt.Sprintf("%s:%d: %s %s", name, at, m[2], strings.TrimSpace(strings.TrimSuffix(m[3], "*/"))))
	}
	return out
}

// TestAnnotated runs each detector over its testdata: it must find what the
// comments ask for and nothing else.
func TestAnnotated(t *testing.T) {
	for _, d := range All() {
		t.Run(d.ID, func(t *testing.T) {
			ar, err := txtar.ParseFile("testdata/" + d.ID + ".txtar")
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			var wants []string
			for _, f := range ar.Files {
				put(t, root, f.Name, annotation.ReplaceAllString(string(f.Data), ""))
				wants = append(wants, wanted(f.Name, string(f.Data))...)
			}
			if d.ID == "unstable-hotspot" {
				commitOften(t, root, ar)
			}
			res, err := detect.Run(context.Background(), codeOf(t, root), []detect.Detector{small[d.ID]}, detect.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range res.Findings {
				got = append(got, fmt.Sprintf("%s:%d: %s %s", f.Path, f.Line, f.Severity, f.Message))
				if f.Detector != d.ID || f.Advice == "" || len(f.Fingerprint) != 16 || f.Confidence <= 0 || f.Confidence > 1 {
					t.Errorf("%+v", f)
				}
			}
			slices.Sort(got)
			slices.Sort(wants)
			if len(wants) == 0 || !slices.Equal(got, wants) {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(wants, "\n  "))
			}
		})
	}
}

// commitOften makes a history in which the files named hot changed three times,
// and the others once.
func commitOften(t *testing.T, root string, ar *txtar.Archive) {
	t.Helper()
	git(t, root, "init", "-q")
	for n := range 3 {
		for _, f := range ar.Files {
			if strings.HasPrefix(f.Name, "hot") {
				put(t, root, f.Name, annotation.ReplaceAllString(string(f.Data), "")+strings.Repeat("\n", 2-n))
			}
		}
		git(t, root, "add", "-A")
		git(t, root, "commit", "-q", "-m", "Change")
	}
}

func git(t *testing.T, root string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@x", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@x",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("git %v: %v %s (install git)", args, err, out)
	}
}

func TestRegistry(t *testing.T) {
	categories := []string{"architecture", "complexity", "dead-code", "history", "size", "testing"}
	last := ""
	for _, d := range All() {
		if d.ID <= last || d.Doc == "" || d.Why == "" || d.Run == nil || !slices.Contains(categories, d.Category) {
			t.Errorf("%s: not sorted, or not complete: %+v", d.ID, d)
		}
		if !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(d.ID) || small[d.ID].ID != d.ID {
			t.Errorf("%s: the ID is not in the form a-b, or it is missing in small in this file", d.ID)
		}
		last = d.ID
	}
	if _, err := Lookup([]string{"no-such"}); err == nil || !strings.Contains(err.Error(), "god-type") {
		t.Errorf("an unknown detector: %v", err)
	}
	if got, err := Lookup([]string{"god-type"}); err != nil || len(got) != 1 || got[0].ID != "god-type" {
		t.Errorf("one detector: %v, %v", got, err)
	}
}

// TestDefaultLimits makes a function that is just below and one that is just at
// the default limit of the length.
func TestDefaultLimits(t *testing.T) {
	root := t.TempDir()
	put(t, root, "a.go", "package a\n\nfunc Below() {\n"+strings.Repeat("\tif x {\n\t}\n", 73)+"\t_ = 0\n}\n\nfunc At() {\n"+strings.Repeat("\tif x {\n\t}\n", 74)+"}\n")
	res, err := detect.Run(context.Background(), codeOf(t, root), All(), detect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range res.Findings {
		if f.Detector == "long-function" {
			got = append(got, f.Symbol)
		}
	}
	if !slices.Equal(got, []string{"At"}) {
		t.Errorf("long functions: %v", got)
	}
}
