package embed

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func randomFloats(rng *rand.Rand, dims int) []float32 {
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
	return v
}

// cosine is the oracle: of floats, in double precision.
func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

func TestQuantize(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		dims := 2 + rng.IntN(900)
		a, b := randomFloats(rng, dims), randomFloats(rng, dims)
		for i := range b { // from unrelated to nearly the same
			b[i] = a[i] + b[i]*rng.Float32()*2
		}
		qa, qb := Quantize(a), Quantize(b)
		if got, want := Cosine(qa, qb), cosine(a, b); math.Abs(got-want) > 0.012 {
			t.Errorf("%d dimensions: cosine %v, of floats %v", dims, got, want)
		}
		if got := Cosine(qa, qa); math.Abs(got-1) > 1e-6 {
			t.Errorf("like itself by %v", got)
		}
		again := Quantize(qa.Float())
		if !slices.Equal(again.Data, qa.Data) {
			t.Error("quantized twice it is another one")
		}
	}
	for _, v := range [][]float32{{1e30, -1e30, 0}, {1e-30, 2e-30}, {math.MaxFloat32, 1}} {
		if got := Cosine(Quantize(v), Quantize(v)); math.Abs(got-1) > 1e-6 {
			t.Errorf("%v is like itself by %v", v, got)
		}
	}
	if z := Quantize([]float32{0, 0}); z.Scale != 0 || Cosine(z, z) != 0 {
		t.Errorf("zero became %v", z)
	}
}

func TestScan(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, dims := range []int{1, 7, 31, 32, 33, 64, 384, 1000, 4096, MaxDims} {
		stride, n := (dims+63)&^63, 9
		rows, q := make([]int8, n*stride), make([]int8, dims)
		for i := range rows {
			rows[i] = int8(rng.IntN(255) - 127)
		}
		for i := range q {
			q[i] = int8(rng.IntN(255) - 127)
		}
		if dims == MaxDims { // the largest sum there is
			for i := range dims {
				rows[i], q[i] = 127, 127
			}
		}
		got, want := make([]int32, n), make([]int32, n)
		scan(rows, stride, q, got)
		scanGo(rows, stride, q, want)
		if !slices.Equal(got, want) {
			t.Errorf("%d dimensions: %v, want %v", dims, got, want)
		}
		if dims == MaxDims && got[0] != 127*127*MaxDims {
			t.Errorf("the sum overflows: %d", got[0])
		}
	}
	scan(nil, 64, make([]int8, 3), nil)
}

func benchmarkScan(b *testing.B, scan func([]int8, int, []int8, []int32)) {
	const n, dims = 10000, 768
	rows, q, out := make([]int8, n*dims), make([]int8, dims), make([]int32, n)
	for i := range rows {
		rows[i] = int8(i*31%255 - 127)
	}
	b.SetBytes(int64(len(rows)))
	for b.Loop() {
		scan(rows, dims, q, out)
	}
}

// BenchmarkScan compares one query with 10,000 vectors of 768 dimensions.
func BenchmarkScan(b *testing.B)   { benchmarkScan(b, scan) }
func BenchmarkScanGo(b *testing.B) { benchmarkScan(b, scanGo) }
