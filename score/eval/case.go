// Package eval measures a ranking against cases with known answers: which files
// did this task need?
//
// What always holds: values go in and values come out. A measure depends on the
// ranked paths and the gold paths alone. Confidence intervals come from a seeded
// bootstrap: the same results give the same interval. Package replay ranks the
// cases.
package eval

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Case is one task with its answer.
//
//	{"id":"gin-1","repo":"gin-gonic/gin","base_commit":"293ad7e…","language":"go","query":"record panics","gold_files":["recovery.go"]}
type Case struct {
	ID         string   `json:"id"`
	Repo       string   `json:"repo"`        // owner/name, or a path
	BaseCommit string   `json:"base_commit"` // the tree to search; nothing later may be seen
	Language   string   `json:"language"`
	Query      string   `json:"query"`
	Gold       []string `json:"gold_files"` // the files the accepted change touched
	Set        string   `json:"-"`          // the name that its reader gave to the cases of one file
}

const maxCaseLine = 4 << 20

// ReadCases reads one case a line. An error names the line.
func ReadCases(r io.Reader) ([]Case, error) {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, maxCaseLine)
	var cases []Case
	for line := 1; sc.Scan(); line++ {
		if strings.TrimSpace(sc.Text()) == "" {
			continue
		}
		var c Case
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("cases: line %d: %w", line, err)
		}
		switch {
		case c.Query == "":
			return nil, fmt.Errorf("cases: line %d: no query", line)
		case len(c.Gold) == 0:
			return nil, fmt.Errorf("cases: line %d: no gold_files", line)
		}
		if c.ID == "" {
			c.ID = fmt.Sprint(line)
		}
		cases = append(cases, c)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("cases: %w", err)
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("cases: the file holds none")
	}
	return cases, nil
}

// Sample keeps n cases of each repository, spread evenly over those in the list.
// 0 keeps all.
func Sample(cases []Case, n int) []Case {
	if n <= 0 {
		return cases
	}
	total, seen := map[string]int{}, map[string]int{}
	for _, c := range cases {
		total[c.Repo]++
	}
	var out []Case
	for _, c := range cases {
		k, all := seen[c.Repo], total[c.Repo]
		if k*min(n, all)/all != (k+1)*min(n, all)/all {
			out = append(out, c)
		}
		seen[c.Repo]++
	}
	return out
}
