package lab

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/internal/lab/train"
	"github.com/topo-dev/topo/score/eval"
	"github.com/topo-dev/topo/score/signal"
)

// history makes a repository whose commits each change the function of one file
// and say so, and lists its commits, oldest first.
func history(t *testing.T) (root string, commits []string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed (apt-get install git)")
	}
	root = t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, fmt.Sprintf("GIT_COMMITTER_DATE=%d +0000", 1700000000+len(commits)))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	commit := func(message string) {
		git("add", "-A")
		git("commit", "-qm", message)
		commits = append(commits, git("rev-parse", "HEAD"))
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q")
	functions := [][2]string{{"pool.go", "Drain idle connections on close"}, {"cache.go", "Evict the oldest entries first"}, {"log.go", "Print lines without blanks"}, {"net.go", "Dial hosts with a deadline"}}
	text := func(message, body string) string {
		word, _, _ := strings.Cut(message, " ")
		return fmt.Sprintf("package a\n\n// %s is what its name says.\nfunc %s() { %s }\n", message, word, body)
	}
	for _, f := range functions {
		write(f[0], text(f[1], ""))
	}
	commit("Begin")
	for _, f := range functions {
		write(f[0], text(f[1], "changed()"))
		commit(f[1])
	}
	return root, commits
}

// evaluate runs the lab on the history, and on more cases where there are.
func evaluate(t *testing.T, root string, o Options) *Result {
	t.Helper()
	ctx := context.Background()
	repo, err := topo.Open(ctx, root, topo.Options{Exact: true, CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	cases, err := repo.EvalCases(ctx, 3)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(ctx, repo, cases, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRunKeepsTables(t *testing.T) {
	root, commits := history(t)
	tables := filepath.Join(t.TempDir(), "signals.gz")
	o := Options{Tables: tables, After: 1, Extra: []eval.Case{{ID: "extra", BaseCommit: commits[0], Query: "print lines", Gold: []string{"log.go"}, Set: "more"}}}
	o.Functions, o.DropAbsent = true, true
	r := evaluate(t, root, o)
	if r.All.Cases != 3 || r.CrossValidated != nil || r.Ablation != nil {
		t.Errorf("%+v", r)
	}
	examples, err := readTables(tables)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range examples {
		s := fmt.Sprintf("%s extra=%v weight=%v", e.Set, e.Extra, e.Weight)
		if e.Chunks != nil {
			s += fmt.Sprintf(" functions=%d of %d", e.Chunks.Golds, len(e.Chunks.Gold))
		}
		got = append(got, s)
	}
	// Oldest commit first: the extra case and the commit after it, then the three
	// cases, each with its fix. Each commit is learned from once.
	want := []string{"more extra=true weight=0.5", " extra=true weight=0.4",
		" extra=false weight=0 functions=1 of 1", " extra=true weight=0.4",
		" extra=false weight=0 functions=1 of 1", " extra=true weight=0.4",
		" extra=false weight=0 functions=1 of 1"}
	if !slices.Equal(got, want) {
		t.Errorf("examples\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestRunLearns(t *testing.T) {
	root, _ := history(t)
	dir := t.TempDir()
	tables, first, second := filepath.Join(dir, "signals.gz"), filepath.Join(dir, "a", "w.go"), filepath.Join(dir, "b", "w.go")
	for _, f := range []string{first, second} {
		if err := os.Mkdir(filepath.Dir(f), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	o := Options{Tables: tables, Train: first, Ablate: true}
	o.Functions, o.Against, o.DropAbsent = true, "rrf", true
	r := evaluate(t, root, o)
	again, err := Run(context.Background(), nil, nil, Options{Tables: tables, Train: second})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"w.go", definitionWeights} {
		a, aerr := os.ReadFile(filepath.Join(dir, "a", name))
		b, berr := os.ReadFile(filepath.Join(dir, "b", name))
		if aerr != nil || berr != nil || string(a) != string(b) || !strings.Contains(string(a), "Learned on 3 cases of 1 repositories") {
			t.Errorf("%s: %v, %v, equal: %v", name, aerr, berr, string(a) == string(b))
		}
	}
	if len(r.CrossValidated) != 2 || len(r.CrossAgainst) != 2 || len(r.CrossFunctions) != 1 || len(r.LearnedWithout) < 3 || r.LearnedWithout[0].Name != "nothing" {
		t.Errorf("%+v", r)
	}
	if again.Report != nil || len(again.CrossValidated) != 2 || again.CrossAgainst != nil {
		t.Errorf("learned from tables: %+v", again)
	}
	checkForms(t, r)
}

// checkForms holds the text and the JSON of a result.
func checkForms(t *testing.T, r *Result) {
	t.Helper()
	var b strings.Builder
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	last := 0
	for _, want := range []string{"cases ", "\nagainst the other", "\nwithout ", "cross-validated by repository", "with trees: gain", "\n\nlinear weights learned without", " functions  3"} {
		at := strings.Index(b.String()[last:], want)
		if at < 0 {
			t.Fatalf("no %q after %d bytes of\n%s", want, last, &b)
		}
		last += at
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back Result
	if err := json.Unmarshal(text, &back); err != nil || back.Report == nil || back.All.Cases != 3 || len(back.CrossValidated) != 2 {
		t.Errorf("%v: %s", err, text)
	}
}

func TestRunErrors(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.gz")
	if err := os.WriteFile(bad, []byte("no tables"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{bad, filepath.Join(dir, "absent.gz")} {
		if r, err := Run(context.Background(), nil, nil, Options{Tables: name, Train: filepath.Join(dir, "w.go")}); r == nil || fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
	root, _ := history(t)
	repo, err := topo.Open(context.Background(), root, topo.Options{Exact: true, CacheDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	cases, err := repo.EvalCases(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(context.Background(), repo, cases, Options{Train: filepath.Join(dir, "absent", "w.go")})
	if fault.KindOf(err) != fault.Environment || r.Report == nil || r.All.Cases != 1 {
		t.Errorf("%v: the figures that were measured are lost", err)
	}
}

// TestAblate takes the one signal away that finds the wanted file.
func TestAblate(t *testing.T) {
	known := signal.Signals()[0]
	if w := signal.Weights[known.Name]; w == 0 {
		t.Fatalf("%s has no weight", known.Name)
	}
	// The wanted file is second, and wins by this signal alone.
	x := float32(1)
	if signal.Weights[known.Name] < 0 {
		x = -1
	}
	e := train.Example{Names: []string{known.Name}, Values: [][]float32{{0, x}}, Gold: []bool{false, true}, Golds: 1}
	results := []eval.Result{{Outcome: eval.Outcome{Unmatched: true}}, {Outcome: eval.Outcome{Case: eval.Case{Gold: []string{"b"}}}}}
	for _, l := range ablate(results, []train.Example{{}, e}) {
		want := 1.0
		if l.Name == known.Name || l.Name == "group "+known.Group {
			want = 0
		}
		if l.Cases != 1 || l.Acc[1].Mean != want {
			t.Errorf("without %s: Acc@1 %v of %d cases, want %v of 1", l.Name, l.Acc[1].Mean, l.Cases, want)
		}
	}
}
