package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"

	"sml/data"
	"sml/data/read"
	"sml/trainers"
)

const (
	validationRows = 10_000  // first rows of a file, which are not trained on
	bufferRows     = 100_000 // rows of the shuffle buffer
)

// fileRows returns the source of the rows of a file, whose last column is the target. It reads the file once, for the
// number of rows and the scalers, and each epoch reads the file again.
func fileRows(ctx context.Context, path string) (trainers.Source, error) {
	var source trainers.Source
	count := 0
	var inputs, targets moments
	for block, err := range blocksOf(ctx, path) {
		if err != nil {
			return source, err
		}
		count += len(block.Y)
		inputs.add(block.X, len(block.X)/len(block.Y))
		targets.add(block.Y, 1)
		if rest := validationRows - len(source.Validation.Y); rest > 0 {
			first, _ := cut(block, min(rest, len(block.Y)))
			source.Validation.X = append(source.Validation.X, first.X...)
			source.Validation.Y = append(source.Validation.Y, first.Y...)
		}
	}
	if count <= validationRows {
		return source, fmt.Errorf("%s has %d rows: want more than the %d for the validation", path, count, validationRows)
	}
	columns, target, err := columnNames(ctx, path)
	if err != nil {
		return source, err
	}
	source.Rows = count - validationRows
	source.XScale = inputs.scalers(columns)
	source.YScale = targets.scalers(target)
	source.Epoch = func(ctx context.Context, _ int, seed uint64) iter.Seq2[data.Subset, error] {
		return trainers.Shuffle(skip(blocksOf(ctx, path), validationRows), len(target), bufferRows, seed)
	}
	return source, nil
}

// columnNames returns the names of the inputs and of the target of a file.
func columnNames(ctx context.Context, path string) (inputs, targets []string, err error) {
	stream, err := read.OpenFile(ctx, path, read.Options{})
	if err != nil {
		return nil, nil, err
	}
	return stream.Columns, stream.Targets, stream.Close()
}

// blocksOf returns the rows of a file in blocks, whose memory is reused.
func blocksOf(ctx context.Context, path string) iter.Seq2[data.Subset, error] {
	return func(yield func(data.Subset, error) bool) {
		stream, err := read.OpenFile(ctx, path, read.Options{})
		if err != nil {
			yield(data.Subset{}, err)
			return
		}
		defer stream.Close()
		var block data.Subset
		var lines []int
		for {
			block.X, block.Y, lines, err = stream.AppendRows(block.X[:0], block.Y[:0], lines[:0], blockRows)
			if len(block.Y) > 0 && !yield(block, nil) {
				return
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(data.Subset{}, err)
				return
			}
		}
	}
}

// skip returns the blocks without their first rows.
func skip(blocks iter.Seq2[data.Subset, error], rows int) iter.Seq2[data.Subset, error] {
	return func(yield func(data.Subset, error) bool) {
		left := rows // rows still to be skipped
		for block, err := range blocks {
			skipped := min(left, len(block.Y))
			left -= skipped
			_, rest := cut(block, skipped)
			if (err != nil || len(rest.Y) > 0) && !yield(rest, err) {
				return
			}
		}
	}
}

// cut divides a block with one target into its first rows and the others.
func cut(block data.Subset, rows int) (first, rest data.Subset) {
	if len(block.Y) == 0 {
		return block, block
	}
	inputs := len(block.X) / len(block.Y)
	return data.Subset{X: block.X[:rows*inputs], Y: block.Y[:rows]}, data.Subset{X: block.X[rows*inputs:], Y: block.Y[rows:]}
}

// moments are the running mean and the sum of squared distances from it, per column.
// Source: Welford 1962.
type moments struct {
	count   float64
	means   []float64
	squares []float64
}

// add adds the rows of a matrix with the given number of columns.
func (m *moments) add(values []float64, columns int) {
	if m.means == nil {
		m.means = make([]float64, columns)
		m.squares = make([]float64, columns)
	}
	for from := 0; from < len(values); from += columns {
		m.count++
		for j, v := range values[from : from+columns] {
			distance := v - m.means[j]
			m.means[j] += distance / m.count
			m.squares[j] += float64(distance * (v - m.means[j]))
		}
	}
}

// scalers returns the mean and the standard deviation of each column, 1 for a constant one.
func (m *moments) scalers(names []string) data.Scalers {
	scalers := make(data.Scalers, len(names))
	for j, name := range names {
		std := math.Sqrt(m.squares[j] / m.count)
		if std == 0 {
			std = 1
		}
		scalers[j] = data.Scaler{Name: name, Mean: m.means[j], Std: std}
	}
	return scalers
}
