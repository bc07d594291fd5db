package report

import (
	"slices"

	"sml/evaluation/study"
)

// tellOptimizers makes the optimizer a part of the methods' labels, as in
// "sml by sgd momentum=0.5", where studies differ in it. The default one is none.
func tellOptimizers(studies []Study) {
	rules := Distinct(studies, ruleOf)
	if len(rules) < 2 {
		return
	}
	for _, s := range studies {
		if ruleOf(s) == study.DefaultRule {
			continue
		}
		// Of equal rules the first wording.
		same := studies[slices.IndexFunc(studies, func(other Study) bool { return ruleOf(other) == ruleOf(s) })]
		by := study.By + same.Config.Optimizer
		for i := range s.Scores {
			s.Scores[i].Method += by
		}
		for i := range s.Shares {
			s.Shares[i].Method += by
		}
		for i := range s.Cells {
			s.Cells[i].Label += by
		}
	}
}

func ruleOf(s Study) string { return s.Cells[0].Training.Rule() }
