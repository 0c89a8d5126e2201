package index

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"
)

// The park is a side file, <index>.parked, of entries that an update dropped.
// When their contents come back, as they do when a branch is switched back,
// they need not be parsed again. It is a cache: it never changes what an index
// holds, and what is damaged in it is ignored. It is read and written under
// the index's lock only. doc.go has its layout.
const (
	parkMagic  = "topopark"
	parkHeader = 16
	parkRecord = 64 // before the variable part
	parkLimit  = 64 << 20
	parkKeep   = parkLimit / 2 // what is left when the limit is met
)

func parkName(path string) string { return path + ".parked" }

// parked is one record of the park, without its data.
type parked struct {
	off, len  int64 // of the whole record
	sum       uint64
	key       key
	raw       uint32
	blob, blk uint32
}

// parkStart is the header of a park that this build can use.
func parkStart() []byte {
	b := append(make([]byte, 0, parkHeader), parkMagic...)
	return le.AppendUint32(le.AppendUint32(b, FormatVersion), parserVersion)
}

// appendParked codes a record.
func appendParked(b []byte, k key, raw uint32, blob, block []byte) []byte {
	from := len(b)
	b = le.AppendUint32(b, uint32(parkRecord+len(k.lang)+len(k.ext)+len(blob)+len(block)))
	b = le.AppendUint32(b, raw)
	b = le.AppendUint64(b, 0)
	b = le.AppendUint32(b, uint32(len(blob)))
	b = le.AppendUint32(b, uint32(len(block)))
	b = append(b, byte(len(k.lang)), byte(len(k.ext)), 0, 0, 0, 0, 0, 0)
	b = append(b, k.sha[:]...)
	b = append(append(append(append(b, k.lang...), k.ext...), blob...), block...)
	le.PutUint64(b[from+8:], parkSum(b[from:]))
	return b
}

// parkSum is the checksum of a record: of all its bytes but the checksum.
func parkSum(record []byte) uint64 {
	d := xxhash.New()
	d.Write(record[:8])
	d.Write(record[16:])
	return d.Sum64()
}

// scanPark calls fn for every record up to the first that cannot be one and
// returns where that is: the length of the park that makes sense, 0 when f is
// not a park of this version.
func scanPark(f io.ReaderAt, size int64, fn func(parked)) int64 {
	br := bufio.NewReader(io.NewSectionReader(f, 0, size))
	start := make([]byte, parkHeader)
	if _, err := io.ReadFull(br, start); err != nil || string(start) != string(parkStart()) {
		return 0
	}
	at := int64(parkHeader)
	var b [parkRecord + 2*255]byte
	for {
		if _, err := io.ReadFull(br, b[:parkRecord]); err != nil {
			return at
		}
		r := parked{off: at, len: int64(le.Uint32(b[:])), raw: le.Uint32(b[4:]), sum: le.Uint64(b[8:]), blob: le.Uint32(b[16:]), blk: le.Uint32(b[20:])}
		lang, ext := int(b[24]), int(b[25])
		if r.len != parkRecord+int64(lang+ext)+int64(r.blob)+int64(r.blk) || r.len > size-at {
			return at
		}
		names := b[parkRecord : parkRecord+lang+ext]
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

// openPark opens the park for reading; nil when there is none. It must be a
// regular file: what a hostile repository put there is not followed.
func openPark(path string) (*os.File, int64) {
	name := parkName(path)
	st, err := os.Lstat(name)
	if err != nil || !st.Mode().IsRegular() || st.Size() > 2*parkLimit {
		return nil, 0
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0
	}
	return f, st.Size()
}

// unpark fills missing from the park.
func (u *updater) unpark(missing map[key]*group) {
	if len(missing) == 0 {
		return
	}
	f, size := openPark(u.path)
	if f == nil {
		return
	}
	defer f.Close()
	scanPark(f, size, func(r parked) {
		g := missing[r.key]
		if g == nil {
			return
		}
		b := make([]byte, r.len)
		if _, err := f.ReadAt(b, r.off); err != nil || parkSum(b) != r.sum {
			return
		}
		data := b[parkRecord+len(r.key.lang)+len(r.key.ext):]
		g.ent = &entry{id: -1, raw: r.raw, blob: data[:r.blob:r.blob], block: data[r.blob:]}
		delete(missing, r.key)
	})
}

// park appends the entries that the update dropped, unless they are there
// already. It is a courtesy to later updates: its failure is not an error.
func (u *updater) park(p *plan) {
	if u.own == nil || p.base != u.own {
		return
	}
	add := map[key]uint32{}
	var order []key
	for _, i := range p.dropped() {
		if k, err := u.own.entryKey(i); err == nil && len(k.lang) < 256 {
			add[k] = i
			order = append(order, k)
		}
	}
	if len(add) == 0 {
		return
	}
	var records []parked
	valid := int64(0)
	if f, size := openPark(u.path); f != nil {
		valid = scanPark(f, size, func(r parked) {
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
		if err != nil || len(fresh)+len(blob)+len(block)+1024 > parkKeep {
			break
		}
		fresh = appendParked(fresh, k, row.raw, blob, block)
	}
	if len(fresh) > 0 {
		_ = writePark(parkName(u.path), valid, records, fresh)
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

// writePark appends fresh after the valid bytes of the park, or, when that
// would be too long, replaces the park by its newest records and fresh.
func writePark(name string, valid int64, records []parked, fresh []byte) error {
	if valid == 0 || valid+int64(len(fresh)) > parkLimit {
		return replacePark(name, valid, records, fresh)
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

func replacePark(name string, valid int64, records []parked, fresh []byte) error {
	from := valid
	for i := len(records) - 1; i >= 0 && valid-records[i].off+int64(len(fresh)) <= parkKeep; i-- {
		from = records[i].off
	}
	data := parkStart()
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
