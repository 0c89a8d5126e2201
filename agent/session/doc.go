// Package session keeps the events of each session in a file of its own, for
// looking at it, continuing it and forking it, whatever ended it.
//
// # Format
//
// The log of session ID is ID.jsonl: one [agent.Event] a line, UTF-8, in the
// order in which things happened, ended by a line feed. The first event is of
// kind session and holds the version of the format, [agent.LogVersion]; Seq
// counts the lines from 1. Live events are not stored. Outputs too long for a
// result are files in the folder ID next to it.
//
// | version | change |
// |---|---|
// | 1 | first |
//
// What always holds:
//
//   - A log is only appended to. What was written is never changed, but for a
//     last line that a crash cut short, which is removed before the next is
//     written.
//   - An event is in the file when Emit returns: a killed process loses
//     nothing; it is on the disk when the next step depends on it: a machine
//     that fails does not lose that a tool began to run.
//   - One process at a time writes a log. Reading needs no lock.
//   - A log of a newer version is refused, never guessed at.
//   - A log is not trusted, since it may have come with a repository: it grants no
//     permission. What the user granted is kept by [Grants] elsewhere.
package session
