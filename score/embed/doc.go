// Package embed turns files and definitions into vectors by a model that runs
// elsewhere, keeps the vectors, and finds those nearest to a query. It also
// speaks to rerankers.
//
// What it is made of: embedders ([NewOllama], [NewOpenAI]), a reranker
// ([NewReranker]), vectors of int8 ([Vector]), stores of points ([Local],
// [Qdrant]), and a [Space], which joins an embedder, the vectors paid for so
// far and a store to what a ranking asks.
//
// What always holds:
//   - Nothing is sent anywhere but to the address that the caller names:
//     redirects are not followed and no environment is read.
//   - An answer is hostile until checked: its size is bounded, every text has
//     one vector of one length, every number is finite. A service that fails is
//     an [*Error], which names it and never holds a key.
//   - A text is embedded once for each model: vectors are stored as they come
//     in: a run that is cancelled or killed loses no answer that has arrived.
//   - Every search is of one workspace. Stores behave the same; one suite of tests
//     holds them to it.
//   - The same vectors give the same order, equal similarity by identifier.
package embed
