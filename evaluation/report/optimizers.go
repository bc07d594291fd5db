package report

import (
	"strings"

	"sml/evaluation/study"
)

// addOptimizersToLabels adds the optimizer to the methods' labels, as in "sml by sgd momentum=0.5", if
// the studies differ in it. The default optimizer is not named. Labels of a study that varies the
// optimizer name it already.
func addOptimizersToLabels(studies []Study) {
	suffixes := optimizerSuffixes(studies)
	distinct := len(suffixes) // the default optimizer, which is always there, may be unused
	if distinct < 2 || distinct == 2 && !usesOptimizer(studies, study.DefaultRule) {
		return
	}
	for _, s := range studies {
		for i, c := range s.Cells {
			if !strings.Contains(c.Label, study.OptimizerSeparator) {
				s.Cells[i].Label += suffixes[c.Training.DescribeOptimizer()]
			}
		}
	}
}

// optimizerSuffixes returns what a label adds for each optimizer of the studies, "" for the default
// one. Equal optimizers may be written in several ways; the first is taken.
func optimizerSuffixes(studies []Study) map[string]string {
	suffixes := map[string]string{study.DefaultRule: ""}
	for _, s := range studies {
		for _, c := range s.Cells {
			optimizer := c.Training.DescribeOptimizer()
			if _, known := suffixes[optimizer]; known {
				continue
			}
			_, words, inLabel := strings.Cut(c.Label, study.OptimizerSeparator)
			if !inLabel {
				words = strings.Join(s.Config.Settings["optimizer"], ", ") // the study has one optimizer
			}
			suffixes[optimizer] = study.OptimizerSeparator + words
		}
	}
	return suffixes
}

// usesOptimizer reports whether a cell of the studies is trained by the optimizer.
func usesOptimizer(studies []Study, optimizer string) bool {
	for _, s := range studies {
		for _, c := range s.Cells {
			if c.Training.DescribeOptimizer() == optimizer {
				return true
			}
		}
	}
	return false
}
