package graph

import (
	"path"
	"strings"
)

// prepareRuby follows require_relative ("./a") from the file, and require from
// the load path: the lib directories of the gems in the tree, the file's own
// gem first, then its spec and test directories. A name of the standard library
// is found only in the file's own gem.
func prepareRuby(t *tree) func(uint32, string, *targets) {
	standard := words(rubyStandard)
	roots := map[string][]string{} // first component of a feature → load directories that have it
	for i := range t.in.Files {
		f := &t.in.Files[i]
		if f.Language != "ruby" {
			continue
		}
		rest := f.Path
		for at := 0; ; {
			j := strings.IndexByte(rest[at:], '/')
			if j < 0 {
				break
			}
			root := rest[:at+j]
			at += j + 1
			switch path.Base(root) {
			case "lib", "spec", "test":
				first, _, _ := strings.Cut(rest[at:], "/")
				first = strings.TrimSuffix(first, ".rb")
				if rs := roots[first]; len(rs) == 0 || rs[len(rs)-1] != root {
					roots[first] = append(rs, root)
				}
			}
		}
	}
	return func(from uint32, p string, to *targets) {
		own := t.in.Files[from].Path
		p = strings.TrimSuffix(p, ".rb")
		if strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") {
			if q, ok := join(dirOf(own), p); ok {
				t.first(to, q+".rb")
			}
			return
		}
		first, _, _ := strings.Cut(p, "/")
		var candidates []string
		for _, root := range roots[first] {
			q := root + "/" + p + ".rb"
			if _, ok := t.number[q]; !ok {
				continue
			}
			sameGem := within(own, dirOf(root))
			if path.Base(root) != "lib" && !sameGem || standard[first] && !(sameGem && dirOf(root) != "" || within(own, root)) {
				continue
			}
			candidates = append(candidates, q)
		}
		if q, ok := nearest(own, candidates); ok {
			t.first(to, q)
		}
	}
}

// rubyStandard names the features of the standard library that are required
// most.
const rubyStandard = `abbrev base64 benchmark bigdecimal bundler cgi coverage csv date delegate digest drb English erb etc
expect fcntl fiber fiddle fileutils find forwardable getoptlong io ipaddr irb json logger matrix minitest monitor mutex_m net nkf
objspace observer open3 open-uri openssl optparse ostruct pathname pp prettyprint prime pstore psych pty racc rake rbconfig rdoc
readline reline resolv ripper rss ruby2_keywords rubygems securerandom set shellwords singleton socket stringio strscan syslog
tempfile test thread time timeout tmpdir tracer tsort un unicode_normalize uri weakref webrick yaml zlib`
