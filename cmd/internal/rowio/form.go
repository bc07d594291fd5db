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

// AppendValues appends the values of the prediction of one target in one row to dst, in the order of
// Names, and reports whether they are all finite. It overwrites v, which callers reuse between rows.
func (f Form) AppendValues(dst []float64, v *experiment.Values, p *evaluation.Predictions, row, target int) (_ []float64, isFinite bool) {
	isFinite = f.Convert(v, p, row, target)
	if f.Family.Classes == 0 {
		dst = append(dst, v.Mean)
	}
	if f.Family.HasStd {
		dst = append(dst, v.Median)
	}
	dst = append(dst, v.Quantiles...)
	dst = append(dst, v.Probabilities...)
	if f.Family.HasStd {
		dst = append(dst, v.Std)
		dst = append(dst, v.Components...)
		dst = append(dst, v.Lower, v.Upper)
	}
	if f.Percentile != nil {
		// The rank is among standard deviations in the unit of the network, not of the target.
		std := p.Values[row*p.Targets+target].Std()
		dst = append(dst, f.Percentile(std, target))
	}
	return dst, isFinite
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
func (f Form) AppendCorrelations(dst []float64, p *evaluation.Predictions, row int) []float64 {
	for _, pair := range f.Pairs {
		dst = append(dst, p.Values[row*p.Targets+pair.First].Correlations[pair.Second])
	}
	return dst
}

// targetColumns returns a column of numbers for each name and target. With several targets,
// the target's name comes before the column's.
func targetColumns(targets data.Scalers, names []string) []write.Column {
	var columns []write.Column
	for _, target := range targets {
		for _, name := range names {
			if len(targets) > 1 {
				name = target.Name + "_" + name
			}
			columns = append(columns, write.Column{Name: name, Kind: write.Number})
		}
	}
	return columns
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
func (f Form) AppendClasses(dst []string, v *experiment.Values, target int) []string {
	if f.Family.Classes == 0 {
		return dst
	}
	dst = append(dst, f.Class(v, target))
	if f.HasSets() {
		dst = append(dst, strings.Join(f.SetLabels(v, target), "|"))
	}
	return dst
}

// ClassColumns returns the columns of texts of each target: its class and its set. It returns nil if targets
// are numbers. The columns are optional, since a row without a prediction has no class.
func (f Form) ClassColumns(targets data.Scalers) []write.Column {
	columns := targetColumns(targets, f.classNames())
	for i := range columns {
		columns[i].Kind = write.OptionalText
	}
	return columns
}

// JudgedColumns returns the columns of rows that are written with their true target y. For each
// target that is a number, these are y, the columns of Names and pit, the predicted probability of
// values below y (probability integral transform). For each target with classes, these are the label
// of y, the columns of Names, the most probable class and, if predictions have sets, the set.
func (f Form) JudgedColumns(targets data.Scalers) []write.Column {
	if f.Family.Classes == 0 {
		return targetColumns(targets, slices.Concat([]string{"y"}, f.Names(), []string{"pit"}))
	}
	names := slices.Concat([]string{"y"}, f.Names(), f.classNames())
	columns := targetColumns(targets, names)
	for i := range columns {
		position := i % len(names) // among the columns of one target
		isNumber := position > 0 && position <= len(f.Names())
		if !isNumber {
			columns[i].Kind = write.Text
		}
	}
	return columns
}

// TextColumns returns a column of texts for each name.
func TextColumns(names []string) []write.Column {
	var columns []write.Column
	for _, name := range names {
		columns = append(columns, write.Column{Name: name, Kind: write.Text})
	}
	return columns
}
