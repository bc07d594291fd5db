package rowio

import (
	"slices"
	"strconv"
	"strings"

	"sml/data"
	"sml/data/write"
	"sml/evaluation"
	"sml/evaluation/experiment"
)

// Form says which values are written for each prediction, in which order and under which names.
type Form struct {
	*experiment.Converter // converts predictions to the targets' units

	// Percentile returns the rank of a standard deviation among the calibration rows, from 0
	// to 1. It is nil if no rank is written.
	Percentile func(std float64, target int) float64
}

// Names returns the names of the values of one target: the mean, the median, quantiles such as q0.05, class
// probabilities, the standard deviation with its parts and the interval, and the deviation's rank, as
// far as the model predicts them.
func (f Form) Names() []string {
	var names []string
	if f.Family.Classes == 0 {
		names = append(names, "mean")
	}
	if f.Family.HasStd {
		names = append(names, "median")
	}
	for _, level := range f.Levels {
		names = append(names, "q"+strconv.FormatFloat(level, 'g', -1, 64))
	}
	for class := range f.Family.Classes {
		names = append(names, f.ProbabilityName(class))
	}
	if f.Family.HasStd {
		names = append(names, "std")
		names = append(names, f.Components...)
		names = append(names, "lower", "upper")
	}
	if f.Percentile != nil {
		names = append(names, "std_percentile")
	}
	return names
}

// AppendNumbers appends the values of the prediction of one target in one row to dst, in the order of
// Names, and reports whether they are all finite. It overwrites v, which callers reuse between rows.
func (f Form) AppendNumbers(dst []write.Cell, v *experiment.Values, p *evaluation.Predictions, row, target int) (_ []write.Cell, isFinite bool) {
	isFinite = f.Convert(v, p, row, target)
	if f.Family.Classes == 0 {
		dst = appendNumbers(dst, v.Mean)
	}
	if f.Family.HasStd {
		dst = appendNumbers(dst, v.Median)
	}
	dst = appendNumbers(dst, v.Quantiles...)
	dst = appendNumbers(dst, v.Probabilities...)
	if f.Family.HasStd {
		dst = appendNumbers(dst, v.Std)
		dst = appendNumbers(dst, v.Components...)
		dst = appendNumbers(dst, v.Lower, v.Upper)
	}
	if f.Percentile != nil {
		// The rank is among standard deviations in the unit of the network, not of the target.
		std := p.Values[row*p.Targets+target].Std()
		dst = appendNumbers(dst, f.Percentile(std, target))
	}
	return dst, isFinite
}

// appendNumbers appends a cell for each number.
func appendNumbers(dst []write.Cell, numbers ...float64) []write.Cell {
	for _, v := range numbers {
		dst = append(dst, write.Cell{Number: v})
	}
	return dst
}

// PairColumns returns a column for the correlation of each pair of targets; none if the targets are independent.
func (f Form) PairColumns() []write.Column {
	var columns []write.Column
	for _, pair := range f.Pairs {
		columns = append(columns, write.Column{Name: pair.Name, Kind: write.Number})
	}
	return columns
}

// AppendCorrelations appends the correlation of each pair of targets in a row to dst, in the order of PairColumns.
func (f Form) AppendCorrelations(dst []write.Cell, p *evaluation.Predictions, row int) []write.Cell {
	for _, pair := range f.Pairs {
		dst = appendNumbers(dst, p.Values[row*p.Targets+pair.First].Correlations[pair.Second])
	}
	return dst
}

// forTargets returns the columns of one target for each of the targets. With several targets, the target's name comes before
// the column's.
func forTargets(targets data.Scalers, columns []write.Column) []write.Column {
	if len(targets) == 1 {
		return columns
	}
	var all []write.Column
	for _, target := range targets {
		for _, c := range columns {
			all = append(all, write.Column{Name: target.Name + "_" + c.Name, Kind: c.Kind})
		}
	}
	return all
}

// classNames returns the names of the texts of one target: the predicted class and, if predictions have sets, the
// classes of the set. It returns nil if targets are numbers.
func (f Form) classNames() []string {
	switch {
	case f.Family.Classes == 0:
		return nil
	case f.HasSets():
		return []string{"class", "set"}
	}
	return []string{"class"}
}

// AppendClasses appends the texts of the prediction of one target, in the order of classNames, to dst. v is the
// converted prediction. A bar is between the classes of a set.
func (f Form) AppendClasses(dst []write.Cell, v *experiment.Values, target int) []write.Cell {
	if f.Family.Classes == 0 {
		return dst
	}
	dst = append(dst, write.Cell{Text: f.Class(v, target)})
	if f.HasSets() {
		dst = append(dst, write.Cell{Text: strings.Join(f.SetLabels(v, target), "|")})
	}
	return dst
}

// predictedColumns returns the columns of predictions without their true targets: of the numbers of each target, of the
// correlations, and of the classes and sets of each target. The texts are optional, since a row without a prediction has no
// class.
func (f Form) predictedColumns(targets data.Scalers) []write.Column {
	return slices.Concat(
		forTargets(targets, Columns(write.Number, f.Names()...)),
		f.PairColumns(),
		forTargets(targets, Columns(write.OptionalText, f.classNames()...)))
}

// JudgedColumns returns the columns of rows that are written with their true target y. For each
// target that is a number, these are y, the columns of Names and pit, the predicted probability of
// values below y (probability integral transform). For each target with classes, these are the label
// of y, the columns of Names, the most probable class and, if predictions have sets, the set.
func (f Form) JudgedColumns(targets data.Scalers) []write.Column {
	numbers := f.Names()
	if f.Family.Classes == 0 {
		return forTargets(targets, Columns(write.Number, slices.Concat([]string{"y"}, numbers, []string{"pit"})...))
	}
	return forTargets(targets, slices.Concat(
		Columns(write.Text, "y"),
		Columns(write.Number, numbers...),
		Columns(write.Text, f.classNames()...)))
}

// Columns returns a column of a kind for each name.
func Columns(kind write.Kind, names ...string) []write.Column {
	var columns []write.Column
	for _, name := range names {
		columns = append(columns, write.Column{Name: name, Kind: kind})
	}
	return columns
}
