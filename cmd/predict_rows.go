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
	"sml/trainers"
)

// rowBatch is rows that are read, predicted and written at once.
type rowBatch struct {
	x     []float64 // inputs of the network
	lines []int     // of the rows
	wrong []wrongRow
	end   error // behind them, io.EOF at the end

	kept    data.Texts // of all rows, in their order, the wrong ones among them
	outside []string   // of each row of x; nil: it is not asked for

	read, size  int64 // bytes of the input, see data.Stream.Progress
	found       *evaluation.Predictions
	unpredicted map[int]error // why the predictions of rows of x mean nothing
}

// wrongRow is a row that cannot be read as a model's inputs.
type wrongRow struct {
	before int // rows of x
	why    error
}

func (b *rowBatch) reset() {
	b.x, b.lines, b.wrong, b.end, b.found, b.unpredicted = b.x[:0], b.lines[:0], b.wrong[:0], nil, nil, nil
	b.outside = b.outside[:0]
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
	rows    *data.Stream
	encoder *preparation.Encoder // nil: columns are inputs as they are
	most    int                  // rows of a batch
	passes  bool                 // over wrong rows
	outside *outsideCheck        // nil: it is not asked for
	raw     []float64
	lines   []int
}

// read reads a batch, without waiting for more rows than one.
func (r *rowReader) read(b *rowBatch) {
	b.reset()
	r.rows.KeepIn(&b.kept)
	for {
		var err error
		r.raw, _, r.lines, err = r.rows.AppendRows(r.raw[:0], nil, r.lines[:0], r.most-len(b.lines)-len(b.wrong))
		if b.end = r.encode(b); b.end == nil {
			b.end = err
		}
		if !r.passes || !data.RowOnly(b.end) {
			break
		}
		b.wrong = append(b.wrong, wrongRow{len(b.lines), b.end})
		b.end = nil
		if len(b.lines)+len(b.wrong) >= r.most || b.kept.Size() > maxKept || !r.rows.Ready() {
			break
		}
	}
	b.read, b.size = r.rows.Progress()
}

// maxKept is how much text a batch may have, in bytes, before another row that is wrong.
const maxKept = 16 << 20

// encode makes inputs of the rows that were read last. The error is that of the first
// row of which none can be made, where these are not passed over.
func (r *rowReader) encode(b *rowBatch) error {
	columns := len(r.rows.Columns)
	for i, line := range r.lines {
		row := r.raw[i*columns : (i+1)*columns]
		var err error
		if r.encoder == nil {
			b.x = append(b.x, row...)
		} else if b.x, err = r.encoder.Append(b.x, row); err != nil {
			err = fmt.Errorf("%s: %w", r.rows.Place(line), err)
			if !r.passes {
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

// predictRows predicts rows as they come: as many at once as keep all cores
// busy, but never waiting for more while there are some. While rows are predicted,
// those before them are written and those behind them read. What stands before an
// error is written. It closes the stream.
func predictRows(c *cli.Context, of *prediction, s evaluation.Sampling, w *predictionWriter) error {
	m, rows := of.model, of.rows
	reader := &rowReader{rows: rows, passes: w.onError != failOnError, outside: of.outside}
	if reader.passes {
		rows.KeepPassed()
	}
	if m.Preparation != nil {
		var err error
		if reader.encoder, err = m.Preparation.Encoder(rows.Columns, rows.Fields()); err != nil {
			return err
		}
		defer tellUnknown(c, m.Preparation, reader.encoder)
	}
	p, err := evaluation.NewPredictor(m.Model, s)
	if err != nil {
		return err
	}
	defer p.Close()
	const values = 1 << 22 // of the inputs, 32 MiB
	reader.most = max(1, min(4*p.AtOnce(), values/len(m.Inputs)))
	of.view = newProgress(c.App.ErrWriter, "predicting", c.Bool("quiet"))
	defer of.view.end()

	ctx, stop := context.WithCancel(c.Context)
	free := make(chan *rowBatch, 3) // one is read, one predicted, one written
	for range cap(free) {
		free <- new(rowBatch)
	}
	batches, predicted := make(chan *rowBatch), make(chan *rowBatch)
	reading, writing := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(reading)
		for {
			select {
			case b := <-free:
				reader.read(b)
				select {
				case batches <- b:
				case <-ctx.Done():
					return
				}
				if b.end != nil {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		defer stop()
		for b := range predicted {
			if err := w.write(b, rows.Place); err != nil {
				writing <- err
				return
			}
			free <- b
		}
		writing <- nil
	}()
	err = predictBatches(ctx, c.Context, p, of, reader.passes, batches, predicted)
	tellUnknownGroups(c, m.Calibration, of.unknown)
	close(predicted)
	unwritten := <-writing
	stop()
	rows.Close()
	<-reading
	return cmp.Or(unwritten, err)
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
func (of *prediction) keptColumns() int {
	n := len(of.rows.Kept)
	if of.model.Calibration != nil && of.model.Calibration.By != "" {
		n--
	}
	return n
}

// mostUnknown is how many values that a calibration does not know are counted.
const mostUnknown = 1000

// predictBatches predicts batches of rows one after the other, until one has an end or
// ctx ends: if user has not, that is because they cannot be written. Rows whose
// prediction is not finite are an end, or passed over.
func predictBatches(ctx, user context.Context, p *evaluation.Predictor, of *prediction, passes bool, batches <-chan *rowBatch, predicted chan<- *rowBatch) error {
	for first := 0; ; {
		var b *rowBatch
		select {
		case b = <-batches:
		case <-ctx.Done():
			return user.Err()
		}
		if user.Err() != nil {
			return user.Err()
		}
		end, n, wrong, read, size := b.end, len(b.lines), len(b.wrong), b.read, b.size
		if n > 0 {
			notFinite, err := of.predict(user, p, b, first, passes)
			if err != nil {
				return err
			}
			end = cmp.Or(notFinite, end)
			of.calibrate(b)
		}
		if n+wrong > 0 {
			select {
			case predicted <- b:
			case <-ctx.Done():
				return user.Err()
			}
		}
		switch first += n; {
		case end == io.EOF:
			return nil
		case end != nil:
			return end
		case size > 0:
			of.view.at(int(read), int(size), "")
		default:
			of.view.count(first, "rows")
		}
	}
}

// calibrate calibrates the predictions of a batch, by the texts of the column that is
// kept last where each of its values is calibrated by itself.
func (of *prediction) calibrate(b *rowBatch) {
	calibration := of.model.Calibration
	if calibration == nil {
		return
	}
	var groups []string
	if calibration.By != "" {
		next := 0 // of the wrong rows, whose texts are kept, too
		for row := range b.lines {
			for next < len(b.wrong) && b.wrong[next].before <= row {
				next++
			}
			groups = append(groups, b.kept.At(row+next, len(b.kept.Names)-1))
		}
	}
	b.found = calibration.Apply(b.found, groups)
	for _, value := range calibration.Unknown(groups) {
		if !slices.Contains(of.unknown, value) && len(of.unknown) < mostUnknown {
			of.unknown = append(of.unknown, value)
		}
	}
}

// predict predicts the rows of a batch, up to one whose prediction is not finite unless
// these are passed over.
func (of *prediction) predict(ctx context.Context, p *evaluation.Predictor, b *rowBatch, first int, passes bool) (notFinite, err error) {
	subset := data.Subset{X: b.x, XScale: trainers.Scaler(of.model.Inputs)}
	why := func(bad *evaluation.NotFinite) error {
		return explainRow(of.rows, of.model.Preparation, bad, b.x[bad.Row*len(of.model.Inputs):], b.lines[bad.Row])
	}
	if !passes {
		b.found, err = p.Predict(ctx, subset, first)
		var bad *evaluation.NotFinite
		if errors.As(err, &bad) {
			notFinite = why(bad)
			b.lines = b.lines[:bad.Row]
			return notFinite, nil
		}
		return nil, err
	}
	var all []*evaluation.NotFinite
	if b.found, all, err = p.PredictEach(ctx, subset, first); err != nil {
		return nil, err
	}
	for _, bad := range all {
		if b.unpredicted == nil {
			b.unpredicted = make(map[int]error)
		}
		b.unpredicted[bad.Row] = why(bad)
	}
	return nil, nil
}
