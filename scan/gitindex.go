package scan

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/topo-dev/topo/stream"
)

// maxGitIndex bounds git's index file, in bytes: some four million files.
const maxGitIndex = 512 << 20

// tracked is one path of git's index.
type tracked struct {
	path string
	mode uint32
}

// errIndexFormat marks an index that is sound but that only git can read.
var errIndexFormat = errors.New("git index: a format that only git reads")

// parseGitIndex reads the paths of a git index, version 2, 3 or 4
// (gitformat-index(5)), in its order, each once. idSize is 20, or 32 in a
// repository with SHA-256 ids. Paths that no working tree can hold are left
// out.
func parseGitIndex(data []byte, idSize int) ([]tracked, error) {
	if len(data) < 12+idSize || string(data[:4]) != "DIRC" {
		return nil, errors.New("git index: not an index file")
	}
	version := binary.BigEndian.Uint32(data[4:])
	count := int(binary.BigEndian.Uint32(data[8:]))
	if version < 2 || version > 4 {
		return nil, fmt.Errorf("%w: version %d", errIndexFormat, version)
	}
	body := data[:len(data)-idSize]
	// The smallest entry has the fixed part, an empty name and a NUL.
	if fixed := 40 + idSize + 2; count > len(body)/fixed {
		return nil, errIndexCut
	}
	p := indexParser{data: string(body), pos: 12, idSize: idSize, version: version}
	list := make([]tracked, 0, count)
	for range count {
		e, err := p.entry()
		if err != nil {
			return nil, err
		}
		if n := len(list); n > 0 && list[n-1].path == e.path || !usablePath(e.path) {
			continue // another stage of a conflict, or nonsense
		}
		list = append(list, e)
	}
	return list, p.extensions()
}

var errIndexCut = errors.New("git index: cut short")

type indexParser struct {
	data    string // paths of versions 2 and 3 are parts of it
	pos     int
	idSize  int
	version uint32
	last    []byte // path before, for version 4
}

func (p *indexParser) entry() (e tracked, err error) {
	start := p.pos
	flagsAt := start + 40 + p.idSize
	if flagsAt+2 > len(p.data) {
		return e, errIndexCut
	}
	e.mode = binary.BigEndian.Uint32([]byte(p.data[start+24 : start+28]))
	flags := uint16(p.data[flagsAt])<<8 | uint16(p.data[flagsAt+1])
	p.pos = flagsAt + 2
	if p.version >= 3 && flags&0x4000 != 0 {
		p.pos += 2
	}
	if p.version == 4 {
		return p.compressed(e)
	}
	if p.pos > len(p.data) {
		return e, errIndexCut
	}
	n := strings.IndexByte(p.data[p.pos:], 0)
	if n < 0 {
		return e, errIndexCut
	}
	e.path = p.data[p.pos : p.pos+n]
	// One to eight NULs keep the length of an entry a multiple of eight.
	p.pos = start + (p.pos-start+n+8)&^7
	return e, nil
}

// compressed reads a path of version 4: how many bytes to drop from the end of
// the path before, then what to append, ended by NUL.
func (p *indexParser) compressed(e tracked) (tracked, error) {
	drop, ok := p.offset()
	if !ok || drop > len(p.last) {
		return e, errIndexCut
	}
	n := strings.IndexByte(p.data[p.pos:], 0)
	if n < 0 || n > 1<<16 || len(p.last) > 1<<16 {
		return e, errIndexCut
	}
	p.last = append(p.last[:len(p.last)-drop], p.data[p.pos:p.pos+n]...)
	p.pos += n + 1
	e.path = string(p.last)
	return e, nil
}

// offset reads git's variable length number, seven bits a byte, highest first,
// each continuation adding one.
func (p *indexParser) offset() (int, bool) {
	v := 0
	for i := 0; i < 5 && p.pos < len(p.data); i++ {
		c := p.data[p.pos]
		p.pos++
		if i > 0 {
			v++
		}
		v = v<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return v, true
		}
	}
	return 0, false
}

// extensions looks for one that changes what the entries mean: a lower-case
// name, which a reader must understand.
func (p *indexParser) extensions() error {
	for p.pos+8 <= len(p.data) {
		name := p.data[p.pos : p.pos+4]
		size := int(binary.BigEndian.Uint32([]byte(p.data[p.pos+4 : p.pos+8])))
		if size > len(p.data)-p.pos-8 {
			return errIndexCut
		}
		// A sparse index ("sdir") has entries for whole directories that are
		// not in the working tree, so nothing is missed.
		if name[0] >= 'a' && name[0] <= 'z' && name != "sdir" {
			return fmt.Errorf("%w: extension %q", errIndexFormat, name)
		}
		p.pos += 8 + size
	}
	return nil
}

// usablePath reports whether a path stays in the working tree and out of git's
// own folder.
func usablePath(p string) bool {
	if stream.CheckPath(p) != nil {
		return false
	}
	for rest := p; rest != ""; {
		var el string
		el, rest, _ = strings.Cut(rest, "/")
		if hiddenName(el) {
			return false
		}
	}
	return true
}

// hiddenName reports whether an entry is never listed or entered.
func hiddenName(name string) bool { return name == ".git" || name == ".topo-cache" }
