package render

import "github.com/topo-dev/topo/stream"

// FileContent is what the json and jsonl formats add to a file record: the content
// is in Content, or parts of it in Spans, or that of SameAs, or Missing says why there is
// none.
type FileContent struct {
	Stale   bool          `json:",omitempty"` // the file changed since the content was indexed
	Masked  int           `json:",omitempty"` // credentials in the content that were replaced
	Missing string        `json:",omitempty"` // why there is no content
	SameAs  string        `json:",omitempty"` // an earlier file of the rendering with the same content
	Outline []FileOutline `json:",omitempty"` // definitions outside the spans
	Content string        `json:",omitempty"` // the whole file
	Spans   []FileSpan    `json:",omitempty"` // parts of the file
	Cut     bool          `json:",omitempty"` // a budget left the end out
}

// FileSpan is a part of a file.
type FileSpan struct {
	StartLine   int    // 1-based
	StartColumn int    `json:",omitempty"` // first byte of a part of a line, which Content is then
	Content     string `json:",omitempty"`
	EndLine     int    `json:",omitempty"` // inclusive
}

// FileOutline is a definition that is in no span.
type FileOutline struct {
	StartLine int    // 1-based
	EndLine   int    // inclusive
	Signature string // the declaration without its body
}

// Footer is the footer of the jsonl format: that of the stream and more.
type Footer struct {
	stream.Footer
	LeftOut string `json:",omitempty"` // what a budget did not hold
}
