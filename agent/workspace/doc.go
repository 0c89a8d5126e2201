// Package workspace is the only way from the tools to files: one directory tree
// that nothing leaves.
//
// What always holds:
//
//   - Nothing outside the root is opened. Every operation goes through an
//     [os.Root]: this holds too when links are changed at the same time.
//     Links that stay inside are followed, absolute ones included.
//   - Only regular files are read and written: no device, pipe or socket, and
//     nothing of a file system that the kernel makes up (/proc, /sys).
//   - The repository's .git (at any depth, in any spelling that some file system
//     takes for it) and topo's cache are never written.
//   - A file is replaced as a whole by a rename: a reader sees the old or the new
//     bytes, and a crash leaves one of them. Its mode is kept.
//   - A file that changed since it was read is not replaced.
//
// A hard link cannot be distinguished from the file itself: whoever made it could read
// the file outside, or it was there when the tree was handed to the agent, so a
// read through it is allowed. A write is harmless to the outside, because the
// rename gives the name in the tree a file of its own.
package workspace
