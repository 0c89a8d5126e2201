// Package fresh keeps the deep index of a tree up to date: it knows where the
// index lies, updates it, and holds it mapped for many readers.
//
// What always holds:
//
//   - An index is replaced as a whole. A reader sees one state from the first
//     question to the last; a mapping is closed when its last reader is done.
//   - A [Server] answers a request from a state of the tree that it checked after
//     the request came in, or at most [Options.MaxAge] before, unless an edit was
//     reported since ([Server.Edited]).
//   - While there is no index yet the Server answers with [ErrBuilding] after
//     [Options.Patience].
//   - The cache folder is not written through a symbolic link that may have come
//     with the repository.
package fresh
