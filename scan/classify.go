package scan

import (
	"bytes"
	"runtime/debug"

	"github.com/cespare/xxhash/v2"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/scan/lang"
)

func classify(path string, head []byte) (string, topo.Role) {
	language := lang.Detect(path, head)
	return language, lang.RoleOf(path, language, head)
}

func head(content []byte) []byte { return content[:min(len(content), 8<<10)] }

func isBinary(content []byte) bool { return bytes.IndexByte(head(content), 0) >= 0 }

// classifierID changes with the tables that classify reads and with the build,
// so that a cache never hands out what another version of them decided.
func classifierID() uint64 {
	h := xxhash.New()
	if info, ok := debug.ReadBuildInfo(); ok {
		_, _ = h.WriteString(info.Main.Version)
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" || s.Key == "vcs.time" {
				_, _ = h.WriteString(s.Value)
			}
		}
	}
	for _, l := range lang.All() {
		_, _ = h.WriteString("\x00\x00" + l.Name)
		for _, list := range [][]string{l.Extensions, l.Filenames, l.Interpreters, l.Tests.Exact, l.Tests.Prefix,
			l.Tests.Suffix, l.Tests.Dirs, l.Generated.Exact, l.Generated.Prefix, l.Generated.Suffix, l.Generated.Dirs} {
			_, _ = h.WriteString("\x00")
			for _, s := range list {
				_, _ = h.WriteString("\x01" + s)
			}
		}
	}
	return h.Sum64()
}
