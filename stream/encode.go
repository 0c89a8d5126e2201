package stream

import (
	"math"
	"strconv"
)

// appendPlain appends the record of a file that has nothing but what a scan
// knows, in strings that need no escape, as [File.MarshalJSON] codes it. ok is
// false for any other file. Large trees have thousands of such records, and a
// refresh writes them twice.
func (f *File) appendPlain(b []byte) (out []byte, ok bool) {
	if math.Float64bits(f.Score) != 0 || len(f.Signals)+len(f.Chunks) > 0 {
		return b, false
	}
	for _, s := range [...]string{f.Path, f.Language, string(f.Role), f.Sha256, f.Skipped, f.Target} {
		if !isPlain(s) {
			return b, false
		}
	}
	text := func(key, s string) {
		b = append(append(append(b, key...), s...), '"')
	}
	text(`{"Path":"`, f.Path)
	b = strconv.AppendInt(append(b, `,"Score":0,"Tokens":`...), int64(f.Tokens), 10)
	text(`,"Language":"`, f.Language)
	text(`,"Role":"`, string(f.Role))
	if f.Size != 0 {
		b = strconv.AppendInt(append(b, `,"Size":`...), f.Size, 10)
	}
	if f.Sha256 != "" {
		text(`,"Sha256":"`, f.Sha256)
	}
	if f.Skipped != "" {
		text(`,"Skipped":"`, f.Skipped)
	}
	if f.Target != "" {
		text(`,"Target":"`, f.Target)
	}
	return append(b, '}'), true
}

// isPlain tells whether a string stands in JSON as it is.
func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
