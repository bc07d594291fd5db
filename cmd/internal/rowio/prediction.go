package rowio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"sml/cmd/internal/terminal"
	"sml/data"
	"sml/data/read"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/internal/preparation"
)

// Prediction predicts the rows of a stream.
type Prediction struct {
	Model   *experiment.Model
	Form    Form
	Rows    *read.Stream
	Outside *OutsideCheck // nil if values outside the training rows are not marked

	// Encoder has encoded the columns and counted missing and unknown values. Run sets it; nil
	// if the model uses the columns unchanged.
	Encoder *preparation.Encoder

	// UnknownGroups are values of the calibration's column that no calibration row has. Run
	// sets them, up to a maximum.
	UnknownGroups []string

	skipWrong bool
	view      *terminal.Progress
}

// keptNames returns the names of the kept columns to write. If the calibration depends on a
// column, that column is the last kept column and is not written.
func (p *Prediction) keptNames() []string {
	kept := p.Rows.Kept
	if p.Model.Calibration != nil && p.Model.Calibration.GroupColumn != "" {
		kept = kept[:len(kept)-1]
	}
	return kept
}

// NewWriter returns a writer of the predictions to out.
func (p *Prediction) NewWriter(out io.Writer, o PredictionOptions) (*PredictionWriter, error) {
	l := predictionLayout{kept: p.keptNames(), form: p.Form, targets: p.Model.Targets, outside: p.Outside != nil}
	return newPredictionWriter(out, l, o)
}

// maxInputs is the largest number of inputs in a batch: 32 MiB.
const maxInputs = 1 << 22

// Run predicts rows as they arrive. A batch has enough rows to keep all cores busy, or fewer if
// no more rows have arrived. While a batch is predicted, the batch before it is written and the
// batch after it is read. Rows before an error are written. Run closes the stream.
func (p *Prediction) Run(user context.Context, s evaluation.Sampling, w *PredictionWriter, view *terminal.Progress) error {
	p.skipWrong, p.view = w.onError != Fail, view
	predictor, err := evaluation.NewPredictor(p.Model.Model, s)
	if err != nil {
		return err
	}
	defer predictor.Close()
	reader, err := p.newReader(predictor)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(user)
	line := newBatchLine()
	go line.readAll(ctx, reader)
	written := make(chan error, 1)
	go func() {
		defer stop()
		written <- line.writeAll(w, p.Rows.Place)
	}()
	err = p.predictAll(ctx, user, predictor, line)
	close(line.predicted)
	writeErr := <-written
	stop()
	p.Rows.Close()
	<-line.readerDone
	return cmp.Or(writeErr, err)
}

// newReader returns a reader of batches that keep a predictor busy.
func (p *Prediction) newReader(predictor *evaluation.Predictor) (*batchReader, error) {
	if p.skipWrong {
		p.Rows.KeepPassed()
	}
	if p.Model.Preparation != nil {
		var err error
		if p.Encoder, err = p.Model.Preparation.Encoder(p.Rows.Columns, p.Rows.Fields()); err != nil {
			return nil, err
		}
	}
	return &batchReader{
		stream:    p.Rows,
		encoder:   p.Encoder,
		maxRows:   max(1, min(4*predictor.RowsAtOnce(), maxInputs/len(p.Model.Inputs))),
		skipWrong: p.skipWrong,
		outside:   p.Outside,
	}, nil
}

// batchLine passes batches from the reader to the predictor, to the writer, and back.
type batchLine struct {
	free, read, predicted chan *batch
	readerDone            chan struct{}
}

func newBatchLine() *batchLine {
	l := &batchLine{
		free:       make(chan *batch, 3), // one is read, one predicted, one written
		read:       make(chan *batch),
		predicted:  make(chan *batch),
		readerDone: make(chan struct{}),
	}
	for range cap(l.free) {
		l.free <- new(batch)
	}
	return l
}

// readAll reads batches until a batch has an end or ctx ends.
func (l *batchLine) readAll(ctx context.Context, r *batchReader) {
	defer close(l.readerDone)
	for {
		var b *batch
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
func (l *batchLine) writeAll(w *PredictionWriter, place func(line int) string) error {
	for b := range l.predicted {
		if err := w.write(b, place); err != nil {
			return err
		}
		l.free <- b
	}
	return nil
}

// predictAll predicts batches until a batch has an end or ctx ends. ctx ends with the user's
// context, and when rows cannot be written. A row whose prediction is not finite is an end unless
// wrong rows are skipped.
func (p *Prediction) predictAll(ctx, user context.Context, predictor *evaluation.Predictor, line *batchLine) error {
	for first := 0; ; {
		var b *batch
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
			notFinite, err := p.predictBatch(user, predictor, b, first)
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
			p.view.At(int(read), int(size), "")
		default:
			p.view.Count(first, "rows")
		}
	}
}

// predictBatch predicts the rows of a batch. Unless wrong rows are skipped, it ends before
// the first row whose prediction is not finite and returns the reason as notFinite.
func (p *Prediction) predictBatch(ctx context.Context, predictor *evaluation.Predictor, b *batch, first int) (notFinite, err error) {
	subset := data.Subset{X: b.x, XScale: p.Model.Inputs}
	if !p.skipWrong {
		b.predicted, err = predictor.Predict(ctx, subset, first)
		var bad *evaluation.NotFiniteError
		if errors.As(err, &bad) {
			notFinite = p.describeNotFinite(b, bad)
			b.lines = b.lines[:bad.Row]
			return notFinite, nil
		}
		return nil, err
	}
	var refused []*evaluation.NotFiniteError
	if b.predicted, refused, err = predictor.PredictEach(ctx, subset, first); err != nil {
		return nil, err
	}
	b.unpredicted = make(map[int]error, len(refused))
	for _, bad := range refused {
		b.unpredicted[bad.Row] = p.describeNotFinite(b, bad)
	}
	return nil, nil
}

// describeNotFinite returns an error for a row without a finite prediction. The error names the
// place in the file and the column that cause it.
func (p *Prediction) describeNotFinite(b *batch, bad *evaluation.NotFiniteError) error {
	place := p.Rows.Place(b.lines[bad.Row])
	if bad.Input < 0 {
		return fmt.Errorf("%s: the prediction is not finite", place)
	}
	input := bad.Input
	if prepared := p.Model.Preparation; prepared != nil {
		input = slices.Index(p.Rows.Columns, prepared.Columns[prepared.Features()[bad.Input].Column].Name)
	}
	value := b.x[bad.Row*len(p.Model.Inputs)+bad.Input]
	return fmt.Errorf("%s: column %s: %v is %s, too far for a prediction", place, p.Rows.Column(input), value, bad.DescribeDistance())
}

// maxUnknownGroups is the maximum length of Prediction.UnknownGroups.
const maxUnknownGroups = 1000

// calibrate calibrates the predictions of a batch.
func (p *Prediction) calibrate(b *batch) {
	calibration := p.Model.Calibration
	if calibration == nil {
		return
	}
	var groups []string
	if calibration.GroupColumn != "" {
		groups = b.lastKeptTexts()
	}
	b.predicted = calibration.Apply(b.predicted, groups)
	for _, group := range calibration.UnknownValues(groups) {
		if !slices.Contains(p.UnknownGroups, group) && len(p.UnknownGroups) < maxUnknownGroups {
			p.UnknownGroups = append(p.UnknownGroups, group)
		}
	}
}
