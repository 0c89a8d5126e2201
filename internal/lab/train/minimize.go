package train

import "math"

// maxMoves is how many past steps shape the next one.
const maxMoves = 10

// minimize finds the minimum of a convex smooth function of n variables by
// L-BFGS (Nocedal, 1980) with backtracking, from zero, in at most steps steps.
func minimize(n, steps int, f func(x, grad []float64) float64) []float64 {
	x, g := make([]float64, n), make([]float64, n)
	value := f(x, g)
	var moves, gradMoves [][]float64 // past differences of x and of g
	for range steps {
		if norm(g) < 1e-6 {
			break
		}
		d := direction(g, moves, gradMoves)
		slope := dot(d, g)
		if slope >= 0 { // rounding: start over along the gradient
			moves, gradMoves = nil, nil
			d = scaled(g, -1)
			slope = dot(d, g)
		}
		step := 1.0
		if len(moves) == 0 {
			step = min(1, 1/norm(g))
		}
		nx, ng := make([]float64, n), make([]float64, n)
		next := value
		for ; step > 1e-12; step /= 2 {
			for i := range nx {
				nx[i] = x[i] + step*d[i]
			}
			if next = f(nx, ng); next <= value+1e-4*step*slope {
				break
			}
		}
		if step <= 1e-12 || value-next < 1e-9*math.Abs(value) {
			break
		}
		s, y := subtract(nx, x), subtract(ng, g)
		if dot(s, y) > 1e-12 {
			moves, gradMoves = append(moves, s), append(gradMoves, y)
			if len(moves) > maxMoves {
				moves, gradMoves = moves[1:], gradMoves[1:]
			}
		}
		x, g, value = nx, ng, next
	}
	return x
}

// direction is minus the gradient times the inverse of the curvature seen so far.
func direction(g []float64, moves, gradMoves [][]float64) []float64 {
	d := scaled(g, -1)
	alpha := make([]float64, len(moves))
	for k := len(moves) - 1; k >= 0; k-- {
		alpha[k] = dot(moves[k], d) / dot(moves[k], gradMoves[k])
		add(d, gradMoves[k], -alpha[k])
	}
	if k := len(moves) - 1; k >= 0 {
		d = scaled(d, dot(moves[k], gradMoves[k])/dot(gradMoves[k], gradMoves[k]))
	}
	for k := range moves {
		beta := dot(gradMoves[k], d) / dot(moves[k], gradMoves[k])
		add(d, moves[k], alpha[k]-beta)
	}
	return d
}

func dot(a, b []float64) (s float64) {
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

func norm(a []float64) float64 { return math.Sqrt(dot(a, a)) }

func add(a, b []float64, f float64) {
	for i := range a {
		a[i] += f * b[i]
	}
}

func scaled(a []float64, f float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = f * a[i]
	}
	return out
}

func subtract(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] - b[i]
	}
	return out
}
