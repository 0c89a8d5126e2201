package eval

import (
	"math"
	"math/rand/v2"
	"sort"
)

// Interval is a mean with its 95 % bootstrap confidence interval. Rates are
// fractions, not per cent.
type Interval struct{ Mean, Low, High float64 }

const (
	resamples = 1000
	// seed makes an interval a function of the values alone.
	seed = 0x746f706f
)

// Mean is the mean of xs with its percentile bootstrap interval.
func Mean(xs []float64) Interval {
	if len(xs) == 0 {
		return Interval{}
	}
	rng := rand.New(rand.NewPCG(seed, uint64(len(xs))))
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range xs {
			sum += xs[rng.IntN(len(xs))]
		}
		means[i] = sum / float64(len(xs))
	}
	sort.Float64s(means)
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return Interval{sum / float64(len(xs)), quantile(means, 0.025), quantile(means, 0.975)}
}

// difference is the mean of a[i]-b[i] with its paired bootstrap interval; a and
// b are the same cases under two rankings. An interval above zero says that a
// is better.
func difference(a, b []float64) Interval {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	return Mean(d)
}

// compare is the [difference] of a measure of the same cases under two rankings.
func compare(a, b []Outcome, of func(Outcome) float64) Interval {
	return difference(values(a, of), values(b, of))
}

func quantile(sorted []float64, q float64) float64 {
	return sorted[int(math.Round(q*float64(len(sorted)-1)))]
}
