package evaluation

import (
	"fmt"

	"sml/evaluation/measure"
)

// Warnings returns a warning for each target whose R² is below 0 in its own unit: the predictions are
// worse than a constant. A nil evaluation has no warnings.
func (e *Evaluation) Warnings() []string {
	if e == nil {
		return nil
	}
	columns := e.Columns
	if columns == nil {
		columns = []Column{{Standardised: e.Standardised, Original: e.Original}}
	}
	var warnings []string
	for _, c := range columns {
		if c.Original.Get("r2") < 0 {
			warnings = append(warnings, describePoorFit(c.Name, e.Rows, c.Original, c.Standardised))
		}
	}
	return warnings
}

// describePoorFit returns the text of a warning about an R² below 0. target is "" if there is only one.
func describePoorFit(target string, rows int, original, standardised measure.Scores) string {
	ofTarget := ""
	if target != "" {
		ofTarget = fmt.Sprintf(" of %q", target)
	}
	warning := fmt.Sprintf("the R²%s is %.3g on %d rows: the mean of their targets would be the better prediction", ofTarget, original.Get("r2"), rows)
	if transformed := standardised.Get("r2"); transformed != original.Get("r2") {
		warning += fmt.Sprintf(" (it is %.3g for the transformed target)", transformed)
	}
	return warning
}
