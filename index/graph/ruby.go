package graph

import (
	"path"
	"strings"
)

var rubyRules = &rules{
	family:   "ruby",
	prepare:  prepareRuby,
	names:    nameRules{unit: unitAll, builtin: oneOf(rubyBuiltins), implicit: true},
	calls:    callRules{ctors: []string{"initialize"}, make: "new"},
	variants: variantRules{lastOf: true},
}

// rubyBuiltins are the names that the language gives without an import.
const rubyBuiltins = `puts print p pp raise require require_relative load autoload attr_reader attr_writer attr_accessor include extend
prepend private public protected private_constant module_function define_method alias_method lambda proc loop catch throw format
sprintf printf sleep rand srand exit abort at_exit binding block_given? caller eval fail freeze gets open system trap warn Integer
Float String Array Hash Rational Complex Object Kernel Module Class Proc Time File Dir IO Regexp Symbol Struct Set Range Process
Thread Mutex Queue ENV Math Comparable Enumerable Marshal ObjectSpace GC Random Date DateTime`

// rubyResolver follows require_relative ("./a") from the file, and require from
// the load path: the lib directories of the gems in the tree, the file's own
// gem first, and its own spec and test directories. A name of the standard
// library is found only in the file's own gem.
type rubyResolver struct {
	t        *tree
	standard map[string]bool
	roots    map[string][]string // first component of a feature → load directories that have it
}

func prepareRuby(t *tree) func(uint32, string, *targets) {
	r := &rubyResolver{t: t, standard: words(rubyStandard), roots: map[string][]string{}}
	for i := range t.in.Files {
		if f := &t.in.Files[i]; f.Language == "ruby" {
			r.addRoots(f.Path)
		}
	}
	return r.resolve
}

// addRoots records the load directories that a file lies under.
func (r *rubyResolver) addRoots(p string) {
	ancestors(dirOf(p), func(root string) bool {
		switch path.Base(root) {
		case "lib", "spec", "test":
			first, _, _ := strings.Cut(p[len(root)+1:], "/")
			first = strings.TrimSuffix(first, ".rb")
			if rs := r.roots[first]; len(rs) <= maxCandidates && (len(rs) == 0 || rs[len(rs)-1] != root) {
				r.roots[first] = append(rs, root)
			}
		}
		return false
	})
}

func (r *rubyResolver) resolve(from uint32, p string, to *targets) {
	own := r.t.in.Files[from].Path
	p = strings.TrimSuffix(p, ".rb")
	if strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") {
		if q, ok := join(dirOf(own), p); ok {
			r.t.addFirst(to, q+".rb")
		}
		return
	}
	first, _, _ := strings.Cut(p, "/")
	var candidates []string
	for _, root := range r.roots[first] {
		q := root + "/" + p + ".rb"
		if _, ok := r.t.number[q]; ok && r.loads(own, root, first) {
			candidates = append(candidates, q)
		}
	}
	if q, ok := nearest(own, candidates); ok {
		r.t.addFirst(to, q)
	}
}

// loads reports whether a file finds the feature first in the load directory
// root.
func (r *rubyResolver) loads(own, root, first string) bool {
	gem := dirOf(root)
	sameGem := isWithin(own, gem)
	if r.standard[first] {
		return sameGem && gem != "" || isWithin(own, root)
	}
	return sameGem || path.Base(root) == "lib"
}

// rubyStandard names the features of the standard library that are required
// most.
const rubyStandard = `abbrev base64 benchmark bigdecimal bundler cgi coverage csv date delegate digest drb English erb etc
expect fcntl fiber fiddle fileutils find forwardable getoptlong io ipaddr irb json logger matrix minitest monitor mutex_m net nkf
objspace observer open3 open-uri openssl optparse ostruct pathname pp prettyprint prime pstore psych pty racc rake rbconfig rdoc
readline reline resolv ripper rss ruby2_keywords rubygems securerandom set shellwords singleton socket stringio strscan syslog
tempfile test thread time timeout tmpdir tracer tsort un unicode_normalize uri weakref webrick yaml zlib`
