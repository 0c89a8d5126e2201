// Package snapshot records the working tree before and after each step of an
// agent, whatever changed it, to show and undo a step.
//
// Snapshots are git trees in a repository of their own. What always holds:
//
//   - The user's repository is only read: its index, branches, stash, objects
//     and configuration stay as they are, to the byte.
//   - Contents are stored and restored exactly. Nothing in the tree can change
//     them on the way or make git run a program: attributes (filters, line ends,
//     encodings) and every configuration but the store's own are off.
//   - What git would ignore is neither stored nor touched, and neither are large
//     files that the user's repository does not track; those are named.
//   - Undo restores a path only when nobody changed it after the step; otherwise
//     the path is reported as a conflict and everything stays as it is.
//   - Links are restored as links and never followed; nothing outside the root
//     is written.
package snapshot
