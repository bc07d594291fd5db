package rowio

import (
	"slices"
	"strconv"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
)

// Form lists the values that a result has for each prediction, and their names.
type Form struct {
	*experiment.Converter

	// Percentile returns the rank of a standard deviation among the calibration rows, from 0
	// to 1. It is nil if no rank is written.
	Percentile func(std float64, target int) float64
}

// Names returns the names of the values of one target.
func (f Form) Names() []string {
	var names []string
	if f.Family.Classes == 0 {
		names = append(names, "mean")
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

// AppendValues appends the values of a prediction in the order of Names. It reports whether
// they are finite. v is scratch memory.
func (f Form) AppendValues(dst []float64, v *experiment.Values, p *evaluation.Predictions, row, target int) ([]float64, bool) {
	finite := f.Convert(v, p, row, target)
	if f.Family.Classes == 0 {
		dst = append(dst, v.Mean)
	}
	dst = append(dst, v.Quantiles...)
	dst = append(dst, v.Probabilities...)
	if f.Family.HasStd {
		dst = append(dst, v.Std)
		dst = append(dst, v.Components...)
		dst = append(dst, v.Lower, v.Upper)
	}
	if f.Percentile != nil {
		dst = append(dst, f.Percentile(p.Values[row*p.Targets+target].Std(), target))
	}
	return dst, finite
}

// TargetColumns returns a column of numbers for each name and target. With several targets,
// the target's name comes before the column's.
func TargetColumns(targets data.Scalers, names []string) []Column {
	var columns []Column
	for _, target := range targets {
		for _, name := range names {
			if len(targets) > 1 {
				name = target.Name + "_" + name
			}
			columns = append(columns, Column{name, Number})
		}
	}
	return columns
}

// ClassColumns returns a column for the predicted class of each target, none if targets are
// numbers.
func (f Form) ClassColumns(targets data.Scalers) []Column {
	if f.Family.Classes == 0 {
		return nil
	}
	columns := TargetColumns(targets, []string{"class"})
	for i := range columns {
		columns[i].Kind = OptionalText
	}
	return columns
}

// JudgedColumns returns the columns of judged rows, for each target: y, the columns of Names and
// pit, or, if targets are classes, the label of y, the probabilities and the most probable class.
func (f Form) JudgedColumns(targets data.Scalers) []Column {
	if f.Family.Classes == 0 {
		return TargetColumns(targets, slices.Concat([]string{"y"}, f.Names(), []string{"pit"}))
	}
	names := slices.Concat([]string{"y"}, f.Names(), []string{"class"})
	columns := TargetColumns(targets, names)
	for i := range targets {
		own := columns[i*len(names) : (i+1)*len(names)]
		own[0].Kind, own[len(own)-1].Kind = Text, Text
	}
	return columns
}

// TextColumns returns a column of texts for each name.
func TextColumns(names []string) []Column {
	var columns []Column
	for _, name := range names {
		columns = append(columns, Column{name, Text})
	}
	return columns
}
