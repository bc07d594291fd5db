package report

import (
	"strings"

	"sml/evaluation/study"
)

// addOptimizersToLabels appends the optimizer to the labels of the studies' cells, as in "sml by sgd
// momentum=0.5", if the studies use several optimizers. It tells equal methods apart in tables, which
// use labels as names. Nothing is appended for the default optimizer, or to a label that has an
// optimizer already because its study varies it.
func addOptimizersToLabels(studies []study.Directory) {
	suffixes := optimizerSuffixes(studies)
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

// optimizerSuffixes returns the suffix of a label for each optimizer that the studies use, by its
// description: "" for the default optimizer. Users can write one optimizer in several ways; the
// suffix has the way that comes first.
func optimizerSuffixes(studies []study.Directory) map[string]string {
	suffixes := make(map[string]string)
	for _, s := range studies {
		for _, c := range s.Plan.Cells {
			optimizer := c.Training.DescribeOptimizer()
			if _, isKnown := suffixes[optimizer]; isKnown {
				continue
			}
			if optimizer == study.DefaultRule {
				suffixes[optimizer] = ""
				continue
			}
			_, written, isInLabel := strings.Cut(c.Label, study.OptimizerSeparator)
			if !isInLabel {
				written = strings.Join(s.Plan.Config.Settings["optimizer"], ", ") // the only one of the study
			}
			suffixes[optimizer] = study.OptimizerSeparator + written
		}
	}
	return suffixes
}
