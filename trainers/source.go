package trainers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"sml/data"
	"sml/graph"
	"sml/models"
)

// Source is a sequence of training rows that need not fit into memory: rows that are read from a file, generated, or
// changed at random in each epoch. TrainFrom trains on it.
type Source struct {
	Rows           int          // number of rows of an epoch
	XScale, YScale data.Scalers // scalers that standardise inputs and targets; nil if the rows have been standardised already
	Extras         []string     // names of extra columns

	// MeanWeight is the mean of the row weights of an epoch if rows have weights (Spec.Weighted): weights are divided by
	// it. If targets may be unknown (Spec.PartlyKnown), it is the mean over all rows and targets, where an unknown target
	// (NaN) counts 0 and a known one the weight of its row, or 1. 0 stands for 1.
	MeanWeight float64

	// Epoch returns the rows of an epoch, Rows in all, in blocks of any sizes. Of a block, only X, Y, E and W are read; its
	// memory may be reused for the next one. Members call Epoch at the same time, once for each of their epochs, and once more after
	// the training. The rows may depend on nothing but the arguments, so that a resumed training comes to the same
	// bytes. The seed differs from member to member and from epoch to epoch, and epoch counts from 0. An error ends the
	// training. Rows are trained on in their order: see Shuffle.
	Epoch func(ctx context.Context, epoch int, seed uint64) iter.Seq2[data.Subset, error]

	// Validation are rows in memory, standardised by XScale and YScale, that choose the best epoch. They are empty if
	// there is no validation. Result.ValidationRows and Options.ScoreValidation have indices of these rows.
	Validation data.Subset
}

// validationRowCount returns the number of validation rows of a model with the given number of inputs.
func (s *Source) validationRowCount(inputs int) int { return len(s.Validation.RowNumbers(inputs)) }

// resolve returns the settings with the fraction of validation rows that the source has. It returns an error if the
// source, the settings or the method need rows in memory.
func (s *Source) resolve(spec models.Spec, settings Settings) (Settings, error) {
	if s.Rows < 1 || s.Epoch == nil {
		return settings, fmt.Errorf("a source of %d rows: want 1 or more, and a function Epoch", s.Rows)
	}
	if !(s.MeanWeight >= 0) || math.IsInf(s.MeanWeight, 1) {
		return settings, fmt.Errorf("a source with the mean weight %v: want a finite number above 0, or 0 for 1", s.MeanWeight)
	}
	if err := cmp.Or(checkSourceSettings(settings), checkSourceSpec(spec)); err != nil {
		return settings, err
	}
	validation := float64(s.validationRowCount(spec.Architecture.Inputs))
	settings.Validation = validation / (validation + float64(s.Rows))
	return settings, nil
}

// checkSourceSettings returns an error if the settings choose rows among all training rows.
func checkSourceSettings(s Settings) error {
	switch {
	case s.Validation != 0:
		return errors.New("a source has its validation rows in Source.Validation: set no fraction")
	case s.CrossValidation:
		return errors.New("a cross-validation needs all rows in memory: train on a table, or without it")
	case s.Bootstrap:
		return errors.New("a bootstrap needs all rows in memory: train on a table, or without it")
	case s.Calibrate != 0:
		return errors.New("a source has no rows to hold out for a calibration: calibrate the model on a table of other rows")
	case s.KeepWeights:
		return errors.New("a training that keeps the weights needs all rows in memory: train on a table")
	}
	return nil
}

// checkSourceSpec returns an error if the method or the network needs all training rows.
func checkSourceSpec(spec models.Spec) error {
	m, err := models.Lookup(spec.Method)
	switch {
	case err != nil:
		return err
	case m.AfterTraining != nil:
		return fmt.Errorf("method %s reads all training rows again after the training, which needs them in memory: train on a table, or by another method", m.Name)
	case len(spec.Architecture.BinnedInputs()) > 0:
		return errors.New("bins of inputs are quantiles of all training rows, which need them in memory: train on a table, or without bins")
	}
	return nil
}

// batch holds the rows of one step.
type batch struct {
	*sharedRows
	indices []int32 // indices of the rows in sharedRows
	before  int     // number of rows of the epoch before the batch; 0 if the rows are in a table
}

// rowName names row i of the batch in messages.
func (b batch) rowName(i int) string {
	if b.source != nil {
		return fmt.Sprintf("row %d of the epoch", b.before+i+1)
	}
	return fmt.Sprintf("row %d of the table", b.indices[i]+1)
}

// collector gathers blocks of rows from a source into batches.
type collector struct {
	*member
	batch data.Subset // rows of the batch so far
	count int         // number of rows of the batch so far
	total int         // number of rows of the epoch so far
}

// split adds the rows of a block to the batch, and calls yield with each batch that is full. It returns false if yield
// does.
func (c *collector) split(block data.Subset, rows int, yield func(batch, error) bool) bool {
	for from := 0; from < rows; {
		to := min(from+c.settings.Batch-c.count, rows)
		c.add(block, from, to)
		from = to
		if c.count == c.settings.Batch && !yield(c.take(), nil) {
			return false
		}
	}
	return true
}

// add appends the rows from, …, to−1 of a block to the batch.
func (c *collector) add(block data.Subset, from, to int) {
	a := c.spec.Architecture
	extras := len(c.source.Extras)
	c.batch.X = append(c.batch.X, block.X[from*a.Inputs:to*a.Inputs]...)
	c.batch.Y = append(c.batch.Y, block.Y[from*a.Targets:to*a.Targets]...)
	c.batch.E = append(c.batch.E, block.E[from*extras:to*extras]...)
	if c.spec.Weighted {
		c.batch.W = append(c.batch.W, block.W[from:to]...)
	}
	c.count += to - from
	c.total += to - from
}

// take returns the batch, and begins another, which reuses its memory.
func (c *collector) take() batch {
	table := standardiseRows(c.spec, c.batch)
	table.source = c.source
	b := batch{sharedRows: table, indices: table.rows.RowNumbers(c.spec.Architecture.Inputs), before: c.total - c.count}
	c.count = 0
	c.batch.X = c.batch.X[:0]
	c.batch.Y = c.batch.Y[:0]
	c.batch.E = c.batch.E[:0]
	c.batch.W = c.batch.W[:0]
	return b
}

// sourceBatches returns the batches of an epoch over the source. The memory of a batch is reused for the next. It
// yields an error, and ends, if the source does, or if the epoch has another number of rows than the source says.
func (m *member) sourceBatches(ctx context.Context, epoch int) iter.Seq2[batch, error] {
	c := &collector{member: m, batch: data.Subset{Extras: m.source.Extras, XScale: m.source.XScale, YScale: m.source.YScale}}
	seed := graph.Seed(m.seed, shuffleStream+uint64(epoch))
	return func(yield func(batch, error) bool) {
		for block, err := range m.source.Epoch(ctx, epoch, seed) {
			rows := 0
			if err == nil {
				rows, err = m.checkBlock(block, m.source.Rows-c.total)
			}
			if err != nil {
				yield(batch{}, fmt.Errorf("epoch %d of the source, after %d rows: %w", epoch+1, c.total, err))
				return
			}
			if !c.split(block, rows, yield) {
				return
			}
		}
		if c.total < m.source.Rows {
			yield(batch{}, fmt.Errorf("epoch %d of the source ends after %d of its %d rows", epoch+1, c.total, m.source.Rows))
			return
		}
		if c.count > 0 && m.settings.Protocol != data.Paper { // that protocol drops the rest of the rows
			yield(c.take(), nil)
		}
	}
}

// checkBlock returns the number of rows of a block, or an error if the rows cannot be trained on, or if there are more
// than maxRows.
func (m *member) checkBlock(block data.Subset, maxRows int) (rows int, _ error) {
	if len(block.X) == 0 && len(block.Y) == 0 {
		return 0, nil
	}
	block = data.Subset{X: block.X, Y: block.Y, E: block.E, W: block.W, Extras: m.source.Extras, XScale: m.source.XScale, YScale: m.source.YScale}
	if err := checkRows(m.spec, block); err != nil {
		return 0, err
	}
	if i := slices.Index(block.W, 0); i >= 0 {
		return 0, fmt.Errorf("row %d: its weight is 0: leave the row out of the source, so that it counts like no row", i+1)
	}
	rows = len(block.Y) / m.spec.Architecture.Targets
	if rows > maxRows {
		return 0, fmt.Errorf("a block has %d rows, and the epoch has only %d more of its %d", rows, maxRows, m.source.Rows)
	}
	return rows, nil
}
