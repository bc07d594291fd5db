package cmd

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/data"
	"sml/data/read"
	"sml/evaluation/measure"
	"sml/internal/statistics"
	"sml/models"
	"sml/models/distribution"
)

// addFiles adds the predictions in files to the comparison.
func (k *comparison) addFiles(ctx context.Context, paths []string) error {
	if k.classes > 0 && len(paths) > 0 {
		return fmt.Errorf("%s: predictions of classes in files are not compared; name models or methods", paths[0])
	}
	for _, path := range paths {
		f, err := readPredictionFile(ctx, path)
		if err != nil {
			return err
		}
		if err := k.addFile(path, f); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// addFile adds the predictions of a file with this path.
func (k *comparison) addFile(path string, f *predictionFile) error {
	indices, err := k.findPredictions(f)
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
			index, isPredicted := indices[row]
			if !isPredicted {
				return fmt.Errorf("row %d of %s has no prediction; want one for each of its compared rows", k.table.RowNumber(row), k.name)
			}
			if err := f.checkTruth(index, column.Y[i]); err != nil {
				return err
			}
			f.appendTo(column, index)
		}
		if err := column.Check(); err != nil {
			return err
		}
		losses := column.RowLosses()
		if i := indexTooLarge(losses); i >= 0 {
			return fmt.Errorf("prediction %d: mean is %v for the target %v; its score is too large to be compared", indices[fold.rows[i]]+1, column.Mean[i], column.Y[i])
		}
		k.addLosses(path, predictionsKind, losses)
	}
	return nil
}

// indexTooLarge returns the index of the row with the largest loss if the sum of the squares of losses, which their
// interval needs, is not finite for a measure, and otherwise -1.
func indexTooLarge(losses []measure.RowLoss) int {
	for _, loss := range losses {
		sum := 0.0
		largest := 0
		for i, v := range loss.Values {
			sum += float64(v * v)
			if !(math.Abs(v) <= math.Abs(loss.Values[largest])) {
				largest = i
			}
		}
		if !statistics.IsFinite(sum) {
			return largest
		}
	}
	return -1
}

// findPredictions returns the index of the prediction in the file for each row of the comparison that it predicts: by
// the column row, or else by the order of the rows in the table.
func (k *comparison) findPredictions(f *predictionFile) (indices map[int]int, err error) {
	var rows []int // compared rows, ascending
	for _, fold := range k.folds {
		rows = append(rows, fold.rows...)
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	indices = make(map[int]int)
	if f.rows == nil {
		if len(f.means) != len(rows) {
			return nil, fmt.Errorf("it has %d predictions, and %d rows of %s are compared; want one for each, or the column row with the number of each row", len(f.means), len(rows), k.name)
		}
		for index, row := range rows {
			indices[row] = index
		}
		return indices, nil
	}
	byNumber := make(map[float64]int) // index by the number in the column row
	for index, number := range f.rows {
		if _, isRepeated := byNumber[number]; isRepeated {
			return nil, fmt.Errorf("row %v has two predictions", number)
		}
		byNumber[number] = index
	}
	for _, row := range rows {
		index, isPredicted := byNumber[float64(k.table.RowNumber(row))]
		if isPredicted {
			indices[row] = index
		}
	}
	return indices, nil
}

// predictionFile has the columns of a file of predictions of one target. A slice is nil if the file lacks the column.
type predictionFile struct {
	rows      []float64 // number of each row in the table, from 1
	truths    []float64 // column y: the target
	means     []float64
	stds      []float64
	quantiles []quantileColumn // by ascending level
}

// quantileColumn has the quantiles of all predictions at one level.
type quantileColumn struct {
	level  float64
	values []float64
}

// readPredictionFile reads a table with the columns that "sml evaluate --predictions" writes, in any format that the
// program reads. Only mean is required.
func readPredictionFile(ctx context.Context, path string) (*predictionFile, error) {
	names, err := predictionColumns(ctx, path)
	if err != nil {
		return nil, err
	}
	t, err := read.File(ctx, path, read.Options{Inputs: names, NoTarget: true})
	if err != nil {
		return nil, err
	}
	f := new(predictionFile)
	for i, name := range names {
		var values []float64
		for row := range t.Rows() {
			values = append(values, t.X[row*len(names)+i])
		}
		if err := f.setColumn(name, values); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	slices.SortFunc(f.quantiles, func(a, b quantileColumn) int { return cmp.Compare(a.level, b.level) })
	if err := f.checkQuantiles(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// checkQuantiles returns an error if a quantile is below a quantile of a lower level, or if quantiles are so large that
// they have no standard deviation.
func (f *predictionFile) checkQuantiles() error {
	for i := 1; i < len(f.quantiles); i++ {
		lower := f.quantiles[i-1]
		upper := f.quantiles[i]
		for row, v := range upper.values {
			if v < lower.values[row] {
				return fmt.Errorf("prediction %d: q%v is %v and q%v is %v; want quantiles that ascend with their levels", row+1, lower.level, lower.values[row], upper.level, v)
			}
		}
	}
	for i := range f.means {
		d := f.distribution(i)
		if d == nil {
			break // the file has only means
		}
		if std := d.Std(); math.IsNaN(std) || math.IsInf(std, 0) {
			return fmt.Errorf("prediction %d: the standard deviation of its quantiles is %v; want smaller quantiles", i+1, std)
		}
	}
	return nil
}

// unusedColumns lists columns that "sml predict" writes, and that a comparison does not need.
var unusedColumns = []string{"median", "lower", "upper", models.DropoutStd, models.DropoutOffset, models.Aleatoric, models.Epistemic, "std_percentile", "outside", "error"}

// predictionColumns returns the names of the columns of a file that a predictionFile holds. It returns an error for a
// column of another name, which may be a mistake such as sd for std, unless "sml evaluate --predictions" wrote the file:
// it copies columns of any name.
func predictionColumns(ctx context.Context, path string) ([]string, error) {
	s, err := read.OpenFile(ctx, path, read.Options{NoTarget: true, Raw: true})
	if err != nil {
		return nil, err
	}
	all := s.Columns
	if err := s.Close(); err != nil {
		return nil, err
	}
	if !slices.Contains(all, "mean") {
		return nil, fmt.Errorf("%s: its columns are %s; want mean, and std or quantiles such as q0.05", path, strings.Join(all, ", "))
	}
	isEvaluated := slices.Contains(all, "pit") && slices.Contains(all, "split")
	var names []string
	for _, name := range all {
		_, isQuantile := quantileLevel(name)
		switch {
		case isQuantile || slices.Contains([]string{"row", "y", "mean", "std"}, name):
			names = append(names, name)
		case !isEvaluated && !slices.Contains(unusedColumns, name):
			return nil, fmt.Errorf("%s: the column %q is unknown; want mean, and std or quantiles such as q0.05, and row for the numbers of rows; leave out other columns", path, name)
		}
	}
	return names, nil
}

// setColumn sets the values of the column with a name. It returns an error if a standard deviation is negative, or if
// there are quantiles of the same level already.
func (f *predictionFile) setColumn(name string, values []float64) error {
	switch name {
	case "row":
		f.rows = values
	case "y":
		f.truths = values
	case "mean":
		f.means = values
	case "std":
		i := slices.IndexFunc(values, func(std float64) bool { return std < 0 })
		if i >= 0 {
			return fmt.Errorf("prediction %d: the standard deviation is %v; want 0 or more", i+1, values[i])
		}
		f.stds = values
	default:
		level, _ := quantileLevel(name)
		if f.quantileColumn(level) != nil {
			return fmt.Errorf("column %s: there are quantiles of the level %v already", name, level)
		}
		f.quantiles = append(f.quantiles, quantileColumn{level: level, values: values})
	}
	return nil
}

// quantileLevel returns the level of a column of quantiles, such as 0.05 for q0.05. It returns false for another
// column.
func quantileLevel(name string) (level float64, isQuantile bool) {
	text, hasPrefix := strings.CutPrefix(name, "q")
	level, err := strconv.ParseFloat(text, 64)
	return level, hasPrefix && err == nil && level > 0 && level < 1
}

// quantileColumn returns the quantiles at a level, nil if the file has none.
func (f *predictionFile) quantileColumn(level float64) *quantileColumn {
	i := slices.IndexFunc(f.quantiles, func(q quantileColumn) bool { return q.level == level })
	if i < 0 {
		return nil
	}
	return &f.quantiles[i]
}

// checkTruth returns an error if the file has another target beside a prediction than the table.
func (f *predictionFile) checkTruth(index int, y float64) error {
	const tolerance = 1e-6 // relative; programs write different numbers of digits
	if f.truths == nil || math.Abs(f.truths[index]-y) <= tolerance*max(1, math.Abs(y)) {
		return nil
	}
	return fmt.Errorf("prediction %d: y is %v, and the table's row has %v; the predictions are for other rows", index+1, f.truths[index], y)
}

// appendTo appends the prediction with an index to a column of predictions.
func (f *predictionFile) appendTo(column *measure.Column, index int) {
	column.Mean = append(column.Mean, f.means[index])
	d := f.distribution(index)
	if d == nil {
		return // the column has only means
	}
	column.Std = append(column.Std, d.Std())
	column.Distributions = append(column.Distributions, d)
}

// distribution returns the predicted distribution with an index: from three or more quantiles, otherwise a normal
// distribution with the standard deviation std. Quantiles at 0.05 and 0.95 beside std are the limits of its 90 %
// interval. Without std, two quantiles are enough. distribution returns nil if the file has only means.
func (f *predictionFile) distribution(index int) distribution.Distribution {
	hasStd := f.stds != nil
	isByQuantiles := len(f.quantiles) >= 3 || len(f.quantiles) == 2 && !hasStd
	switch {
	case isByQuantiles:
		var levels, values []float64
		for _, q := range f.quantiles {
			levels = append(levels, q.level)
			values = append(values, q.values[index])
		}
		return distribution.Quantiles(levels...).New(values)
	case !hasStd:
		return nil
	}
	normal := distribution.NewNormal(f.means[index], f.stds[index])
	lower := f.quantileColumn(0.05)
	upper := f.quantileColumn(0.95)
	if lower == nil || upper == nil {
		return normal
	}
	return withInterval{
		Distribution: normal,
		lower:        lower.values[index],
		upper:        upper.values[index],
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
