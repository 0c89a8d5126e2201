package index

import (
	"reflect"
	"testing"

	"github.com/topo-dev/topo/stream"
)

// wholeRecords is what [Index.Records] and [Index.Complete] make of x.
func wholeRecords(x *Index) ([]stream.File, error) {
	files, err := x.Records()
	if err != nil {
		return nil, err
	}
	return files, x.Complete(files)
}

func TestRecordsAreThoseOfTheFiles(t *testing.T) {
	_, in := small()
	x, err := newIndex("x", build(t, in))
	if err != nil {
		t.Fatal(err)
	}
	got, err := wholeRecords(x)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != x.NumFiles() || len(got) == 0 {
		t.Fatalf("%d records of %d files", len(got), x.NumFiles())
	}
	links := 0
	for id, r := range got {
		f, err := x.File(id)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(r, f.Record()) {
			t.Errorf("record %+v, want %+v", r, f.Record())
		}
		if r.Target != "" {
			links++
		}
		for other := range got {
			if same, err := x.HasPath(other, r.Path); err != nil || same != (other == id) {
				t.Errorf("file %d has path %q: %v, %v", other, r.Path, same, err)
			}
		}
	}
	if links == 0 {
		t.Error("the sample has no symbolic link")
	}
	stranger := []stream.File{{Path: "no/such/file"}}
	if err := x.Complete(stranger); err != nil || stranger[0].Sha256 != "" {
		t.Errorf("a file of another tree became %+v, %v", stranger[0], err)
	}
	if _, err := x.HasPath(len(got), ""); err == nil {
		t.Error("a file that there is not has a path")
	}
}

func TestRecordsOfADamagedIndex(t *testing.T) {
	_, in := small()
	data := build(t, in)
	want := func() []stream.File {
		x, _ := newIndex("x", data)
		files, err := wholeRecords(x)
		if err != nil {
			t.Fatal(err)
		}
		return files
	}()
	for i := range data {
		data[i] ^= 0x40
		if x, err := newIndex("x", data); err == nil {
			if got, err := wholeRecords(x); err == nil && !reflect.DeepEqual(got, want) {
				t.Fatalf("flip at %d: wrong records", i)
			}
		}
		data[i] ^= 0x40
	}
}
