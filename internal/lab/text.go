package lab

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/topo-dev/topo/score/eval"
)

// WriteText writes the result as tables for a person.
func (r *Result) WriteText(out io.Writer) error {
	if r.Report != nil {
		if err := r.Report.WriteText(out); err != nil {
			return err
		}
	}
	for _, write := range []func(io.Writer){r.writeCrossValidated, r.writeLearnedWithout, r.writeFunctions} {
		w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0) // a table's cells are aligned on their own
		write(w)
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func (r *Result) writeCrossValidated(w io.Writer) {
	if len(r.CrossValidated) > 0 {
		eval.WriteLines(w, "cross-validated by repository", r.CrossValidated, true)
		eval.WriteDifferences(w, r.CrossAgainst)
	}
}

func (r *Result) writeLearnedWithout(w io.Writer) {
	if len(r.LearnedWithout) > 0 {
		fmt.Fprintln(w)
		eval.WriteLines(w, "linear weights learned without", r.LearnedWithout, false)
	}
}

func (r *Result) writeFunctions(w io.Writer) {
	eval.WriteLines(w, "", r.CrossFunctions, true)
}
