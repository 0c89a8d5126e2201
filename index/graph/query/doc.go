// Package query answers read-only questions about the code graph, written in a
// subset of openCypher:
//
//	MATCH (t:Function)-[:TESTS]->(f:Method) WHERE f.cyclomatic > 10
//	RETURN f.name, count(t) AS tests ORDER BY tests LIMIT 5
//
// What always holds:
//
//   - A query writes nothing. What is outside of the subset is a *SyntaxError
//     that names the construct and where it is; nothing is ignored.
//   - The same query over the same graph gives the same rows in the same order,
//     with and without ORDER BY.
//   - Time, steps, rows and memory are bounded. A result cut short says so in
//     Truncated; when what is left would be wrong, because the query sorts,
//     groups or counts, the answer is a *LimitError instead.
//   - A Query does not change once compiled and may run many times at once.
//
// docs/query.md holds the grammar.
package query
