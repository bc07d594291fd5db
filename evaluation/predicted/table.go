// Package predicted reads prediction tables: files with a line for each predicted row and target, as evaluate, predict
// and studies write them. Start with Read. In memory, predictions with their distributions are a measure.Column, which
// Table.Column returns; a file has only the mean, the standard deviation and quantiles of each prediction.
package predicted

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
	"sml/models"
	"sml/models/distribution"
)

// Columns of a prediction table. Columns of quantiles such as q0.05 may follow.
const (
	Row           = "row"    // number of the row in its table
	Target        = "target" // index among several targets
	Truth         = "y"      // true value of the target
	Mean          = "mean"
	Std           = "std"
	DropoutStd    = "dropout_std"    // part of Std due to the spread of the sub-networks
	DropoutOffset = "dropout_offset" // part of Std due to the distance of the sub-networks from the full network
)

// Header lists the columns of numbers in the order in which studies write them.
var Header = []string{Row, Target, Truth, Mean, Std, DropoutStd, DropoutOffset}

// Table is a prediction table.
type Table struct {
	Len       int                  // number of predictions
	Quantiles []Quantile           // by ascending level
	numbers   map[string][]float64 // values of the columns that the file has, by name
}

// Quantile has the quantiles of all predictions at one level.
type Quantile struct {
	Level  float64
	Values []float64
}

// Numbers returns the values of a column, or nil if the file lacks the column or has no value in it.
func (t *Table) Numbers(name string) []float64 { return t.numbers[name] }

// Read reads a prediction table in any format that tables have. The table must have a column mean; it may have other
// columns of Header, and quantiles. Read ignores the other columns that predict and evaluate write.
func Read(ctx context.Context, path string) (*Table, error) {
	names, err := knownColumns(ctx, path)
	if err != nil {
		return nil, err
	}
	number := data.Field{Kind: data.Number} // values may be missing
	file, err := read.File(ctx, path, read.Options{Inputs: names, Fields: slices.Repeat([]data.Field{number}, len(names)), NoTarget: true})
	if err != nil {
		return nil, err
	}
	t := &Table{Len: file.Rows(), numbers: make(map[string][]float64)}
	for i, name := range names {
		values := make([]float64, t.Len)
		for row := range values {
			values[row] = file.X[row*len(names)+i]
		}
		if err := t.setColumn(name, values); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	slices.SortFunc(t.Quantiles, func(a, b Quantile) int { return cmp.Compare(a.Level, b.Level) })
	if err := cmp.Or(t.checkQuantiles(), t.checkStds()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// checkQuantiles returns an error if a quantile is below a quantile of a lower level.
func (t *Table) checkQuantiles() error {
	for i := 1; i < len(t.Quantiles); i++ {
		lower := t.Quantiles[i-1]
		upper := t.Quantiles[i]
		for row, v := range upper.Values {
			if v < lower.Values[row] {
				return fmt.Errorf("prediction %d: q%v is %v and q%v is %v; want quantiles that ascend with their levels", row+1, lower.Level, lower.Values[row], upper.Level, v)
			}
		}
	}
	return nil
}

// checkStds returns an error if quantiles are so large that they have no standard deviation.
func (t *Table) checkStds() error {
	for i := range t.Len {
		d := t.distribution(i)
		if d == nil {
			return nil // the file has only means
		}
		if std := d.Std(); math.IsNaN(std) || math.IsInf(std, 0) {
			return fmt.Errorf("prediction %d: the standard deviation of its quantiles is %v; want smaller quantiles", i+1, std)
		}
	}
	return nil
}

// unusedColumns lists columns that predict writes, and that a Table does not hold.
var unusedColumns = []string{"median", "lower", "upper", models.Aleatoric, models.Epistemic, "std_percentile", "outside", "error"}

// knownColumns returns the names of the columns of a file that a Table holds. It returns an error if the file has no mean.
// It also returns an error for a column of another name, which may be a mistake such as sd for std, unless predict or
// evaluate writes such a column.
func knownColumns(ctx context.Context, path string) ([]string, error) {
	s, err := read.OpenFile(ctx, path, read.Options{NoTarget: true, Raw: true})
	if err != nil {
		return nil, err
	}
	all := s.Columns
	if err := s.Close(); err != nil {
		return nil, err
	}
	if !slices.Contains(all, Mean) {
		return nil, fmt.Errorf("%s: its columns are %s; want mean, and std or quantiles such as q0.05", path, strings.Join(all, ", "))
	}
	// evaluate writes these two columns, and copies columns of any name.
	mayHaveOthers := slices.Contains(all, "pit") && slices.Contains(all, "split")
	var known []string
	for _, name := range all {
		_, isQuantile := quantileLevel(name)
		if isQuantile || slices.Contains(Header, name) {
			known = append(known, name)
			continue
		}
		if !mayHaveOthers && !slices.Contains(unusedColumns, name) {
			return nil, fmt.Errorf("%s: the column %q is unknown; want mean, and std or quantiles such as q0.05, and row for the numbers of rows; leave out other columns", path, name)
		}
	}
	return known, nil
}

// setColumn sets the values of the column with a name, and nothing if all are missing. It returns an error if only some
// values are missing, if a standard deviation is negative, or if there are quantiles of the same level already.
func (t *Table) setColumn(name string, values []float64) error {
	missing := slices.IndexFunc(values, math.IsNaN)
	present := slices.IndexFunc(values, func(v float64) bool { return !math.IsNaN(v) })
	if present < 0 {
		return nil // the method does not predict it
	}
	if missing >= 0 {
		return fmt.Errorf("prediction %d: column %s has no value, and prediction %d has one; want all or none", missing+1, name, present+1)
	}
	if level, isQuantile := quantileLevel(name); isQuantile {
		if t.quantiles(level) != nil {
			return fmt.Errorf("column %s: there are quantiles of the level %v already", name, level)
		}
		t.Quantiles = append(t.Quantiles, Quantile{Level: level, Values: values})
		return nil
	}
	negative := slices.IndexFunc(values, func(v float64) bool { return v < 0 })
	if name == Std && negative >= 0 {
		return fmt.Errorf("prediction %d: the standard deviation is %v; want 0 or more", negative+1, values[negative])
	}
	t.numbers[name] = values
	return nil
}

// quantileLevel returns the level of a column of quantiles, such as 0.05 for q0.05. It returns false for another
// column.
func quantileLevel(name string) (level float64, isQuantile bool) {
	text, hasPrefix := strings.CutPrefix(name, "q")
	level, err := strconv.ParseFloat(text, 64)
	return level, hasPrefix && err == nil && level > 0 && level < 1
}

// quantiles returns the quantiles at a level, nil if the file has none.
func (t *Table) quantiles(level float64) []float64 {
	for _, q := range t.Quantiles {
		if q.Level == level {
			return q.Values
		}
	}
	return nil
}

// ByRow returns the index of the prediction of each row, by the row's number in its table. The file says in its column row
// which row a prediction is of; without that column, prediction i is of row rows[i]. ByRow returns an error if a row has
// two predictions, or if one of rows has none. table is the name of the rows' table, for errors.
func (t *Table) ByRow(rows []int, table string) (indices map[int]int, err error) {
	numbers := t.Numbers(Row)
	if numbers == nil && t.Len != len(rows) {
		return nil, fmt.Errorf("it has %d predictions, and %d rows of %s are compared; want one for each, or the column row with the number of each row", t.Len, len(rows), table)
	}
	indices = make(map[int]int)
	for i := range t.Len {
		number := 0
		if numbers == nil {
			number = rows[i]
		} else {
			number = int(numbers[i])
		}
		if _, isRepeated := indices[number]; isRepeated {
			return nil, fmt.Errorf("row %v has two predictions", number)
		}
		indices[number] = i
	}
	for _, number := range rows {
		if _, isPredicted := indices[number]; !isPredicted {
			return nil, fmt.Errorf("row %d of %s has no prediction; want one for each of its compared rows", number, table)
		}
	}
	return indices, nil
}

// Column returns the predictions with the given indices and their true values y in the form that measures need.
func (t *Table) Column(indices []int, y []float64) *measure.Column {
	c := &measure.Column{Y: y}
	for _, i := range indices {
		c.Mean = append(c.Mean, t.Numbers(Mean)[i])
		if d := t.distribution(i); d != nil {
			c.Std = append(c.Std, d.Std())
			c.Distributions = append(c.Distributions, d)
		}
	}
	return c
}

// distribution returns the predicted distribution with an index, or nil if the file has only means. It interpolates
// between three or more quantiles. With fewer, the standard deviation counts for more: the distribution is normal, and
// quantiles at 0.05 and 0.95 are the limits of its 90 % interval. Without a standard deviation, two quantiles are enough.
func (t *Table) distribution(i int) distribution.Distribution {
	stds := t.Numbers(Std)
	minQuantiles := 3
	if stds == nil {
		minQuantiles = 2
	}
	if len(t.Quantiles) >= minQuantiles {
		return t.interpolate(i)
	}
	if stds == nil {
		return nil
	}
	normal := distribution.NewNormal(t.Numbers(Mean)[i], stds[i])
	lower, upper := t.quantiles(0.05), t.quantiles(0.95)
	if lower == nil || upper == nil {
		return normal
	}
	return withInterval{normal, lower[i], upper[i]}
}

// interpolate returns the distribution with the quantiles of the prediction with an index.
func (t *Table) interpolate(i int) distribution.Distribution {
	var values []float64
	for _, q := range t.Quantiles {
		values = append(values, q.Values[i])
	}
	return distribution.Quantiles(t.levels()...).New(values)
}

// levels returns the levels of the quantiles, or nil if there are none.
func (t *Table) levels() []float64 {
	var levels []float64
	for _, q := range t.Quantiles {
		levels = append(levels, q.Level)
	}
	return levels
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

// AllColumns returns all predictions in the form that measures need, in the order of the file. Its distributions are those
// with the file's quantiles: measures know a normal distribution by its mean and standard deviation.
func (t *Table) AllColumns() *measure.Column {
	c := &measure.Column{
		Y:      t.Numbers(Truth),
		Mean:   t.Numbers(Mean),
		Std:    t.Numbers(Std),
		Levels: t.levels(),
	}
	if len(t.Quantiles) == 0 {
		return c
	}
	for i := range t.Len {
		c.Distributions = append(c.Distributions, t.interpolate(i))
	}
	return c
}
