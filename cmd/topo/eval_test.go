package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topo-dev/topo/score/eval"
)

// evalRepo makes a repository whose commits each change one file and say so.
func evalRepo(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("git is needed to make a history; install it: %v: %s", err, out)
		}
	}
	git("init", "-q")
	files := map[string]string{"pool.go": "package a\n\n// Drain closes idle connections.\nfunc Drain() {}\n", "cache.go": "package a\n\n// Evict drops old entries.\nfunc Evict() {}\n", "log.go": "package a\n\n// Print writes lines.\nfunc Print() {}\n"}
	for name, text := range files {
		write(t, filepath.Join(root, name), text)
	}
	git("add", ".")
	git("commit", "-qm", "Begin")
	for _, c := range [][2]string{{"pool.go", "Drain idle connections on close"}, {"cache.go", "Evict the oldest entries first"}, {"log.go", "Print lines without blanks"}} {
		write(t, filepath.Join(root, c[0]), files[c[0]]+"\n// later: secretmarker\n")
		git("commit", "-qam", c[1])
	}
	return root
}

func TestEvalFromGit(t *testing.T) {
	root := evalRepo(t)
	out := stage(t, nil, "eval", "--from-git", "3", "--root", root, "--cache-dir", t.TempDir(), "--ablate", "--quiet", "--format", "json")
	var r eval.Report
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	if r.All.Cases != 3 || r.All.Acc[1].Mean != 1 {
		t.Errorf("%d cases, Acc@1 %v, want 3 and 1", r.All.Cases, r.All.Acc[1])
	}
	if len(r.Ablation) < 10 || r.Ablation[0].Acc[1].Mean != 1 {
		t.Errorf("%d lines of ablation, the first %+v", len(r.Ablation), r.Ablation)
	}
}

func TestEvalAgainstAnotherFusion(t *testing.T) {
	root := evalRepo(t)
	out := stage(t, nil, "eval", "--from-git", "3", "--root", root, "--cache-dir", t.TempDir(), "--against", "rrf", "--quiet", "--json")
	var r eval.Report
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Against) != 1 || r.Against[0].Cases != 3 || r.Against[0].Other.MRR.Mean == 0 {
		t.Errorf("%+v", r.Against)
	}
}

// TestEvalTrainsFromTables learns weights twice: from the repository, and from
// the signals that were kept.
func TestEvalTrainsFromTables(t *testing.T) {
	root, dir := evalRepo(t), t.TempDir()
	tables, first, second := filepath.Join(dir, "signals.gz"), filepath.Join(dir, "a.go"), filepath.Join(dir, "b.go")
	stage(t, nil, "eval", "--from-git", "2", "--root", root, "--cache-dir", t.TempDir(), "--tables", tables, "--train", first, "--after", "1", "--quiet")
	out := stage(t, nil, "eval", "--tables", tables, "--train", second, "--ablate", "--quiet", "--format", "human")
	if !strings.Contains(string(out), "linear weights learned without") || !strings.Contains(string(out), "\nhistory") {
		t.Errorf("no figures without groups of signals in %q", out)
	}
	if !strings.Contains(string(out), "cross-validated by repository") {
		t.Errorf("no figures in %q", out)
	}
	a, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(second)
	if err != nil || string(a) != string(b) {
		t.Errorf("%v: the kept signals make other weights", err)
	}
	// The last commit's case is followed by none, the one before by one.
	for _, want := range []string{"Learned on 3 cases of 1 repositories", "var Weights = map[string]float64{", `"Role":`, "var trees = []Tree{"} {
		if !strings.Contains(string(a), want) {
			t.Errorf("no %q in the weights", want)
		}
	}
}

// TestEvalJobs ranks two repositories at a time: the same figures and weights.
func TestEvalJobs(t *testing.T) {
	repos, dir := t.TempDir(), t.TempDir()
	var cases strings.Builder
	for _, name := range []string{"one", "two"} {
		root := evalRepo(t)
		if err := os.Rename(root, filepath.Join(repos, name)); err != nil {
			t.Fatal(err)
		}
		head, err := exec.Command("git", "-C", filepath.Join(repos, name), "rev-parse", "HEAD^").Output()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&cases, `{"id":"a-%s","repo":"x/%s","base_commit":"%s","query":"print lines without blanks","gold_files":["log.go"]}`+"\n", name, name, strings.TrimSpace(string(head)))
	}
	file := filepath.Join(dir, "cases.jsonl")
	write(t, file, cases.String())
	var weights [2]string
	for k, jobs := range []string{"1", "2"} {
		to := filepath.Join(dir, jobs+".go")
		out := string(stage(t, nil, "eval", file, "--repos", repos, "--root", dir, "--cache-dir", t.TempDir(), "--train", to, "--against", "rrf", "--jobs", jobs, "--quiet", "--format", "human"))
		if _, crossed, ok := strings.Cut(out, "cross-validated"); !ok || !strings.Contains(crossed, "with trees: gain") {
			t.Errorf("the cross-validated ranks are not compared in\n%s", out)
		}
		src, err := os.ReadFile(to)
		if err != nil {
			t.Fatal(err)
		}
		weights[k] = string(src)
	}
	if weights[0] != weights[1] {
		t.Error("two at a time make other weights")
	}
}

// TestEvalPrintsOneObject learns with the output of a pipe.
func TestEvalPrintsOneObject(t *testing.T) {
	root, dir := evalRepo(t), t.TempDir()
	out := stage(t, nil, "eval", "--from-git", "3", "--root", root, "--cache-dir", t.TempDir(), "--train", filepath.Join(dir, "w.go"), "--quiet")
	var r struct {
		All            eval.Line
		CrossValidated []eval.Line
	}
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if r.All.Cases != 3 || len(r.CrossValidated) != 2 || r.CrossValidated[1].Cases != 3 {
		t.Errorf("%+v", r)
	}
}

// TestEvalExitCodes: a rate below the minimum fails the check, a wrong flag is
// wrong usage.
func TestEvalExitCodes(t *testing.T) {
	root := evalRepo(t)
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--from-git", "3", "--min", "acc@1=100", "--min", "mrr=100"}, exitOK, ""},
		{[]string{"--from-git", "3", "--min", "acc@1=100.5"}, exitFailed, "acc@1=100.5 is not met: 100.0 over 3 cases"},
		{[]string{"--from-git", "3", "--min", "acc@4=1"}, exitUsage, "--min acc@4=1: want a measure"},
		{[]string{"--from-git", "3", "--preset", "odd"}, exitUsage, "odd"},
		{[]string{"--from-git", "3", "--fusion", "odd"}, exitUsage, "odd"},
		{[]string{"--from-git", "3", "--against", "odd"}, exitUsage, "odd"},
		{[]string{"--from-git", "3", "--jobs", "0"}, exitUsage, "--jobs 0"},
		{nil, exitUsage, "files of cases or --from-git"},
		{[]string{"absent.jsonl"}, exitUsage, "absent.jsonl"},
		{[]string{"--tables", "absent.gz", "--train", "w.go"}, exitUsage, "absent.gz"},
	} {
		f, _, errOut := fake(nil)
		args := append([]string{"eval", "--root", root, "--cache-dir", t.TempDir()}, test.args...)
		if code := run(context.Background(), f, args); code != test.code || !strings.Contains(errOut.String(), test.says) {
			t.Errorf("%v: exit code %d, want %d: %s", test.args, code, test.code, errOut)
		}
	}
}
