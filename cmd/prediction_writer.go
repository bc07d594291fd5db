package cmd

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"

	"sml/data"
	"sml/evaluation/experiment"
)

// predictionWriter writes one line for each row, in the targets' units: kept columns,
// predictions, and what is to be said of the row. The names of several targets come
// before the names of their values.
type predictionWriter struct {
	predictionForm
	resultFile
	targets data.Scalers

	onError string
	outside bool // there is a column for it
	kept    int  // columns

	rows     int // that were read
	refusals refusals
	parts    []writtenPart // kept for their memory
}

// writtenPart is the text of some rows, up to one that is an error.
type writtenPart struct {
	encodedRows
	line     []cell
	values   []float64
	target   experiment.Values // kept for its memory
	refusals refusals
	err      error
}

// newPredictionWriter writes rows with these kept columns in a format of resultFormats.
func newPredictionWriter(p predictionWriter, kept []string, format string, digits int) (*predictionWriter, error) {
	var columns []resultColumn
	for _, name := range kept {
		columns = append(columns, resultColumn{name, textCell})
	}
	for _, target := range p.targets {
		for _, name := range p.names() {
			columns = append(columns, resultColumn{ofTarget(p.targets, target.Name, name), numberCell})
		}
	}
	if p.outside {
		columns = append(columns, resultColumn{"outside", maybeTextCell})
	}
	if p.onError == nullOnError {
		columns = append(columns, resultColumn{"error", maybeTextCell})
	}
	form, err := newResultForm(columns, format, digits)
	if err != nil {
		return nil, err
	}
	form.nulls = p.onError == nullOnError // rows of one file have the same keys
	p.kept, p.resultForm = len(kept), form
	return &p, nil
}

// ofTarget is the name of a column of a target, where there are several.
func ofTarget(targets data.Scalers, target, name string) string {
	if len(targets) > 1 {
		return target + "_" + name
	}
	return name
}

// write writes a batch of rows. place says where a line stands.
func (w *predictionWriter) write(b *rowBatch, place func(line int) string) error {
	const share = 256 // rows that are worth a core of their own
	rows := len(b.lines)
	if rows > 0 {
		if err := w.CheckPredictions(b.found); err != nil {
			return err
		}
	}
	n := max(1, min(runtime.GOMAXPROCS(0), rows/share))
	for len(w.parts) < n {
		w.parts = append(w.parts, writtenPart{})
	}
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { w.parts[i].rows(w, b, i*rows/n, (i+1)*rows/n, place) })
	}
	all.Wait()
	w.rows += rows + len(b.wrong)
	for i := range w.parts[:n] {
		part := &w.parts[i]
		w.refusals.join(part.refusals)
		err := w.put(&part.encodedRows)
		if err = cmp.Or(part.err, err); err != nil {
			return err
		}
	}
	return nil
}

// rows encodes predicted rows of a batch, and those between them that could not be
// read as a model's inputs.
func (part *writtenPart) rows(w *predictionWriter, b *rowBatch, from, to int, place func(line int) string) {
	part.reset()
	part.refusals, part.err = refusals{}, nil
	next, _ := slices.BinarySearchFunc(b.wrong, from, func(r wrongRow, at int) int { return r.before - at })
	for row := from; ; row++ {
		for ; next < len(b.wrong) && b.wrong[next].before == row && (row < to || to == len(b.lines)); next++ {
			part.refuse(w, b, row+next, b.wrong[next].why)
		}
		if row == to {
			return
		}
		why := b.unpredicted[row]
		if why == nil {
			why = part.predicted(w, b, row, place)
		}
		switch {
		case why != nil && w.onError == failOnError:
			part.err = why
			return
		case why != nil:
			part.refuse(w, b, row+next, why)
			continue
		}
		part.begin(b, w.kept, row+next)
		for _, v := range part.values {
			part.line = append(part.line, cell{number: v})
		}
		part.end(w, b.outsideOf(row), "")
	}
}

// predicted sets values to the predictions of a row.
func (part *writtenPart) predicted(w *predictionWriter, b *rowBatch, row int, place func(line int) string) error {
	part.values = part.values[:0]
	for i, target := range w.targets {
		var finite bool
		part.values, finite = w.values(part.values, &part.target, b.found, row, i)
		if !finite {
			return fmt.Errorf("%s: the prediction of %q is not finite in the target's unit", place(b.lines[row]), target.Name)
		}
	}
	return nil
}

// begin begins a line with the kept texts of a row.
func (part *writtenPart) begin(b *rowBatch, kept, row int) {
	part.line = part.line[:0]
	for column := range kept {
		part.line = append(part.line, cell{text: b.kept.At(row, column)})
	}
}

// end ends a line, and encodes it.
func (part *writtenPart) end(w *predictionWriter, outside, why string) {
	if w.outside {
		part.line = append(part.line, cell{text: outside})
	}
	if w.onError == nullOnError {
		part.line = append(part.line, cell{text: why})
	}
	w.append(&part.encodedRows, part.line)
}

// refuse leaves a row out, or its predictions, as has been asked for.
func (part *writtenPart) refuse(w *predictionWriter, b *rowBatch, kept int, why error) {
	part.refusals.add(why.Error())
	if w.onError == skipOnError {
		return
	}
	part.begin(b, w.kept, kept)
	for range len(w.targets) * len(w.names()) {
		part.line = append(part.line, cell{number: math.NaN()})
	}
	part.end(w, "", why.Error())
}

// tell says which rows were not predicted. That none was is an error where they are
// left out.
func (w *predictionWriter) tell(errOut io.Writer) error {
	if w.onError == skipOnError && w.refusals.rows == w.rows && w.rows > 0 {
		return fmt.Errorf("none of %s can be predicted: %s", count(w.rows, "row"), w.refusals.reasons[0])
	}
	w.refusals.tell(errOut, map[string]string{skipOnError: "left out", nullOnError: "without a prediction"}[w.onError], w.rows)
	return nil
}
