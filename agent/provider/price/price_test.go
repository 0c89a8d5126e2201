package price

import (
	"fmt"
	"math"
	"testing"

	"github.com/topo-dev/topo/agent"
)

func TestOf(t *testing.T) {
	m := 1_000_000
	for _, c := range []struct {
		provider, model string
		u               agent.Usage
		want            float64 // -1 for unknown
	}{
		{"anthropic", "claude-sonnet-5-5", agent.Usage{Input: m}, 2},
		{"anthropic", "claude-sonnet-5-5", agent.Usage{Output: m}, 10},
		{"anthropic", "claude-sonnet-5-5", agent.Usage{CacheRead: m}, 0.1},
		{"anthropic", "claude-sonnet-5-5", agent.Usage{CacheWrite: m}, 2.5},
		{"anthropic", "claude-haiku-4-5-20251001", agent.Usage{Input: m, Output: m}, 6},
		{"anthropic", "claude-haiku-5-5", agent.Usage{Input: 100_000, Output: 1000}, 0.0105},
		{"anthropic", "claude-haiku-5-5", agent.Usage{Input: 1, CacheRead: 100_000, Output: 1000}, 0.0075005},
		{"openai", "gpt-6.2-sol", agent.Usage{Input: 272_000}, 0.544},
		{"openai", "gpt-6.2-sol", agent.Usage{Input: 273_000}, 1.092},
		{"openai", "gpt-6.2-sol", agent.Usage{}, 0},
		{"openai", "claude-sonnet-5-5", agent.Usage{Input: m}, -1},
		{"openrouter", "gpt-6.2-sol", agent.Usage{Input: m}, -1},
		{"openai", "gpt-6.2", agent.Usage{Input: m}, -1},
		{"openai", "gpt-6.2-sol-mini", agent.Usage{Input: m}, -1},
		{"", "", agent.Usage{}, -1},
	} {
		got := Of(c.provider, c.model, c.u)
		if got == nil && c.want != -1 || got != nil && math.Abs(*got-c.want) > 1e-9 {
			t.Errorf("%s %s %+v: %v, want %v", c.provider, c.model, c.u, show(got), c.want)
		}
	}
}

func show(f *float64) string {
	if f == nil {
		return "unknown"
	}
	return fmt.Sprint(*f)
}

// The cache is worth something, and a longer request is never cheaper.
func TestTable(t *testing.T) {
	seen := map[string]Price{}
	for _, p := range Table() {
		key := fmt.Sprintf("%s %s %d", p.Provider, p.Model, p.Above)
		if _, ok := seen[key]; ok {
			t.Errorf("%s is there twice", key)
		}
		seen[key] = p
		if !(p.CacheRead < p.Input && p.Input <= p.CacheWrite && p.Input < p.Output) {
			t.Errorf("%s: odd prices %+v", key, p)
		}
		if short, ok := seen[fmt.Sprintf("%s %s 0", p.Provider, p.Model)]; !ok || short.Input > p.Input {
			t.Errorf("%s: no row for shorter requests, or a dearer one", key)
		}
	}
	if len(seen) < 20 {
		t.Errorf("only %d prices", len(seen))
	}
}

func TestParseNamesTheLine(t *testing.T) {
	good := "a\tb\t0\t1\t0.1\t1.25\t5\t2026-01-02"
	if rows, err := Parse("# c\n\n" + good + "\n"); err != nil || len(rows) != 1 || rows[0].Output != 5 {
		t.Errorf("%+v, %v", rows, err)
	}
	for _, bad := range []string{"a b", "a\tb\tx\t1\t1\t1\t1\t2026-01-02", "a\tb\t0\tNaN\t1\t1\t1\t2026-01-02",
		"a\tb\t0\t-1\t1\t1\t1\t2026-01-02", "a\tb\t0\tInf\t1\t1\t1\t2026-01-02", "a\tb\t0\t1\t1\t1\t1\tyesterday"} {
		if _, err := Parse(good + "\n" + bad); err == nil || fmt.Sprint(err)[:24] != "table of prices, line 2:" {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(table)
	f.Add("a\tb\t0\t1\t0.1\t1.25\t5\t2026-01-02")
	f.Fuzz(func(t *testing.T, s string) {
		rows, err := Parse(s)
		if err != nil {
			return
		}
		for _, r := range rows {
			if v := costOf(rows, r.Provider, r.Model, agent.Usage{Input: 1e6, Output: 1}); v != nil && !(*v >= 0) {
				t.Errorf("%+v costs %v", r, *v)
			}
		}
	})
}
