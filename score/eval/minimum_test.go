package eval

import (
	"strings"
	"testing"
)

func TestMinimum(t *testing.T) {
	outs := []Outcome{{Case: Case{Gold: []string{"a"}}, Ranks: []int{1}}, {Case: Case{Gold: []string{"a"}}, Ranks: []int{2}}}
	line := NewLine("all", outs)
	for text, met := range map[string]bool{"acc@1=50": true, "acc@1=50.1": false, "hit@3=100": true, "ACC@5=99": true, "mrr=75": true, "mrr=76": false} {
		m, err := ParseMinimum(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Check(line); (err == nil) != met || err != nil && !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, bad := range []string{"acc@5", "acc@4=1", "speed=3", "acc@5=high", "@=1"} {
		if _, err := ParseMinimum(bad); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
