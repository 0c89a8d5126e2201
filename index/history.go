package index

import (
	"encoding/binary"
	"math"
	"sort"

	"github.com/cespare/xxhash/v2"
)

// Commit is one commit of the history facts.
type Commit struct {
	ID      string // full id in hex
	Time    int64  // committer's, Unix seconds
	Author  string
	Subject string
	Files   []string // paths it touched; empty when read back from an index
}

const commitRecord = 32

// historyDigest tells two inputs apart without keeping them.
func historyDigest(commits []Commit) uint64 {
	if len(commits) == 0 {
		return 0
	}
	d := xxhash.New()
	var b []byte
	for _, c := range commits {
		b = appendString(b[:0], c.ID)
		b = binary.AppendVarint(b, c.Time)
		b = appendString(b, c.Author)
		b = appendString(b, c.Subject)
		b = binary.AppendUvarint(b, uint64(len(c.Files)))
		for _, f := range c.Files {
			b = appendString(b, f)
		}
		d.Write(b)
	}
	return d.Sum64()
}

// encodeHistory makes HCOM, HSTR and HFIL for the files at paths, which are sorted.
func encodeHistory(commits []Commit, paths []string) (records, strs, perFile []byte, err error) {
	authors := map[string][2]uint32{}
	put := func(s string) [2]uint32 {
		at := [2]uint32{uint32(len(strs)), uint32(len(s))}
		strs = append(strs, s...)
		return at
	}
	counts := make([]uint32, len(paths)+1)
	touched := make([][]uint32, 0, len(commits)) // files of each commit, ascending
	for _, c := range commits {
		author, ok := authors[c.Author]
		if !ok {
			author = put(c.Author)
			authors[c.Author] = author
		}
		records = le.AppendUint64(records, uint64(c.Time))
		for _, at := range [][2]uint32{put(c.ID), author, put(c.Subject)} {
			records = le.AppendUint32(records, at[0])
			records = le.AppendUint32(records, at[1])
		}
		ids := fileNumbers(c.Files, paths)
		for _, id := range ids {
			counts[id+1]++
		}
		touched = append(touched, ids)
	}
	if len(commits) == 0 {
		return nil, nil, nil, nil
	}
	if len(strs) > math.MaxUint32 {
		return nil, nil, nil, errTooLarge("subjects of commits")
	}
	for i := range paths {
		counts[i+1] += counts[i]
	}
	at := append([]uint32(nil), counts...)
	list := make([]uint32, counts[len(paths)])
	for ordinal, ids := range touched {
		for _, id := range ids {
			list[at[id]] = uint32(ordinal)
			at[id]++
		}
	}
	return records, strs, appendU32(appendU32(nil, counts), list), nil
}

// fileNumbers finds the files in the sorted paths; those that are not there
// any more are left out, repeats too.
func fileNumbers(files, paths []string) []uint32 {
	var ids []uint32
	for _, f := range files {
		if i := sort.SearchStrings(paths, f); i < len(paths) && paths[i] == f {
			ids = append(ids, uint32(i))
		}
	}
	sort.Slice(ids, func(i, j int) bool { return ids[i] < ids[j] })
	out := ids[:0]
	for i, id := range ids {
		if i == 0 || id != ids[i-1] {
			out = append(out, id)
		}
	}
	return out
}

func appendU32(b []byte, list []uint32) []byte {
	for _, v := range list {
		b = le.AppendUint32(b, v)
	}
	return b
}

// NumCommits is the number of commits in the history facts; they are numbered
// from 0, newest first.
func (x *Index) NumCommits() int { return int(x.head.commits) }

// Commit returns commit i without its files.
func (x *Index) Commit(i int) (c Commit, err error) {
	b, err := x.commitBytes(i)
	if err != nil {
		return c, err
	}
	c.Time = int64(le.Uint64(b))
	for k, to := range []*string{&c.ID, &c.Author, &c.Subject} {
		s, err := x.histStr.span(uint64(le.Uint32(b[8+8*k:])), uint64(le.Uint32(b[12+8*k:])))
		if err != nil {
			return Commit{}, err
		}
		*to = string(s)
	}
	return c, nil
}

func (x *Index) commitBytes(i int) ([]byte, error) {
	if i < 0 || i >= x.NumCommits() {
		return nil, x.commits.corrupt("no commit %d of %d", i, x.NumCommits())
	}
	return x.commits.span(uint64(i)*commitRecord, commitRecord)
}

// Commits returns all commits, newest first, without their files.
func (x *Index) Commits() ([]Commit, error) {
	out := make([]Commit, x.NumCommits())
	for i := range out {
		c, err := x.Commit(i)
		if err != nil {
			return nil, err
		}
		out[i] = c
	}
	return out, nil
}

// CommitTime is the time of commit i alone, Unix seconds.
func (x *Index) CommitTime(i int) (int64, error) {
	b, err := x.commitBytes(i)
	if err != nil {
		return 0, err
	}
	return int64(le.Uint64(b)), nil
}

// HeadTime is the time of the newest commit, 0 when there is no history.
func (x *Index) HeadTime() (int64, error) {
	if x.NumCommits() == 0 {
		return 0, nil
	}
	return x.CommitTime(0)
}

// FileCommits appends the numbers of the commits that touched file id to
// buf[:0], newest first.
func (x *Index) FileCommits(id int, buf []uint32) ([]uint32, error) {
	return x.csrRow(x.fileHistory, id, uint64(x.head.commits), buf)
}
