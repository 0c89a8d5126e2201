package detect

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sync/errgroup"
)

// Detector looks for one kind of problem.
type Detector struct {
	ID       string // lower case with dashes, unique
	Category string // architecture, complexity, dead-code, history, size, testing
	Doc      string // what it finds, one line
	Why      string // why it matters and when it does not, a few sentences
	// Run calls report for each place, in any order. Detector, Fingerprint and,
	// when it is 0, Confidence are filled in.
	Run func(ctx context.Context, c *Code, report func(Finding)) error
}

// Options narrow a run.
type Options struct {
	Keep        func(path string) bool // files to report about; nil is all
	MinSeverity Severity
	Workers     int // 0 is GOMAXPROCS
}

// Result is what a run found.
type Result struct {
	Findings   []Finding
	Suppressed int // findings that a comment in the code suppresses
}

// Run runs the detectors and orders what they find.
func Run(ctx context.Context, c *Code, detectors []Detector, o Options) (*Result, error) {
	lists := make([][]Finding, len(detectors))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(cmp.Or(max(o.Workers, 0), runtime.GOMAXPROCS(0)))
	for i, d := range detectors {
		g.Go(func() (err error) {
			defer func() {
				if p := recover(); p != nil {
					err = fmt.Errorf("detector %s failed: %v", d.ID, p)
				}
			}()
			return d.Run(ctx, c, func(f Finding) {
				if f.Severity >= o.MinSeverity && (o.Keep == nil || o.Keep(f.Path)) {
					f.Detector, f.Confidence = d.ID, cmp.Or(f.Confidence, 1)
					lists[i] = append(lists[i], f)
				}
			})
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, compare)
	fingerprint(all)
	return suppress(c, all)
}

func compare(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Detector, b.Detector), cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(a.Message, b.Message))
}

// fingerprint names each finding by what stays when lines move. Several of one
// detector about one symbol are distinguished by their order.
func fingerprint(all []Finding) {
	seen := map[string]int{}
	for i := range all {
		f := &all[i]
		id := strings.Join(append([]string{f.Detector, f.Path, f.Symbol}, f.Related...), "\x00")
		n := seen[id]
		seen[id]++
		f.Fingerprint = fmt.Sprintf("%016x", xxhash.Sum64String(fmt.Sprintf("%s\x00%d", id, n)))
	}
}

// BySeverity orders findings for a person who reads the first few: the most
// severe first, then the surest, then as they were.
func BySeverity(all []Finding) []Finding {
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Confidence, a.Confidence))
	})
	return out
}
