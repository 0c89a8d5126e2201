// Package render prints a selection of files as context for a reader: a model
// or a person. One file of this package is one output format; [Formats] lists
// them all.
//
// What always holds:
//   - The output never costs more than [Options.MaxTokens] and
//     [Options.MaxBytes], counted on the final bytes with the counter chosen.
//     What does not fit is dropped from the end, at a line or record boundary,
//     and the output says what was left out.
//   - The output is valid UTF-8 and holds no control character but tab and
//     newline, whatever the repository holds: no content can drive a
//     terminal. JSON formats escape such characters, all others show them as a
//     picture: ESC is "␛", U+202E is "⟨U+202E⟩".
//   - XML output is well-formed and JSON output is valid for any content.
//   - The same input gives the same bytes. Nothing is read but what the caller
//     hands in: no file, no environment, no network.
package render
