package rowio

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"

	"sml/cmd/internal/terminal"
	"sml/data"
	"sml/evaluation/experiment"
)

// PredictionWriter writes a row for each predicted row, in the targets' units: kept columns,
// predictions, and remarks on the row.
type PredictionWriter struct {
	predictionLayout
	rows    *Writer
	onError string

	count    int // rows that were read
	refusals refusals
	encoders []rowEncoder // kept to reuse their memory
}

// predictionLayout says which columns the rows of a PredictionWriter have.
type predictionLayout struct {
	kept    []string // names of the kept columns
	form    Form
	targets data.Scalers
	outside bool // whether there is a column with the columns outside the training rows
}

// PredictionOptions are the options of a PredictionWriter.
type PredictionOptions struct {
	Format  string
	Digits  int    // significant digits of numbers; 0 for as many as the same number needs to be read back
	OnError string // Fail, Skip or Null
}

func newPredictionWriter(out io.Writer, l predictionLayout, o PredictionOptions) (*PredictionWriter, error) {
	columns := append(TextColumns(l.kept), TargetColumns(l.targets, l.form.Names())...)
	columns = append(columns, l.form.ClassColumns(l.targets)...)
	if l.outside {
		columns = append(columns, Column{"outside", OptionalText})
	}
	nulls := o.OnError == Null
	if nulls {
		columns = append(columns, Column{"error", OptionalText})
	}
	rows, err := NewWriter(out, columns, Options{Format: o.Format, Digits: o.Digits, Nulls: nulls})
	if err != nil {
		return nil, err
	}
	return &PredictionWriter{predictionLayout: l, rows: rows, onError: o.OnError}, nil
}

// minRowsPerWorker is the number of rows below which another goroutine costs more than it
// saves.
const minRowsPerWorker = 256

// write writes a batch of rows. place describes the place of a line.
func (w *PredictionWriter) write(b *batch, place func(line int) string) error {
	rows := len(b.lines)
	n := max(1, min(runtime.GOMAXPROCS(0), rows/minRowsPerWorker))
	for len(w.encoders) < n {
		w.encoders = append(w.encoders, rowEncoder{w: w})
	}
	var workers sync.WaitGroup
	for i := range n {
		workers.Go(func() { w.encoders[i].encode(b, i*rows/n, (i+1)*rows/n, place) })
	}
	workers.Wait()
	w.count += rows + len(b.wrong)
	for i := range w.encoders[:n] {
		e := &w.encoders[i]
		w.refusals.join(e.refusals)
		err := w.rows.Write(&e.block)
		if err = cmp.Or(e.err, err); err != nil {
			return err
		}
	}
	return nil
}

// Close writes the end of the file, and prints to errOut which rows were not predicted. It
// returns an error if rows were skipped and no row is left.
func (w *PredictionWriter) Close(errOut io.Writer) error {
	effect := "left out"
	switch {
	case w.onError == Null:
		effect = "without a prediction"
	case w.onError == Skip && w.count > 0 && w.refusals.rows == w.count:
		return fmt.Errorf("none of %s can be predicted: %s", terminal.Count(w.count, "row"), w.refusals.reasons[0])
	}
	w.refusals.print(errOut, effect, w.count)
	return w.rows.Close()
}

// rowEncoder encodes some rows of a batch.
type rowEncoder struct {
	w        *PredictionWriter
	block    Block
	refusals refusals
	err      error // error of the row after the block

	line   []Cell            // scratch memory
	values []float64         // scratch memory
	class  []string          // predicted class of each target; scratch memory
	target experiment.Values // scratch memory
}

// encode encodes the predicted rows from, …, to−1 of a batch, and the wrong rows between them.
func (e *rowEncoder) encode(b *batch, from, to int, place func(line int) string) {
	e.block.Reset()
	e.refusals, e.err = refusals{}, nil
	next, _ := slices.BinarySearchFunc(b.wrong, from, func(r wrongRow, at int) int { return r.nextRow - at })
	for row := from; ; row++ {
		for ; next < len(b.wrong) && b.wrong[next].nextRow == row && (row < to || to == len(b.lines)); next++ {
			e.refuse(b, row+next, b.wrong[next].reason)
		}
		if row == to {
			return
		}
		reason := b.unpredicted[row]
		if reason == nil {
			reason = e.setValues(b, row, place)
		}
		switch {
		case reason != nil && e.w.onError == Fail:
			e.err = reason
			return
		case reason != nil:
			e.refuse(b, row+next, reason)
		default:
			e.appendRow(b, row+next, e.values, b.outsideColumns(row), "")
		}
	}
}

// setValues sets e.values to the predictions of a row. It returns an error if they are not
// finite.
func (e *rowEncoder) setValues(b *batch, row int, place func(line int) string) error {
	e.values, e.class = e.values[:0], e.class[:0]
	for i, target := range e.w.targets {
		var finite bool
		e.values, finite = e.w.form.AppendValues(e.values, &e.target, b.predicted, row, i)
		if !finite {
			return fmt.Errorf("%s: the prediction of %q is not finite in the target's unit", place(b.lines[row]), target.Name)
		}
		if e.w.form.Family.Classes > 0 {
			e.class = append(e.class, e.w.form.Class(&e.target, i))
		}
	}
	return nil
}

// refuse counts a row that cannot be predicted. It encodes the row without predictions
// unless such rows are skipped.
func (e *rowEncoder) refuse(b *batch, kept int, reason error) {
	e.refusals.add(reason.Error())
	if e.w.onError == Skip {
		return
	}
	e.values, e.class = e.values[:0], e.class[:0]
	for range e.w.form.ClassColumns(e.w.targets) {
		e.class = append(e.class, "")
	}
	for range len(e.w.targets) * len(e.w.form.Names()) {
		e.values = append(e.values, math.NaN())
	}
	e.appendRow(b, kept, e.values, "", reason.Error())
}

// appendRow encodes a row with the kept texts at index kept.
func (e *rowEncoder) appendRow(b *batch, kept int, values []float64, outside, reason string) {
	e.line = e.line[:0]
	for column := range len(e.w.kept) {
		e.line = append(e.line, Cell{Text: b.kept.At(kept, column)})
	}
	for _, v := range values {
		e.line = append(e.line, Cell{Number: v})
	}
	for _, class := range e.class {
		e.line = append(e.line, Cell{Text: class})
	}
	if e.w.outside {
		e.line = append(e.line, Cell{Text: outside})
	}
	if e.w.onError == Null {
		e.line = append(e.line, Cell{Text: reason})
	}
	e.w.rows.Append(&e.block, e.line)
}
