package cmd

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"sml/data"
	"sml/evaluation/measure"
	"sml/internal/statistics"
	"sml/models/distribution"
)

// addFiles adds the predictions in CSV files to the comparison.
func (k *comparison) addFiles(paths []string) error {
	for _, path := range paths {
		f, err := readPredictionFile(path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := k.addFile(path, f); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// addFile adds the predictions of a file with this path.
func (k *comparison) addFile(path string, f *predictionFile) error {
	lines, err := k.findLines(f)
	if err != nil {
		return err
	}
	for _, fold := range k.folds {
		column := &measure.Column{
			Y:        k.table.TargetsOf(fold.rows),
			Weights:  k.weights(fold),
			Protocol: data.Sound,
		}
		for i, row := range fold.rows {
			line, isPredicted := lines[row]
			if !isPredicted {
				return fmt.Errorf("row %d of %s has no prediction; want one for each of its compared rows", k.rowNumber(row), k.name)
			}
			if err := f.checkTruth(line, column.Y[i]); err != nil {
				return err
			}
			f.appendTo(column, line)
		}
		if err := column.Check(); err != nil {
			return err
		}
		k.addLosses(path, predictionsKind, column.RowLosses())
	}
	return nil
}

// rowNumber returns the number, from 1, that a row of the comparison's table has in its file.
func (k *comparison) rowNumber(row int) int {
	rows := judgedRows{targets: k.table}
	return rows.rowNumber(row)
}

// findLines returns the line of the file, from 0, for each row of the comparison that it predicts: by the column row,
// or else by the order of the rows in the table.
func (k *comparison) findLines(f *predictionFile) (lines map[int]int, err error) {
	var rows []int // compared rows, ascending
	for _, fold := range k.folds {
		rows = append(rows, fold.rows...)
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	lines = make(map[int]int)
	if f.rows == nil {
		if len(f.means) != len(rows) {
			return nil, fmt.Errorf("it has %d predictions, and %d rows of %s are compared; want one for each, or the column row with the number of each row", len(f.means), len(rows), k.name)
		}
		for line, row := range rows {
			lines[row] = line
		}
		return lines, nil
	}
	byNumber := make(map[float64]int) // line by the number in the column row
	for line, number := range f.rows {
		if _, isRepeated := byNumber[number]; isRepeated {
			return nil, fmt.Errorf("line %d: row %v has a prediction already", line+2, number) // the header is line 1
		}
		byNumber[number] = line
	}
	for _, row := range rows {
		line, isPredicted := byNumber[float64(k.rowNumber(row))]
		if isPredicted {
			lines[row] = line
		}
	}
	return lines, nil
}

// predictionFile has the columns of a file of predictions of one target. A slice is nil if the file lacks the column.
type predictionFile struct {
	rows      []float64 // number of each row in the table, from 1
	truths    []float64 // column y: the target
	means     []float64
	stds      []float64
	quantiles []quantileColumn // by ascending level
}

// quantileColumn has the quantiles of all lines at one level.
type quantileColumn struct {
	level  float64
	values []float64
}

// readPredictionFile reads a CSV file with the columns that "sml evaluate --predictions" writes. Only mean is
// required; columns with other names are ignored.
func readPredictionFile(path string) (*predictionFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, errors.Unwrap(err) // without the path, which the caller adds
	}
	defer file.Close()
	reader := csv.NewReader(file)
	header, err := reader.Read()
	if err != nil {
		return nil, fmt.Errorf("line 1 is no header: %w", err)
	}
	f := newPredictionFile(header)
	columns := f.columns(header)
	if !slices.Contains(header, "mean") {
		return nil, fmt.Errorf("its columns are %s; want mean, and std or quantiles such as q0.05", strings.Join(header, ", "))
	}
	for line := 2; ; line++ {
		record, err := reader.Read()
		if err == io.EOF {
			return f, nil
		}
		if err != nil {
			return nil, err
		}
		for i, column := range columns {
			if column == nil {
				continue
			}
			value, err := strconv.ParseFloat(strings.TrimSpace(record[i]), 64)
			if err != nil || !statistics.IsFinite(value) {
				return nil, fmt.Errorf("line %d, column %s: %q is not a finite number", line, header[i], record[i])
			}
			*column = append(*column, value)
		}
	}
}

// newPredictionFile returns a file without lines, with the levels of the quantiles in its header.
func newPredictionFile(header []string) *predictionFile {
	f := new(predictionFile)
	for _, name := range header {
		if level, isQuantile := quantileLevel(name); isQuantile {
			f.quantiles = append(f.quantiles, quantileColumn{level: level})
		}
	}
	slices.SortFunc(f.quantiles, func(a, b quantileColumn) int { return cmp.Compare(a.level, b.level) })
	return f
}

// quantileLevel returns the level of a column of quantiles, such as 0.05 for q0.05. It returns false for another
// column.
func quantileLevel(name string) (level float64, isQuantile bool) {
	text, hasPrefix := strings.CutPrefix(name, "q")
	level, err := strconv.ParseFloat(text, 64)
	return level, hasPrefix && err == nil && level > 0 && level < 1
}

// columns returns the slice of f for the values of each column in the header, nil for a column that f lacks.
func (f *predictionFile) columns(header []string) []*[]float64 {
	columns := make([]*[]float64, len(header))
	for i, name := range header {
		switch name {
		case "row":
			columns[i] = &f.rows
		case "y":
			columns[i] = &f.truths
		case "mean":
			columns[i] = &f.means
		case "std":
			columns[i] = &f.stds
		}
		level, isQuantile := quantileLevel(name)
		if isQuantile {
			columns[i] = &f.quantileColumn(level).values
		}
	}
	return columns
}

// quantileColumn returns the quantiles at a level, nil if the file has none.
func (f *predictionFile) quantileColumn(level float64) *quantileColumn {
	i := slices.IndexFunc(f.quantiles, func(q quantileColumn) bool { return q.level == level })
	if i < 0 {
		return nil
	}
	return &f.quantiles[i]
}

// checkTruth returns an error if the file has another target for a line than the table.
func (f *predictionFile) checkTruth(line int, y float64) error {
	const tolerance = 1e-6 // relative; programs write different numbers of digits
	if f.truths == nil || math.Abs(f.truths[line]-y) <= tolerance*max(1, math.Abs(y)) {
		return nil
	}
	return fmt.Errorf("line %d: y is %v, and the table's row has %v; the predictions are of other rows", line+2, f.truths[line], y) // the header is line 1
}

// appendTo appends the prediction in a line to a column of predictions.
func (f *predictionFile) appendTo(column *measure.Column, line int) {
	column.Mean = append(column.Mean, f.means[line])
	d := f.distribution(line)
	if d == nil {
		return // the column has only means
	}
	column.Std = append(column.Std, d.Std())
	column.Distributions = append(column.Distributions, d)
}

// distribution returns the predicted distribution in a line: from three or more quantiles, otherwise a normal
// distribution with the standard deviation std. If the file has quantiles at 0.05 and 0.95 beside std, they are the 90 %
// interval. Without std, two quantiles are enough. distribution returns nil if the file has only means.
func (f *predictionFile) distribution(line int) distribution.Distribution {
	hasStd := f.stds != nil
	isByQuantiles := len(f.quantiles) >= 3 || len(f.quantiles) == 2 && !hasStd
	switch {
	case isByQuantiles:
		var levels, values []float64
		for _, q := range f.quantiles {
			levels = append(levels, q.level)
			values = append(values, q.values[line])
		}
		return distribution.Quantiles(levels...).New(values)
	case !hasStd:
		return nil
	}
	normal := distribution.NewNormal(f.means[line], f.stds[line])
	lower := f.quantileColumn(0.05)
	upper := f.quantileColumn(0.95)
	if lower == nil || upper == nil {
		return normal
	}
	return withInterval{
		Distribution: normal,
		lower:        lower.values[line],
		upper:        upper.values[line],
	}
}

// withInterval is a distribution whose central 90 % interval another program has computed in its own way.
type withInterval struct {
	distribution.Distribution
	lower, upper float64
}

// Quantile returns the limit of the interval on the side of the level. A comparison needs no other quantiles.
func (d withInterval) Quantile(level float64) float64 {
	if level < 0.5 {
		return d.lower
	}
	return d.upper
}
