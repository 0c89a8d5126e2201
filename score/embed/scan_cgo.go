//go:build cgo

package embed

/*
#include <stdint.h>

// The compiler makes a loop over whole registers of this; where it can, it
// makes a second one for AVX2, chosen when the program starts.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__)
__attribute__((target_clones("avx2", "default")))
#endif
static void scan_rows(const int8_t *rows, int64_t stride, int64_t n, int64_t dims, const int8_t *q, int32_t *out) {
	for (int64_t i = 0; i < n; i++) {
		const int8_t *row = rows + i * stride;
		int32_t sum = 0;
		for (int64_t j = 0; j < dims; j++)
			sum += (int32_t)((int16_t)row[j] * (int16_t)q[j]);
		out[i] = sum;
	}
}
*/
import "C"

import "unsafe"

// scan writes the product of q with each row to out. Rows lie stride apart.
func scan(rows []int8, stride int, q []int8, out []int32) {
	if len(out) == 0 {
		return
	}
	_ = rows[(len(out)-1)*stride+len(q)-1]
	C.scan_rows((*C.int8_t)(unsafe.Pointer(&rows[0])), C.int64_t(stride), C.int64_t(len(out)), C.int64_t(len(q)),
		(*C.int8_t)(unsafe.Pointer(&q[0])), (*C.int32_t)(unsafe.Pointer(&out[0])))
}
