package train

import (
	"bytes"
	"reflect"
	"testing"
)

func TestTablesComeBackWhole(t *testing.T) {
	ex := syntheticExamples(5)
	ex[2].Set, ex[3].Extra, ex[4].Weight = "a", true, 0.5
	var b bytes.Buffer
	if err := WriteTables(&b, ex); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	got, err := ReadTables(bytes.NewReader(whole))
	if err != nil || !reflect.DeepEqual(got, ex) {
		t.Fatalf("%v, %d of %d examples", err, len(got), len(ex))
	}
	if _, err := ReadTables(bytes.NewReader(whole[:len(whole)/2])); err == nil {
		t.Error("half of the tables are read without an error")
	}
	ex[1].Values[0] = ex[1].Values[0][:3]
	b.Reset()
	if err := WriteTables(&b, ex); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadTables(&b); err == nil {
		t.Error("a short column is read without an error")
	}
}
