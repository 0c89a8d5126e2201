package graph

import (
	"strings"

	"github.com/topo-dev/topo/scan/lang"
)

var (
	cRules   = cFamily("", overloadCount)
	cppRules = cFamily("cpp", overloadCount)
)

// cFamily are the rules of C and of the languages that include its headers: all
// of a program is one unit, and nothing but an include says what is seen.
func cFamily(language string, by overloadBy) *rules {
	return &rules{
		family:   "c",
		language: language,
		prepare:  prepareC,
		imports:  importRules{includes: true},
		names:    nameRules{unit: unitAll, implicit: true, free: true},
		calls:    callRules{ctors: []string{"."}, overloads: by},
		variants: variantRules{sameFile: language == "cpp"},
	}
}

// cResolver follows what the preprocessor can see without the build's flags: a
// quoted include is looked for next to the file first; then every include is
// looked for below the directories that compilers are usually pointed to; last
// a path that only one file of the tree ends in. An include in angles without a
// directory needs an include directory when a system has a header of its name.
type cResolver struct {
	t      *tree
	byBase map[string][]string // base name → paths

	standard map[string]bool
}

// cStandard are the headers of C, POSIX and the systems that are included
// without a directory and never mean a file of the tree.
const cStandard = `assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h signal.h
stdalign.h stdarg.h stdatomic.h stdbit.h stdbool.h stdckdint.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h tgmath.h
threads.h time.h uchar.h wchar.h wctype.h aio.h cpio.h dirent.h dlfcn.h fcntl.h fmtmsg.h fnmatch.h ftw.h glob.h grp.h iconv.h
langinfo.h libgen.h monetary.h mqueue.h ndbm.h netdb.h nl_types.h poll.h pthread.h pwd.h regex.h sched.h search.h semaphore.h
spawn.h strings.h stropts.h syslog.h tar.h termios.h trace.h ulimit.h unistd.h utime.h utmpx.h wordexp.h alloca.h byteswap.h
crypt.h elf.h endian.h err.h error.h execinfo.h features.h fts.h getopt.h ifaddrs.h io.h link.h malloc.h memory.h mntent.h paths.h
printf.h process.h pty.h resolv.h sysexits.h term.h termio.h ucontext.h utmp.h values.h varargs.h windows.h winsock.h winsock2.h
ws2tcpip.h direct.h conio.h tchar.h kstat.h port.h priv.h zlib.h zconf.h bzlib.h lzma.h curses.h ncurses.h readline.h expat.h`

func prepareC(t *tree) func(uint32, string, *targets) {
	r := &cResolver{t: t, byBase: map[string][]string{}, standard: words(cStandard)}
	for i := range t.in.Files {
		f := &t.in.Files[i]
		if lang.SyntaxOf(f.Language).Family == "c" {
			base := f.Path[strings.LastIndexByte(f.Path, '/')+1:]
			r.byBase[base] = append(r.byBase[base], f.Path)
		}
	}
	return r.resolve
}

func (r *cResolver) resolve(from uint32, p string, to *targets) {
	angle := strings.HasPrefix(p, "<")
	p = strings.Trim(p, "<>")
	candidates := r.byBase[p[strings.LastIndexByte(p, '/')+1:]]
	if len(candidates) == 0 || len(candidates) > maxCandidates {
		return
	}
	dir := dirOf(r.t.in.Files[from].Path)
	if !angle {
		if q, ok := join(dir, p); ok && r.t.addFirst(to, q) {
			return
		}
	}
	for strings.HasPrefix(p, "../") || strings.HasPrefix(p, "./") {
		_, p, _ = strings.Cut(p, "/")
	}
	system := angle && !strings.Contains(p, "/")
	found := ancestors(dir, func(d string) bool {
		if r.t.addFirst(to, joinDir(d, "include/"+p), joinDir(d, "inc/"+p)) {
			return true
		}
		return !system && r.t.addFirst(to, joinDir(d, p), joinDir(d, "src/"+p), joinDir(d, "lib/"+p))
	})
	if !found && (!system || !r.standard[p] && strings.Contains(p, ".")) {
		r.ending(candidates, p, to)
	}
}

// ending adds the only candidate that ends in the path.
func (r *cResolver) ending(candidates []string, p string, to *targets) {
	only := ""
	for _, c := range candidates {
		if c == p || strings.HasSuffix(c, "/"+p) {
			if only != "" {
				return
			}
			only = c
		}
	}
	r.t.addFirst(to, only)
}
