package train

import (
	"compress/gzip"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
)

// maxTables bounds what [ReadTables] takes from one file.
const maxTables = 1 << 20

// WriteTables keeps examples to learn weights again without the
// repositories they came from.
func WriteTables(w io.Writer, examples []Example) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	e := gob.NewEncoder(z)
	for i := range examples {
		if err := e.Encode(&examples[i]); err != nil {
			return fmt.Errorf("tables: %w", err)
		}
	}
	return z.Close()
}

// ReadTables reads what [WriteTables] wrote. An example whose features do not
// fit its candidates is an error.
func ReadTables(r io.Reader) ([]Example, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("tables: %w", err)
	}
	d := gob.NewDecoder(z)
	var out []Example
	for len(out) < maxTables {
		var e Example
		if err := d.Decode(&e); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("tables: example %d: %w", len(out)+1, err)
		}
		if !e.fits() {
			return nil, fmt.Errorf("tables: example %d: the columns do not fit the candidates", len(out)+1)
		}
		out = append(out, e)
	}
	return nil, fmt.Errorf("tables: more than %d examples", maxTables)
}

func (e *Example) fits() bool {
	for _, v := range e.Values {
		if len(v) != len(e.Gold) {
			return false
		}
	}
	return len(e.Names) == len(e.Values) && (e.Chunks == nil || e.Chunks.fits(len(e.Gold)))
}
