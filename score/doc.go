// Package score ranks the files of a repository by how much they matter to a
// task, and selects what fits a budget.
//
// A ranking is made of signals. Each signal gives every file a value, 0 when it
// says nothing about it; reciprocal rank fusion joins the orders that the
// signals put the files in. What a ranking needs to know of the files it asks
// of a [Corpus]: a deep index ([Deep]), or a quick pass over the files' text
// when there is none ([NewLexical]).
//
// What always holds:
//   - The same files, corpus and query give the same scores and order, on any
//     number of cores. Equal scores are ordered by path.
//   - A file that neither its path nor its content connects to the query has
//     score 0. Signals that do not depend on the query (PageRank, recency, role)
//     only scale what the content says: they can order relevant files, not make
//     an unrelated file relevant.
//   - Queries are tokenized as files are: nothing is searched that was not
//     indexed. A query of any length takes time linear in it, and at most
//     [MaxTerms] of its terms are looked up.
//   - Everything is read through the Corpus and the Reader passed in.
package score
