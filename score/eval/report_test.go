package eval

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// outcome is that of one wanted file at a rank.
func outcome(set, language string, rank int) Outcome {
	return Outcome{Case: Case{Set: set, Language: language, Gold: []string{"g"}}, Ranks: []int{rank}, InBudget: []int{0, 1, 1, 1}}
}

// results are three cases of two sets, and one without a wanted file in its tree.
func results() []Result {
	first, third := outcome("a", "go", 2), outcome("b", "c", 0)
	functions := Outcome{Case: Case{Gold: []string{"f", "g"}}, Ranks: []int{1, 3}}
	return []Result{
		{Outcome: outcome("a", "go", 1), Against: &first},
		{Outcome: outcome("a", "go", 2), Against: &first, Functions: &functions},
		{Outcome: outcome("b", "c", 1), Against: &third},
		{Outcome: Outcome{Case: Case{Set: "a"}, Unmatched: true}},
	}
}

func TestReport(t *testing.T) {
	r := NewReport(results(), "deep", "")
	var lines []string
	for _, l := range append(append(append([]Line{r.All}, r.Set...), r.Language...), r.Functions...) {
		lines = append(lines, fmt.Sprintf("%s %d %.2f %.2f", l.Name, l.Cases, l.Acc[1].Mean, l.MRR.Mean))
	}
	want := "all 3 0.67 0.83|a 2 0.50 0.75|b 1 1.00 1.00|c 1 1.00 1.00|go 2 0.50 0.75|a functions 1 0.00 1.00"
	if got := strings.Join(lines, "|"); got != want || r.Skipped != 1 {
		t.Errorf("%s, skipped %d\nwant %s, skipped 1", got, r.Skipped, want)
	}
	if len(r.Against) != 2 || r.Against[0].Acc[1].Mean != 0.5 || r.Against[1].MRR.Mean != 1 || r.Against[1].Other.MRR.Mean != 0 {
		t.Errorf("against the other: %+v", r.Against)
	}
}

func TestReportText(t *testing.T) {
	r := NewReport(results(), "deep", "")
	r.Ablation = []Line{NewLine("nothing", []Outcome{outcome("", "", 3)})}
	var b strings.Builder
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	var lines []string // without the alignment
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	got := strings.Join(lines, "\n")
	for _, want := range []string{
		"cases Acc@1 Acc@3 Acc@5 Acc@10 Hit@1 Hit@5 Hit@10 MRR median p95\nall 3 66.7 100.0 100.0 100.0 66.7 100.0 100.0 83.3 0 ms 0 ms\n",
		"recall within 4000 tokens 0.0\nrecall within 8000 tokens 100.0\n",
		"a: other 2 0.0 100.0 100.0 100.0 50.0\na: gain +50.0 (+0.0 to +100.0) +0.0",
		"\n\nwithout Acc@1 Acc@3 Acc@5 Acc@10 Hit@1 Hit@5 Hit@10 MRR\nnothing 1 0.0 100.0",
		"\n\n1 cases left out: none of their wanted files is in the tree",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestReportKeys holds the JSON form: keys in PascalCase, or numbers.
func TestReportKeys(t *testing.T) {
	text, err := json.Marshal(NewReport(results(), "deep", "rrf"))
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	var check func(v any)
	check = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				if c := k[0]; !(c >= 'A' && c <= 'Z' || c >= '0' && c <= '9') || strings.ContainsAny(k, "_-") {
					t.Errorf("key %q", k)
				}
				check(x)
			}
		case []any:
			for _, x := range v {
				check(x)
			}
		}
	}
	check(v)
	if v["Preset"] != "deep" || v["Fusion"] != "rrf" || v["Skipped"] != 1.0 {
		t.Errorf("%s", text)
	}
}

func TestSampleIsSpread(t *testing.T) {
	var cases []Case
	for i := range 12 {
		cases = append(cases, Case{ID: fmt.Sprint(i), Repo: []string{"a", "b"}[i%2]})
	}
	var got []string
	for _, c := range Sample(cases, 2) {
		got = append(got, c.ID)
	}
	if s := strings.Join(got, " "); s != "4 5 10 11" {
		t.Errorf("%s", s)
	}
	if len(Sample(cases, 0)) != 12 || len(Sample(cases, 99)) != 12 {
		t.Error("cases are lost")
	}
}
