// Package answer answers questions to a code base from its index and code graph:
// who calls what, what a change may affect, what a file defines, what the
// detectors find. The commands, the tools of the agent and the server of the
// Model Context Protocol show the same answers.
//
// What always holds:
//
//   - A question is a method of [Session]. It takes plain values and a struct of
//     options whose zero value holds sensible defaults, and returns a struct.
//   - That struct is the answer: its exported fields are its JSON form, and Text
//     is made from it for people and for models alike.
//   - An answer does not know who reads it: a [Hint] holds the next question as a
//     value, and the reader's program says it in its own words.
//   - Nothing is printed and no setting is read. Only the index is read, and for
//     a diff or to notice edits the tree and its git repository.
//   - A name from the repository cannot break out of its line of a text. Lines of
//     files that [Session.Readable] denies are not part of an answer.
package answer
