package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// history makes a repository whose commits each change one file and say so.
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
	var r evalReport
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
	out := stage(t, nil, "eval", "--from-git", "3", "--root", root, "--cache-dir", t.TempDir(), "--against", "rrf", "--quiet", "--json", "--format", "human")
	var r evalReport
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
	out := stage(t, nil, "eval", "--tables", tables, "--train", second, "--ablate", "--quiet")
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

func TestEvalBars(t *testing.T) {
	bars, err := parseBars([]string{"acc@5=60", "hit@1=1.5", "mrr=10"})
	if err != nil || len(bars) != 3 {
		t.Fatal(bars, err)
	}
	for _, bad := range []string{"acc@5", "acc@4=1", "speed=3", "acc@5=high", "@=1"} {
		if _, err := parseBars([]string{bad}); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	r := &evalReport{All: newLine("all", nil)}
	if err := r.check(bars); err == nil || !strings.Contains(err.Error(), "acc@5=60") {
		t.Errorf("a bar that is not met: %v", err)
	}
}
