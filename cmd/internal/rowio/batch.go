package rowio

import (
	"fmt"

	"sml/data/read"
	"sml/evaluation"
	"sml/internal/preparation"
	"sml/internal/texts"
)

// batch is some rows on their way from the reader to the writer.
type batch struct {
	x     []float64  // inputs of the network, row by row
	lines []int      // line of each row
	wrong []wrongRow // rows that cannot be read
	end   error      // error after the rows, io.EOF at the end of the input; nil if more rows may follow

	kept    texts.Columns // kept texts of all rows in their order, wrong rows included
	outside []string      // for each row, the columns with values outside the training rows; empty without a check

	read, size  int64 // bytes of the input; see read.Stream.Progress
	predicted   *evaluation.Predictions
	unpredicted map[int]error // why a prediction is missing, by index of the row
}

// wrongRow is a row that cannot be read as a model's inputs.
type wrongRow struct {
	nextRow int // index of the row after it
	reason  error
}

func (b *batch) reset() {
	b.x, b.lines, b.wrong, b.outside = b.x[:0], b.lines[:0], b.wrong[:0], b.outside[:0]
	b.end, b.predicted, b.unpredicted = nil, nil, nil
	b.kept.Clear()
}

// outsideColumns returns the columns of a row with values outside the training rows, "" without a
// check.
func (b *batch) outsideColumns(row int) string {
	if len(b.outside) == 0 {
		return ""
	}
	return b.outside[row]
}

// lastKeptTexts returns the text of the last kept column in each row, without wrong rows.
func (b *batch) lastKeptTexts() []string {
	var texts []string
	wrong := 0
	for row := range b.lines {
		for wrong < len(b.wrong) && b.wrong[wrong].nextRow <= row {
			wrong++
		}
		texts = append(texts, b.kept.At(row+wrong, len(b.kept.Names)-1))
	}
	return texts
}

// batchReader reads the rows of a stream as a model's inputs.
type batchReader struct {
	stream    *read.Stream
	encoder   *preparation.Encoder // nil if columns are used unchanged
	maxRows   int                  // maximum number of rows in a batch
	skipWrong bool                 // whether reading goes on after a wrong row
	outside   *OutsideCheck        // nil without --ood
	raw       []float64            // values of the columns
	lines     []int
}

// maxKept is the size of the kept texts, in bytes, that ends a batch if it has wrong rows.
const maxKept = 16 << 20

// read reads a batch. It waits for the first row only.
func (r *batchReader) read(b *batch) {
	b.reset()
	r.stream.KeepIn(&b.kept)
	for {
		var err error
		r.raw, _, r.lines, err = r.stream.AppendRows(r.raw[:0], nil, r.lines[:0], r.maxRows-len(b.lines)-len(b.wrong))
		b.end = r.encode(b)
		if b.end == nil {
			b.end = err
		}
		if !r.skipWrong || !read.IsRowError(b.end) {
			break
		}
		b.wrong = append(b.wrong, wrongRow{len(b.lines), b.end})
		b.end = nil
		if len(b.lines)+len(b.wrong) >= r.maxRows || b.kept.Size() > maxKept || !r.stream.Ready() {
			break
		}
	}
	b.read, b.size = r.stream.Progress()
}

// encode adds the network's inputs of the rows that were read last. It returns the error of
// the first wrong row unless wrong rows are skipped.
func (r *batchReader) encode(b *batch) error {
	columns := len(r.stream.Columns)
	for i, line := range r.lines {
		row := r.raw[i*columns : (i+1)*columns]
		if err := r.appendInputs(b, row); err != nil {
			err = fmt.Errorf("%s: %w", r.stream.Place(line), err)
			if !r.skipWrong {
				return err
			}
			b.wrong = append(b.wrong, wrongRow{len(b.lines), err})
			continue
		}
		b.lines = append(b.lines, line)
		if r.outside != nil {
			b.outside = append(b.outside, r.outside.columns(row))
		}
	}
	return nil
}

// appendInputs appends the network's inputs of a row.
func (r *batchReader) appendInputs(b *batch, row []float64) (err error) {
	if r.encoder == nil {
		b.x = append(b.x, row...)
		return nil
	}
	b.x, err = r.encoder.Append(b.x, row)
	return err
}
