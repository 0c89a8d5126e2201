//go:build !cgo

package embed

// scan writes the product of q with each row to out. Rows lie stride apart.
func scan(rows []int8, stride int, q []int8, out []int32) { scanGo(rows, stride, q, out) }
