// Package detect finds places of a code base that deserve a second look, from
// the index and its graph. A [Detector] is a value; package rules holds them.
//
// What always holds:
//
//   - The same index and detectors give the same findings in the same order, on
//     any number of cores: by path, line, detector, symbol.
//   - A detector says nothing rather than something doubtful; what it cannot
//     know for sure it says with a confidence.
//   - Generated files and tests are looked at by a detector only if it says so.
//   - A finding has a fingerprint that survives edits elsewhere in the file, so
//     that a baseline goes on holding it.
//   - Nothing is executed and nothing but the index is read.
package detect
