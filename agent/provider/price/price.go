// Package price knows what models cost. The prices are a file, prices.tsv, which
// says where they come from and when they were looked at.
//
// What always holds: a model that is not in the file has no price. A guess would
// let a budget be spent that nobody set.
package price

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/internal/lazy"
)

//go:embed prices.tsv
var table string

// Price is one row: what a million tokens of a model cost, in USD.
type Price struct {
	Provider   string
	Model      string
	Above      int // tokens of input above which the row holds; 0 for any
	Input      float64
	CacheRead  float64
	CacheWrite float64
	Output     float64
	Checked    string // the day of the last look at the source, as 2026-11-21
}

// Table returns all prices in the order of the file.
func Table() []Price {
	rows, err := Parse(table)
	if err != nil {
		panic(err) // the file is part of the binary, and a test reads it
	}
	return rows
}

// columns of the file.
const columns = 8

// Parse reads a table. An error names the line.
func Parse(text string) (rows []Price, err error) {
	for n, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		p, err := parseRow(strings.Split(line, "\t"))
		if err != nil {
			return nil, fmt.Errorf("table of prices, line %d: %w", n+1, err)
		}
		rows = append(rows, p)
	}
	return rows, nil
}

func parseRow(f []string) (p Price, err error) {
	if len(f) != columns {
		return p, fmt.Errorf("%d columns, want %d separated by tabs", len(f), columns)
	}
	p.Provider, p.Model, p.Checked = f[0], f[1], f[7]
	if p.Above, err = strconv.Atoi(f[2]); err != nil || p.Above < 0 {
		return p, fmt.Errorf("above is %q, want a number of tokens", f[2])
	}
	for i, to := range []*float64{&p.Input, &p.CacheRead, &p.CacheWrite, &p.Output} {
		if *to, err = strconv.ParseFloat(f[3+i], 64); err != nil || !(*to >= 0) || math.IsInf(*to, 0) {
			return p, fmt.Errorf("%q is no price", f[3+i])
		}
	}
	if _, err := time.Parse(time.DateOnly, p.Checked); err != nil {
		return p, fmt.Errorf("checked is %q, want a day such as 2026-11-21", p.Checked)
	}
	return p, nil
}

// dated is a day at the end of a model's id.
var dated = lazy.Regexp(`-(?:20\d{6}|20\d\d-\d\d-\d\d)$`)

// Of is the price of one request's tokens in USD, nil when it is not known. The
// usage is that of a single request: some models cost more for a long one.
func Of(provider, model string, u agent.Usage) *float64 {
	return costOf(Table(), provider, model, u)
}

func costOf(rows []Price, provider, model string, u agent.Usage) *float64 {
	model = dated().ReplaceAllString(model, "")
	input := u.Input + u.CacheRead + u.CacheWrite
	var best *Price
	for i, p := range rows {
		if p.Provider == provider && p.Model == model && (p.Above == 0 || input > p.Above) && (best == nil || p.Above > best.Above) {
			best = &rows[i]
		}
	}
	if best == nil {
		return nil
	}
	usd := (float64(u.Input)*best.Input + float64(u.CacheRead)*best.CacheRead +
		float64(u.CacheWrite)*best.CacheWrite + float64(u.Output)*best.Output) / 1e6
	return &usd
}
