package report

import (
	"strings"

	"sml/evaluation/study"
)

// tellOptimizers makes the optimizer a part of the methods' labels, as in
// "sml by sgd momentum=0.5", where studies differ in it. The default one is none, and
// labels of a study that varies it have it already.
func tellOptimizers(studies []Study) {
	wording := map[string]string{study.DefaultRule: ""} // by rule: of equal ones the first
	for _, s := range studies {
		for _, c := range s.Cells {
			if _, known := wording[c.Training.DescribeOptimizer()]; known {
				continue
			}
			_, says, told := strings.Cut(c.Label, study.OptimizerSeparator)
			if !told {
				says = strings.Join(s.Config.Settings["optimizer"], ", ") // the only one
			}
			wording[c.Training.DescribeOptimizer()] = study.OptimizerSeparator + says
		}
	}
	if rules := len(wording); rules < 2 || rules == 2 && !anyBy(studies, study.DefaultRule) {
		return
	}
	for _, s := range studies {
		for i, c := range s.Cells {
			if !strings.Contains(c.Label, study.OptimizerSeparator) {
				s.Cells[i].Label += wording[c.Training.DescribeOptimizer()]
			}
		}
	}
}

// anyBy tells whether a cell follows a rule.
func anyBy(studies []Study, rule string) bool {
	for _, s := range studies {
		for _, c := range s.Cells {
			if c.Training.DescribeOptimizer() == rule {
				return true
			}
		}
	}
	return false
}
