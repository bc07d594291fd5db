package evaluation

import (
	"fmt"
	"strings"

	"sml/evaluation/measure"
)

// Warnings returns a warning if the scores ignore columns that the objective reads, and a warning for each target
// whose R² is below 0 in its own unit: the predictions are worse than a constant. A nil evaluation has no
// warnings.
func (e *Evaluation) Warnings() []string {
	if e == nil {
		return nil
	}
	var warnings []string
	if len(e.IgnoredColumns) > 0 {
		warnings = append(warnings, DescribeIgnored(e.IgnoredColumns))
	}
	for _, c := range e.Targets() {
		if c.Original.Get("r2") < 0 {
			warnings = append(warnings, describePoorFit(c.Name, e.Rows, c.Original, c.Standardised))
		}
	}
	return warnings
}

// DescribeIgnored returns the text of a warning about Evaluation.IgnoredColumns.
func DescribeIgnored(columns []string) string {
	return fmt.Sprintf("the scores ignore the column %s, which the objective reads: they take every target as it is in the table", strings.Join(columns, ", "))
}

// describePoorFit returns the text of a warning about an R² below 0. target is "" if there is only one.
func describePoorFit(target string, rows int, original, standardised measure.Scores) string {
	ofTarget := ""
	if target != "" {
		ofTarget = fmt.Sprintf(" of %q", target)
	}
	r2 := fmt.Sprintf("%.3g", original.Get("r2"))
	warning := fmt.Sprintf("the R²%s is %s on %d rows: the mean of their targets would be the better prediction", ofTarget, r2, rows)
	standardisedR2 := fmt.Sprintf("%.3g", standardised.Get("r2"))
	if standardisedR2 != r2 { // a transform or bounds change it
		warning += fmt.Sprintf(" (it is %s for the standardised target)", standardisedR2)
	}
	return warning
}
