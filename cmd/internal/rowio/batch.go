package rowio

import (
	"fmt"
	"slices"

	"sml/data/preparation"
	"sml/data/read"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/internal/texts"
)

// batch is some consecutive rows on their way from the reader to the predictor and the writer. A
// row that cannot be read is a wrong row; the others are readable rows, which row indexes count.
type batch struct {
	x         []float64  // inputs of the network, readable row by readable row
	lines     []int      // line of each readable row in the file
	wrongRows []wrongRow // in the order of the file

	// endErr is the error that ended the reading after these rows: io.EOF at the end of the
	// input, nil if more rows may follow.
	endErr error

	keptTexts texts.Columns // texts of the kept columns in all rows of the file's order, wrong rows included

	// outside names, for each readable row, the columns with values outside the training rows. It
	// is empty if that is not checked.
	outside []string

	bytesRead, bytesTotal int64 // of the input up to this batch; bytesTotal is 0 if unknown

	// The predictor sets these two.
	predictions *evaluation.Predictions
	failures    map[int]error // reasons of missing predictions, by readable row
}

// wrongRow is a row that cannot be read as a model's inputs.
type wrongRow struct {
	nextRow int // index of the readable row after it
	reason  error
}

// reset empties the batch for other rows and keeps its memory.
func (b *batch) reset() {
	b.x = b.x[:0]
	b.lines = b.lines[:0]
	b.wrongRows = b.wrongRows[:0]
	b.outside = b.outside[:0]
	b.endErr = nil
	b.predictions = nil
	b.failures = nil
	b.keptTexts.Clear()
}

// size returns the number of rows, wrong rows included.
func (b *batch) size() int { return len(b.lines) + len(b.wrongRows) }

// outsideColumns returns the names of the columns in which a readable row has values outside the
// training rows. It returns "" if that is not checked.
func (b *batch) outsideColumns(row int) string {
	if len(b.outside) == 0 {
		return ""
	}
	return b.outside[row]
}

// keptColumn returns the text of a kept column in each readable row.
func (b *batch) keptColumn(column int) []string {
	var texts []string
	for row := range b.lines {
		texts = append(texts, b.keptTexts.At(b.keptRow(row), column))
	}
	return texts
}

// keptRow returns the index of a readable row in keptTexts, which has the texts of wrong rows as well.
func (b *batch) keptRow(row int) int { return row + b.countWrongBefore(row+1) }

// countWrongBefore returns the number of wrong rows whose nextRow is less than row.
func (b *batch) countWrongBefore(row int) int {
	byNextRow := func(r wrongRow, row int) int { return r.nextRow - row }
	count, _ := slices.BinarySearchFunc(b.wrongRows, row, byNextRow)
	return count
}

// batchReader reads the rows of a stream as a model's inputs.
type batchReader struct {
	stream    *read.Stream
	encoder   *preparation.Encoder // nil if the model uses the columns unchanged
	maxRows   int                  // maximum number of rows in a batch, wrong rows included
	skipWrong bool                 // whether reading goes on after a wrong row
	outside   *OutsideCheck        // nil if values outside the training rows are not marked

	// Scratch memory: the rows that the stream returned last.
	values []float64 // values of the columns, row by row
	lines  []int     // line of each row
}

// maxKeptBytes is the size of the kept texts that ends a batch with wrong rows. It bounds the memory
// for a file in which nearly all rows are wrong.
const maxKeptBytes = 16 << 20

// read replaces the rows of b by the next rows. It waits for the first row only: a batch has fewer
// than maxRows rows if no more have arrived. An error ends the batch and becomes its endErr; if
// wrong rows are skipped, the error of a row becomes a wrong row instead.
func (r *batchReader) read(b *batch) {
	b.reset()
	r.stream.KeepIn(&b.keptTexts)
	for { // once for each wrong row, since the stream stops there, and once for the rest
		r.values, _, r.lines, b.endErr = r.stream.AppendRows(r.values[:0], nil, r.lines[:0], r.maxRows-b.size())
		if err := r.encode(b); err != nil { // its row stands before the row of endErr
			b.endErr = err
		}
		if !r.skipWrong || !read.IsRowError(b.endErr) {
			break
		}
		b.addWrongRow(b.endErr)
		b.endErr = nil
		isFull := b.size() >= r.maxRows || b.keptTexts.Size() > maxKeptBytes
		if isFull || !r.stream.Ready() {
			break
		}
	}
	b.bytesRead, b.bytesTotal = r.stream.Progress()
}

// addWrongRow adds a wrong row after the readable rows so far.
func (b *batch) addWrongRow(reason error) {
	b.wrongRows = append(b.wrongRows, wrongRow{nextRow: len(b.lines), reason: reason})
}

// encode adds the rows that the stream returned last to b. A row that cannot be encoded becomes a
// wrong row if wrong rows are skipped; otherwise encode returns its error.
func (r *batchReader) encode(b *batch) error {
	columns := len(r.stream.Columns)
	for i, line := range r.lines {
		row := r.values[i*columns : (i+1)*columns]
		var err error
		if r.encoder == nil {
			b.x = append(b.x, row...)
		} else {
			b.x, err = r.encoder.Append(b.x, row)
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", r.stream.Place(line), err)
			if !r.skipWrong {
				return err
			}
			b.addWrongRow(err)
			continue
		}
		b.lines = append(b.lines, line)
		if r.outside != nil {
			b.outside = append(b.outside, r.outside.columns(row))
		}
	}
	return nil
}

// newEncoder returns the encoder of a model for the columns of a stream, or nil if the model uses the columns unchanged. It
// returns an error if the stream lacks a column of the model.
func newEncoder(m *experiment.Model, rows *read.Stream) (*preparation.Encoder, error) {
	if m.Preparation == nil {
		return nil, nil
	}
	return m.Preparation.Encoder(rows.Columns, rows.Fields())
}
