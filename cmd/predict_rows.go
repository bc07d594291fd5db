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
	"sml/evaluation/calibrate"
	"sml/models"
	"sml/trainers"
)

// rowBatch is rows that are read, predicted and written at once.
type rowBatch struct {
	x     []float64  // inputs of the network
	lines []int      // of the rows
	end   error      // behind them, io.EOF at the end
	kept  data.Texts // of the rows

	read, size int64 // bytes of the input, see data.Stream.Progress
	found      *evaluation.Predictions
}

// rowReader reads the rows of a stream as a model's inputs.
type rowReader struct {
	rows    *data.Stream
	encoder *preparation.Encoder // nil: columns are inputs as they are
	most    int                  // rows of a batch
	raw     []float64
}

func (r *rowReader) read(b *rowBatch) {
	b.x, b.lines = b.x[:0], b.lines[:0]
	b.kept.Clear()
	r.rows.KeepIn(&b.kept)
	if r.encoder == nil {
		b.x, _, b.lines, b.end = r.rows.AppendRows(b.x, nil, b.lines, r.most)
	} else {
		r.raw, _, b.lines, b.end = r.rows.AppendRows(r.raw[:0], nil, b.lines, r.most)
		columns := len(r.rows.Columns)
		for i, line := range b.lines {
			var err error
			if b.x, err = r.encoder.Append(b.x, r.raw[i*columns:(i+1)*columns]); err != nil {
				b.lines, b.end = b.lines[:i], fmt.Errorf("%s: %w", r.rows.Place(line), err)
				break
			}
		}
	}
	b.read, b.size = r.rows.Progress()
}

// predictRows predicts rows as they come: as many at once as keep all cores
// busy, but never waiting for more while there are some. While rows are predicted,
// those before them are written and those behind them read. What stands before an
// error is written. It closes the stream.
func predictRows(c *cli.Context, m *models.Model, prepared *preparation.Preparation, calibration *calibrate.Calibration, rows *data.Stream, s evaluation.Sampling, w *predictionWriter) error {
	reader := &rowReader{rows: rows}
	if prepared != nil {
		var err error
		if reader.encoder, err = prepared.Encoder(rows.Columns, rows.Fields()); err != nil {
			return err
		}
		defer tellUnknown(c, prepared, reader.encoder)
	}
	p, err := evaluation.NewPredictor(m, s)
	if err != nil {
		return err
	}
	defer p.Close()
	const values = 1 << 22 // of the inputs, 32 MiB
	reader.most = max(1, min(4*p.AtOnce(), values/len(m.Inputs)))
	view := newProgress(c.App.ErrWriter, "predicting", c.Bool("quiet"))
	defer view.end()

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
			if err := w.write(b.found, func(row int) string { return rows.Place(b.lines[row]) }); err != nil {
				writing <- err
				return
			}
			free <- b
		}
		writing <- nil
	}()
	of := &predictionOf{m, prepared, calibration, rows, view, nil}
	err = predictBatches(ctx, c.Context, p, of, batches, predicted)
	tellUnknownGroups(c, calibration, of.unknown)
	close(predicted)
	unwritten := <-writing
	stop()
	rows.Close()
	<-reading
	return cmp.Or(unwritten, err)
}

// predictionOf is what predictions are of.
type predictionOf struct {
	model       *models.Model
	prepared    *preparation.Preparation
	calibration *calibrate.Calibration // nil: predictions are as they are
	rows        *data.Stream
	view        *progress
	unknown     []string // values of the calibration's column that it does not know
}

// mostUnknown is how many values that a calibration does not know are counted.
const mostUnknown = 1000

// predictBatches predicts batches of rows one after the other, until one has an end or
// ctx ends: if user has not, that is because they cannot be written.
func predictBatches(ctx, user context.Context, p *evaluation.Predictor, of *predictionOf, batches <-chan *rowBatch, predicted chan<- *rowBatch) error {
	scaler := trainers.Scaler(of.model.Inputs)
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
		end, n, read, size := b.end, len(b.lines), b.read, b.size
		if n > 0 {
			var err error
			b.found, err = p.Predict(user, data.Subset{X: b.x, XScale: scaler}, first)
			var bad *evaluation.NotFinite
			switch {
			case errors.As(err, &bad):
				end = explainRow(of.rows, of.prepared, bad, b.x[bad.Row*len(of.model.Inputs):], b.lines[bad.Row])
			case err != nil:
				return err
			}
			if of.calibration != nil {
				groups := b.kept.Column(of.calibration.By)
				b.found = of.calibration.Apply(b.found, groups)
				for _, value := range of.calibration.Unknown(groups) {
					if !slices.Contains(of.unknown, value) && len(of.unknown) < mostUnknown {
						of.unknown = append(of.unknown, value)
					}
				}
			}
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
