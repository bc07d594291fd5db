package rowio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"sml/cmd/internal/terminal"
	"sml/data"
	"sml/data/preparation"
	"sml/data/read"
	"sml/data/write"
	"sml/evaluation"
	"sml/evaluation/experiment"
)

// Prediction predicts the rows of a stream. It can Run once.
type Prediction struct {
	Model   *experiment.Model
	Form    Form          // values to write for each prediction
	Rows    *read.Stream  // rows to predict, with the columns of the model
	Outside *OutsideCheck // nil if values outside the training rows are not marked

	// Shifted takes the place of the model's calibration; nil to use the model's calibration.
	Shifted *experiment.ShiftedCalibration

	// Following adapts the intervals to the targets of earlier rows; nil if they do not adapt. If it is set, the caller
	// has appended the targets to Rows.Kept, and they are not written.
	Following *Following

	// Encoder has encoded the columns, and has counted missing values and unknown categories. Run sets
	// it; it is nil if the model uses the columns unchanged.
	Encoder *preparation.Encoder

	// UnknownGroups are the values of the calibration's group column that no calibration row
	// has. Run sets at most maxUnknownGroups of them.
	UnknownGroups []string

	skipWrong bool // whether rows that cannot be predicted do not end Run
	progress  *terminal.Progress
}

// keptNames returns the names of the kept columns to write. If the calibration depends on a
// column, the caller has appended that column to Rows.Kept, and it is not written.
func (p *Prediction) keptNames() []string {
	kept := p.Rows.Kept
	if p.Following != nil {
		kept = kept[:len(kept)-len(p.Model.Targets)]
	}
	if p.Model.Calibration != nil && p.Model.Calibration.GroupColumn != "" {
		kept = kept[:len(kept)-1]
	}
	return kept
}

// NewWriter returns a writer of the predictions to out. It returns an error if two columns would
// have the same name, or if the format cannot hold the number of columns.
func (p *Prediction) NewWriter(out io.Writer, o PredictionOptions) (*PredictionWriter, error) {
	w := &PredictionWriter{
		keptNames:  p.keptNames(),
		form:       p.Form,
		targets:    p.Model.Targets,
		hasOutside: p.Outside != nil,
		onError:    o.OnError,
	}
	missing := write.Cell{Number: math.NaN()} // also without a text, for the class
	w.missing = slices.Repeat([]write.Cell{missing}, len(p.Form.predictedColumns(w.targets)))
	var err error
	w.rows, err = write.NewWriter(out, w.columns(), write.Options{Format: o.Format, Digits: o.Digits, Nulls: o.OnError == Null})
	return w, err
}

// maxInputs is the largest number of inputs in a batch: 32 MiB of float64.
const maxInputs = 1 << 22

// Run predicts rows as they arrive and writes the predictions to w. A batch has enough rows to keep
// all cores busy, or fewer if no more rows have arrived. Three goroutines work side by side: while
// a batch is predicted, the batch before it is written and the batch after it is read.
//
// Run returns the first error of the reading, the prediction or the writing, or the context's error; the rows before it
// are written. It closes the stream, but not w.
func (p *Prediction) Run(ctx context.Context, s evaluation.Sampling, w *PredictionWriter, progress *terminal.Progress) error {
	p.skipWrong = w.onError != Fail
	p.progress = progress
	predictor, err := evaluation.NewPredictor(p.Model.Model, s)
	if err != nil {
		return err
	}
	defer predictor.Close()
	reader, err := p.newReader(predictor)
	if err != nil {
		return err
	}
	queue := newBatchQueue()
	tasks, ctx := errgroup.WithContext(ctx) // ctx ends with the first error of a task
	tasks.Go(func() error { return queue.readAll(ctx, reader) })
	tasks.Go(func() error {
		defer p.Rows.Close()         // wakes a reader that waits for input
		defer close(queue.predicted) // the writer ends when it has written the rest
		return p.predictAll(ctx, predictor, queue)
	})
	var writeErr error
	tasks.Go(func() error {
		writeErr = queue.writeAll(w, p.Rows.Place)
		return writeErr
	})
	err = tasks.Wait()
	return cmp.Or(writeErr, err) // an error of the writing is about an earlier row than any other
}

// roundsPerBatch is the number of times that a batch occupies all workers. With one,
// workers that finish early would wait.
const roundsPerBatch = 4

// newReader returns a reader of batches with enough rows to keep all workers of the predictor busy.
// It sets p.Encoder and, if wrong rows are skipped, lets the stream keep the texts of rows that it passes.
// It returns an error if the stream lacks a column of the model.
func (p *Prediction) newReader(predictor *evaluation.Predictor) (*batchReader, error) {
	if p.skipWrong {
		p.Rows.KeepPassed()
	}
	var err error
	p.Encoder, err = newEncoder(p.Model, p.Rows)
	if err != nil {
		return nil, err
	}
	wantedRows := roundsPerBatch * predictor.RowsAtOnce()
	affordableRows := maxInputs / len(p.Model.Inputs)
	return &batchReader{
		stream:    p.Rows,
		encoder:   p.Encoder,
		maxRows:   max(1, min(wantedRows, affordableRows)),
		skipWrong: p.skipWrong,
		outside:   p.Outside,
	}, nil
}

// batchQueue passes batches from the reader to the predictor, to the writer, and back to the
// reader. A goroutine owns a batch from receiving it to sending it. Sending never blocks, since each channel has
// room for all batches.
type batchQueue struct {
	free      chan *batch // batches for the reader
	read      chan *batch // batches for the predictor
	predicted chan *batch // batches for the writer
}

// newBatchQueue returns a queue whose batches are all free.
func newBatchQueue() *batchQueue {
	const batches = 3 // one is read, one predicted, one written
	q := &batchQueue{
		free:      make(chan *batch, batches),
		read:      make(chan *batch, batches),
		predicted: make(chan *batch, batches),
	}
	for range batches {
		q.free <- new(batch)
	}
	return q
}

// receive returns the next batch of a channel, or the error of ctx if ctx ends.
func receive(ctx context.Context, from <-chan *batch) (*batch, error) {
	select {
	case b := <-from:
		return b, ctx.Err() // select may choose either case if both are ready
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// readAll reads batches and sends them to the predictor, up to the batch whose endErr is set.
func (q *batchQueue) readAll(ctx context.Context, r *batchReader) error {
	for {
		b, err := receive(ctx, q.free)
		if err != nil {
			return err
		}
		r.read(b)
		isLast := b.endErr != nil // read it here: after the next line the predictor owns b
		q.read <- b
		if isLast {
			return nil
		}
	}
}

// writeAll writes the predicted batches, and frees them, until the predictor closes its channel. It
// returns the first error of w.
func (q *batchQueue) writeAll(w *PredictionWriter, place func(line int) string) error {
	for b := range q.predicted {
		if err := w.write(b, place); err != nil {
			return err
		}
		q.free <- b
	}
	return nil
}

// predictAll predicts batches and sends them to the writer, up to the last one. It returns nil at the end
// of the input, and otherwise the error that ended the reading, or the error of a prediction.
func (p *Prediction) predictAll(ctx context.Context, predictor *evaluation.Predictor, queue *batchQueue) error {
	rowsDone := 0
	for {
		b, err := receive(ctx, queue.read)
		if err != nil {
			return err
		}
		endErr, err := p.processBatch(ctx, predictor, b)
		if err != nil {
			return err
		}
		rowsDone += len(b.lines)
		if endErr == nil {
			p.showProgress(rowsDone, b)
		}
		if b.size() > 0 {
			queue.predicted <- b
		}
		switch {
		case errors.Is(endErr, io.EOF):
			return nil
		case endErr != nil:
			return endErr
		}
	}
}

// processBatch sets the predictions of a batch: it predicts its rows, calibrates and adapts them. endErr is nil if more rows
// follow. The last batch returns its own endErr, or an error for a prediction that is not finite. err is the error of a
// prediction.
func (p *Prediction) processBatch(ctx context.Context, predictor *evaluation.Predictor, b *batch) (endErr, err error) {
	if len(b.lines) == 0 {
		return b.endErr, nil
	}
	var failures []*evaluation.NotFiniteError
	b.predictions, failures, err = predictor.PredictEach(ctx, data.Subset{X: b.x, XScale: p.Model.Inputs})
	if err != nil {
		return nil, err
	}
	var notFinite error
	if len(failures) > 0 && !p.skipWrong { // the first failure ends the batch
		notFinite = p.describeNotFinite(b, failures[0])
		b.lines = b.lines[:failures[0].Row]
		b.predictions.Values = b.predictions.Values[:failures[0].Row*b.predictions.Targets]
		failures = nil
	}
	b.failures = make(map[int]error)
	for _, failure := range failures {
		b.failures[failure.Row] = p.describeNotFinite(b, failure)
	}
	p.calibrate(b)
	p.adapt(b)
	return cmp.Or(notFinite, b.endErr), nil
}

// showProgress shows how far the input is read up to a batch: as a fraction or, if its size is not known, in rows.
func (p *Prediction) showProgress(rows int, b *batch) {
	if b.bytesTotal > 0 {
		p.progress.At(int(b.bytesRead), int(b.bytesTotal), "")
	} else {
		p.progress.Count(rows, "rows")
	}
}

// describeNotFinite returns an error for a row without a finite prediction. The error names the
// line and, if an input is the likely cause, its column and value.
func (p *Prediction) describeNotFinite(b *batch, failure *evaluation.NotFiniteError) error {
	place := p.Rows.Place(b.lines[failure.Row])
	if failure.Input < 0 {
		return fmt.Errorf("%s: the prediction is not finite", place)
	}
	column := failure.Input
	if prepared := p.Model.Preparation; prepared != nil {
		// The network's inputs are features, and a column can have several features.
		feature := prepared.Features()[failure.Input]
		column = slices.Index(p.Rows.Columns, prepared.Columns[feature.Column].Name)
	}
	value := b.x[failure.Row*len(p.Model.Inputs)+failure.Input]
	return fmt.Errorf("%s: column %s: %v is %s, too far for a prediction", place, p.Rows.Column(column), value, failure.DescribeDistance())
}

// maxUnknownGroups is the maximum length of Prediction.UnknownGroups.
const maxUnknownGroups = 1000

// calibrate replaces the predictions of a batch by calibrated ones, if the model has a calibration.
// It adds new values of the group column to p.UnknownGroups.
func (p *Prediction) calibrate(b *batch) {
	if p.Shifted != nil {
		p.calibrateShifted(b)
		return
	}
	calibration := p.Model.Calibration
	if calibration == nil {
		return
	}
	var groups []string
	if calibration.GroupColumn != "" {
		groups = b.keptColumn(len(p.keptNames())) // the column after those to write
	}
	b.predictions = calibration.Apply(b.predictions, groups)
	for _, group := range calibration.UnknownValues(groups) {
		if !slices.Contains(p.UnknownGroups, group) && len(p.UnknownGroups) < maxUnknownGroups {
			p.UnknownGroups = append(p.UnknownGroups, group)
		}
	}
}

// calibrateShifted replaces the predictions of a batch by predictions calibrated for shifted rows. It sets b.failures
// for rows whose intervals are infinite.
func (p *Prediction) calibrateShifted(b *batch) {
	weights := p.Shifted.Weights(b.x)
	b.predictions = p.Shifted.Apply(b.predictions, weights)
	widest := p.Form.WidestCoverage()
	for row := range b.lines {
		err := p.Shifted.CheckCoverage(widest, weights[row])
		if err != nil {
			p.failRow(b, row, err)
		}
	}
}

// adapt adapts the predictions of a batch to the targets of earlier rows, if p.Following is set. It sets b.failures for rows
// whose targets cannot be read.
func (p *Prediction) adapt(b *batch) {
	if p.Following != nil {
		p.Following.adapt(b, func(row int, err error) { p.failRow(b, row, err) })
	}
}

// failRow sets b.failures for a row, unless the row has failed before. The error names the row's place.
func (p *Prediction) failRow(b *batch, row int, reason error) {
	if b.failures[row] == nil {
		b.failures[row] = fmt.Errorf("%s: %w", p.Rows.Place(b.lines[row]), reason)
	}
}
