package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/data/preparation"
	"sml/evaluation"
	"sml/evaluation/experiment"
)

// rowBatch is a batch of rows on its way from the reader to the writer.
type rowBatch struct {
	x     []float64  // inputs of the network, row by row
	lines []int      // line of each row
	wrong []wrongRow // rows that cannot be read
	end   error      // error behind the rows, io.EOF at the end

	kept    data.Texts // of all rows in their order, wrong rows included
	outside []string   // columns of each row outside the training rows; empty without --ood

	read, size  int64 // bytes of the input; see data.Stream.Progress
	found       *evaluation.Predictions
	unpredicted map[int]error // why a prediction is missing, by index of the row
}

// wrongRow is a row that cannot be read as a model's inputs.
type wrongRow struct {
	before int // index of the row behind it
	why    error
}

func (b *rowBatch) reset() {
	b.x, b.lines, b.wrong, b.outside = b.x[:0], b.lines[:0], b.wrong[:0], b.outside[:0]
	b.end, b.found, b.unpredicted = nil, nil, nil
	b.kept.Clear()
}

func (b *rowBatch) outsideOf(row int) string {
	if len(b.outside) == 0 {
		return ""
	}
	return b.outside[row]
}

// rowReader reads the rows of a stream as a model's inputs.
type rowReader struct {
	rows      *data.Stream
	encoder   *preparation.Encoder // nil if columns are used unchanged
	maxRows   int                  // of a batch
	skipWrong bool                 // whether reading goes on behind wrong rows
	outside   *outsideCheck        // nil without --ood
	raw       []float64            // values of the columns
	lines     []int
}

// newRowReader returns a reader of the rows of p.
func newRowReader(p *prediction, skipWrong bool) (*rowReader, error) {
	r := &rowReader{rows: p.rows, skipWrong: skipWrong, outside: p.outside}
	if skipWrong {
		p.rows.KeepPassed()
	}
	if p.model.Preparation == nil {
		return r, nil
	}
	var err error
	r.encoder, err = p.model.Preparation.Encoder(p.rows.Columns, p.rows.Fields())
	return r, err
}

// maxKept is the size of the kept texts, in bytes, that ends a batch with wrong rows.
const maxKept = 16 << 20

// read reads a batch. It waits for the first row only.
func (r *rowReader) read(b *rowBatch) {
	b.reset()
	r.rows.KeepIn(&b.kept)
	for {
		var err error
		r.raw, _, r.lines, err = r.rows.AppendRows(r.raw[:0], nil, r.lines[:0], r.maxRows-len(b.lines)-len(b.wrong))
		b.end = r.encode(b)
		if b.end == nil {
			b.end = err
		}
		if !r.skipWrong || !data.RowOnly(b.end) {
			break
		}
		b.wrong = append(b.wrong, wrongRow{len(b.lines), b.end})
		b.end = nil
		if len(b.lines)+len(b.wrong) >= r.maxRows || b.kept.Size() > maxKept || !r.rows.Ready() {
			break
		}
	}
	b.read, b.size = r.rows.Progress()
}

// encode adds the network's inputs of the rows that were read last. It returns the error of
// the first wrong row unless wrong rows are skipped.
func (r *rowReader) encode(b *rowBatch) error {
	columns := len(r.rows.Columns)
	for i, line := range r.lines {
		row := r.raw[i*columns : (i+1)*columns]
		if err := r.appendInputs(b, row); err != nil {
			err = fmt.Errorf("%s: %w", r.rows.Place(line), err)
			if !r.skipWrong {
				return err
			}
			b.wrong = append(b.wrong, wrongRow{len(b.lines), err})
			continue
		}
		b.lines = append(b.lines, line)
		if r.outside != nil {
			b.outside = append(b.outside, r.outside.of(row))
		}
	}
	return nil
}

// appendInputs appends the network's inputs of a row.
func (r *rowReader) appendInputs(b *rowBatch, row []float64) (err error) {
	if r.encoder == nil {
		b.x = append(b.x, row...)
		return nil
	}
	b.x, err = r.encoder.Append(b.x, row)
	return err
}

// prediction is what "sml predict" predicts.
type prediction struct {
	model   *experiment.Model
	form    predictionForm
	rows    *data.Stream
	outside *outsideCheck // nil without --ood
	view    *progress
	unknown []string // values of the calibration's column that it does not know
}

// keptColumns returns how many kept columns the result has: the column that the calibration
// depends on comes last and is left out.
func (p *prediction) keptColumns() int {
	n := len(p.rows.Kept)
	if p.model.Calibration != nil && p.model.Calibration.By != "" {
		n--
	}
	return n
}

// maxInputs is the number of inputs in a batch: 32 MiB.
const maxInputs = 1 << 22

// predictRows predicts rows as they come: as many at once as keep all cores busy, without
// waiting for more while there are some. A batch is predicted while the batch before it is
// written and the batch behind it is read. Rows before an error are written. predictRows
// closes the stream.
func predictRows(c *cli.Context, p *prediction, s evaluation.Sampling, w *predictionWriter) error {
	reader, err := newRowReader(p, w.onError != failOnError)
	if err != nil {
		return err
	}
	if reader.encoder != nil {
		defer tellUnknown(c, p.model.Preparation, reader.encoder)
	}
	predictor, err := evaluation.NewPredictor(p.model.Model, s)
	if err != nil {
		return err
	}
	defer predictor.Close()
	reader.maxRows = max(1, min(4*predictor.AtOnce(), maxInputs/len(p.model.Inputs)))
	p.view = newProgress(c.App.ErrWriter, "predicting", c.Bool("quiet"))
	defer p.view.end()

	ctx, stop := context.WithCancel(c.Context)
	line := newBatchLine()
	go line.readAll(ctx, reader)
	written := make(chan error, 1)
	go func() {
		defer stop()
		written <- line.writeAll(w, p.rows.Place)
	}()
	err = p.predictAll(ctx, c.Context, predictor, reader.skipWrong, line)
	tellUnknownGroups(c, p.model.Calibration, p.unknown)
	close(line.predicted)
	writeErr := <-written
	stop()
	p.rows.Close()
	<-line.readerDone
	return cmp.Or(writeErr, err)
}

// batchLine passes batches from the reader to the predictor, to the writer, and back.
type batchLine struct {
	free, read, predicted chan *rowBatch
	readerDone            chan struct{}
}

func newBatchLine() *batchLine {
	l := &batchLine{
		free:       make(chan *rowBatch, 3), // one is read, one predicted, one written
		read:       make(chan *rowBatch),
		predicted:  make(chan *rowBatch),
		readerDone: make(chan struct{}),
	}
	for range cap(l.free) {
		l.free <- new(rowBatch)
	}
	return l
}

// readAll reads batches until one has an end or ctx ends.
func (l *batchLine) readAll(ctx context.Context, r *rowReader) {
	defer close(l.readerDone)
	for {
		var b *rowBatch
		select {
		case b = <-l.free:
		case <-ctx.Done():
			return
		}
		r.read(b)
		select {
		case l.read <- b:
		case <-ctx.Done():
			return
		}
		if b.end != nil {
			return
		}
	}
}

// writeAll writes batches until there are no more.
func (l *batchLine) writeAll(w *predictionWriter, place func(line int) string) error {
	for b := range l.predicted {
		if err := w.write(b, place); err != nil {
			return err
		}
		l.free <- b
	}
	return nil
}

// predictAll predicts batches until one has an end or ctx ends. Unless the user's context has
// ended as well, ctx ends because rows cannot be written. A row whose prediction is not finite
// is an end unless wrong rows are skipped.
func (p *prediction) predictAll(ctx, user context.Context, predictor *evaluation.Predictor, skipWrong bool, line *batchLine) error {
	for first := 0; ; {
		var b *rowBatch
		select {
		case b = <-line.read:
		case <-ctx.Done():
			return user.Err()
		}
		if user.Err() != nil {
			return user.Err()
		}
		// The writer owns the batch once it is sent.
		end, n, read, size := b.end, len(b.lines), b.read, b.size
		if n > 0 {
			notFinite, err := p.predictBatch(user, predictor, b, first, skipWrong)
			if err != nil {
				return err
			}
			end = cmp.Or(notFinite, end)
			p.calibrate(b)
		}
		if n+len(b.wrong) > 0 {
			select {
			case line.predicted <- b:
			case <-ctx.Done():
				return user.Err()
			}
		}
		first += n
		switch {
		case end == io.EOF:
			return nil
		case end != nil:
			return end
		case size > 0:
			p.view.at(int(read), int(size), "")
		default:
			p.view.count(first, "rows")
		}
	}
}

// predictBatch predicts the rows of a batch. Unless wrong rows are skipped, it ends before
// the first row whose prediction is not finite and returns why as notFinite.
func (p *prediction) predictBatch(ctx context.Context, predictor *evaluation.Predictor, b *rowBatch, first int, skipWrong bool) (notFinite, err error) {
	inputs := p.model.Inputs
	subset := data.Subset{X: b.x, XScale: inputs}
	explain := func(bad *evaluation.NotFinite) error {
		return explainRow(p.rows, p.model.Preparation, bad, b.x[bad.Row*len(inputs):], b.lines[bad.Row])
	}
	if !skipWrong {
		b.found, err = predictor.Predict(ctx, subset, first)
		var bad *evaluation.NotFinite
		if errors.As(err, &bad) {
			notFinite = explain(bad)
			b.lines = b.lines[:bad.Row]
			return notFinite, nil
		}
		return nil, err
	}
	var all []*evaluation.NotFinite
	if b.found, all, err = predictor.PredictEach(ctx, subset, first); err != nil {
		return nil, err
	}
	b.unpredicted = make(map[int]error, len(all))
	for _, bad := range all {
		b.unpredicted[bad.Row] = explain(bad)
	}
	return nil, nil
}

// maxUnknown is the maximum length of prediction.unknown.
const maxUnknown = 1000

// calibrate calibrates the predictions of a batch.
func (p *prediction) calibrate(b *rowBatch) {
	calibration := p.model.Calibration
	if calibration == nil {
		return
	}
	var groups []string
	if calibration.By != "" {
		groups = b.lastKept()
	}
	b.found = calibration.Apply(b.found, groups)
	for _, value := range calibration.Unknown(groups) {
		if !slices.Contains(p.unknown, value) && len(p.unknown) < maxUnknown {
			p.unknown = append(p.unknown, value)
		}
	}
}

// lastKept returns the text of the last kept column in each row, without wrong rows.
func (b *rowBatch) lastKept() []string {
	var texts []string
	wrong := 0
	for row := range b.lines {
		for wrong < len(b.wrong) && b.wrong[wrong].before <= row {
			wrong++
		}
		texts = append(texts, b.kept.At(row+wrong, len(b.kept.Names)-1))
	}
	return texts
}
