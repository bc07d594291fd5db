package rowio

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"sync"

	"sml/cmd/internal/terminal"
	"sml/data"
	"sml/data/write"
	"sml/evaluation/experiment"
)

// PredictionWriter writes a row for each predicted row, in the targets' units: kept columns,
// predictions, and remarks on the row.
type PredictionWriter struct {
	keptNames  []string // names of the kept columns
	form       Form
	targets    data.Scalers
	hasOutside bool   // whether column "outside" names the columns with values outside the training rows
	onError    string // Fail, Skip or Null
	rows       *write.Writer

	missing  []write.Cell // cells in place of the predictions of a row that cannot be predicted
	rowsRead int          // wrong rows included
	refusals refusals     // rows without a prediction
	encoders []rowEncoder
}

// PredictionOptions are the options of a PredictionWriter.
type PredictionOptions struct {
	Format  string
	Digits  int    // significant digits of numbers; 0 for as many as the same number needs to be read back
	OnError string // Fail, Skip or Null
}

// columns returns the columns of each row, in the order in which rowEncoder.appendRow appends cells.
func (w *PredictionWriter) columns() []write.Column {
	columns := append(Columns(write.Text, w.keptNames...), w.form.predictedColumns(w.targets)...)
	if w.hasOutside {
		columns = append(columns, write.Column{Name: "outside", Kind: write.OptionalText})
	}
	if w.onError == Null {
		columns = append(columns, write.Column{Name: "error", Kind: write.OptionalText})
	}
	return columns
}

// minRowsPerWorker is the number of rows below which another goroutine costs more than it
// saves.
const minRowsPerWorker = 256

// write writes the rows of a batch. It returns the error of the first row that cannot be written,
// after the rows before it. place returns the place of a line as messages name it.
//
// Encoding takes longer than writing, so several goroutines encode neighbouring parts of the batch;
// then their blocks are written one after the other.
func (w *PredictionWriter) write(b *batch, place func(line int) string) error {
	rows := len(b.lines)
	workers := max(1, min(runtime.GOMAXPROCS(0), rows/minRowsPerWorker))
	for len(w.encoders) < workers {
		w.encoders = append(w.encoders, rowEncoder{writer: w})
	}
	var running sync.WaitGroup
	for i := range workers {
		from := i * rows / workers
		to := (i + 1) * rows / workers
		running.Go(func() { w.encoders[i].encode(b, from, to, place) })
	}
	running.Wait()
	w.rowsRead += b.size()
	for i := range w.encoders[:workers] {
		e := &w.encoders[i]
		w.refusals.join(e.refusals)
		writeErr := w.rows.Write(&e.block) // also if e.err is set: the block ends before that row
		if err := cmp.Or(e.err, writeErr); err != nil {
			return err
		}
	}
	return nil
}

// Close writes the end of the file, and prints to errOut which rows were not predicted. It
// returns an error if rows were skipped and no row is left.
func (w *PredictionWriter) Close(errOut io.Writer) error {
	if w.onError == Skip && w.rowsRead > 0 && w.refusals.rows == w.rowsRead {
		return fmt.Errorf("none of %s can be predicted: %s", terminal.Count(w.rowsRead, "row"), w.refusals.reasons[0])
	}
	effect := "left out"
	if w.onError == Null {
		effect = "without a prediction"
	}
	w.refusals.print(errOut, effect, w.rowsRead)
	return w.rows.Close()
}

// rowEncoder encodes consecutive rows of a batch.
type rowEncoder struct {
	writer   *PredictionWriter
	block    write.Block // the encoded rows
	refusals refusals    // rows without a prediction
	err      error       // reason why the row after the block ends the writing; nil if no row does

	// Scratch memory for one row.
	cells     []write.Cell
	predicted []write.Cell      // prediction, in the order of Form.predictedColumns
	classes   []write.Cell      // predicted class of each target, and its set; empty if targets are numbers
	values    experiment.Values // of one target
}

// encode encodes the readable rows from, …, to−1 of a batch, and the wrong rows before each of
// them. Wrong rows at the end of the batch belong to the encoder of its last rows.
func (e *rowEncoder) encode(b *batch, from, to int, place func(line int) string) {
	e.block.Reset()
	e.refusals = refusals{}
	e.err = nil
	// nextWrong is the index of the next wrong row. As wrong rows have kept texts, too, it is also
	// the distance from a readable row's index to the index of its kept texts.
	nextWrong := b.countWrongBefore(from)
	for row := from; row < to; row++ {
		nextWrong = e.refuseWrongRows(b, nextWrong, row)
		keptRow := row + nextWrong
		reason := b.failures[row]
		if reason == nil {
			reason = e.setPrediction(b, row, place)
		}
		switch {
		case reason == nil:
			e.appendRow(b, keptRow, e.predicted, b.outsideColumns(row), "")
		case e.writer.onError == Fail:
			e.err = reason
			return
		default:
			e.refuse(b, keptRow, reason)
		}
	}
	if to == len(b.lines) {
		e.refuseWrongRows(b, nextWrong, to)
	}
}

// refuseWrongRows refuses the wrong rows directly before a readable row, beginning with index
// nextWrong, and returns the index of the wrong row after them.
func (e *rowEncoder) refuseWrongRows(b *batch, nextWrong, row int) int {
	for nextWrong < len(b.wrongRows) && b.wrongRows[nextWrong].nextRow == row {
		e.refuse(b, row+nextWrong, b.wrongRows[nextWrong].reason)
		nextWrong++
	}
	return nextWrong
}

// setPrediction sets e.predicted to the prediction of a readable row. It returns an error if a number is not finite.
func (e *rowEncoder) setPrediction(b *batch, row int, place func(line int) string) error {
	form := e.writer.form
	e.predicted = e.predicted[:0]
	e.classes = e.classes[:0]
	for i, target := range e.writer.targets {
		var isFinite bool
		e.predicted, isFinite = form.AppendNumbers(e.predicted, &e.values, b.predictions, row, i)
		if !isFinite {
			return fmt.Errorf("%s: the prediction of %q is not finite in the target's unit", place(b.lines[row]), target.Name)
		}
		e.classes = form.AppendClasses(e.classes, &e.values, i)
	}
	e.predicted = form.AppendCorrelations(e.predicted, b.predictions, row)
	e.predicted = append(e.predicted, e.classes...)
	return nil
}

// refuse counts a row that cannot be predicted. Unless such rows are skipped, it also encodes the
// row, with missing values in place of predictions.
func (e *rowEncoder) refuse(b *batch, keptRow int, reason error) {
	e.refusals.add(reason.Error())
	if e.writer.onError == Skip {
		return
	}
	e.appendRow(b, keptRow, e.writer.missing, "", reason.Error())
}

// appendRow appends a row with the cells of a prediction to the block. keptRow is the row's index in
// b.keptTexts, outside names the columns with values outside the training rows, and reason says why
// the row has no prediction ("" if it has one).
func (e *rowEncoder) appendRow(b *batch, keptRow int, predicted []write.Cell, outside, reason string) {
	e.cells = e.cells[:0]
	for column := range e.writer.keptNames {
		e.cells = append(e.cells, write.Cell{Text: b.keptTexts.At(keptRow, column)})
	}
	e.cells = append(e.cells, predicted...)
	if e.writer.hasOutside {
		e.cells = append(e.cells, write.Cell{Text: outside})
	}
	if e.writer.onError == Null {
		e.cells = append(e.cells, write.Cell{Text: reason})
	}
	e.writer.rows.Append(&e.block, e.cells)
}
