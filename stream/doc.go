// Package stream holds the records that the stages exchange and the codec of the
// stream they travel in. Every stage is a filter:
//
//	scan → index → score → select → render → agent
//
// A stream is UTF-8 text, one JSON object a line: a [Header], then records of
// any kind, then a [Footer]. A stage changes only the fields it owns; every
// field and every record kind it does not know leaves it unchanged and in
// order, so that jq, grep and sort can stand between any two stages.
//
// The package imports the standard library only.
package stream

// StreamVersion is the version of the stream this build writes. A reader
// accepts any minor version of the same major version.
const StreamVersion = "0.3"

// CharsPerToken is the divisor of the token estimate of [File.Tokens] before select,
// tokens = ceil(bytes/4). It is the specification's estimate; budgets are counted
// with a real vocabulary.
const CharsPerToken = 4

// EstimateTokens is the estimate of the tokens of n bytes: ceil(n/4).
func EstimateTokens(n int64) int {
	return int((n + CharsPerToken - 1) / CharsPerToken)
}

// Role says what part a file plays in its repository.
type Role string

// The roles, in the order in which the heuristic prefers them.
const (
	RoleImpl      Role = "impl"
	RoleTest      Role = "test"
	RoleConfig    Role = "config"
	RoleBuild     Role = "build"
	RoleDocs      Role = "docs"
	RoleGenerated Role = "generated"
	RoleOther     Role = "other"
)

// Roles lists every role in the order of preference.
var Roles = []Role{RoleImpl, RoleTest, RoleConfig, RoleBuild, RoleDocs, RoleGenerated, RoleOther}

// Budget is what a selection may cost. Zero means no limit.
type Budget struct {
	MaxBytes  int64  `json:",omitempty"` // bytes of rendered output
	MaxTokens int    `json:",omitempty"` // tokens of rendered output
	Tokenizer string `json:",omitempty"` // how tokens are counted: select always names it with MaxTokens; empty is bytes/4
	Top       int    `json:",omitempty"` // number of files
}

// Limited reports whether the size of the output is limited.
func (b Budget) Limited() bool { return b.MaxBytes > 0 || b.MaxTokens > 0 }

// Header is the first record of a stream.
//
//	{"Version":"0.3","Query":"auth middleware","Preset":"balanced","Budget":{"MaxBytes":100000},"MinScore":0.01}
type Header struct {
	Version     string  // of the stream, "0.3"
	Query       string  // the task, empty before score
	Preset      string  // the preset, or the stage's name before score
	Budget      Budget  // what select was told
	MinScore    float64 // what select was told
	Root        string  `json:",omitempty"` // repository root as the user gave it; empty is the current directory
	Within      string  `json:",omitempty"` // folder below Root that answers are narrowed to; empty is all of it
	Rev         string  `json:",omitempty"` // full commit id when the tree was read from git objects
	Fingerprint string  `json:",omitempty"` // identity of the repository, names its index
	Index       string  `json:",omitempty"` // deep index that the user named; empty is that of the cache folder
	Scoring     string  `json:",omitempty"` // scoring mode, when not the default
}

// File is one file of the repository with what the stages so far know of it.
//
//	{"Path":"src/main.rs","Score":0.95,"Tokens":500,"Language":"rust","Role":"impl"}
type File struct {
	// Path is relative to the root, slash-separated, in the file system's own
	// bytes. A path that is not valid UTF-8 is written with U+FFFD for each
	// bad byte in Path and its exact bytes, base64, in PathBase64, which wins
	// on reading.
	Path  string
	Score float64 // relevance, higher is better; comparable within one stream only
	// Tokens is an estimate for the whole file until select, under a budget, sets
	// what it will cost rendered; 0 for a file whose content an earlier one has.
	Tokens   int
	Language string             // canonical name such as "go"; empty when unknown
	Role     Role               // what part the file plays
	Size     int64              // bytes
	Sha256   string             // hex SHA-256 of the content; empty when it was not read
	Skipped  string             // why the content is not used: binary, large, unreadable, missing, symlink, submodule
	Target   string             // of a symbolic link, as stored in it
	Signals  map[string]float64 // value of each signal that was computed
	Chunks   []Chunk            // parts of the file, most relevant first once scored
}

// ContentKey is equal for files of the same content; empty when that is not known.
func (f *File) ContentKey() string {
	if f.Sha256 == "" {
		return ""
	}
	return f.Skipped + " " + f.Sha256
}

// Why the content of a listed file is not used ([File.Skipped]).
const (
	SkipBinary     = "binary"     // a NUL in the first 8 KB
	SkipLarge      = "large"      // over the size limit
	SkipUnreadable = "unreadable" // no permission, or an I/O error
	SkipMissing    = "missing"    // listed, but gone, or its blob is not in this clone
	SkipSymlink    = "symlink"    // listed, never followed
	SkipSubmodule  = "submodule"  // another repository's commit
)

// Chunk is one definition or section of a file, or a window of its lines. A part
// of a line that is too long to print has columns.
//
//	{"Kind":"function","Name":"Login","StartLine":10,"EndLine":31,"Score":4.2}
//	{"Kind":"window","Name":"","StartLine":1,"EndLine":1,"StartColumn":9001,"EndColumn":9240}
type Chunk struct {
	Kind      string  // function, method, type, impl, import, const, var, section, window, other
	Name      string  // qualified within its file, such as "Server.Close"
	StartLine int     // 1-based, doc comment included
	EndLine   int     // 1-based, inclusive
	Score     float64 `json:",omitempty"` // relevance within the file
	Signature string  `json:",omitempty"` // declaration without its body, on one line
	// StartColumn and EndColumn are the first and last byte of a part of a line,
	// 1-based and inclusive; 0 for whole lines.
	StartColumn int `json:",omitempty"`
	EndColumn   int `json:",omitempty"`
}

// Footer is the last record of a stream; a stream without one was cut short.
//
//	{"TotalFiles":2,"TotalTokens":2000,"ScannedFiles":358}
type Footer struct {
	TotalFiles   int // file records in this stream
	TotalTokens  int // sum of their Tokens
	ScannedFiles int // files the scan saw, whatever was selected since
}
