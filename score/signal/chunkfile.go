package signal

import "math"

// Floor is the score of the last file that is read closely, compared with 1 for the
// best.
const Floor = 0.02

// FileValues is what definitions have of their file, in the order of the last
// signals of [ChunkSignals]: score is the file's, 1 for the best, place is 0 for
// the first.
func FileValues(score float64, place int) [3]float64 {
	n := float64(place + 1)
	return [...]float64{score, 1 / n, math.Log2(n) / 4}
}

// FilePart is what the file adds to the score of its definitions.
func FilePart(score float64, place int, weights map[string]float64) (sum float64) {
	for k, v := range FileValues(score, place) {
		sum += weights[chunkFileKnown[k].Name] * v
	}
	return sum
}
