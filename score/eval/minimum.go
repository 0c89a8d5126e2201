package eval

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Minimum is what a rate must reach.
type Minimum struct {
	text string
	rate func(Line) Interval
	min  float64 // per cent
}

// ParseMinimum reads a measure and per cent, such as acc@5=60 or mrr=70.
func ParseMinimum(text string) (Minimum, error) {
	name, value, ok := strings.Cut(strings.ToLower(text), "=")
	min, perr := strconv.ParseFloat(value, 64)
	measure, at, _ := strings.Cut(name, "@")
	k, kerr := strconv.Atoi(at)
	known := kerr == nil && slices.Contains(Cutoffs, k)
	m := Minimum{text: text, min: min}
	switch {
	case measure == "acc" && known:
		m.rate = func(l Line) Interval { return l.Acc[k] }
	case measure == "hit" && known:
		m.rate = func(l Line) Interval { return l.Hit[k] }
	case name == "mrr":
		m.rate = func(l Line) Interval { return l.MRR }
	}
	if !ok || perr != nil || m.rate == nil {
		return m, fmt.Errorf("%s: want a measure and per cent, as acc@5=60; measures are acc, hit at %v, and mrr", text, Cutoffs)
	}
	return m, nil
}

// Check returns an error when the line is below the minimum.
func (m Minimum) Check(l Line) error {
	if got := 100 * m.rate(l).Mean; got < m.min {
		return fmt.Errorf("eval: %s is not met: %.1f over %d cases", m.text, got, l.Cases)
	}
	return nil
}
