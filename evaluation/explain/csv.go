package explain

import (
	"encoding/csv"
	"io"
	"strconv"

	"sml/internal/strict"
)

// WriteCSV writes one line for each importance, with the columns target, column, part, measure,
// mean, std and repeats. Numbers have all their digits, or are NaN, +Inf or -Inf. It returns the
// error of w.
func (p *Permutation) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write([]string{"target", "column", "part", "measure", "mean", "std", "repeats"}) // out.Error returns the first error of all Writes
	format := func(v strict.Number) string { return strconv.FormatFloat(float64(v), 'g', -1, 64) }
	for _, i := range p.Importances {
		out.Write([]string{
			i.Target, i.Column, string(i.Part), i.Measure,
			format(i.Mean), format(i.Std), strconv.Itoa(p.Repeats),
		})
	}
	out.Flush()
	return out.Error()
}
