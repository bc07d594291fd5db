package experiment

import (
	"fmt"
	"math"

	"sml/evaluation"
)

// Verdict returns a warning if a baseline predicts the judged rows better than the model, and one if the coverage of its
// 90 % intervals is beyond chance, each with what to try. e has the scores of the model.
func (m *Model) Verdict(e *evaluation.Evaluation, baselines []BaselineScores) []string {
	calibrationRows := 0
	if m.Calibration != nil {
		calibrationRows = m.Calibration.Rows
	}
	var warnings []string
	if text := betterBaseline(e, baselines); text != "" {
		warnings = append(warnings, text)
	}
	if text := wrongCoverage(e, calibrationRows); text != "" {
		warnings = append(warnings, text)
	}
	return warnings
}

// betterBaseline returns the text of a warning about the best baseline whose score is at least 1 % better than the
// model's, or "".
func betterBaseline(e *evaluation.Evaluation, baselines []BaselineScores) string {
	const notable = 0.99
	for _, measure := range []struct{ name, title string }{{"rmse", "RMSE"}, {"crps", "CRPS"}, {"log-loss", "log loss"}} {
		score := e.Original.Get(measure.name)
		best := notable * score
		name := ""
		for _, b := range baselines {
			if s := b.Original.Get(measure.name); s < best { // false for NaN
				best = s
				name = b.Name
			}
		}
		if name != "" {
			return fmt.Sprintf("the baseline %s predicts these rows better than the model, with a %s of %.4g in place of %.4g: use it, train on more rows or columns, or compare other methods", name, measure.title, best, score)
		}
	}
	return ""
}

// wrongCoverage returns the text of a warning about a coverage more than three standard errors from 90 %, or "". The
// coverage of one calibration on n rows has the variance c(1 − c)/n (Vovk 2012); the judged rows add theirs.
func wrongCoverage(e *evaluation.Evaluation, calibrationRows int) string {
	const nominal = 0.9
	coverage := e.Original.Get("coverage90")
	inverse := 1 / float64(e.Rows)
	advice := "calibrate it on rows that it was not trained on"
	if calibrationRows > 0 {
		inverse += 1 / float64(calibrationRows)
		advice = "these rows differ from the calibration rows; calibrate it on rows like them"
	}
	bound := 3 * math.Sqrt(nominal*(1-nominal)*inverse)
	if !(math.Abs(coverage-nominal) > bound) { // true for NaN
		return ""
	}
	return fmt.Sprintf("the model's 90%% intervals contain %.1f%% of the %d targets, and chance explains 90%% ± %.1f%%: %s", 100*coverage, e.Rows, 100*bound, advice)
}
