package graph

import (
	"slices"
	"strings"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index"
)

var pythonRules = &rules{
	family:   "python",
	prepare:  preparePython,
	imports:  importRules{bound: pythonBound, linked: pythonLinked},
	names:    nameRules{unit: unitFile, builtin: oneOf(pythonBuiltins)},
	calls:    callRules{ctors: []string{"__init__", "__new__"}, super: true},
	variants: variantRules{lastOf: true, redefines: true},
}

// pythonBuiltins are the names that the language gives without an import.
const pythonBuiltins = `abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex
delattr dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int
isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range repr
reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip __import__ NotImplemented
BaseException Exception ArithmeticError AssertionError AttributeError EOFError FileExistsError FileNotFoundError ImportError
IndexError IOError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotImplementedError OSError
OverflowError PermissionError RecursionError ReferenceError RuntimeError StopIteration StopAsyncIteration SyntaxError SystemError
SystemExit TabError TimeoutError TypeError UnicodeDecodeError UnicodeEncodeError UnicodeError ValueError ZeroDivisionError
Warning DeprecationWarning UserWarning RuntimeWarning FutureWarning PendingDeprecationWarning ResourceWarning`

// pyResolver follows Python 3's rules. A relative import starts at the file's
// package. An absolute one starts at a root of the import path: the directory
// above a package (the topmost directory of a run with __init__.py); the root
// of the tree and of each project in it, and its src, lib or python, for
// packages without __init__.py; and, for a script, its own directory. Modules
// of the standard library have no edge.
type pyResolver struct {
	t        *tree
	standard map[string]bool
	packages map[string]bool     // directories with __init__.py
	pyDirs   map[string]bool     // directories with Python somewhere below
	tops     map[string][]string // first component of a module → roots that have it
}

func preparePython(t *tree) func(uint32, string, *targets) {
	r := &pyResolver{t: t, standard: words(pyStandard), packages: map[string]bool{}, pyDirs: map[string]bool{}, tops: map[string][]string{}}
	dirs, _ := t.byDir(func(f *index.LinkFile) bool { return f.Language == "python" })
	for _, d := range dirs {
		if r.module(joinDir(d, "__init__")) != none {
			r.packages[d] = true
		}
		ancestors(d, func(a string) bool {
			had := r.pyDirs[a]
			r.pyDirs[a] = true
			return had
		})
	}
	projects := map[string]bool{}
	for _, p := range append(t.named("pyproject.toml", "setup.py", "setup.cfg"), "") {
		for _, sub := range []string{"", "src", "lib", "python"} {
			projects[joinDir(dirOf(p), sub)] = true
		}
	}
	for i := range t.in.Files {
		if f := &t.in.Files[i]; f.Language == "python" {
			r.addTop(f.Path, projects)
		}
	}
	return r.resolve
}

// addTop records what the file makes importable: its package's root, and the
// project roots it lies under.
func (r *pyResolver) addTop(p string, projects map[string]bool) {
	dir := dirOf(p)
	root := dir
	for root != "" && r.packages[root] {
		root = dirOf(root)
	}
	if root != dir {
		r.addRoot(p, root)
	}
	ancestors(dir, func(d string) bool {
		if d != root && projects[d] && !r.packages[d] || d == dir && projects[d] {
			r.addRoot(p, d)
		}
		return false
	})
}

func (r *pyResolver) addRoot(p, root string) {
	rest := p
	if root != "" {
		rest = p[len(root)+1:]
	}
	first, _, below := strings.Cut(rest, "/")
	if !below {
		if i := strings.IndexByte(first, '.'); i > 0 {
			first = first[:i]
		}
	}
	if len(r.tops[first]) <= maxCandidates && !slices.Contains(r.tops[first], root) {
		r.tops[first] = append(r.tops[first], root)
	}
}

// module is the file of a module given as a path without extension.
func (r *pyResolver) module(p string) uint32 {
	for _, ext := range [...]string{".py", ".pyi", ".pyx"} {
		if n, ok := r.t.number[p+ext]; ok {
			return n
		}
	}
	return none
}

func (r *pyResolver) resolve(from uint32, p string, to *targets) {
	dir := dirOf(r.t.in.Files[from].Path)
	if p[0] == '.' {
		up := len(p) - len(strings.TrimLeft(p, "."))
		for range up - 1 {
			if dir == "" {
				return
			}
			dir = dirOf(dir)
		}
		r.below(dir, p[up:], true, to)
		return
	}
	first, _, _ := strings.Cut(p, ".")
	if r.standard[first] {
		return
	}
	// A script finds its neighbours; a module of a package does not.
	if !r.packages[dir] && r.has(dir, first) {
		r.below(dir, p, false, to)
		return
	}
	if root, ok := nearestRoot(r.t.in.Files[from].Path, r.tops[first]); ok {
		r.below(root, p, false, to)
	}
}

// has reports whether dir holds the module or package first.
func (r *pyResolver) has(dir, first string) bool {
	p := joinDir(dir, first)
	return r.module(p) != none || r.pyDirs[p]
}

// below follows the components of a module from dir as far as they are files;
// what is left are names inside the last one.
func (r *pyResolver) below(dir, dotted string, relative bool, to *targets) {
	last := none
	if relative {
		last = r.module(joinDir(dir, "__init__"))
	}
	for name := range strings.SplitSeq(dotted, ".") {
		if name == "" {
			break
		}
		p := joinDir(dir, name)
		if n := r.module(joinDir(p, "__init__")); n != none {
			last, dir = n, p
			continue
		}
		if n := r.module(p); n != none {
			last = n
			break
		}
		if !r.pyDirs[p] {
			break
		}
		last, dir = none, p // a namespace package has no file
	}
	if last != none {
		to.file(last)
	}
}

// nearestRoot is the root that the importing file lies under, the innermost
// first; otherwise the only one there is, or the one closest to the file.
func nearestRoot(from string, roots []string) (string, bool) {
	best, ok := "", false
	for _, r := range roots {
		if isWithin(from, r) && (!ok || len(r) > len(best)) {
			best, ok = r, true
		}
	}
	if ok {
		return best, true
	}
	candidates := make([]string, len(roots))
	for i, r := range roots {
		candidates[i] = r + "/"
	}
	c, ok := nearest(from, candidates)
	return strings.TrimSuffix(c, "/"), ok
}

// pyStandard names the top-level modules of the standard library.
const pyStandard = `__future__ abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2
cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent configparser contextlib
contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip
enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc getopt getpass gettext glob graphlib grp gzip
hashlib heapq hmac html http imaplib imghdr imp importlib inspect io ipaddress itertools json keyword linecache locale logging lzma
mailbox mailcap marshal math mimetypes mmap modulefinder msvcrt multiprocessing netrc nntplib ntpath numbers operator optparse os
pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr
pydoc queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site
smtplib sndhdr socket socketserver sqlite3 ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog
tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty
turtle types typing unicodedata unittest urllib uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc
zipapp zipfile zipimport zlib zoneinfo`

// pythonBound binds the module that a member of a package may be.
func pythonBound(l *linking, d *chunk.Bind, v bind) bind {
	if d.Member == "" || d.Member == "*" {
		return v
	}
	sub := d.Path + "." + d.Member
	if strings.HasSuffix(d.Path, ".") {
		sub = d.Path + d.Member
	}
	units, files := l.units(sub)
	if files == 0 || len(units) == 0 || slices.Equal(units, v.units) || l.b.hasName(v.units, d.Member) {
		return v
	}
	return bind{units: units, inside: true}
}

// pythonLinked leaves out a.b where a is imported from outside: "from a import
// b" names a and, maybe, a.b.
func pythonLinked(l *linking) {
	whole := map[string]bool{}
	for _, o := range l.outers {
		whole[o] = true
	}
	l.outers = slices.DeleteFunc(l.outers, func(o string) bool {
		i := strings.LastIndexByte(o, '.')
		return i > 0 && whole[o[:i]]
	})
}
