package experiment

import (
	"slices"

	"sml/evaluation/calibrate"
	"sml/evaluation/measure"
)

// SummaryMeasures returns the names of the measures that sum up predictions of the model: of numbers RMSE, MAE and CRPS,
// of classes log loss, accuracy and Brier score, and of both the coverage and the width of the model's intervals or sets.
func (m *Model) SummaryMeasures() []string {
	coverage, width := measure.IntervalNames(m.intervalCoverage())
	if m.Architecture.Classes > 0 {
		return []string{"log-loss", "accuracy", "brier", coverage, width}
	}
	return []string{"rmse", "mae", "crps", coverage, width}
}

// intervalCoverage returns the coverage of the model's intervals or sets: the coverage that its calibration was asked for,
// or else the default coverage of its predictions.
func (m *Model) intervalCoverage() float64 {
	c := m.Calibration
	if c != nil && c.Levels == nil { // a calibration of quantiles covers all of them, whatever is asked for
		return c.Coverage
	}
	converter, err := m.NewConverter(Outputs{})
	if err != nil { // the method cannot be built here, and has no predictions to score either
		return calibrate.DefaultCoverage
	}
	return converter.Coverage
}

// withSummaryMeasures returns the names of the measures to compute: the given names or, if there are none or the single
// name "all", the names that measure.Select finds for them, and after these the names of SummaryMeasures.
func (m *Model) withSummaryMeasures(names []string) []string {
	isListed := len(names) > 0 && names[0] != "all"
	if isListed {
		return names
	}
	selected, _ := measure.Select(names) // an error would be about a name in a list
	var all []string
	for _, s := range selected {
		all = append(all, s.Name)
	}
	for _, name := range m.SummaryMeasures() {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// isMeasured reports whether a registered measure reads a column of the table.
func isMeasured(column string) bool {
	return slices.ContainsFunc(measure.All(), func(m measure.Measure) bool { return slices.Contains(m.Columns, column) })
}
