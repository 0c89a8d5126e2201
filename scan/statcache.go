package scan

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/topo-dev/topo/stream"
)

// The stat cache lets a scan skip reading a file whose stat is the one that it
// had when it was last read. It is a hint: whatever is wrong with it, the scan
// reads the files again and replaces it.
//
//	offset  size  meaning
//	0       8     "topostat"
//	8       4     format version
//	12      4     number of entries
//	16      8     hash of the classifier's tables; other tables, no cache
//	24      8     start of the scan that verified the entries, Unix nanoseconds
//	32      …     languages: count u16, each length u8 and bytes
//	…       …     entries: path length u16, language u16, role u8, skipped u8,
//	              mode u32, size i64, mtime i64, ctime i64, inode u64,
//	              SHA-256 32 bytes, path
//	end-8   8     xxhash64 of everything before
//
// Numbers are little-endian.
const (
	cacheMagic   = "topostat"
	cacheVersion = 1
	cacheHeader  = 32
	cacheEntry   = 42 + 32
	maxStatCache = 1 << 30
)

// cacheSkips are the values of the skipped byte.
var cacheSkips = []string{"", stream.SkipBinary}

// cachedStat is what the cache holds of a file.
type cachedStat struct {
	stat     fileStat // without its type
	sha      [32]byte
	language string
	role     stream.Role
	skipped  string
}

type statCache struct {
	time  int64
	files map[string]*cachedStat
}

// coarse is how far apart two changes may be and still have one time stamp,
// with room for the clocks: FAT counts in two seconds, and a kernel stamps
// files with the time of its last tick.
const (
	coarse = int64(2e9)
	tick   = int64(50e6)
)

// lookup finds the entry of a file that has not changed. An entry whose time
// stamps are not older than the cache is suspect, as in git: the file may have
// changed again within the same tick of the clock.
func (c *statCache) lookup(path string, st fileStat) *cachedStat {
	if c == nil {
		return nil
	}
	r := c.files[path]
	if r == nil || r.stat.size != st.size || r.stat.mtime != st.mtime || r.stat.ctime != st.ctime ||
		r.stat.inode != st.inode || r.stat.mode != st.mode || isRacy(st, c.time) {
		return nil
	}
	return r
}

func isRacy(st fileStat, time int64) bool {
	slack := tick
	if st.mtime%1e6 == 0 {
		slack = coarse
	}
	return st.mtime >= time-slack || st.ctime >= time-slack
}

// loadStatCache returns nil when there is no usable cache.
func loadStatCache(name string, classifier uint64) *statCache {
	data, err := readBounded(name, maxStatCache)
	if err != nil {
		return nil
	}
	c, err := parseStatCache(data, classifier)
	if err != nil {
		return nil
	}
	return c
}

var errCache = errors.New("stat cache: unusable")

func parseStatCache(data []byte, classifier uint64) (*statCache, error) {
	end := len(data) - 8
	le := binary.LittleEndian
	if end < cacheHeader || string(data[:8]) != cacheMagic || le.Uint32(data[8:]) != cacheVersion ||
		le.Uint64(data[16:]) != classifier || le.Uint64(data[end:]) != xxhash.Sum64(data[:end]) {
		return nil, errCache
	}
	count := int(le.Uint32(data[12:]))
	if count > (end-cacheHeader)/cacheEntry {
		return nil, errCache
	}
	c := &statCache{time: int64(le.Uint64(data[24:])), files: make(map[string]*cachedStat, count)}
	data = data[:end]
	text := string(data) // paths and languages are parts of it
	languages, pos, ok := cacheLanguages(data, text)
	if !ok {
		return nil, errCache
	}
	entries := make([]cachedStat, count)
	for i := range entries {
		if pos+cacheEntry > end {
			return nil, errCache
		}
		b := data[pos:]
		n, language := int(le.Uint16(b)), int(le.Uint16(b[2:]))
		role, skip := int(b[4]), int(b[5])
		if pos+cacheEntry+n > end || language >= len(languages) || role >= len(stream.Roles) || skip >= len(cacheSkips) {
			return nil, errCache
		}
		e := &entries[i]
		e.language, e.role, e.skipped = languages[language], stream.Roles[role], cacheSkips[skip]
		e.stat = fileStat{mode: le.Uint32(b[6:]), size: int64(le.Uint64(b[10:])),
			mtime: int64(le.Uint64(b[18:])), ctime: int64(le.Uint64(b[26:])), inode: le.Uint64(b[34:])}
		copy(e.sha[:], b[42:])
		pos += cacheEntry
		c.files[text[pos:pos+n]] = e
		pos += n
	}
	if pos != end {
		return nil, errCache
	}
	return c, nil
}

func cacheLanguages(data []byte, text string) (list []string, pos int, ok bool) {
	pos = cacheHeader
	if pos+2 > len(data) {
		return nil, 0, false
	}
	n := int(binary.LittleEndian.Uint16(data[pos:]))
	pos += 2
	for range n {
		if pos >= len(data) || pos+1+int(data[pos]) > len(data) {
			return nil, 0, false
		}
		size := int(data[pos])
		list = append(list, text[pos+1:pos+1+size])
		pos += 1 + size
	}
	return list, pos, true
}

// appendStatCache writes the cache in its format. Files that it cannot hold
// (an endless path) are left out.
func appendStatCache(out []byte, classifier uint64, time int64, files []cachedFile) []byte {
	le := binary.LittleEndian
	start := len(out)
	out = append(out, cacheMagic...)
	out = le.AppendUint32(out, cacheVersion)
	out = le.AppendUint32(out, 0)
	out = le.AppendUint64(out, classifier)
	out = le.AppendUint64(out, uint64(time))
	ids := map[string]uint16{}
	languages := le.AppendUint16(nil, 0)
	for _, f := range files {
		if _, ok := ids[f.language]; !ok && len(f.language) < 256 && len(ids) < 1<<16-1 {
			ids[f.language] = uint16(len(ids))
			languages = append(append(languages, byte(len(f.language))), f.language...)
		}
	}
	le.PutUint16(languages, uint16(len(ids)))
	out = append(out, languages...)
	count := uint32(0)
	for _, f := range files {
		language, ok := ids[f.language]
		role, skip := indexOf(stream.Roles, f.role), indexOf(cacheSkips, f.skipped)
		if !ok || role < 0 || skip < 0 || len(f.path) > 1<<16-1 {
			continue
		}
		count++
		out = le.AppendUint16(out, uint16(len(f.path)))
		out = le.AppendUint16(out, language)
		out = append(out, byte(role), byte(skip))
		out = le.AppendUint32(out, f.stat.mode)
		out = le.AppendUint64(out, uint64(f.stat.size))
		out = le.AppendUint64(out, uint64(f.stat.mtime))
		out = le.AppendUint64(out, uint64(f.stat.ctime))
		out = le.AppendUint64(out, f.stat.inode)
		out = append(append(out, f.sha[:]...), f.path...)
	}
	le.PutUint32(out[start+12:], count)
	return le.AppendUint64(out, xxhash.Sum64(out[start:]))
}

type cachedFile struct {
	path string
	cachedStat
}

func indexOf[T comparable](list []T, v T) int {
	for i := range list {
		if list[i] == v {
			return i
		}
	}
	return -1
}

// saveStatCache replaces the file. A place that cannot be written costs time
// at the next scan and nothing else, so there is no error to report.
func saveStatCache(name string, data []byte) {
	dir, base := filepath.Split(name)
	if dir == "" {
		dir = "."
	}
	f, err := os.CreateTemp(dir, strings.TrimPrefix(base, ".")+".*.tmp")
	if err != nil {
		return
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}
