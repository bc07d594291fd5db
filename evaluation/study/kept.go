package study

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"sml/evaluation/calibrate"
	"sml/evaluation/measure"
	"sml/internal/safefile"
)

// Kept returns the predictions of its test rows that a cell keeps, of all targets
// together and in standardised units, and whether their distribution is known: that of a
// calibration which has found another than the normal one is not kept. It is nil of a
// cell whose study keeps none.
func Kept(dir string, p *Plan, c Planned) (column *measure.Column, known bool, err error) {
	if c.Keep == "" || !IsDone(dir, p, c) {
		return nil, false, nil
	}
	path := p.keptPath(dir, c.Name, c.Keep)
	text, err := safefile.Read(path, maxPredictions)
	if err != nil {
		return nil, false, err
	}
	read := keptCSV
	if c.Keep == "parquet" {
		read = keptParquet
	}
	names, rows, err := read(text)
	if err == nil {
		column, err = keptColumn(names, rows)
	}
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", path, err)
	}
	column.Protocol = c.Training.Protocol
	known = true
	if c.Training.Calibrate > 0 && column.Levels == nil {
		kind, err := calibrate.Lookup(c.Calibration.Kind)
		if err != nil {
			return nil, false, err
		}
		known = kind.Shape == nil
	}
	return column, known, column.Check()
}

// keptColumn takes what is measured of rows of named values; NaN is one that there is
// not.
func keptColumn(names []string, rows [][]float64) (*measure.Column, error) {
	place := func(name string) int { return slices.Index(names, name) }
	y, mean, std := place("y"), place("mean"), place("std")
	if y < 0 || mean < 0 || std < 0 {
		return nil, fmt.Errorf("its columns are %s; want %s and what else a method gives", strings.Join(names, ", "), predictionHeader)
	}
	c := new(measure.Column)
	var quantiles []int
	for i, name := range names {
		text, ok := strings.CutPrefix(name, "q")
		if level, err := strconv.ParseFloat(text, 64); ok && err == nil {
			quantiles, c.Levels = append(quantiles, i), append(c.Levels, level)
		}
	}
	for _, row := range rows {
		c.Y, c.Mean = append(c.Y, row[y]), append(c.Mean, row[mean])
		if !math.IsNaN(row[std]) {
			c.Std = append(c.Std, row[std])
		}
		if quantiles != nil {
			own := make([]float64, len(quantiles))
			for i, at := range quantiles {
				own[i] = row[at]
			}
			c.Quantiles = append(c.Quantiles, own)
		}
	}
	return c, nil
}

func keptCSV(text []byte) (names []string, rows [][]float64, err error) {
	lines := csv.NewReader(bytes.NewReader(text))
	lines.ReuseRecord = true
	for {
		record, err := lines.Read()
		if err == io.EOF {
			return names, rows, nil
		}
		if err != nil {
			return nil, nil, err
		}
		if names == nil {
			names = slices.Clone(record)
			continue
		}
		row := make([]float64, len(record))
		for i, field := range record {
			row[i] = math.NaN()
			if field == "" {
				continue
			}
			if row[i], err = strconv.ParseFloat(field, 64); err != nil {
				return nil, nil, fmt.Errorf("line %d: %q is not a number", len(rows)+2, field)
			}
		}
		rows = append(rows, row)
	}
}

func keptParquet(text []byte) (names []string, rows [][]float64, err error) {
	file, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return nil, nil, err
	}
	for _, path := range file.Schema().Columns() {
		names = append(names, strings.Join(path, "."))
	}
	lines := parquet.NewReader(file)
	defer lines.Close()
	part := make([]parquet.Row, 1000)
	for {
		n, err := lines.ReadRows(part)
		for _, line := range part[:n] {
			row := make([]float64, len(names))
			for _, v := range line {
				switch {
				case v.IsNull():
					row[v.Column()] = math.NaN()
				case v.Kind() == parquet.Int64:
					row[v.Column()] = float64(v.Int64())
				default:
					row[v.Column()] = v.Double()
				}
			}
			rows = append(rows, row)
		}
		if err == io.EOF {
			return names, rows, nil
		}
		if err != nil {
			return nil, nil, err
		}
	}
}
