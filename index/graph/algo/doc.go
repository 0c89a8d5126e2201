// Package algo answers the usual questions about a code graph: who calls what,
// what a change reaches, which parts belong together, what is in the middle.
//
// What always holds:
//
//   - The same graph gives the same answer: nodes are visited in ascending
//     order, sums are made in a fixed order, and what is random is seeded.
//   - Answers are plain structs; their JSON is what Go makes of them.
//   - Long work looks at the context and ends with its error.
//   - Edges are followed with their confidence. The confidence of a way is the
//     product of its edges', from 0 to 1.
package algo
