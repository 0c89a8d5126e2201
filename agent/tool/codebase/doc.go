// Package codebase holds the tools that answer from the index of a repository:
// what code a task is about, what a file or a symbol is, what calls and what
// depends on what, what a change reaches, what the detectors find.
//
// What always holds:
//
//   - Every tool only reads. What it says is true of the tree as it was when the
//     call came in: the index is compared with the tree before each answer.
//   - While the first index is being built a call is answered at once with how
//     far it is, and that is no error.
//   - What the graph can answer is a question to package answer: a tool turns its
//     input into options, and the answer into text and a structured value. Its
//     schema is derived from the type of the answer.
//   - An answer is text of a few kilobytes for a model, the most useful first, and
//     it says when there is more. A name from the repository cannot break out of
//     its line.
//   - Tools may be called by many at once.
package codebase
