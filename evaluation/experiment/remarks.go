package experiment

import (
	"fmt"
	"math"

	"sml/evaluation"
	"sml/evaluation/measure"
	"sml/models"
)

// Remarks returns a sentence for each target that a baseline predicts better than the model, for each target whose
// intervals contain it more or less often than chance explains, each with what to try, and for each baseline that was
// fitted to a sample of the training rows. e has the scores of the model.
func (m *Model) Remarks(e *evaluation.Evaluation, baselines []BaselineScores) []string {
	var remarks []string
	targets := e.Targets()
	for i, target := range targets {
		ofTarget := ""
		if len(targets) > 1 {
			ofTarget = " of " + target.Name
		}
		if target.Rows == 0 {
			target.Rows = e.Rows
		}
		remarks = appendText(remarks, describeBetterBaseline(ofTarget, i, target.Original, baselines))
		remarks = appendText(remarks, m.describeCoverage(ofTarget, target))
	}
	for _, b := range baselines {
		if rows := b.Targets[0].SampledRows; rows > 0 {
			remarks = append(remarks, fmt.Sprintf("%s was fitted to %d of the training rows, evenly spaced.", baselineTitles[b.Name], rows))
		}
	}
	return remarks
}

// appendText appends a text to texts unless it is "".
func appendText(texts []string, text string) []string {
	if text == "" {
		return texts
	}
	return append(texts, text)
}

// baselineTitles are the names of the baselines at the beginning of a sentence.
var baselineTitles = map[string]string{
	"ridge":    "Ridge regression",
	"logistic": "Logistic regression",
	"constant": "A constant",
}

// describeBetterBaseline returns a sentence about the best baseline whose score is at least 1 % better than the model's,
// by the first measure for which there is one, or "". target is the index of the target, and ofTarget names it.
func describeBetterBaseline(ofTarget string, target int, scores measure.Scores, baselines []BaselineScores) string {
	const notable = 0.99
	for _, m := range []struct{ name, title string }{{"rmse", "RMSE"}, {"crps", "CRPS"}, {"log-loss", "log loss"}} {
		score := scores.Get(m.name)
		best := notable * score
		better := "" // name of the baseline
		for _, b := range baselines {
			if s := b.Targets[target].Original.Get(m.name); s < best { // false for NaN
				best = s
				better = b.Name
			}
		}
		if better == "" {
			continue
		}
		advice := `"sml compare" says whether by chance; if not, train on more rows or columns, or a linear model (--hidden "")`
		if better == "constant" {
			advice = "the model has learnt nothing that helps on these rows; train on more rows or other columns"
		}
		return fmt.Sprintf("%s has a smaller %s%s (%.4g beside %.4g): %s.",
			baselineTitles[better], m.title, ofTarget, best, score, advice)
	}
	return ""
}

// describeCoverage returns a sentence about intervals that contain a target more or less often than chance explains, or
// "". Sets of classes and intervals of counts may contain it more often. Of weighted rows, the number of intervals is not known from the coverage.
func (m *Model) describeCoverage(ofTarget string, target evaluation.Column) string {
	const tail = 0.005 // probability of a lower number, and of a higher one, that chance is not taken for
	nominal := m.intervalCoverage()
	name, _ := measure.IntervalNames(nominal)
	coverage := target.Original.Get(name)
	if math.IsNaN(coverage) || m.Settings.Table.Weight != "" {
		return ""
	}
	number := successCount{trials: target.Rows, probability: nominal}
	advice := `"sml calibrate" corrects them by rows that the model was not trained on`
	if m.Calibration != nil {
		number.observed = m.Calibration.Rows
		advice = "these rows differ from the calibration rows; calibrate on rows like them"
	}
	low, high := number.limits(tail)
	covered := int(math.Round(coverage * float64(target.Rows)))
	isTooMany := covered > high && !m.mayCoverMore()
	if covered >= low && !isTooMany {
		return ""
	}
	regions, contained := "intervals", "target"
	if m.Architecture.Classes > 0 {
		regions, contained = "sets", "class"
	}
	return fmt.Sprintf("Of %d %s%s with a nominal coverage of %v %%, %d contain their %s; chance explains %d to %d: %s.",
		target.Rows, regions, ofTarget, math.Round(nominal*1e6)/1e4, covered, contained, low, high, advice)
}

// mayCoverMore reports whether intervals or sets with the right probabilities contain the target more often than their
// nominal coverage, because the target has few values.
func (m *Model) mayCoverMore() bool {
	method, err := models.Lookup(m.Method)
	hasCounts := err == nil && method.Support == models.Counts
	return hasCounts || m.Architecture.Classes > 0
}
