package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		in   []float64
		want float64
	}{{[]float64{3}, 3}, {[]float64{3, 1}, 2}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 3, 2}, 2.5}} {
		if got := median(c.in); got != c.want {
			t.Errorf("%v: %v, want %v", c.in, got, c.want)
		}
	}
}

func TestSummarize(t *testing.T) {
	f := summarize([]sample{{time.Second, 10, 1}, {3 * time.Second, 30, 3}, {2 * time.Second, 20, 2}})
	if want := (figure{Seconds: 2, MinMax: [2]float64{1, 3}, RSS: 20, Private: 2}); f != want {
		t.Errorf("%+v, want %+v", f, want)
	}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		value, bar float64
		want       string
	}{{1, 2, "pass"}, {2, 2, "pass"}, {2.1, 2, "miss"}, {5, 0, "-"}} {
		if got := (row{}).judge(c.value, "x", c.bar).Verdict; got != c.want {
			t.Errorf("%v against %v: %s, want %s", c.value, c.bar, got, c.want)
		}
	}
}

func TestParseStatus(t *testing.T) {
	got := parseStatus([]byte("Name:\tx\nVmHWM:\t   12 kB\nRssAnon:\t 3 kB\nThreads:\t1\nBad: y kB\n"))
	if got["VmHWM"] != 12<<10 || got["RssAnon"] != 3<<10 || len(got) != 2 {
		t.Errorf("%v", got)
	}
}

func TestParseGrowth(t *testing.T) {
	if got, err := parseGrowth("1, 4,16"); err != nil || len(got) != 3 || got[2] != 16 {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"x", "0", "1,-2", "1000"} {
		if _, err := parseGrowth(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

// A process is measured as what it is: it took its time, it held its memory.
func TestMeasure(t *testing.T) {
	if os.Getenv("BENCH_TEST_CHILD") != "" {
		block := bytes.Repeat([]byte("x"), 64<<20)
		time.Sleep(100 * time.Millisecond)
		os.Stdout.Write(block[:1])
		os.Exit(0)
	}
	c := command{name: "child", args: []string{os.Args[0], "-test.run=TestMeasure"}, env: []string{"BENCH_TEST_CHILD=1"}, prints: true}
	s, err := c.measure(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if s.wall < 100*time.Millisecond {
		t.Errorf("took %v", s.wall)
	}
	if statusOf(os.Getpid()) == nil {
		t.Skip("this system has no /proc/PID/status")
	}
	if s.rss < 64<<20 || s.private < 64<<20 || s.private > s.rss {
		t.Errorf("held %d bytes, of them private %d", s.rss, s.private)
	}
	for _, c := range []command{
		{name: "fails", args: []string{"sh", "-c", "echo why >&2; exit 3"}},
		{name: "silent", args: []string{"sh", "-c", ":"}, prints: true},
		{name: "absent", args: []string{"/no/such/program"}},
	} {
		if _, err := c.measure(context.Background()); err == nil || !strings.Contains(err.Error(), c.name) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestTouch(t *testing.T) {
	dir := t.TempDir()
	if n, err := touch(dir, 10, 0); n != 0 || err != nil {
		t.Errorf("empty tree: %d, %v", n, err)
	}
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		write(t, filepath.Join(dir, name), "x\n", 0o666)
	}
	if n, err := touch(dir, 10, 1); n != 3 || err != nil {
		t.Errorf("three files: %d, %v", n, err)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "b.txt")); string(got) != "x\n\nadded in round 1\n" {
		t.Errorf("%q", got)
	}
}

func write(t *testing.T, file, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// fakes are programs that do as topo and its peers do, in a few lines of sh.
var fakes = map[string]string{
	"topo":        "[ \"$1\" = index ] && echo index > \"$TOPO_CACHE_DIR/x.idx\"\n[ \"$1\" = query ] && [ ! -f \"$TOPO_CACHE_DIR/x.idx\" ] && { echo 'no index' >&2; exit 3; }\necho '{}'",
	"rg":          "echo a.go",
	"zoekt-index": "echo 'an index of some size' > \"$2/shard\"",
	"zoekt":       "echo a.go",
}

func TestRun(t *testing.T) {
	for _, name := range []string{"sh"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("needs sh, which every Unix has")
		}
	}
	bin, tree := t.TempDir(), t.TempDir()
	for name, text := range fakes {
		write(t, filepath.Join(bin, name), "#!/bin/sh\n"+text+"\n", 0o777)
	}
	t.Setenv("PATH", bin)
	write(t, filepath.Join(tree, "a.go"), "package a\n", 0o666)
	write(t, filepath.Join(tree, "sub", "b.go"), "package b\n", 0o666)
	o := options{topo: filepath.Join(bin, "topo"), tree: tree, runs: 2, growth: "1,2", query: "q", zoekt: "q", repomix: true, json: true}
	var out, log bytes.Buffer
	if err := run(context.Background(), o, &out, &log); err != nil {
		t.Fatal(err)
	}
	var rep report
	if err := json.Unmarshal(out.Bytes(), &rep); err != nil {
		t.Fatal(err)
	}
	var works []string
	for _, r := range rep.Rows {
		works = append(works, r.Work)
		if r.Work == "code tools and MCP" { // the fake serves nothing, and the report says so
			if r.Verdict != "not measured" || !strings.Contains(strings.Join(r.Notes, " "), "topo mcp did not start") {
				t.Errorf("%s without a server: %+v", r.Work, r)
			}
			continue
		}
		if r.Verdict == "not measured" || r.Verdict == "" || r.Topo.Seconds <= 0 {
			t.Errorf("%s: %+v", r.Work, r)
		}
	}
	want := "shallow index|deep index|deep index: size|deep index: peak RSS|refresh, nothing changed|refresh, 10 files changed|query|query: private memory|quick|code tools and MCP|" +
		"growth: index of 1 ×|growth: index of 2 ×|growth: query of 1 ×|growth: query of 2 ×"
	if got := strings.Join(works, "|"); got != want {
		t.Errorf("rows are %s\nwant %s", got, want)
	}
	if got := strings.Join(rep.Missing, "\n"); !strings.Contains(got, "ctags is not installed: apt-get") || !strings.Contains(got, "repomix") || strings.Contains(got, "rg ") {
		t.Errorf("missing: %s", got)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "topo-bench-*")); len(left) > 0 {
		t.Logf("left behind, maybe by another run: %v", left)
	}
	var table bytes.Buffer
	if err := rep.print(&table); err != nil || strings.Count(table.String(), "\n") < len(rep.Rows)+4 {
		t.Errorf("%v\n%s", err, &table)
	}
}

// A topo that fails is named with what it said, and the other rows go on.
func TestRunFailing(t *testing.T) {
	bin, tree := t.TempDir(), t.TempDir()
	write(t, filepath.Join(bin, "topo"), "#!/bin/sh\n[ \"$1\" = quick ] && echo '{}' && exit 0\necho 'out of order' >&2\nexit 1\n", 0o777)
	t.Setenv("PATH", bin)
	write(t, filepath.Join(tree, "a.go"), "package a\n", 0o666)
	var out bytes.Buffer
	if err := run(context.Background(), options{topo: filepath.Join(bin, "topo"), tree: tree, runs: 1, query: "q"}, &out, &out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, "out of order") || !strings.Contains(got, "not measured") || !strings.Contains(got, "pass") {
		t.Error(got)
	}
}
