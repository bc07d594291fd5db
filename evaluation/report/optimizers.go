package report

import (
	"strings"

	"sml/evaluation/study"
)

// addOptimizersToLabels appends the optimizer to the labels of the studies' cells, as in "sml by sgd
// momentum=0.5", if the studies use several optimizers. It tells equal methods apart in tables, which
// use labels as names. Nothing is appended for the default optimizer, or to a label that has an
// optimizer already because its study varies it.
//
// Users can write one optimizer in several ways: the suffix, such as " · sgd momentum=0.5", is as the first study has it.
func addOptimizersToLabels(studies []study.Directory) {
	suffixes := make(map[string]string) // by the optimizer's full description; "" for the default
	for _, s := range studies {
		for _, c := range s.Plan.Cells {
			optimizer := c.Training.DescribeOptimizer()
			if _, isKnown := suffixes[optimizer]; !isKnown {
				suffixes[optimizer] = optimizerSuffix(s, c, optimizer)
			}
		}
	}
	if len(suffixes) < 2 {
		return
	}
	for _, s := range studies {
		for i, c := range s.Plan.Cells {
			if !strings.Contains(c.Label, study.OptimizerSeparator) {
				s.Plan.Cells[i].Label += suffixes[c.Training.DescribeOptimizer()]
			}
		}
	}
}

// optimizerSuffix returns the suffix for the optimizer of a cell as its study writes it: in the cell's label, or in the
// settings if all cells have the same one.
func optimizerSuffix(s study.Directory, c study.PlannedCell, optimizer string) string {
	if optimizer == study.DefaultRule {
		return ""
	}
	_, written, isInLabel := strings.Cut(c.Label, study.OptimizerSeparator)
	if !isInLabel {
		written = strings.Join(s.Plan.Config.Settings["optimizer"], ", ")
	}
	return study.OptimizerSeparator + written
}
