// Package eval measures a ranking against cases with known answers: which files
// did this task need?
//
// What always holds: a measure depends on the ranked paths and the gold paths
// alone; confidence intervals come from a seeded bootstrap: the same
// results give the same interval.
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
