// Package scan is the first stage: it lists the files of a tree and records for
// each what the other stages need to know (size, hash, language, role).
//
// What always holds:
//   - The files are those that git ls-files -co --exclude-standard lists and
//     that exist, less what .topoignore, Include and Exclude leave out. Outside
//     a repository the .gitignore files of the tree count all the same.
//   - .git and .topo-cache are never entered, a symbolic link is listed and
//     never followed, nothing outside the root is read except git's own
//     settings and the ignore files they name.
//   - The result is sorted by the bytes of the path and does not depend on the
//     number of workers or on the stat cache.
//   - The tree is hostile input: every file that is parsed (ignore files, git's
//     index and settings, the stat cache) is bounded, and no defect in it is
//     more than a problem in the result.
//   - Git runs only for a revision and for the history, with hooks, file
//     system monitor, external diff, network and replacement objects off.
package scan
