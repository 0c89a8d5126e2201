package scan

import (
	"bytes"
	"strconv"

	"github.com/cespare/xxhash/v2"

	"github.com/topo-dev/topo/scan/lang"
	"github.com/topo-dev/topo/stream"
)

func classify(path string, head []byte) (string, stream.Role) {
	language := lang.Detect(path, head)
	return language, lang.RoleOf(path, language, head)
}

func head(content []byte) []byte { return content[:min(len(content), lang.HeadSize)] }

func isBinary(content []byte) bool { return bytes.IndexByte(head(content), 0) >= 0 }

// classifierID changes with what classify decides by, so a cache never
// hands out what another version decided.
func classifierID() uint64 {
	h := xxhash.New()
	_, _ = h.WriteString(strconv.Itoa(lang.Version))
	for _, l := range lang.All() {
		_, _ = h.WriteString("\x00\x00" + l.Name)
		for _, list := range [][]string{l.Extensions, l.Filenames, l.Interpreters, l.TestFiles.Exact, l.TestFiles.Prefix,
			l.TestFiles.Suffix, l.TestFiles.Dirs, l.Tests.DirsAtTop, l.Tests.DirsBelow, {l.Tests.Library.Dir}, l.Tests.Library.TestFiles.Exact, l.Tests.Library.TestFiles.Suffix, l.Generated.Exact, l.Generated.Prefix, l.Generated.Suffix, l.Generated.Dirs} {
			_, _ = h.WriteString("\x00")
			for _, s := range list {
				_, _ = h.WriteString("\x01" + s)
			}
		}
	}
	return h.Sum64()
}
