package embed

import "math"

// Vector is a direction in int8: component i is Scale × Data[i]. Its length is
// 1: the product of two is the cosine between them.
//
// One byte a component instead of four costs no quality that retrieval could
// notice: the worst error of a component is 1/254 of the largest one.
type Vector struct {
	Scale float32
	Data  []int8
}

// quantum is the largest magnitude of a component; −128 is not used, and
// the range is symmetric.
const quantum = 127

// Quantize makes a vector of length 1 in the direction of v, which must be
// finite and not zero.
func Quantize(v []float32) Vector {
	top := 0.0
	for _, x := range v {
		top = max(top, math.Abs(float64(x)))
	}
	out := Vector{Data: make([]int8, len(v))}
	if top == 0 {
		return out
	}
	for i, x := range v {
		out.Data[i] = int8(math.RoundToEven(float64(x) / top * quantum))
	}
	out.Scale = float32(1 / math.Sqrt(float64(dot(out.Data, out.Data))))
	return out
}

// Float is the vector as numbers.
func (v Vector) Float() []float32 {
	out := make([]float32, len(v.Data))
	for i, x := range v.Data {
		out[i] = v.Scale * float32(x)
	}
	return out
}

// Cosine of the angle between two vectors of the same number of dimensions.
func Cosine(a, b Vector) float64 {
	return float64(a.Scale) * float64(b.Scale) * float64(dot(a.Data, b.Data))
}

// dot is the product of two rows of the same length. It is the oracle of the
// scan, and what runs where that is not compiled in.
func dot(a, b []int8) (sum int32) {
	b = b[:len(a)]
	for i, x := range a {
		sum += int32(x) * int32(b[i])
	}
	return sum
}

// scanGo is scan, one row after the other.
func scanGo(rows []int8, stride int, q []int8, out []int32) {
	for i := range out {
		out[i] = dot(q, rows[i*stride:i*stride+len(q)])
	}
}
