package rowio

import (
	"errors"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	"sml/data/read"
	"sml/evaluation/experiment"
	"sml/internal/portable"
)

// SampleInputs returns the network's inputs, not standardised, of the rows of a stream, or of a random sample of
// maxRows rows if the stream has more. The sample depends only on the rows. If the stream keeps the texts of the model's
// column of weights, rows of weight 0 do not count. It returns the error of a row that cannot be read.
func SampleInputs(m *experiment.Model, rows *read.Stream, maxRows int) ([]float64, error) {
	const (
		batchRows = 1024
		seed      = 1
	)
	encoder, err := newEncoder(m, rows)
	if err != nil {
		return nil, err
	}
	reader := &batchReader{stream: rows, encoder: encoder, maxRows: batchRows}
	sample := &reservoir{columns: len(m.Inputs), maxRows: maxRows, random: rand.New(rand.NewPCG(seed, 0))}
	for {
		var b batch
		reader.read(&b)
		weights := b.keptTexts.Column(m.Settings.Table.Weight) // nil without this column
		for row := range b.lines {
			if weights == nil || !isZero(weights[row]) {
				sample.add(b.x[row*sample.columns:][:sample.columns])
			}
		}
		if errors.Is(b.endErr, io.EOF) {
			return sample.x, nil
		}
		if b.endErr != nil {
			return nil, b.endErr
		}
	}
}

// isZero reports whether a text is a zero, with a decimal point or a decimal comma.
func isZero(text string) bool {
	v, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(text), ",", ".", 1), 64)
	return err == nil && v == 0
}

// reservoir is a random sample of rows that arrive one after the other. Each row is in the sample with the same
// probability (Vitter 1985, algorithm R).
type reservoir struct {
	columns int
	maxRows int
	random  *rand.Rand

	x    []float64 // values of the rows in the sample, row by row
	seen int       // number of rows that were added
}

// add adds a row. When the sample is full, the row replaces a row of the sample or is left out.
func (r *reservoir) add(row []float64) {
	r.seen++
	if r.seen <= r.maxRows {
		r.x = append(r.x, row...)
		return
	}
	place := int(portable.UintN(r.random, uint64(r.seen)))
	if place < r.maxRows {
		copy(r.x[place*r.columns:], row)
	}
}
