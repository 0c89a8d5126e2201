// Package schema derives the JSON Schemas (2020-12) of everything that topo writes
// for programs from the Go types that are encoded, and lists those types.
//
// What always holds:
//
//   - A schema requires what is always written, and allows fields that it does not
//     know: the stages of a pipeline pass on what others added.
//   - Every value but a header, a file and a footer has the name of its kind in
//     Record, which its schema requires: no value is valid as two kinds.
//   - The same types give the same schemas, byte for byte.
package schema

//go:generate go run ../internal/fielddoc -out fields.go ../stream ../render ../answer ../detect ../score ../score/eval ../agent ../agent/session ../agent/host ../agent/provider ../index/graph ../internal/lab ../cmd/topo ..
