package chunk

import (
	"bytes"
	"context"
	"testing"
)

// BenchmarkParse gives MB/s for each language on its sample, repeated to the
// size of a usual file.
func BenchmarkParse(b *testing.B) {
	all := samples(b)
	for _, s := range Supported() {
		src := all[s.Language]
		if src == nil {
			continue
		}
		if s.Language != "go" && s.Language != "php" { // one package clause, one opening tag
			src = bytes.Repeat(append(src, '\n'), 16<<10/len(src)+1)
		}
		b.Run(s.Language, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				Parse(context.Background(), s.Language, "sample", src)
			}
		})
	}
}

// BenchmarkParseFacts gives MB/s with facts, to be held against BenchmarkParse.
func BenchmarkParseFacts(b *testing.B) {
	all := samples(b)
	for _, language := range factLanguageNames() {
		src := all[language]
		if language != "go" {
			src = bytes.Repeat(append(src, '\n'), 16<<10/len(src)+1)
		}
		b.Run(language, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				ParseFacts(context.Background(), language, "sample", src)
			}
		})
	}
}
