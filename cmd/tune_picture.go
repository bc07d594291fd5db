package cmd

import (
	"math"
	"slices"
	"strconv"

	"sml/evaluation/report"
	"sml/evaluation/report/drawing"
	"sml/evaluation/study/tune"
)

// drawTrials draws the scores of the trials against the settings that vary, which are those with more than
// one choice. A failed trial has the score NaN.
func drawTrials(found *tune.Result) (*drawing.Figure, error) {
	var varied []report.TrialSetting
	var columns []int // for each varied setting, its index among the settings of the space
	for j, d := range found.Tuning.Space {
		if len(d.Choices) == 1 { // the same for all trials; a range has no choices
			continue
		}
		varied = append(varied, report.TrialSetting{Name: d.Key, Choices: d.Choices, Low: d.Low, High: d.High, Log: d.Log})
		columns = append(columns, j)
	}
	var trials []report.Trial
	for _, t := range found.Trials {
		drawn := report.Trial{Score: float64(t.Score().Mean), Stopped: t.State == tune.Stopped}
		if t.State == tune.Failed {
			drawn.Score = math.NaN()
		}
		for _, j := range columns {
			drawn.Values = append(drawn.Values, settingPosition(found.Tuning.Space[j], t.Values[j]))
		}
		trials = append(trials, drawn)
	}
	return report.Trials(found.Measure, varied, trials, found.Best)
}

// settingPosition returns the place of a trial's value on the axis of a setting: a number, or the index of
// a choice. It returns NaN for "", a setting that the trial does not have.
func settingPosition(d tune.Dimension, value string) float64 {
	if value == "" {
		return math.NaN()
	}
	if d.Choices != nil {
		return float64(slices.Index(d.Choices, value))
	}
	position, _ := strconv.ParseFloat(value, 64) // the tuning has written it
	return position
}
