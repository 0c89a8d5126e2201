// Package fresh keeps the deep index of a tree like the tree: it knows where the
// index lies, brings it up to date, and holds it mapped for many readers.
//
// What always holds:
//
//   - An index is replaced as a whole. A reader sees one state from the first
//     question to the last; a mapping is closed when its last reader is done.
//   - What is asked of a [Keeper] is answered from a state of the tree that was
//     looked at after the question came in, or at most [Options.MaxAge] before,
//     unless an edit was told since ([Keeper.Edited]).
//   - While there is no index yet the Keeper answers at once, with [ErrBuilding].
//   - The cache folder is not written through a symbolic link that may have come
//     with the repository.
package fresh
