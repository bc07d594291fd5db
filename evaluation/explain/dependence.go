package explain

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
)

const (
	maxDependenceRows   = 200 // rows that are predicted with each value
	maxDependenceValues = 40  // values of the column
	maxDependenceCurves = 40  // rows with a curve of their own
)

// Dependence says how the predictions depend on one column: those of rows in which each value of the column replaces
// theirs, in turn. Values that are rare beside the other columns of a row are impossible rows, where the network has
// learnt nothing.
//
// Sources: Friedman (2001), Greedy function approximation, section 8.2 (partial dependence); Goldstein, Kapelner, Bleich
// & Pitkin (2015), Peeking inside the black box (individual conditional expectation).
type Dependence struct {
	Column string            `json:"column"`
	Labels []string          `json:"values"` // the values as texts
	Rows   int               `json:"rows"`   // number of predicted rows
	Curves []DependenceCurve `json:"curves"` // by target, and for classes by class

	Field  data.Field `json:"-"` // kind of the column
	Values []float64  `json:"-"` // values in the order of data.Field.SortValues: numbers, seconds since 1970, or indices of categories

	shown []int // positions of the rows with a curve of their own among the predicted rows
}

// DependenceCurve has the predictions of a target, or of the probability of a class, at each value of the column, in the
// target's unit.
type DependenceCurve struct {
	Target string    `json:"target"`
	Class  string    `json:"class,omitempty"` // label of the class; "" for numbers
	Mean   []float64 `json:"mean"`            // mean over the rows of the predicted means, or of the probabilities
	Lower  []float64 `json:"lower,omitempty"` // mean over the rows of the intervals' lower ends; nil without intervals
	Upper  []float64 `json:"upper,omitempty"`

	// Single has the predicted means, or the probabilities, of some rows, [rows][values], and Numbers the numbers of
	// these rows in their file.
	Single  [][]float64 `json:"single"`
	Numbers []int       `json:"numbers"`
}

// PartialDependence predicts rows of a table, at most 200 of them, evenly spaced, with other values of a column: all
// different ones, if there are at most 40, otherwise 40 of those from its 1st to its 99th percentile, or the 40 most frequent
// categories. read is the table as it was read, prepared the same table as prepared for the model, and numbers has the
// indices of the rows, nil for all. It returns an error if the model does not use the column. progress is called with
// the number of values that are done; it may be nil.
func PartialDependence(ctx context.Context, m *experiment.Model, read, prepared *data.Table, numbers []int, name string, s evaluation.Sampling, progress func(done, total int)) (*Dependence, error) {
	c, err := findColumn(inputColumns(m), name)
	if err != nil {
		return nil, err
	}
	converter, err := m.NewConverter(experiment.Outputs{})
	if err != nil {
		return nil, err
	}
	if numbers == nil {
		for number := range read.Rows() {
			numbers = append(numbers, number)
		}
	}
	d := newDependence(read, numbers, name)
	features, err := d.features(m, read)
	if err != nil {
		return nil, err
	}
	rows := spread(numbers, maxDependenceRows)
	d.Rows = len(rows)
	d.addCurves(m, converter, read, rows)
	calibrate, err := m.Calibrator(read, rows)
	if err != nil {
		return nil, err
	}
	s.Progress = nil
	predictor, err := evaluation.NewPredictor(m.Model, s)
	if err != nil {
		return nil, err
	}
	defer predictor.Close()
	x := inputsOf(prepared, rows)
	for i := range d.Values {
		for row := range rows {
			inputs := x[row*len(m.Inputs):][:len(m.Inputs)]
			copy(inputs[c.start:c.end], features[i*len(m.Inputs):][c.start:c.end])
		}
		predictions, err := predictor.Predict(ctx, data.Subset{X: x, XScale: m.Inputs})
		if err != nil {
			return nil, fmt.Errorf("with %s %s: %w", name, d.Labels[i], err)
		}
		if calibrate != nil {
			predictions = calibrate(predictions)
		}
		if err := d.add(converter, predictions); err != nil {
			return nil, fmt.Errorf("with %s %s: %w", name, d.Labels[i], err)
		}
		if progress != nil {
			progress(i+1, len(d.Values))
		}
	}
	return d, nil
}

// findColumn returns the column with the given name. It returns an error that lists all names if there is none.
func findColumn(columns []column, name string) (column, error) {
	var names []string
	for _, c := range columns {
		if c.name == name {
			return c, nil
		}
		names = append(names, c.name)
	}
	return column{}, fmt.Errorf("the model uses no column %q; want one of %s", name, strings.Join(names, ", "))
}

// newDependence returns a dependence on a column of the table with its values, and without predictions. numbers has the
// indices of the rows whose values count.
func newDependence(t *data.Table, numbers []int, name string) *Dependence {
	d := &Dependence{Column: name, Field: data.Field{Kind: data.Number}}
	j := slices.Index(t.Columns, name)
	if t.Fields != nil {
		d.Field = t.Fields[j]
	}
	var known []float64
	for _, number := range numbers {
		if v := t.X[number*len(t.Columns)+j]; !math.IsNaN(v) && !(d.Field.Kind == data.Category && v < 0) {
			known = append(known, v)
		}
	}
	d.Values = chooseValues(known, d.Field.Kind)
	d.Field.SortValues(d.Values)
	for _, v := range d.Values {
		d.Labels = append(d.Labels, d.Field.Show(v))
	}
	return d
}

// chooseValues returns at most maxDependenceValues of the different values: the most frequent categories, or
// numbers and dates from the 1st to the 99th percentile, evenly spaced in their order.
func chooseValues(values []float64, kind data.Kind) []float64 {
	slices.Sort(values)
	distinct := slices.Compact(slices.Clone(values))
	if len(distinct) <= maxDependenceValues {
		return distinct
	}
	if kind == data.Category {
		count := make(map[float64]int)
		for _, v := range values {
			count[v]++
		}
		slices.SortStableFunc(distinct, func(a, b float64) int { return count[b] - count[a] })
		return distinct[:maxDependenceValues]
	}
	low := values[len(values)/100]
	high := values[len(values)-1-len(values)/100]
	usual := slices.DeleteFunc(distinct, func(v float64) bool { return v < low || v > high })
	chosen := spread(usual, maxDependenceValues-1)
	if last := usual[len(usual)-1]; chosen[len(chosen)-1] != last {
		chosen = append(chosen, last)
	}
	return chosen
}

// features returns the model's inputs, [values, inputs], of the first row of the table with each value in the column.
func (d *Dependence) features(m *experiment.Model, t *data.Table) ([]float64, error) {
	if len(d.Values) == 0 {
		return nil, fmt.Errorf("column %q has no value in these rows", d.Column)
	}
	j := slices.Index(t.Columns, d.Column)
	replaced := &data.Table{Name: t.Name, Columns: t.Columns, Fields: t.Fields}
	for i, v := range d.Values {
		replaced.X = append(replaced.X, t.X[:len(t.Columns)]...)
		replaced.X[i*len(t.Columns)+j] = v
	}
	if m.Preparation == nil {
		return replaced.X, nil
	}
	inputs := *m.Preparation
	inputs.Targets = nil // the rows have no targets
	prepared, _, err := inputs.Table(replaced)
	if err != nil {
		return nil, err
	}
	return prepared.X, nil
}

// spread returns at most most of the numbers, evenly spaced.
func spread[T any](numbers []T, most int) []T {
	if len(numbers) <= most {
		return numbers
	}
	var chosen []T
	for i := range most {
		chosen = append(chosen, numbers[i*len(numbers)/most])
	}
	return chosen
}

// inputsOf returns a copy of the inputs of rows of a prepared table, row by row.
func inputsOf(t *data.Table, rows []int) []float64 {
	var x []float64
	for _, row := range rows {
		x = append(x, t.X[row*len(t.Columns):][:len(t.Columns)]...)
	}
	return x
}

// addCurves adds a curve without predictions for each target, and for classes for each class. rows has the indices of
// the predicted rows in the table.
func (d *Dependence) addCurves(m *experiment.Model, c *experiment.Converter, t *data.Table, rows []int) {
	var positions, numbers []int
	for position := range rows {
		positions = append(positions, position)
	}
	d.shown = spread(positions, maxDependenceCurves)
	for _, position := range d.shown {
		numbers = append(numbers, t.RowNumber(rows[position]))
	}
	for target, column := range m.Targets {
		for class := range max(1, c.Family.Classes) {
			curve := DependenceCurve{Target: column.Name, Numbers: numbers, Single: make([][]float64, len(d.shown))}
			if c.Family.Classes > 0 {
				curve.Class = c.Label(target, class)
			}
			d.Curves = append(d.Curves, curve)
		}
	}
}

// add adds the predictions of the rows with the next value. It returns an error if one is not finite.
func (d *Dependence) add(c *experiment.Converter, p *evaluation.Predictions) error {
	curvesPerTarget := max(1, c.Family.Classes)
	for target := range p.Targets {
		curves := d.Curves[target*curvesPerTarget:][:curvesPerTarget]
		var values experiment.Values
		mean := make([]float64, len(curves))
		lower, upper := 0.0, 0.0
		for row := range d.Rows {
			if !c.Convert(&values, p, row, target) {
				return fmt.Errorf("a prediction of %s is not finite in its unit", curves[0].Target)
			}
			predicted := values.Probabilities
			if c.Family.Classes == 0 {
				predicted = []float64{values.Mean}
			}
			single := slices.Index(d.shown, row)
			for k := range curves {
				mean[k] += predicted[k] / float64(d.Rows)
				if single >= 0 {
					curves[k].Single[single] = append(curves[k].Single[single], predicted[k])
				}
			}
			lower += values.Lower / float64(d.Rows)
			upper += values.Upper / float64(d.Rows)
		}
		for k := range curves {
			curves[k].Mean = append(curves[k].Mean, mean[k])
		}
		if c.Family.HasStd {
			curves[0].Lower = append(curves[0].Lower, lower)
			curves[0].Upper = append(curves[0].Upper, upper)
		}
	}
	return nil
}

// WriteCSV writes a line for each curve and value, and one for each value of each single row: target, class, row, the
// column, mean, lower and upper. row is empty in lines of means over the rows. It returns the error of w.
func (d *Dependence) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write([]string{"target", "class", "row", d.Column, "mean", "lower", "upper"}) // out.Error returns the first error of all Writes
	format := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for _, c := range d.Curves {
		for i, label := range d.Labels {
			lower, upper := "", ""
			if c.Lower != nil {
				lower, upper = format(c.Lower[i]), format(c.Upper[i])
			}
			out.Write([]string{c.Target, c.Class, "", label, format(c.Mean[i]), lower, upper})
		}
		for k, single := range c.Single {
			for i, label := range d.Labels {
				out.Write([]string{c.Target, c.Class, strconv.Itoa(c.Numbers[k]), label, format(single[i]), "", ""})
			}
		}
	}
	out.Flush()
	return out.Error()
}
