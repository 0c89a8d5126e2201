package scan

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// On Linux a directory is a descriptor and every file is reached from one:
// openat2 resolves a whole path in the kernel and refuses symbolic links in
// it, so a tree that changes under the scan cannot lead out of the root.

// tree is an open root.
type tree struct{ fd int }

func openTree(root string) (*tree, error) {
	fd, err := unix.Open(root, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: root, Err: err}
	}
	return &tree{fd}, nil
}

func (t *tree) close() error { return unix.Close(t.fd) }

// openAt opens path below dir without following any link on the way.
func openAt(dir int, path string, flags int) (int, error) {
	how := unix.OpenHow{
		Flags:   uint64(flags | unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY),
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	}
	for try := 0; ; try++ {
		fd, err := unix.Openat2(dir, path, &how)
		switch {
		case err == unix.EINTR, err == unix.EAGAIN && try < 16:
			continue
		case err == unix.ENOSYS, err == unix.EPERM:
			return openEach(dir, path, int(how.Flags))
		}
		return fd, err
	}
}

// openEach is openAt for kernels before 5.6 and sandboxes without openat2: one
// element at a time.
func openEach(dir int, path string, flags int) (int, error) {
	for at := dir; ; {
		name, rest, more := strings.Cut(path, "/")
		f := flags
		if more {
			f = unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
		}
		fd, err := unix.Openat(at, name, f, 0)
		if at != dir {
			_ = unix.Close(at)
		}
		if err != nil || !more {
			return fd, err
		}
		at, path = fd, rest
	}
}

// open opens the directory at path, "" being the root.
func (t *tree) open(path string) (folder, error) {
	if path == "" {
		path = "."
	}
	fd, err := openAt(t.fd, path, unix.O_DIRECTORY)
	return folder{fd}, err
}

// folder is an open directory.
type folder struct{ fd int }

func (d folder) close() { _ = unix.Close(d.fd) }

// list calls fn for each entry but . and .. in no order. The name is only
// valid during the call.
func (d folder) list(buf []byte, fn func(name []byte, typ fileType)) error {
	for {
		n, err := unix.ReadDirent(d.fd, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return err
		}
		for rec := buf[:n]; len(rec) >= 19; {
			// struct linux_dirent64: ino 8, off 8, reclen 2, type 1, name
			size := int(binary.NativeEndian.Uint16(rec[16:]))
			if size < 19 || size > len(rec) {
				return errors.New("malformed directory entry")
			}
			name := rec[19:size]
			for i, c := range name {
				if c == 0 {
					name = name[:i]
					break
				}
			}
			if s := string(name); s != "." && s != ".." && s != "" {
				fn(name, direntType(rec[18]))
			}
			rec = rec[size:]
		}
	}
}

func direntType(t byte) fileType {
	switch t {
	case unix.DT_REG:
		return typeRegular
	case unix.DT_DIR:
		return typeDir
	case unix.DT_LNK:
		return typeLink
	case unix.DT_UNKNOWN:
		return typeUnknown
	}
	return typeOther
}

// stat looks at the entry called name, not at what it may point to.
func (d folder) stat(name string) (fileStat, error) {
	var st unix.Stat_t
	for {
		err := unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW)
		if err != unix.EINTR {
			return newStat(&st), err
		}
	}
}

func newStat(st *unix.Stat_t) fileStat {
	s := fileStat{
		size: st.Size, inode: st.Ino, mode: uint32(st.Mode),
		mtime: int64(st.Mtim.Sec)*1e9 + int64(st.Mtim.Nsec),
		ctime: int64(st.Ctim.Sec)*1e9 + int64(st.Ctim.Nsec),
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		s.typ = typeRegular
	case unix.S_IFDIR:
		s.typ = typeDir
	case unix.S_IFLNK:
		s.typ = typeLink
	default:
		s.typ = typeOther
	}
	return s
}

func (d folder) readlink(name string) (string, error) {
	buf := make([]byte, 4096) // PATH_MAX
	n, err := unix.Readlinkat(d.fd, name, buf)
	if err != nil {
		return "", err
	}
	return string(buf[:n]), nil
}

// read appends the content of the regular file called name to buf[:0].
func (d folder) read(name string, buf []byte, limit int64) ([]byte, fileStat, error) {
	fd, err := openAt(d.fd, name, 0)
	if err == unix.ELOOP {
		err = ErrNotRegular
	}
	if err != nil {
		return nil, fileStat{}, err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, fileStat{}, err
	}
	s := newStat(&st)
	if s.typ != typeRegular {
		return nil, s, ErrNotRegular
	}
	if s.size > limit {
		return nil, s, ErrTooLarge
	}
	out, err := readAll(fdReader(fd), buf, s.size, limit)
	return out, s, err
}

type fdReader int

func (r fdReader) Read(p []byte) (int, error) {
	for {
		n, err := unix.Read(int(r), p)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return 0, err
		case n == 0:
			return 0, io.EOF
		}
		return n, nil
	}
}
