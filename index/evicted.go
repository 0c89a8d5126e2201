package index

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"
)

// The evicted-entry cache is a side file, <index>.parked, of entries that an
// update dropped. When their contents come back, as they do when a branch is
// switched back, they are restored instead of parsed again. The cache never
// changes what an index holds, and damaged records are ignored. It is read and
// written under the index's lock only. doc.go has its layout.
const (
	evictedMagic  = "topopark"
	evictedHeader = 16
	evictedRecord = 64 // before the variable part
	evictedLimit  = 64 << 20
	evictedKeep   = evictedLimit / 2 // what is left when the limit is met
)

// evictedPath is the cache file of the index at path. The suffix is part of the
// format.
func evictedPath(path string) string { return path + ".parked" }

// evictedEntry is one record of the cache, without its data.
type evictedEntry struct {
	off, len  int64 // of the whole record
	sum       uint64
	key       key
	raw       uint32
	blob, blk uint32
}

// evictedFileHeader is the header of a cache file that this build can use.
func evictedFileHeader() []byte {
	b := append(make([]byte, 0, evictedHeader), evictedMagic...)
	return le.AppendUint32(le.AppendUint32(b, FormatVersion), parserVersion)
}

// appendEvicted codes a record.
func appendEvicted(b []byte, k key, raw uint32, blob, block []byte) []byte {
	from := len(b)
	b = le.AppendUint32(b, uint32(evictedRecord+len(k.lang)+len(k.ext)+len(blob)+len(block)))
	b = le.AppendUint32(b, raw)
	b = le.AppendUint64(b, 0)
	b = le.AppendUint32(b, uint32(len(blob)))
	b = le.AppendUint32(b, uint32(len(block)))
	b = append(b, byte(len(k.lang)), byte(len(k.ext)), 0, 0, 0, 0, 0, 0)
	b = append(b, k.sha[:]...)
	b = append(append(append(append(b, k.lang...), k.ext...), blob...), block...)
	le.PutUint64(b[from+8:], evictedSum(b[from:]))
	return b
}

// evictedSum is the checksum of a record: of all its bytes but the checksum.
func evictedSum(record []byte) uint64 {
	d := xxhash.New()
	d.Write(record[:8])
	d.Write(record[16:])
	return d.Sum64()
}

// scanEvicted calls fn for every record up to the first invalid one. It returns
// the length of the valid part, 0 when f is not a cache of this version.
func scanEvicted(f io.ReaderAt, size int64, fn func(evictedEntry)) int64 {
	br := bufio.NewReader(io.NewSectionReader(f, 0, size))
	start := make([]byte, evictedHeader)
	if _, err := io.ReadFull(br, start); err != nil || string(start) != string(evictedFileHeader()) {
		return 0
	}
	at := int64(evictedHeader)
	var b [evictedRecord + 2*255]byte
	for {
		if _, err := io.ReadFull(br, b[:evictedRecord]); err != nil {
			return at
		}
		r := evictedEntry{off: at, len: int64(le.Uint32(b[:])), raw: le.Uint32(b[4:]), sum: le.Uint64(b[8:]), blob: le.Uint32(b[16:]), blk: le.Uint32(b[20:])}
		lang, ext := int(b[24]), int(b[25])
		if r.len != evictedRecord+int64(lang+ext)+int64(r.blob)+int64(r.blk) || r.len > size-at {
			return at
		}
		names := b[evictedRecord : evictedRecord+lang+ext]
		if _, err := io.ReadFull(br, names); err != nil {
			return at
		}
		copy(r.key.sha[:], b[32:])
		r.key.lang, r.key.ext = string(names[:lang]), string(names[lang:])
		fn(r)
		if _, err := br.Discard(int(r.blob) + int(r.blk)); err != nil {
			return at
		}
		at += r.len
	}
}

// openEvicted opens the cache for reading; nil when there is none. It must be a
// regular file: a link that a hostile repository put there is not followed.
func openEvicted(path string) (*os.File, int64) {
	name := evictedPath(path)
	st, err := os.Lstat(name)
	if err != nil || !st.Mode().IsRegular() || st.Size() > 2*evictedLimit {
		return nil, 0
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0
	}
	return f, st.Size()
}

// restore fills missing from the cache.
func (u *updater) restore(missing map[key]*group) {
	if len(missing) == 0 {
		return
	}
	f, size := openEvicted(u.path)
	if f == nil {
		return
	}
	defer f.Close()
	scanEvicted(f, size, func(r evictedEntry) {
		g := missing[r.key]
		if g == nil {
			return
		}
		b := make([]byte, r.len)
		if _, err := f.ReadAt(b, r.off); err != nil || evictedSum(b) != r.sum {
			return
		}
		data := b[evictedRecord+len(r.key.lang)+len(r.key.ext):]
		g.ent = &entry{id: -1, raw: r.raw, blob: data[:r.blob:r.blob], block: data[r.blob:]}
		delete(missing, r.key)
	})
}

// evict appends the entries that the update dropped to the cache, unless they
// are there already. Later updates do not depend on it, so a failure is not an
// error.
func (u *updater) evict(p *plan) {
	if u.own == nil || p.base != u.own {
		return
	}
	add := map[key]uint32{}
	var order []key
	for _, i := range p.droppedEntries() {
		if k, err := u.own.entryKey(i); err == nil && len(k.lang) < 256 {
			add[k] = i
			order = append(order, k)
		}
	}
	if len(add) == 0 {
		return
	}
	var records []evictedEntry
	valid := int64(0)
	if f, size := openEvicted(u.path); f != nil {
		valid = scanEvicted(f, size, func(r evictedEntry) {
			delete(add, r.key)
			records = append(records, r)
		})
		f.Close()
	}
	var fresh []byte
	for _, k := range order {
		i, ok := add[k]
		if !ok {
			continue
		}
		row, err := u.own.entryRow(i)
		if err != nil {
			return
		}
		blob, block, err := (&entry{from: u.own, row: row}).load()
		if err != nil || len(fresh)+len(blob)+len(block)+1024 > evictedKeep {
			break
		}
		fresh = appendEvicted(fresh, k, row.raw, blob, block)
	}
	if len(fresh) > 0 {
		_ = writeEvicted(evictedPath(u.path), valid, records, fresh)
	}
}

// entryKey is the key of entry i.
func (x *Index) entryKey(i uint32) (key, error) {
	row, err := x.entryRow(i)
	if err != nil {
		return key{}, err
	}
	file, err := x.File(int(row.file))
	return key{file.Sha256, file.Language, extension(file.Path)}, err
}

// writeEvicted appends fresh after the valid bytes of the cache, or, when that
// would be too long, replaces the cache by its newest records and fresh.
func writeEvicted(name string, valid int64, records []evictedEntry, fresh []byte) error {
	if valid == 0 || valid+int64(len(fresh)) > evictedLimit {
		return replaceEvicted(name, valid, records, fresh)
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err = f.Truncate(valid); err == nil {
		_, err = f.WriteAt(fresh, valid)
	}
	return errors.Join(err, f.Close())
}

func replaceEvicted(name string, valid int64, records []evictedEntry, fresh []byte) error {
	from := valid
	for i := len(records) - 1; i >= 0 && valid-records[i].off+int64(len(fresh)) <= evictedKeep; i-- {
		from = records[i].off
	}
	data := evictedFileHeader()
	if valid > from {
		old := make([]byte, valid-from)
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		_, err = f.ReadAt(old, from)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		data = append(data, old...)
	}
	temp := tempName(name)
	_ = os.Remove(temp) // of a killed writer; or a link that must not be written through
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, fresh...))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(temp, name)
	}
	if err != nil {
		_ = os.Remove(temp)
	}
	return err
}
